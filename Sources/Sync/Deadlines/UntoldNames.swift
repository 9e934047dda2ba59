// Persons whose new name does not show in all their lists yet (Domain/Decide/OtherName.swift), one step at a time,
// between the ledger's other work.

package import Domain
internal import Wire

/// A row of such a person.
package struct UntoldName: Equatable, Sendable {
  package let user: UserID
  /// The last of their lists, in the order of the streams, that shows the name.
  package let through: StreamID

  package init(user: UserID, through: StreamID) {
    self.user = user
    self.through = through
  }
}

/// Decides what is told next; one for each ledger.
package struct UntoldNames: Sendable {
  /// Whether the store may have such rows; an earlier run may have left some.
  package private(set) var mayBeSome = true
  /// The persons for whom a step failed; they are left out until somebody gets another name.
  private var aside: Set<UserID> = []

  package init() {}

  /// Notes that there are such rows now.
  package mutating func look() {
    mayBeSome = true
    aside = []
  }

  /// Returns the next step; nil when there is none.
  package mutating func work(in store: any EventStore) throws(StoreError) -> LedgerWork? {
    guard mayBeSome else { return nil }
    let rows = try store.untoldNames(limit: aside.count + 1)
    guard let next = rows.first(where: { !aside.contains($0.user) }) else {
      mayBeSome = false
      return nil
    }
    return .tellName(next.user, after: next.through)
  }

  /// Takes the outcome of these works. Returns the person whose name could not be told, for the operator. A failed
  /// commit is not the person's fault and changes nothing here.
  package mutating func note(_ works: [LedgerWork], _ turn: LedgerTurn) -> UserID? {
    // When it is not known whether it was written, the store is asked again.
    if turn.commit == .unknown { mayBeSome = true }
    guard case .tellName(let user, after: _)? = works.first,
      case .failure(let failure)? = turn.settlements.first?.result
    else { return nil }
    switch failure {
    case .refused(_), .internal: aside.insert(user)
    default: return nil
    }
    return user
  }
}
