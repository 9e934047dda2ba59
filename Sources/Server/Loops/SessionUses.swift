// A session ends when it was not used for 90 days, and a connection may well be open for longer. So a connected session
// is noted as in use once a day. `hello` notes it too (Sync/Reading). The ledger writes one row a day at most, whoever
// says it and however often.

internal import Domain
internal import Sync

/// The rules by which a loop notes that its connected sessions are in use.
struct SessionUseRules: Sendable {
  /// The time between two notes of one session.
  var noteEveryMilliseconds = SessionAge.noteEveryMilliseconds
  /// The time between two looks at all sessions of a loop.
  var lookEveryMilliseconds: Int64 = 3_600_000
  /// The most notes in a turn, and the time until the next ones: the ledger has other work.
  var batchMax = 64
  var batchEveryMilliseconds: Int64 = 1_000
}

/// The sessions that are connected to a loop, and when each was last noted, in milliseconds of the monotonic clock.
struct SessionUses: Sendable {
  private let rules: SessionUseRules
  private var sessions: [SessionID: (user: UserID, notedAt: Int64)] = [:]
  /// The sessions that the last look found and that are not noted yet.
  private var waiting: ArraySlice<Identity> = []

  init(_ rules: SessionUseRules) { self.rules = rules }

  /// Notes that a connection of this session said hello, which noted its use where that was due.
  mutating func began(_ identity: Identity, at now: Int64) {
    guard sessions[identity.session] == nil else { return }
    sessions[identity.session] = (identity.user, now)
  }

  /// Notes that no connection of this session is left.
  mutating func ended(_ session: SessionID) { sessions[session] = nil }

  /// Returns the sessions to note now, and after how long to ask again.
  mutating func due(at now: Int64) -> (notes: [Identity], askAfterMilliseconds: Int64) {
    if waiting.isEmpty { waiting = unnoted(at: now)[...] }
    var notes: [Identity] = []
    while notes.count < rules.batchMax, let next = waiting.popFirst() {
      guard sessions[next.session] != nil else { continue }
      sessions[next.session]?.notedAt = now
      notes.append(next)
    }
    let wait = waiting.isEmpty ? rules.lookEveryMilliseconds : rules.batchEveryMilliseconds
    return (notes, wait)
  }

  private func unnoted(at now: Int64) -> [Identity] {
    sessions.filter { now - $0.value.notedAt >= rules.noteEveryMilliseconds }
      .map { Identity(user: $0.value.user, session: $0.key) }
      .sorted { $0.session < $1.session }
  }
}
