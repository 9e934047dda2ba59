// Work that waits for the ledger. Each person has a lane, in which work stays in the order in which it came (P7);
// lanes take turns. So who sends forty dear commands at once waits for them alone: somebody else's one command is
// behind one piece of work of each, and not behind all of it (P11).
//
// People whose last works took long are dear for a while. Their work waits until nobody else's does, though not for
// ever, and is taken one by one: so nobody waits for the end of a batch that somebody's undo of everything is part
// of.

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

  /// Work that has come and is in no lane yet. When all of it fits into one batch and nobody is dear, it never gets
  /// into a lane. A batch takes a short time at most, and the work that it leaves goes into lanes.
  private var arrived: [Entry] = []
  /// By person; nil: of nobody.
  private var lanes: [UserID?: [Entry]] = [:]
  /// Lanes that are not empty, in their turns: those of people who are not dear, and those of people who are.
  private var turns: [UserID?] = []
  private var dearTurns: [UserID?] = []
  private var dear = DearPeople()
  private var inLanes = 0
  package var count: Int { arrived.count + inLanes }
  package var isEmpty: Bool { count == 0 }

  package init() {}

  package mutating func add(_ entry: Entry) { arrived.append(entry) }

  /// The next ones, at most so many: of each lane one, then of each lane another. `now` in milliseconds of one clock.
  package mutating func take(_ most: Int, at now: Int64) -> [Entry] {
    forgive(at: now)
    if inLanes == 0, dear.isNobody, arrived.count <= most {
      defer { arrived = [] }
      return arrived
    }
    for entry in arrived { putInLane(entry) }
    arrived = []
    if !dearTurns.isEmpty, turns.isEmpty || dear.haveWaited(at: now) {
      dear.waitSince = nil
      let person = dearTurns.removeFirst()
      let taken = Array((lanes[person] ?? []).prefix(min(1, most)))
      leave(person, taking: taken.count)
      return taken
    }
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
    for (person, place) in places { cut(person, place) }
    return taken
  }

  /// What was taken last and is not settled yet: it comes first again, in the same turns.
  package mutating func putBack(_ entries: ArraySlice<Entry>) {
    guard !entries.isEmpty else { return }
    var persons: [UserID?] = []
    for entry in entries.reversed() {
      let person = entry.work.person
      lanes[person, default: []].insert(entry, at: 0)
      persons.removeAll { $0 == person }
      persons.insert(person, at: 0)
    }
    inLanes += entries.count
    let first = Set(persons)
    turns = persons.filter { !dear.has($0) } + turns.filter { !first.contains($0) }
    dearTurns = persons.filter { dear.has($0) } + dearTurns.filter { !first.contains($0) }
  }

  /// So much CPU time a piece of work of theirs took, in nanoseconds.
  package mutating func note(_ entry: Entry, took nanoseconds: Int64, at now: Int64) {
    guard let person = entry.work.person, dear.note(person, nanoseconds, at: now) else { return }
    guard let place = turns.firstIndex(of: person) else { return }
    turns.remove(at: place)
    dearTurns.append(person)
  }

  /// People who are not dear any more wait as everybody does.
  private mutating func forgive(at now: Int64) {
    for person in dear.forgive(at: now) {
      guard let place = dearTurns.firstIndex(of: person) else { continue }
      dearTurns.remove(at: place)
      turns.append(person)
    }
  }

  private mutating func putInLane(_ entry: Entry) {
    inLanes += 1
    let person = entry.work.person
    guard lanes[person]?.append(entry) == nil else { return }
    lanes[person] = [entry]
    queueUp(person)
  }

  private mutating func leave(_ person: UserID?, taking number: Int) {
    cut(person, number)
    if lanes[person] != nil { queueUp(person) }
  }

  private mutating func queueUp(_ person: UserID?) {
    if dear.has(person) { dearTurns.append(person) } else { turns.append(person) }
  }

  private mutating func cut(_ person: UserID?, _ number: Int) {
    let rest = lanes[person]?.dropFirst(number) ?? []
    inLanes -= number
    lanes[person] = rest.isEmpty ? nil : Array(rest)
  }
}

/// People whose works took long lately.
struct DearPeople: Sendable {
  /// Shorter works make nobody dear.
  static let nanosecondsFrom: Int64 = 5_000_000
  /// Dear for so many times as long as a work took: so dear work costs others a hundredth of their time.
  private static let times: Int64 = 100
  private static let millisecondsMax: Int64 = 30_000
  /// So long dear work waits behind that of others.
  private static let waitMillisecondsMax: Int64 = 250

  /// Milliseconds of the clock of `LedgerQueue.take`.
  private var until: [UserID: Int64] = [:]
  /// Since when their work waits behind that of others; nil while it does not.
  var waitSince: Int64?

  var isNobody: Bool { until.isEmpty }

  func has(_ person: UserID?) -> Bool { person.map { until[$0] != nil } ?? false }

  /// Whether this person has become dear by it.
  mutating func note(_ person: UserID, _ nanoseconds: Int64, at now: Int64) -> Bool {
    guard nanoseconds >= Self.nanosecondsFrom else { return false }
    let was = until[person]
    let longer = (was ?? now) + nanoseconds / 1_000_000 * Self.times
    until[person] = min(longer, now + Self.millisecondsMax)
    return was == nil
  }

  /// Those who are dear no longer.
  mutating func forgive(at now: Int64) -> [UserID] {
    guard !until.isEmpty else { return [] }
    let over = until.filter { $0.value <= now }.map(\.key)
    for person in over { until[person] = nil }
    return over
  }

  /// Whether their work waits, and has waited long enough; from the first time that this is asked on.
  mutating func haveWaited(at now: Int64) -> Bool {
    let since = waitSince ?? now
    waitSince = since
    return now - since >= Self.waitMillisecondsMax
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
    case .tellOverdue, .checkDues, .endClaims, .purge, .remind, .checkReminders, .tellName,
      .askForEnd, .endAccount, .forget, .forgetAccount:
      nil
    }
  }
}
