// The report of a program by a hook (protocol §5.17): a post, a thing of another program, or how a job goes. A report
// becomes one request of the protocol, which is read as if it had come over a socket. So it has the same limits and
// answers, and takes effect once.

package import Domain

/// A report that was read.
package struct HookReport: Equatable, Sendable {
  /// The list that the report names. Nil when the address or the token says which.
  package let list: CategoryID?
  let fields: HookFields
  let kind: Kind

  enum Kind: Equatable {
    case post
    /// A post of another program, which may be done there.
    case thing(done: Bool?)
    case job(Job)
  }

  /// The news of a job: a run begins, goes on, or is over.
  struct Job: Equatable {
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
