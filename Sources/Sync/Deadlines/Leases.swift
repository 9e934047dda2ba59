// When the ledger looks for claims whose time is over (Domain/Model/PostClaim.swift). It knows when the first of them
// ends, as the store has it or a commit brought it, and sleeps until then. Whether the wall clock can be trusted says
// the `Scheduler`: while that pauses no claim ends, and what should have ended meanwhile ends afterwards.
//
// Each claim ends once: that it has ended is in the state (the post has none any more), so a second look finds nothing.

package import Domain

/// Decides without a clock; one for each ledger, beside its scheduler.
package struct Leases: Equatable, Sendable {
  private var next = NextMoment()
  /// Claims that could not be ended.
  private var refused = RefusedClaims()

  package init() {}

  /// A commit wrote claims, of which the first ends then.
  package mutating func note(_ end: Timestamp?) {
    if let end { next.note(end) }
  }

  /// What the store has: when its first claim ends; nil when there is none.
  package mutating func found(_ end: Timestamp?) { next.found(end) }

  /// The store is to be asked again.
  package mutating func forget() { next.forget() }

  /// Tries what was left out again when it is time, by the clock that never jumps.
  package mutating func look(machine: Int64) {
    if refused.look(machine: machine) { forget() }
  }

  /// What became of such works. Answers the claims that are left out for the first time.
  package mutating func note(
    _ works: [LedgerWork], _ turn: LedgerTurn, machine: Int64
  ) -> [PostAddress] {
    refused.note(works, turn, machine: machine)
  }

  /// How many claims are left out.
  package var leftOut: Int { refused.count }

  /// Whether the store should be asked for claims that are over.
  package func isDue(at now: Timestamp) -> Bool { next.hasCome(at: now) }

  /// How long none will be over; at most `most`.
  package func wait(at now: Timestamp, most: Int64) -> Int64 { next.wait(at: now, most: most) }

  /// What is to be done now, asked of the store; nothing while it cannot be known.
  package mutating func works(
    at now: Timestamp, in store: any EventStore, limit: Int
  ) throws(StoreError) -> [LedgerWork] {
    let claims = try ended(through: now, in: store, limit: limit)
    guard claims.isEmpty else {
      forget()
      return refused.works(for: claims)
    }
    let latest = Timestamp(milliseconds: .max)
    found(try ended(through: latest, in: store, limit: 1).first?.until)
    return []
  }

  private func ended(
    through time: Timestamp, in store: any EventStore, limit: Int
  ) throws(StoreError) -> [EndedClaim] {
    try store.endedClaims(through: time, limit: limit + refused.count)
      .filter { !refused.leavesOut($0) }
  }

  /// Of each list its own events.
  static func works(for claims: [EndedClaim]) -> [LedgerWork] {
    Deadlines.events(of: claims, \.category).map { .endClaims($0, $1.map(\.post)) }
  }
}
