// Persons whose name is not told in all their lists yet (Domain/Decide/OtherName.swift): one step at a time, between
// the ledger's other work.

package import Domain
internal import Wire

/// A row of those.
package struct UntoldName: Equatable, Sendable {
  package let user: UserID
  /// The last of their lists, in the order of the streams, that shows it.
  package let through: StreamID

  package init(user: UserID, through: StreamID) {
    self.user = user
    self.through = through
  }
}

/// Decides what is told next; one for each ledger.
package struct UntoldNames: Sendable {
  /// An earlier run may have left some.
  package private(set) var mayBeSome = true
  /// Those that could not be gone on with: until somebody has another name.
  private var aside: Set<UserID> = []

  package init() {}

  /// There are some now.
  package mutating func look() {
    mayBeSome = true
    aside = []
  }

  /// The next step; nil: there is none.
  package mutating func work(in store: any EventStore) throws(StoreError) -> LedgerWork? {
    guard mayBeSome else { return nil }
    let rows = try store.untoldNames(limit: aside.count + 1)
    guard let next = rows.first(where: { !aside.contains($0.user) }) else {
      mayBeSome = false
      return nil
    }
    return .tellName(next.user, after: next.through)
  }

  /// Notes what became of these works; the person whose name could not be told, for the operator. A commit that
  /// failed is nobody's fault and changes nothing here.
  package mutating func note(_ works: [LedgerWork], _ turn: LedgerTurn) -> UserID? {
    // Whether it was written is not known: the store is asked again.
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
