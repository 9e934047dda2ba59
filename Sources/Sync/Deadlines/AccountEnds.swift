// Accounts whose end has come (Domain/Decide/AccountEnds.swift), a part of one at a time, between the ledger's other
// work. What has been done is what the store says, so a crash loses nothing and nothing is done twice: the account is
// there or not, its own stream is or not, and the row of its end says which streams have forgotten the person.

package import Domain

/// A row of those that end.
package struct EndingAccount: Equatable, Sendable {
  package let user: UserID
  package let endsAt: Timestamp
  /// Every stream up to this one has forgotten the person.
  package let forgottenThrough: StreamID?

  package init(user: UserID, endsAt: Timestamp, forgottenThrough: StreamID?) {
    self.user = user
    self.endsAt = endsAt
    self.forgottenThrough = forgottenThrough
  }
}

/// How far streams, in their order, have been looked through for what names somebody.
package struct NamingPlace: Equatable, Sendable {
  /// Those before this one are done; nil: none is.
  package var stream: StreamID?
  /// Of it the events up to this one; nil: all of it is done.
  package var seq: Int64?

  package init(stream: StreamID?, seq: Int64?) {
    self.stream = stream
    self.seq = seq
  }
}

package enum NamingStep: Equatable, Sendable {
  case found(StreamID)
  /// Nothing yet: on from here.
  case more(NamingPlace)
  case none
}

/// Decides without a clock what is to be done next; one for each ledger.
package struct AccountEnds: Sendable {
  /// Milliseconds that never jump: nothing has come before.
  private var lookFrom: Int64 = 0
  private var place: (user: UserID, at: NamingPlace)?
  /// Whose end could not be gone on with, and until when it is left so.
  private var aside: [UserID: Int64] = [:]
  /// Those that the operator was told of.
  private var told: Set<UserID> = []

  /// How often is looked for ends that have come, while none had.
  static let lookEveryMilliseconds: Int64 = 10_000
  static let asideMilliseconds: Int64 = 30_000

  package init() {}

  /// Something may have come by now.
  package mutating func look() { lookFrom = 0 }

  /// What is to be settled next, in one turn; nil: nothing has come. None: it was looked for something, and there is
  /// more to look through. `mark`: of a username.
  package mutating func works(
    in store: any EventStore, wall: Timestamp, machine: Int64, mark: (String) -> String
  ) throws(StoreError) -> [LedgerWork]? {
    guard machine >= lookFrom else { return nil }
    aside = aside.filter { machine < $0.value }
    let come = try store.endingAccounts(through: wall, limit: aside.count + 1)
    guard let ending = come.first(where: { aside[$0.user] == nil }) else {
      lookFrom = machine + AccountEnds.lookEveryMilliseconds
      return nil
    }
    guard try store.head(of: .user(ending.user))?.isDropped ?? true else {
      let username = try store.account(ending.user)?.username
      let work = LedgerWork.endAccount(ending.user, mark: username.map(mark))
      return Array(repeating: work, count: AccountEnd.partsPerTurn)
    }
    var from = NamingPlace(stream: ending.forgottenThrough, seq: nil)
    if let place, place.user == ending.user { from = place.at }
    place = nil
    switch try store.naming(ending.user, from: from) {
    case .found(let stream): return [.forget(ending.user, in: stream)]
    case .more(let further):
      place = (ending.user, further)
      return []
    case .none: return [.forgetAccount(ending.user)]
    }
  }

  /// What became of these works. Whose end could not be gone on with is left for a while, so that it keeps no other;
  /// answered for the first time. A commit that failed is nobody's fault and changes nothing here.
  package mutating func note(
    _ works: [LedgerWork], _ turn: LedgerTurn, machine: Int64
  ) -> UserID? {
    guard turn.commit == .nothing, let user = works.first?.endingUser else { return nil }
    aside[user] = machine + AccountEnds.asideMilliseconds
    return told.insert(user).inserted ? user : nil
  }
}

extension LedgerWork {
  fileprivate var endingUser: UserID? {
    switch self {
    case .endAccount(let user, mark: _), .forget(let user, in: _), .forgetAccount(let user): user
    default: nil
    }
  }
}
