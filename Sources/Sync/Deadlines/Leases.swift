// When the ledger looks for claims whose time is over (Domain/Model/PostClaim.swift). It knows when the first of them
// ends, as the store has it or a commit brought it, and sleeps until then. Whether the wall clock can be trusted says
// the `Scheduler`: while that pauses no claim ends, and what should have ended meanwhile ends afterwards.
//
// Each claim ends once: that it has ended is in the state (the post has none any more), so a second look finds nothing.

package import Domain

/// Decides without a clock; one for each ledger, beside its scheduler.
package struct Leases: Equatable, Sendable {
  private enum Next: Equatable {
    /// Only the store knows.
    case unknown
    case none
    case at(Timestamp)
  }

  private var next = Next.unknown

  package init() {}

  /// A commit wrote claims, of which the first ends then.
  package mutating func note(_ end: Timestamp?) {
    guard let end else { return }
    switch next {
    case .unknown: break
    case .none: next = .at(end)
    case .at(let earlier): next = .at(min(earlier, end))
    }
  }

  /// What the store has: when its first claim ends; nil when there is none.
  package mutating func found(_ end: Timestamp?) {
    next = end.map { .at($0) } ?? .none
  }

  /// The store is to be asked again.
  package mutating func forget() { next = .unknown }

  /// Whether the store should be asked for claims that are over.
  package func isDue(at now: Timestamp) -> Bool {
    switch next {
    case .unknown: true
    case .none: false
    case .at(let end): end <= now
    }
  }

  /// How long none will be over; at most `most`.
  package func wait(at now: Timestamp, most: Int64) -> Int64 {
    switch next {
    case .unknown: 0
    case .none: most
    case .at(let end): min(most, max(0, end.milliseconds - now.milliseconds))
    }
  }

  /// What is to be done now, asked of the store; nothing while it cannot be known.
  package mutating func works(
    at now: Timestamp, in store: any EventStore, limit: Int
  ) throws(StoreError) -> [LedgerWork] {
    let claims = try store.endedClaims(through: now, limit: limit)
    guard claims.isEmpty else {
      forget()
      return Leases.works(for: claims)
    }
    let latest = Timestamp(milliseconds: .max)
    found(try store.endedClaims(through: latest, limit: 1).first?.until)
    return []
  }

  /// Of each list its own events.
  static func works(for claims: [EndedClaim]) -> [LedgerWork] {
    var lists: [CategoryID] = []
    for claim in claims where !lists.contains(claim.category) { lists.append(claim.category) }
    var works: [LedgerWork] = []
    for list in lists {
      var rest = claims.filter { $0.category == list }.map(\.post)[...]
      while !rest.isEmpty {
        works.append(.endClaims(list, Array(rest.prefix(Deadlines.postsPerEvent))))
        rest = rest.dropFirst(Deadlines.postsPerEvent)
      }
    }
    return works
  }
}
