// Work that waits for the ledger. Each person has a lane, in which work stays in the order in which it came (P7), and
// lanes take turns. So a person who sends forty dear commands at once waits for them alone: another person's one
// command is behind one piece of work of each lane, and not behind all of it (P11).
//
// People whose last works took long are dear for a while (DearPeople.swift). Their work waits until nobody else's does,
// though not for ever, and is taken one by one. So nobody waits for the end of a batch that holds somebody's undo of
// everything. While others are served, dear work of all people together gets a small share of the time.

package import Domain

/// The work that has arrived and is not settled.
package struct LedgerQueue: Sendable {
  package struct Entry: Sendable {
    package let work: LedgerWork
    package let reply: LedgerReply
    /// Whether it came over a connection and can be refused there. Others are counted where they come from.
    package let isRefusable: Bool
    /// Whether the work was counted against the rates already.
    package var isCounted = false

    package init(_ work: LedgerWork, _ reply: LedgerReply, isRefusable: Bool) {
      self.work = work
      self.reply = reply
      self.isRefusable = isRefusable
    }
  }

  /// Work that has come and is in no lane yet. When all of it fits into one batch and nobody is dear, it never gets
  /// into a lane. A batch takes a short time at most, and the work that it leaves goes into lanes.
  private var arrived: [Entry] = []
  /// The lanes by person; nil is the lane of the work that is nobody's.
  private var lanes: [UserID?: [Entry]] = [:]
  /// The lanes that are not empty, in their turns: first those of people who are not dear, then those of people who
  /// are.
  private var turns: [UserID?] = []
  private var dearTurns: [UserID?] = []
  private var dear = DearPeople()
  /// The time of the works that were noted since the last `take`, and from which time on others notice it.
  private var heldUpNanoseconds: Int64 = 0
  private static var noticedNanoseconds: Int64 { 2_000_000 }
  /// Whether those with one work went alone last. They do so once at a time, so that the others have their turn.
  private var wentAlone = false
  private var inLanes = 0
  package var count: Int { arrived.count + inLanes }
  package var isEmpty: Bool { count == 0 }

  package init() {}

  package mutating func add(_ entry: Entry) { arrived.append(entry) }

  /// Takes the next works, at most so many: one of each lane, then another of each. The result is empty while all that
  /// waits is dear and has had its share of the time. `now` is in milliseconds of one clock. `isLast` says that nothing
  /// more will come, so dear work is in nobody's way.
  package mutating func take(_ most: Int, at now: Int64, isLast: Bool = false) -> [Entry] {
    for person in dear.over(at: now) where lanes[person] == nil { dear.forgive(person) }
    for entry in arrived where entry.work.isLikelyDear { presume(entry, at: now) }
    let isHeldUp = heldUpNanoseconds >= Self.noticedNanoseconds
    heldUpNanoseconds = 0
    let mayGoAlone = isHeldUp && !wentAlone
    wentAlone = false
    if inLanes == 0, dear.isNobody, arrived.count <= most, !mayGoAlone || !arrivedHasBoth {
      defer { arrived = [] }
      return arrived
    }
    for entry in arrived { putInLane(entry) }
    arrived = []
    if !dearTurns.isEmpty, isLast || dear.mayTake(at: now, whileOthersWait: !turns.isEmpty) {
      let person = dearTurns.removeFirst()
      let taken = Array((lanes[person] ?? []).prefix(min(1, most)))
      leave(person, taking: taken.count)
      return taken
    }
    if !turns.isEmpty { dear.othersAreServed(at: now) }
    let short = mayGoAlone ? shortLanes : []
    wentAlone = !short.isEmpty
    return short.isEmpty ? takeInTurns(most) : takeOnes(of: short.prefix(most))
  }

  /// Whether somebody's only work has come together with several of somebody else. Without that, lanes change nothing.
  private var arrivedHasBoth: Bool {
    var works: [UserID?: Int] = [:]
    for entry in arrived { works[entry.work.person, default: 0] += 1 }
    return works.values.contains(1) && works.count < arrived.count
  }

  /// Returns the lanes with one work, if there are others. Behind a long turn they go alone: a person who sends one
  /// command waits for the rest of one turn, and not for a second one that is full of the works of others.
  private var shortLanes: [UserID?] {
    let short = turns.filter { lanes[$0]?.count == 1 }
    return short.count < turns.count ? short : []
  }

  private mutating func takeOnes(of persons: ArraySlice<UserID?>) -> [Entry] {
    let taken = persons.compactMap { lanes[$0]?.first }
    let gone = Set(persons)
    turns.removeAll { gone.contains($0) }
    for person in persons { cut(person, 1) }
    return taken
  }

  /// Returns the milliseconds after which there is something to take, or nil when nothing waits. Call it right after
  /// `take`.
  package mutating func milliseconds(at now: Int64) -> Int64? {
    if isEmpty { return nil }
    guard arrived.isEmpty, turns.isEmpty else { return 0 }
    return dear.milliseconds(at: now)
  }

  private mutating func takeInTurns(_ most: Int) -> [Entry] {
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

  /// Puts back work that was taken last and is not settled yet. It comes first again, in the same turns.
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

  /// Notes the CPU time of a piece of work, with its part of the commit. `commitNanoseconds` is the rest of a
  /// commit that was made for this work alone.
  package mutating func note(
    _ entry: Entry, took nanoseconds: Int64, committed commitNanoseconds: Int64 = 0, at now: Int64
  ) {
    heldUpNanoseconds += nanoseconds
    guard let person = entry.work.person,
      dear.note(
        person, nanoseconds, committed: commitNanoseconds, commands: entry.work.commands, at: now)
    else { return }
    moveBehindOthers(person)
  }

  /// Takes out those works of a person for which `isOut` says so, in their order.
  package mutating func takeOut(of person: UserID, where isOut: (Entry) -> Bool) -> [Entry] {
    let lane = lanes[person] ?? []
    let rest = lane.filter { !isOut($0) }
    if !lane.isEmpty { keep(rest, of: person) }
    let out = lane.filter(isOut) + arrived.filter { $0.work.person == person && isOut($0) }
    arrived.removeAll { $0.work.person == person && isOut($0) }
    return out
  }

  private mutating func keep(_ rest: [Entry], of person: UserID) {
    inLanes += rest.count - (lanes[person]?.count ?? 0)
    lanes[person] = rest.isEmpty ? nil : rest
    guard rest.isEmpty else { return }
    turns.removeAll { $0 == person }
    dearTurns.removeAll { $0 == person }
  }

  private mutating func presume(_ entry: Entry, at now: Int64) {
    guard let person = entry.work.person else { return }
    dear.presume(person, at: now)
    moveBehindOthers(person)
  }

  private mutating func moveBehindOthers(_ person: UserID) {
    guard let place = turns.firstIndex(of: person) else { return }
    turns.remove(at: place)
    dearTurns.append(person)
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

extension LedgerWork {
  /// The number of events from which an undo counts as dear. Each event of an undo is looked up and judged.
  private static let dearUndoEvents = 50

  fileprivate var isLikelyDear: Bool {
    if case .command(let it) = self, case .undo(let target) = it.command {
      target.events.count >= Self.dearUndoEvents
    } else {
      false
    }
  }

  fileprivate var commands: Int {
    if case .command(let it) = self, case .batch(let commands) = it.command {
      commands.count
    } else {
      1
    }
  }

  /// The person whose work it is; nil for work that the server does by itself.
  fileprivate var person: UserID? {
    switch self {
    case .command(let it): it.actor.user
    case .openSession(_, let account, _, _): account.id
    case .openGuest(let guest, _): guest.id
    case .useSession(_, let user, _), .closeSession(_, let user): user
    case .tellOverdue, .checkDues, .endClaims, .loseRun, .purge, .remind, .checkReminders,
      .tellName, .giveBot, .noteWebhook, .askForEnd, .endAccount, .forget, .forgetAccount:
      nil
    }
  }
}
