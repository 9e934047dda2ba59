// The talk that somebody is shown, apart from the code under test (protocol §5.20). Members get all events that they
// may read. Guests by a link get none of the talk, and a snapshot holds no line from before one may read.

import Domain
import Wire

extension StreamTruth {
  /// Returns the event as this person gets it.
  func event(_ seq: Int64, shownTo user: UserID) -> Event {
    let event = events[Int(seq) - 1]
    guard user.uuid.isLinkGuest else { return event }
    let rest = event.ops.filter { if case .line = $0 { false } else { true } }
    guard rest.count < event.ops.count else { return event }
    return Event(
      seq: seq, transaction: event.transaction, at: event.at, by: rest.isEmpty ? nil : event.by,
      key: rest.isEmpty ? nil : event.key, undoes: event.undoes, ops: rest)
  }

  /// Answers whether the event says something that this person must not hear.
  func isTalkKeptBack(_ seq: Int64, from user: UserID) -> Bool {
    event(seq, shownTo: user) != events[Int(seq) - 1]
  }

  /// Returns the number of the first line that a state at `seq` must hold for this person. A state may hold older ones:
  /// the history was open to all for some time, or a change brought a line whole.
  func firstLine(for user: UserID, at seq: Int64) -> Int64 {
    if user.uuid.isLinkGuest { return .max }
    return entry(of: user, at: seq)
  }

  /// Returns the same for the copy of a member. A guest by a link must have no line at all, so nothing is left out of
  /// the copy of one.
  func memberLine(for user: UserID, at seq: Int64) -> Int64 {
    user.uuid.isLinkGuest ? 0 : entry(of: user, at: seq)
  }

  /// Answers whether the event says or changes this line.
  func says(_ line: Int64, in seq: Int64) -> Bool {
    events[Int(seq) - 1].ops.contains {
      if case .line(let op) = $0 { op.line == line && op.erased == nil } else { false }
    }
  }

  /// Answers whether a snapshot at `seq` holds lines that this person must not read.
  func hasForbiddenLines(_ state: StreamState, at seq: Int64, for user: UserID) -> Bool {
    var first = firstLine(for: user, at: seq)
    if first < .max, case .category(let it)? = states[Int(seq)].objects[state.stream.headKey],
      it.history == .all
    {
      first = 0
    }
    return state.objects.values.contains { $0.isTalk(before: first) }
  }
}

extension StreamState {
  var lines: [TalkLine] {
    objects.values.compactMap { if case .line(let it) = $0 { it } else { nil } }
  }

  /// Returns the state without the lines before this one. A viewer who is shown no line is shown no number of comments
  /// either.
  func withoutLines(before first: Int64) -> StreamState {
    guard first > 1, objects.values.contains(where: { $0.isTalk(before: first) }) else {
      return self
    }
    return StreamState(
      stream: stream, objects: objects.values.filter { !$0.isTalk(before: first) })
  }
}

extension Object {
  fileprivate func isTalk(before first: Int64) -> Bool {
    switch self {
    case .line(let line): line.event < first
    case .comments: first == .max
    default: false
    }
  }
}
