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
    let isTimed = fields["due"]?.contains("T") == true
    guard isTimed == (fields["zone"] != nil) else {
      throw .invalid(
        field: "zone",
        reason: isTimed ? "is missing: the due has a time" : "is said of a due with a time")
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
    if let run = fields["run"], run.allSatisfy(\.isWhitespace) {
      throw .invalid(field: "run", reason: "is empty")
    }
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

/// The post that a report is about, as the list has it.
package enum HookSubject: Equatable, Sendable {
  /// The list has no such post. A new one gets this id.
  case new(PostID)
  /// The list has it, also where it is removed or has gone to another list.
  case known(PostID)

  package var post: PostID {
    switch self {
    case .new(let post), .known(let post): post
    }
  }

  var isKnown: Bool {
    if case .known = self { true } else { false }
  }
}

/// The requests that a report may become. All have the same key, so one of them takes effect, once.
package struct HookRequests: Equatable, Sendable {
  package let post: PostID
  /// The ways to say it, each as one request, or as a second one where its run is known already. The first way is sent.
  /// The other one is the way in which it was said if the post was new then, for a report that comes again.
  package let ways: [[RequestEnvelope]]
}

extension HookReport {
  /// The post of another program that the report is about. Nil for a post that is new each time.
  package var source: SourceKey? {
    switch kind {
    case .post: nil
    case .thing: SourceKey(name: fields["source"] ?? HookReport.things, id: fields["id"] ?? "")
    case .job(let job): SourceKey(name: HookReport.jobs, id: job.name)
    }
  }

  /// Returns the id of the post that the report adds. `attempt` counts from 0: where somebody has erased a post of that
  /// id, the next one is taken.
  package func newPost(in list: CategoryID, _ names: HookNames, attempt: Int) -> PostID {
    guard let source else { return PostID(names.id("post", [list.text, key(names)])) }
    return PostID(names.id("thing", [list.text, source.name, source.id, "\(attempt)"]))
  }

  /// Returns the requests that carry out the report in a list. Throws when one of its texts is not as it must be.
  package func requests(
    in list: CategoryID, about subject: HookSubject, _ names: HookNames
  ) throws(Failure) -> HookRequests {
    var ways = [try way(in: list, about: subject, names)]
    if case .known(let post) = subject {
      let first = try way(in: list, about: .new(post), names)
      if first != ways[0] { ways.append(first) }
    }
    return HookRequests(post: subject.post, ways: ways)
  }

  private func way(
    in list: CategoryID, about subject: HookSubject, _ names: HookNames
  ) throws(Failure) -> [RequestEnvelope] {
    let post = subject.post
    let key = key(names)
    switch kind {
    case .post:
      let command = HookCommand("post.add", list, post) { [fields] writer in
        fields.write(["title", "notes", "priority"], to: &writer)
        fields.writeDue(to: &writer)
      }
      return [try HookCommand.request([command], key: key)]
    case .thing(let done):
      let told = importing(subject, in: list, title: fields["title"] ?? "")
      let then = done.map { HookCommand($0 ? "post.complete" : "post.reopen", list, post) }
      return [try HookCommand.request([told] + [then].compactMap(\.self), key: key)]
    case .job(let job):
      var requests: [RequestEnvelope] = []
      for commands in commands(of: job, in: list, about: subject, names) {
        requests.append(try HookCommand.request(commands, key: key))
      }
      return requests
    }
  }

  private func importing(
    _ subject: HookSubject, in list: CategoryID, title: String
  ) -> HookCommand {
    HookCommand("import.upsert", list, subject.post) { [fields, source] writer in
      writer.key("source")
      writer.beginObject()
      writer.member("name", source?.name ?? "")
      writer.member("id", source?.id ?? "")
      writer.member("url", ifPresent: fields["url"])
      writer.endObject()
      writer.member("title", title)
      fields.write(["notes", "priority"], to: &writer)
      fields.writeDue(to: &writer)
    }
  }

  /// Returns the commands of a job, and those for a run that is known already. A post that is known keeps its title,
  /// notes and url, unless the report has a title.
  private func commands(
    of job: Job, in list: CategoryID, about subject: HookSubject, _ names: HookNames
  ) -> [[HookCommand]] {
    let post = subject.post
    let run = names.id(
      "run",
      [names.bot, list.text, job.name]
        + (fields["run"].map { ["named", $0] } ?? ["once", key(names)]))
    var open = [HookCommand("post.reopen", list, post)]
    if !subject.isKnown || fields["title"] != nil {
      open.insert(importing(subject, in: list, title: fields["title"] ?? job.name), at: 0)
    }
    let start = HookCommand("run.start", list, post) { [fields] writer in
      writer.member("run", run)
      writer.member("leaseMs", job.leaseMilliseconds)
      writer.member("phase", ifPresent: fields["phase"])
    }
    switch job.step {
    case .started: return [open + [start]]
    case .phase:
      let phase = HookCommand("run.phase", list, post) { [fields] writer in
        writer.member("run", run)
        writer.member("phase", ifPresent: fields["phase"])
      }
      return [open + [start, phase], open + [phase]]
    case .over(let outcome):
      let end = HookCommand("run.end", list, post) { [fields] writer in
        writer.member("run", run)
        writer.member("outcome", outcome.rawValue)
        writer.member("text", ifPresent: fields["text"])
      }
      return [open + [start, end], open + [end]]
    }
  }

  /// Returns the key of the command. A repeat by the same Idempotency-Key has the same one.
  private func key(_ names: HookNames) -> String {
    let words = names.key.map { ["told", $0] } ?? ["fresh", names.fresh]
    return "hook:\(names.id("key", [names.bot] + words))"
  }
}

extension CategoryID {
  fileprivate var text: String { "\(uuid)" }
}
