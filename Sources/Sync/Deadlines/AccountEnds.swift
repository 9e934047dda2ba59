// The end of accounts (Domain/Decide/AccountEnds.swift), a part of one account at a time, between the ledger's other
// work. The store alone says what has been done, so a crash loses nothing and nothing is done twice: the account exists
// or not, its own stream exists or not, and the row of its end says which streams have forgotten the person.

package import Domain

/// A row of an account that ends.
package struct EndingAccount: Equatable, Sendable {
  package let user: UserID
  package let endsAt: Timestamp
  /// The last stream, in their order, that has forgotten the person; nil when none has.
  package let forgottenThrough: StreamID?

  package init(user: UserID, endsAt: Timestamp, forgottenThrough: StreamID?) {
    self.user = user
    self.endsAt = endsAt
    self.forgottenThrough = forgottenThrough
  }
}

/// How far the streams, in their order, have been searched for what names a person.
package struct NamingPlace: Equatable, Sendable {
  /// The stream that is searched next; all before it are done. Nil when none is done.
  package var stream: StreamID?
  /// The last event of the stream that is searched; nil when the whole stream is.
  package var seq: Int64?

  package init(stream: StreamID?, seq: Int64?) {
    self.stream = stream
    self.seq = seq
  }
}

package enum NamingStep: Equatable, Sendable {
  case found(StreamID)
  /// Nothing was found yet; the search goes on from here.
  case more(NamingPlace)
  case none
}

/// Decides without a clock what is done next; one for each ledger.
package struct AccountEnds: Sendable {
  /// The machine time before which no end comes. Machine time is in milliseconds and never jumps.
  private var lookFrom: Int64 = 0
  private var place: (user: UserID, at: NamingPlace)?
  /// The accounts whose end failed, each with the machine time until which it is left alone.
  private var aside: [UserID: Int64] = [:]
  /// The accounts of which the operator was told.
  private var told: Set<UserID> = []

  /// How often the store is asked for ends that have come while there are none.
  static let lookEveryMilliseconds: Int64 = 10_000
  static let asideMilliseconds: Int64 = 30_000

  package init() {}

  /// Asks the store at the next chance, because an end may have come by now.
  package mutating func look() { lookFrom = 0 }

  /// Returns what is settled next, in one turn; nil when no end has come. An empty array means that a part was
  /// searched, and there is more to search. `mark` makes the mark of a username.
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

  /// Takes the outcome of these works. An account whose end failed is left alone for a while, so that it blocks no
  /// other; it is returned the first time. A failed commit is not the account's fault and changes nothing here.
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
