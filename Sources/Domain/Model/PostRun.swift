/// A program at work on a post, as long as it is at work (protocol §5.15).
///
/// A post has one run at a time. It ends when its program says how it went. It is lost when nothing was heard of it for
/// the time of its lease (Sync/Deadlines/RunWatch.swift). It ends without an outcome where a claim ends: when the post
/// is completed, removed or moved to another list, or when its occurrence is over.
package struct PostRun: Equatable, Sendable {
  package let id: RunID
  /// The user who started it.
  package let user: UserID
  package let startedAt: Timestamp
  /// The event that started it.
  package let seq: Int64
  /// The time without a word after which the run is lost, in milliseconds, `Limits.runLeaseMillisecondsMin` to
  /// `…Max`.
  package let lease: Int64
  /// The thing that the program is doing now, in one line. Nil until it has said so.
  package var phase: String?

  package init(
    id: RunID, user: UserID, startedAt: Timestamp, seq: Int64, lease: Int64, phase: String? = nil
  ) {
    self.id = id
    self.user = user
    self.startedAt = startedAt
    self.seq = seq
    self.lease = lease
    self.phase = phase
  }
}

/// The outcome of a run.
package enum RunOutcome: String, CaseIterable, Sendable {
  case ok
  case failed
  case cancelled
  /// Nothing was heard of it for the time of its lease, or its program has begun again. Only the system says so.
  case lost

  /// Whether somebody should look at it.
  package var isFailure: Bool {
    switch self {
    case .failed, .lost: true
    case .ok, .cancelled: false
    }
  }

  /// The outcomes that a program may tell.
  package static let told: [RunOutcome] = [.ok, .failed, .cancelled]
}

/// The run of a post that ended last with an outcome. Earlier ones are in the log (`run.ended`).
package struct EndedRun: Equatable, Sendable {
  package let id: RunID
  /// The user who started it.
  package let user: UserID
  package let outcome: RunOutcome
  package let startedAt: Timestamp
  package let endedAt: Timestamp
  /// The event that ended it.
  package let seq: Int64
  /// The words of the program about the end, in one line. Nil when it says nothing.
  package var text: String?
  /// The time that a run of this post takes when it ends well, in milliseconds. It is an average in which the newest
  /// counts a quarter. Nil when none has ended well.
  package let usual: Int64?

  package init(
    id: RunID, user: UserID, outcome: RunOutcome, startedAt: Timestamp, endedAt: Timestamp,
    seq: Int64, text: String? = nil, usual: Int64? = nil
  ) {
    self.id = id
    self.user = user
    self.outcome = outcome
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.seq = seq
    self.text = text
    self.usual = usual
  }
}

/// The runs of a post that has any.
indirect enum PostRuns: Equatable, Sendable {
  case of(live: PostRun?, last: EndedRun?)

  /// Nil when there is none.
  init?(live: PostRun?, last: EndedRun?) {
    guard live != nil || last != nil else { return nil }
    self = .of(live: live, last: last)
  }

  var live: PostRun? {
    switch self {
    case .of(let live, _): live
    }
  }

  var last: EndedRun? {
    switch self {
    case .of(_, let last): last
    }
  }
}

extension Member {
  /// Answers whether a run of the member counts: they are still a member who may have one, and have not come in anew
  /// since.
  package func holds(_ run: PostRun) -> Bool {
    guard let role, Permission.allows(role, .run(.start)) else { return false }
    return joinedSeq <= run.seq
  }
}

/// A run that goes on, as a store finds it.
package struct LiveRun: Hashable, Sendable {
  package let address: PostAddress
  package let id: RunID
  package let user: UserID
  /// In milliseconds.
  package let lease: Int64

  package init(address: PostAddress, id: RunID, user: UserID, lease: Int64) {
    self.address = address
    self.id = id
    self.user = user
    self.lease = lease
  }

  package init(_ run: PostRun, at address: PostAddress) {
    self.init(address: address, id: run.id, user: run.user, lease: run.lease)
  }
}
