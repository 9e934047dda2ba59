// Work that waits for the ledger. Each person has a lane, in which work stays in the order in which it came (P7); lanes take
// turns. So who sends forty dear commands at once waits for them alone: somebody else's one command is behind one
// piece of work of each, and not behind all of it (P11).

import Domain

/// What has arrived and is not settled. `Reply`: where the answer goes.
package struct LedgerQueue<Reply: Sendable>: Sendable {
  package struct Entry: Sendable {
    package let work: LedgerWork
    package let reply: Reply
    /// It was counted against the rates already.
    package var isCounted = false

    package init(_ work: LedgerWork, _ reply: Reply) {
      self.work = work
      self.reply = reply
    }
  }

  /// By person; nil: of nobody.
  private var lanes: [UserID?: [Entry]] = [:]
  /// Lanes that are not empty, in their turns.
  private var turns: [UserID?] = []
  package private(set) var count = 0
  package var isEmpty: Bool { count == 0 }

  package init() {}

  package mutating func add(_ entry: Entry) {
    count += 1
    let person = entry.work.person
    if lanes[person]?.append(entry) == nil {
      lanes[person] = [entry]
      turns.append(person)
    }
  }

  /// The next ones, at most so many: of each lane one, then of each lane another.
  package mutating func take(_ most: Int) -> [Entry] {
    var taken: [Entry] = []
    var places: [UserID?: Int] = [:]
    var turn = 0
    while taken.count < most, turn < turns.count {
      let person = turns[turn]
      let place = places[person, default: 0]
      guard let lane = lanes[person] else { preconditionFailure("a lane that has a turn is there") }
      taken.append(lane[place])
      places[person] = place + 1
      if place + 1 < lane.count { turns.append(person) }
      turn += 1
    }
    turns.removeFirst(turn)
    for (person, place) in places {
      let rest = lanes[person]?.dropFirst(place) ?? []
      lanes[person] = rest.isEmpty ? nil : Array(rest)
    }
    count -= taken.count
    return taken
  }

  /// What was taken last and is not settled yet: it comes first again, in the same turns.
  package mutating func putBack(_ entries: ArraySlice<Entry>) {
    var persons: [UserID?] = []
    for entry in entries.reversed() {
      let person = entry.work.person
      lanes[person, default: []].insert(entry, at: 0)
      persons.removeAll { $0 == person }
      persons.insert(person, at: 0)
    }
    let first = Set(persons)
    turns = persons + turns.filter { !first.contains($0) }
    count += entries.count
  }
}

extension LedgerWork {
  /// Whose it is; nil of what the server does by itself.
  fileprivate var person: UserID? {
    switch self {
    case .command(let it): it.actor.user
    case .openSession(_, let account, _, _): account.id
    case .openGuest(let guest, _): guest.id
    case .useSession(_, let user, _), .closeSession(_, let user): user
    case .tellOverdue, .checkDues, .endClaims, .purge, .remind, .checkReminders, .askForEnd,
      .endAccount, .forget, .forgetAccount:
      nil
    }
  }
}
