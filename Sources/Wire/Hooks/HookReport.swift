// The report of a program by a hook (protocol §5.17): a post, a thing of another program, or how a job goes. A report
// becomes one request of the protocol, which is read as if it had come over a socket. So it has the same limits and
// answers, and takes effect once.

package import Domain

/// A report that was read.
package struct HookReport: Equatable, Sendable {
  /// The list that the report names. Nil when the address or the token says which.
  package let list: CategoryID?
  private let fields: HookFields
  private let kind: Kind

  private enum Kind: Equatable {
    case post
    /// A post of another program, which may be done there.
    case thing(done: Bool?)
    case job(Job)
  }

  /// The news of a job: a run begins, goes on, or is over.
  private struct Job: Equatable {
    enum Step: Equatable {
      case started
      case phase
      case over(RunOutcome)
    }
    let name: String
    let step: Step
    let leaseMilliseconds: Int
  }

  /// The name in the `source` of posts that stand for jobs.
  package static let jobs = "jobs"
  /// The name in the `source` of things whose program is not named.
  package static let things = "hook"
  /// The time after which a run is lost of which nothing more is heard, if the report does not say it. A hook says
  /// nothing between the beginning and the end, so it is longer than that of a program that is connected.
  package static let leaseMilliseconds = 3_600_000

  /// Reads the body of a hook.
  package init(_ body: [UInt8], as form: HookForm) throws(Failure) {
    let fields = try HookFields(body, as: form)
    do throws(Refusal) {
      list = try fields["list"].map { text throws(Refusal) in
        guard let id = UUID(text) else {
          throw .invalid(field: "list", reason: "is no id of a list")
        }
        return CategoryID(id)
      }
      kind = try HookReport.kind(of: fields)
    } catch {
      throw .refused(error)
    }
    self.fields = fields
  }

  /// Whether it is about a job.
  var isOfJob: Bool {
    if case .job = kind { true } else { false }
  }

  // MARK: Reading

  private static func kind(of fields: HookFields) throws(Refusal) -> Kind {
    if let name = fields["job"] {
      try refuse(fields, beyond: jobFields, of: "a job")
      return .job(try job(name, fields))
    }
    if fields["id"] != nil {
      try refuse(fields, beyond: thingFields, of: "a thing with an id")
      return .thing(done: try done(fields))
    }
    try refuse(fields, beyond: postFields, of: "a post without job and id")
    return .post
  }

  private static let postFields: Set<String> = [
    "list", "title", "notes", "priority", "due", "zone",
  ]
  private static let thingFields = postFields.union(["source", "id", "url", "done"])
  private static let jobFields: Set<String> = [
    "list", "title", "notes", "url", "job", "run", "state", "phase", "text", "lease",
  ]

  private static func refuse(
    _ fields: HookFields, beyond known: Set<String>, of what: String
  ) throws(Refusal) {
    for name in fields.given where !known.contains(name) {
      throw .invalid(field: name, reason: "is no field of \(what)")
    }
  }

  private static func done(_ fields: HookFields) throws(Refusal) -> Bool? {
    switch fields["done"] {
    case nil: nil
    case "true": true
    case "false": false
    default: throw .invalid(field: "done", reason: "is neither true nor false")
    }
  }

  private static func job(_ name: String, _ fields: HookFields) throws(Refusal) -> Job {
    let step = try step(fields)
    switch step {
    case .started, .phase:
      guard fields["run"] != nil else {
        throw .invalid(
          field: "run", reason: "is missing: by its name the end of the run finds it again")
      }
      guard fields["text"] == nil else {
        throw .invalid(field: "text", reason: "is said of a run that is over")
      }
    case .over:
      guard fields["phase"] == nil, fields["lease"] == nil else {
        throw .invalid(
          field: fields["phase"] == nil ? "lease" : "phase", reason: "is said of a run that goes on"
        )
      }
    }
    return Job(name: name, step: step, leaseMilliseconds: try lease(fields))
  }

  private static func step(_ fields: HookFields) throws(Refusal) -> Job.Step {
    switch fields["state"] {
    case "started": return .started
    case nil where fields["phase"] != nil: return .phase
    case nil:
      throw .invalid(
        field: "state",
        reason: "is missing: a job is started, ok, failed or cancelled, or has a phase")
    // These two words are those of build servers.
    case "ok", "success": return .over(.ok)
    case "failed", "failure": return .over(.failed)
    case "cancelled": return .over(.cancelled)
    default: throw .invalid(field: "state", reason: "is none of started, ok, failed and cancelled")
    }
  }

  private static func lease(_ fields: HookFields) throws(Refusal) -> Int {
    guard let text = fields["lease"] else { return leaseMilliseconds }
    let (shortest, longest) = (
      Limits.runLeaseMillisecondsMin / 1_000, Limits.runLeaseMillisecondsMax / 1_000
    )
    guard let seconds = Int(text), (shortest...longest).contains(seconds) else {
      throw .invalid(field: "lease", reason: "is not from \(shortest) to \(longest) seconds")
    }
    return seconds * 1_000
  }
}

