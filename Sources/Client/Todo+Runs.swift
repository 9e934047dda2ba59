import Domain
import Text

/// The work of a program on a post, while it goes on.
public struct TodoRun: Equatable, Sendable, Identifiable {
  /// The id of a run, unique within its post.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    let id: RunID

    /// Reads a UUID in lower case. Nil for anything else.
    public init?(_ text: String) {
      guard let uuid = UUID(text) else { return nil }
      id = RunID(uuid)
    }

    init(_ id: RunID) { self.id = id }
    public var description: String { id.description }
  }

  public let id: ID
  /// The account that started it. It may have left the list since: then the run is lost after its lease, and anybody
  /// may start another one in its place.
  public let person: TodoPerson.ID
  /// The moment of its start, in milliseconds since 1970.
  public let startedAt: Int64
  /// One line that says what the program does now. Nil until it has said so.
  public let phase: String?

  init(_ run: PostRun) {
    id = ID(run.id)
    person = run.user.description
    startedAt = run.startedAt.milliseconds
    phase = run.phase
  }
}

/// The way in which a run ended.
public enum TodoRunOutcome: String, CaseIterable, Sendable {
  case ok
  case failed
  case cancelled
  /// Nothing was heard of it for its lease, or its program has begun again. Only the server says so.
  case lost

  init(_ outcome: RunOutcome) {
    switch outcome {
    case .ok: self = .ok
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    case .lost: self = .lost
    }
  }

  fileprivate var outcome: RunOutcome {
    switch self {
    case .ok: .ok
    case .failed: .failed
    case .cancelled: .cancelled
    case .lost: .lost
    }
  }
}

/// A run that has ended.
public struct TodoEndedRun: Equatable, Sendable, Identifiable {
  public let id: TodoRun.ID
  /// The account that started it.
  public let person: TodoPerson.ID
  public let outcome: TodoRunOutcome
  /// The moments of its start and its end, in milliseconds since 1970.
  public let startedAt: Int64
  public let endedAt: Int64
  /// One line about the end. Nil when its program said nothing.
  public let text: String?
  /// The time that a run of this post takes that ends well: an average in which the newest counts a quarter. Nil when
  /// none has ended well.
  public let usualMilliseconds: Int64?

  init(_ run: EndedRun) {
    id = TodoRun.ID(run.id)
    person = run.user.description
    outcome = TodoRunOutcome(run.outcome)
    startedAt = run.startedAt.milliseconds
    endedAt = run.endedAt.milliseconds
    text = run.text
    usualMilliseconds = run.usual
  }
}

// Runs (protocol §5.15). People see that a program is at work, what it does now (`setPhase`), how far it has come
// (`setProgress`), and how it went the last time. A post has one run at a time, and no run completes its post.
//
// A run of which nothing is heard for its lease is lost. So a program that works for long without a new phase repeats
// its progress, at least twice in each lease; nothing is written for that.
extension Todo {
  /// Starts a run of the post. Returns its id and the receipt, which throws `conflict` when the post is done, or when
  /// another account's run of it goes on. When a run of the account's own goes on there, its program has begun again:
  /// that run is lost. Throws `invalid` for a lease of less than 20 s or more than a week. The phase is cut to 120
  /// Unicode scalars.
  @discardableResult
  public func startRun(
    of post: TodoPost.ID, in list: TodoList, phase: String? = nil,
    leaseMilliseconds: Int = Todo.runLeaseMilliseconds
  ) throws(TodoError) -> (run: TodoRun.ID, receipt: TodoReceipt) {
    let id = RunID(Identifiers.make())
    let start = RunChange.start(
      lease: Int64(leaseMilliseconds),
      phase: phase.flatMap { $0.runLine(scalarsMax: Limits.runPhaseScalarsMax) })
    return (TodoRun.ID(id), try change(id, start, of: post, in: list))
  }

  /// Says what the program does now, cut to 120 Unicode scalars. Everybody keeps it for ever, as they keep titles: what
  /// changes every second is progress. Throws `invalid` for a text of which nothing shows. The receipt throws
  /// `conflict` and `not_found` when the run has ended.
  @discardableResult
  public func setPhase(
    _ phase: String, of run: TodoRun.ID, at post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let line = phase.runLine(scalarsMax: Limits.runPhaseScalarsMax)
    return try change(run.id, .phase(line ?? ""), of: post, in: list)
  }

  /// Ends the run. `text` is cut to 500 Unicode scalars, and an empty one counts as none. A run that was held to be
  /// lost may be ended all the same, once: this says better how it went. Throws `invalid` for the outcome `lost`. The
  /// receipt throws `conflict` and `not_found` when the run has ended, or when the post is done.
  @discardableResult
  public func endRun(
    _ run: TodoRun.ID, as outcome: TodoRunOutcome, text: String? = nil, at post: TodoPost.ID,
    in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let line = text.flatMap { $0.runLine(scalarsMax: Limits.runTextScalarsMax) }
    return try change(run.id, .end(outcome.outcome, text: line), of: post, in: list)
  }

  /// Returns the open post with this title, the one with the lowest number when several have it. So a program that does
  /// the same again and again finds the post of its last run. Nil when there is none: then add it.
  public func openPost(titled title: String, in list: TodoList) -> TodoPost? {
    do throws(TextError) {
      let kept = try Text.line(Text.cleaned(line: title), scalars: 1...Limits.titleScalarsMax)
      return posts(in: list).first { !$0.isDone && $0.title == kept }
    } catch {
      // No post has such a title.
      return nil
    }
  }

  /// The lease of a run unless another is given: ten minutes.
  public static let runLeaseMilliseconds = Limits.runLeaseMilliseconds

  private func change(
    _ run: RunID, _ change: RunChange, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(.changeRun(list.category, post.id, run, change))
  }
}

extension String {
  /// The text as `TodoProgress` takes one: cut, cleaned, and without white space in front. Nil when nothing is left.
  fileprivate func runLine(scalarsMax: Int) -> String? {
    let start = String(String.UnicodeScalarView(unicodeScalars.prefix(scalarsMax)))
    let line = Text.cleaned(line: start).unicodeScalars.drop { $0.properties.isWhitespace }
    return line.isEmpty ? nil : String(String.UnicodeScalarView(line))
  }
}
