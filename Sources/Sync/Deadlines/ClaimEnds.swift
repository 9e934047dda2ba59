// When the ledger looks for claims whose time is over (Domain/Model/PostClaim.swift). It knows when the first of them
// ends, from the store or from a commit, and sleeps until then. The `Scheduler` decides whether the wall clock can be
// trusted. While it pauses no claim ends; claims that should have ended meanwhile end afterwards.
//
// Each claim ends once. The state tells that it has ended, because the post has no claim any more, so a second look
// finds nothing.

package import Domain

/// Decides without a clock when claims end; one for each ledger, beside its scheduler.
package struct ClaimEnds: Equatable, Sendable {
  private var next = NextMoment()
  /// The claims that could not be ended.
  private var quarantine = ClaimQuarantine()

  package init() {}

  /// Takes the end of the first claim that a commit wrote; nil when it wrote none.
  package mutating func note(_ end: Timestamp?) {
    if let end { next.note(end) }
  }

  /// Takes the end of the store's first claim; nil when there is none.
  package mutating func found(_ end: Timestamp?) { next.found(end) }

  /// Lets the store be asked again.
  package mutating func forget() { next.forget() }

  /// Tries what was left out again when it is time, by the clock that never jumps.
  package mutating func look(machine: Int64) {
    if quarantine.look(machine: machine) { forget() }
  }

  /// Takes the outcome of such works, and returns the claims that are left out for the first time.
  package mutating func note(
    _ works: [LedgerWork], _ turn: LedgerTurn, machine: Int64
  ) -> [PostAddress] {
    quarantine.note(works, turn, machine: machine)
  }

  /// The number of claims that are left out.
  package var leftOut: Int { quarantine.count }

  /// Whether the store should be asked for claims that are over.
  package func isDue(at now: Timestamp) -> Bool { next.hasCome(at: now) }

  /// Returns the milliseconds until the first claim is over, at most `most`.
  package func wait(at now: Timestamp, most: Int64) -> Int64 { next.wait(at: now, most: most) }

  /// Returns what is done now, by asking the store; an empty array when no claim is over.
  package mutating func works(
    at now: Timestamp, in store: any EventStore, limit: Int
  ) throws(StoreError) -> [LedgerWork] {
    let claims = try ended(through: now, in: store, limit: limit)
    guard claims.isEmpty else {
      forget()
      return quarantine.works(for: claims)
    }
    let latest = Timestamp(milliseconds: .max)
    found(try ended(through: latest, in: store, limit: 1).first?.until)
    return []
  }

  private func ended(
    through time: Timestamp, in store: any EventStore, limit: Int
  ) throws(StoreError) -> [EndedClaim] {
    try store.endedClaims(through: time, limit: limit + quarantine.count)
      .filter { !quarantine.leavesOut($0) }
  }

  /// Returns the works that end these claims; each list has its own events.
  static func works(for claims: [EndedClaim]) -> [LedgerWork] {
    Deadlines.events(of: claims, \.category).map { .endClaims($0, $1.map(\.post)) }
  }
}