// MARK: - Requests

/// The names from which a hook makes ids and keys: the same report of the same user has the same ones.
package struct HookNames: Sendable {
  /// The user who reports.
  let user: UserID
  /// The text by which a repeat is known, or one that nobody else has.
  let repeatedBy: String
  /// Returns 32 bytes that nobody can choose, the same for the same texts.
  let digest: @Sendable ([String]) -> [UInt8]

  package init(
    user: UserID, repeatedBy: String, digest: @escaping @Sendable ([String]) -> [UInt8]
  ) {
    (self.user, self.repeatedBy, self.digest) = (user, repeatedBy, digest)
  }

  func id(_ parts: String...) -> UUID {
    guard let id = UUID(bytes: Array(digest(parts).prefix(16))) else {
      preconditionFailure("a digest has 32 bytes")
    }
    return id
  }

  /// Returns the key of the first or second request of a report.
  func key(_ number: Int) -> String {
    let name = id("key", repeatedBy, "\(number)")
    return "hook:" + String(decoding: name.utf8, as: UTF8.self)
  }
}

/// The requests of a report. The second one is sent when the first is refused because its run is known already.
package struct HookRequests: Equatable, Sendable {
  package let post: PostID
  package let first: RequestEnvelope
  package let second: RequestEnvelope?
}

extension HookReport {
  /// Returns the requests that carry out the report in a list. Throws when one of its texts is not as it must be.
  package func requests(in list: CategoryID, _ names: HookNames) throws(Failure) -> HookRequests {
    switch kind {
    case .post:
      let post = PostID(names.id("post", "\(names.user.uuid)", "\(list.uuid)", names.repeatedBy))
      let command = HookCommand("post.add", list, post) { writer in
        fields.write(["title", "notes", "priority"], to: &writer)
        fields.writeDue(to: &writer)
      }
      return try requests(post, [command], names)
    case .thing(let done):
      let source = fields["source"] ?? HookReport.things
      let id = fields["id"] ?? ""
      let post = PostID(names.id("thing", "\(list.uuid)", source, id))
      let known = importing(post, in: list, source, id, title: fields["title"] ?? "")
      let then = done.map { HookCommand($0 ? "post.complete" : "post.reopen", list, post) }
      return try requests(post, [known] + [then].compactMap(\.self), names)
    case .job(let job): return try requests(of: job, in: list, names)
    }
  }

  private func importing(
    _ post: PostID, in list: CategoryID, _ source: String, _ id: String, title: String
  ) -> HookCommand {
    HookCommand("import.upsert", list, post) { writer in
      writer.key("source")
      writer.beginObject()
      writer.member("name", source)
      writer.member("id", id)
      writer.member("url", ifPresent: fields["url"])
      writer.endObject()
      writer.member("title", title)
      fields.write(["notes", "priority"], to: &writer)
      fields.writeDue(to: &writer)
    }
  }

  private func requests(
    of job: Job, in list: CategoryID, _ names: HookNames
  ) throws(Failure) -> HookRequests {
    let post = PostID(names.id("thing", "\(list.uuid)", HookReport.jobs, job.name))
    let run = names.id(
      "run", "\(names.user.uuid)", "\(list.uuid)", job.name,
      fields["run"].map { "named \($0)" } ?? "once \(names.repeatedBy)")
    let known = [
      importing(post, in: list, HookReport.jobs, job.name, title: fields["title"] ?? job.name),
      HookCommand("post.reopen", list, post),
    ]
    let start = HookCommand("run.start", list, post) { writer in
      writer.member("run", run)
      writer.member("leaseMs", job.leaseMilliseconds)
      writer.member("phase", ifPresent: fields["phase"])
    }
    switch job.step {
    case .started: return try requests(post, known + [start], names)
    case .phase:
      let phase = HookCommand("run.phase", list, post) { writer in
        writer.member("run", run)
        writer.member("phase", ifPresent: fields["phase"])
      }
      return try requests(post, known + [start, phase], otherwise: known + [phase], names)
    case .over(let outcome):
      let end = HookCommand("run.end", list, post) { writer in
        writer.member("run", run)
        writer.member("outcome", outcome.rawValue)
        writer.member("text", ifPresent: fields["text"])
      }
      return try requests(post, known + [start, end], otherwise: known + [end], names)
    }
  }

  private func requests(
    _ post: PostID, _ commands: [HookCommand], otherwise: [HookCommand]? = nil, _ names: HookNames
  ) throws(Failure) -> HookRequests {
    var second: RequestEnvelope?
    if let otherwise { second = try HookCommand.request(otherwise, key: names.key(2)) }
    return HookRequests(
      post: post, first: try HookCommand.request(commands, key: names.key(1)), second: second)
  }
}
