// The whole system in one thread and in virtual time: the real Domain, Wire, Sync and client brain; a network, a
// machine and people, made from one seed. A step is one event. Everything that a client is told is compared with
// what was really written (Truth); the first breach ends the run. Equal seeds make equal runs, in every process:
// nothing here depends on the order of a dictionary, an address or a clock. The digest over all carried bytes shows it.
//
// Now and then an earlier copy of the memory store is put back as a history of its own, and the truth with it: what
// came after has never been. (The files are restored by other code: Tests/ServerTests/EpochTests.)
//
// P12: a deadline is told once. An occurrence of a post that comes again is over once, and it is the one that was
// meant. The calendar is the machine's.

import Domain
import Sync
import Wire

/// An event of the simulation that is waited for. The first number is mostly the server's generation; those of an ended
/// server are dropped.
enum SimEvent {
  case people
  case fault
  case dialed(device: Int, attempt: Int)
  case up(Link, [UInt8])
  case down(Link, [UInt8])
  /// The client sees a close frame.
  case closedDown(Link, CloseCode)
  /// An end of a connection learns that nobody is there.
  case serverNotices(Link)
  case clientNotices(Link)
  case clientWakes(device: Int, life: Int)
  case localStateTakes(device: Int, life: Int)
  case loopTurn(Int, Int)
  case loopTick(Int, Int)
  case momentsDue(Int, Int)
  case ledgerTurn(Int)
  case ledgerCalled(Int)
  case ledgerTells(Int)
  case ledgerWakes(Int)
  case courierTurn(Int)
  case delivered(Int, WebhookKey, DeliveryEnd)
  case clockConfirmed(Int)
  case readerReads(Int, Int)
  case readerTells(Int, Int)
  case hashed(Int, VisitID)
  case drainEnds(Int)
  case restart
  case crash(Int)
}

/// The result of a run.
package struct SimulationReport: Sendable {
  package let seed: UInt64
  package let steps: Int
  package let digest: UInt64
  package let tally: Tally
  /// The first breach; nil when every promise held.
  package let violation: String?
  /// The newest lines of the trace.
  package let trace: [String]
}

package final class Simulation {
  let place: any StorePlace
  let truth = Truth()
  var random: SimRandom
  private(set) var tally = Tally()
  private(set) var violation: String?
  private var queue = SimEventQueue()
  private var digest = Digest()
  private let isTraced: Bool
  private var trace: [String] = []
  /// Whether the wall clock has jumped.
  var hasSetClock = false
  /// The time in monotonic milliseconds; `wallOffset` is what the wall clock shows beyond it.
  private(set) var time: Int64 = 1_000_000
  private var wallOffset: Int64 = 1_700_000_000_000
  private(set) var server: SimServer?
  private var generation = 0
  let faults = StoreFaults()
  var links: [Link] = []
  private(set) var devices: [Device] = []
  var people: [Person] = []
  /// Whether the run is at its end, where nothing new is done to the system.
  private(set) var isCalm = false
  var workload = Workload()
  var receivers = SimReceivers()
  private var backup: Truth.Memory?
  /// Whether the last of the people may end their account.
  let endsAccounts: Bool
  /// The latest moment before which events were forgotten.
  var forgottenBefore: Timestamp?
  /// The last time at which somebody was put out of a stream.
  private var endedAt: [StreamID: [UserID: Int64]] = [:]

  package init(seed: UInt64, place: any StorePlace, isTraced: Bool = false) {
    self.place = place
    self.isTraced = isTraced
    random = SimRandom(seed: seed)
    endsAccounts = !seed.isMultiple(of: 4)
    faults.onCommit = { [unowned self] in written($0) }
    faults.made = { [unowned self] in
      count($0)
      if $0 == .commitUnknownWritten {
        schedule(after: random.between(1, 60), .crash(generation))
      }
    }
    faults.doubt = { [unowned self] in truth.inDoubt.append($0) }
    faults.interruptCommit = { [unowned self] in place.interruptCommit(&random) }
    faults.failSync = { place.failSync() }
    faults.stopFailing = { place.stopFailing() }
    people = (0..<3).map { Person(index: $0, id: UserID(random.uuid())) }
    people[2].beginsAsGuest = random.happens(700)
    // For a bot, inheritance, the own work and the rates are different.
    people[1].kind = random.happens(300) ? .bot : .person
    workload.begin(&random)
    devices = (0..<4).map { Device(index: $0, person: people[$0 % 3], self) }
    let nobody = Person(index: -1, id: UserID(random.uuid()))
    devices.append(Device(index: 4, person: nobody, self, looks: true))
    let noBot = Person(index: -2, id: UserID(random.uuid()), kind: .bot)
    devices.append(Device(index: 5, person: noBot, self, isProgram: true))
    if endsAccounts {
      // The first device of a person has their number.
      let leaver = Person(index: devices.count, id: UserID(random.uuid()))
      people.append(leaver)
      devices.append(Device(index: leaver.index, person: leaver, self))
    }
  }

  // MARK: Running

  package func run(seed: UInt64, steps: Int) -> SimulationReport {
    restart()
    for device in devices { device.begin() }
    schedule(after: 5, .people)
    schedule(after: 2_000, .fault)
    var done = 0
    while done < steps, violation == nil, step() { done += 1 }
    if violation == nil { done += calm() }
    return SimulationReport(
      seed: seed, steps: done, digest: digest.value, tally: tally, violation: violation,
      trace: trace)
  }

  private func step() -> Bool {
    guard let (at, event) = queue.next() else { return false }
    time = max(time, at)
    digest.add(time)
    happen(event)
    return true
  }

  /// Lets everything heal and settle, then checks whether all are level.
  private func calm() -> Int {
    isCalm = true
    faults.commit = nil
    (faults.failLoads, faults.failReads) = (0, 0)
    if server?.isDraining == true { endDrain() }
    let deadline = time + 300_000
    var done = 0
    // It takes no step beyond: a value that ends long after would hide who was not level until then.
    while violation == nil, !isLevel, let next = queue.nextAt, next < deadline, step() {
      done += 1
      for device in devices { device.look() }
    }
    guard violation == nil else { return done }
    for device in devices { device.compareAtEnd() }
    if let breach = truth.untold(at: moment.wall, &tally) { fail(breach) }
    if let breach = truth.untoldName() { fail(breach) }
    if let breach = truth.unended(at: moment.wall) { fail(breach) }
    if isLevel, let watched = server?.runs.count, watched != truth.runsGoingOn {
      fail("P12 \(watched) runs are watched, and \(truth.runsGoingOn) go on")
    }
    if isLevel, let from = server?.bin.countsFrom,
      let breach = truth.unpurged(at: moment.wall, countedFrom: from)
    {
      fail(breach)
    }
    if let breach = truth.untoldReminders(at: moment.wall, &tally) { fail(breach) }
    if let breach = truth.lostReminders(&tally) { fail(breach) }
    // When a clock was ahead of a moment and there was nothing to tell, the moment is not looked at once more.
    if !hasSetClock, let breach = truth.untoldDigests(at: moment.wall, &tally) { fail(breach) }
    compareStored(wholeLog: true)
    return done
  }

  private var isLevel: Bool {
    server?.hasTold == true && devices.allSatisfy(\.isLevel)
  }

  // MARK: What others use

  var moment: SessionMoment {
    SessionMoment(milliseconds: time, wall: Timestamp(milliseconds: time + wallOffset))
  }

  func schedule(after milliseconds: Int64, _ event: SimEvent) {
    queue.add(time + max(0, milliseconds), event)
  }

  func count(_ fault: Fault) { tally.count(fault) }
  func count(accepted work: LedgerWork) { tally.count(accepted: work) }
  func count(_ premise: Premise, _ times: Int = 1) { tally.count(premise, times) }

  func fail(_ sentence: String) {
    guard violation == nil else { return }
    violation = sentence
    note { "VIOLATION \(sentence)" }
  }

  /// Adds bytes that arrived to the digest.
  func carried(_ link: Link, _ bytes: [UInt8]) {
    digest.add(Int64(link.number))
    digest.add(bytes)
  }

  func note(_ line: () -> String) {
    guard isTraced else { return }
    trace.append("\(time) \(line())")
    if trace.count > 2_000 { trace.removeFirst(1_000) }
  }

  private func written(_ transaction: LedgerTransaction) {
    note {
      "commit " + transaction.events.map { "\($0.stream) \($0.seq)" }.joined(separator: ", ")
        + " keys " + transaction.keys.map(\.address.key.text).joined(separator: ", ")
    }
    truth.moment = TrueMoment(generation: generation, machine: time)
    defer { truth.moment = nil }
    if let breach = truth.commit(transaction, &tally) { return fail(breach) }
    do throws(StoreError) {
      try place.twin.commit(transaction)
    } catch {
      fail("P10 the other store does not take what one took: \(error.fault.detail)")
    }
    for change in transaction.access {
      switch change {
      case .revoked(let stream, let user):
        count(user.uuid.isLinkGuest ? truth.ending(of: user, at: moment.wall) : .p9Removed)
        endedAt[stream, default: [:]][user] = time
      case .granted(let stream, let user, _, _):
        if let entries = truth.streams[stream]?.entries(of: user), entries > 1 {
          count(.p9Rejoined)
        }
      }
    }
  }

  // MARK: What happens

  private func happen(_ event: SimEvent) {
    switch event {
    case .people: peopleAct()
    case .fault: makeFault()
    case .dialed(let device, let attempt): dialed(devices[device], attempt)
    case .up(let link, let bytes): arriveUp(link, bytes)
    case .down(let link, let bytes): arriveDown(link, bytes)
    case .closedDown(let link, let code):
      if link.carriesDown { lost(link, .closed(code: code.rawValue)) }
    case .serverNotices(let link): serverLoses(link)
    case .clientNotices(let link): lost(link, .lost)
    case .clientWakes(let device, let life): devices[device].woke(life)
    case .localStateTakes(let device, let life): devices[device].local?.take(life)
    case .loopTurn(let of, let index): current(of)?.loops[index].turn()
    case .loopTick(let of, let index): current(of)?.loops[index].tick()
    case .momentsDue(let of, let index): current(of)?.loops[index].turnEnded()
    case .ledgerTurn(let of): current(of)?.ledgerTurn()
    case .ledgerCalled(let of): current(of)?.callLedger()
    case .ledgerTells(let of): current(of)?.ledgerTells()
    case .ledgerWakes(let of): current(of)?.ledgerWakes()
    case .courierTurn(let of): current(of)?.courier?.turn()
    case .delivered(let of, let webhook, let end): current(of)?.courier?.ended(webhook, end)
    case .clockConfirmed(let of): current(of)?.clockConfirmed()
    case .readerReads(let of, let index): current(of)?.readers[index].readNext()
    case .readerTells(let of, let index): current(of)?.readers[index].tell()
    case .hashed(let of, let visit): current(of)?.hashed(visit)
    case .drainEnds(let of): if current(of) != nil { endDrain() }
    case .restart: restart()
    case .crash(let of):
      if current(of) != nil, faults.limbo != nil || !truth.inDoubt.isEmpty { crash() }
    }
    if let server, server.isDraining, server.loops.allSatisfy(\.isEmpty) { endDrain() }
  }

  private func current(_ generation: Int) -> SimServer? {
    server?.generation == generation ? server : nil
  }

  private func peopleAct() {
    guard !isCalm else { return }
    Workload.act(self)
    schedule(after: random.between(2, 60), .people)
  }

  // MARK: The server's life

  private func restart() {
    guard server == nil else { return }
    generation += 1
    faults.hasCrashed = false
    restoreSometimes()
    do throws(StoreError) {
      server = try SimServer(self, generation: generation, place: place, faults: faults)
    } catch {
      return fail("the store does not open: \(error)")
    }
    note { "server \(generation) starts" }
    truth.started(at: time)
    compareStored(wholeLog: false)
    backUpSometimes()
  }

  /// Replaces the store by an earlier copy. Answers on their way are lost, because nobody could compare them with
  /// anything.
  private func restoreSometimes() {
    guard !isCalm, let backup, random.happens(100) else { return }
    count(.restored)
    let epoch = "s\(generation)"
    note { "an earlier copy is put back" }
    place.restore(epoch: epoch)
    do throws(StoreError) {
      if let breach = try truth.restore(backup, as: place.openReader()) { fail(breach) }
      receivers.restore(try place.openReader().webhooks())
    } catch {
      fail("what was put back cannot be read: \(error)")
    }
    for link in links where link.clientHas {
      link.carriesDown = false
      schedule(after: random.between(0, 200), .clientNotices(link))
    }
    workload.codesSpent = [:]
    // A bot that somebody owned may have ended with its owner, besides the last of the people.
    for device in devices where device.index == device.person.index { device.comeBackToLife() }
  }

  private func backUpSometimes() {
    let areAllThere = people.allSatisfy { truth.streams[.user($0.id)] != nil }
    guard areAllThere, random.happens(500), place.backUp() else { return }
    backup = truth.memory
  }

  private func compareStored(wholeLog: Bool) {
    do throws(StoreError) {
      let store = try place.openReader()
      if let breach = try truth.compare(with: store, &tally) { return fail(breach) }
      for transaction in truth.takeSettled() { try place.twin.commit(transaction) }
      try forgetEqually()
      if let breach = try truth.compare(store, with: place.twin) { return fail(breach) }
      count(.p10Stores)
      if wholeLog, let breach = try truth.compareLog(with: store) { fail(breach) }
      if wholeLog, violation == nil, isLevel {
        let rows = try store.dueReminders(through: Timestamp(milliseconds: .max), limit: .max)
        if let breach = truth.lateReminders(rows, at: moment.wall, &tally) { fail(breach) }
        // A clock that was ahead leaves days out, also those on which there was nothing to tell.
        if !hasSetClock, let breach = truth.lateDigests(rows, at: moment.wall, &tally) {
          fail(breach)
        }
      }
      if wholeLog, let breach = try named(in: store) { fail(breach) }
      if wholeLog, isLevel {
        for webhook in try store.webhooks() {
          if let breach = receivers.left(of: webhook, in: self) { fail(breach) }
        }
      }
      if wholeLog, let difference = try place.differences().first { fail("P6 \(difference)") }
    } catch {
      fail("the store cannot be read: \(error)")
    }
  }

  /// Ends the process at once; what its sockets had taken may still arrive.
  func crash() {
    guard let ended = server else { return }
    note { "crash" }
    do throws(StoreError) { try ended.comeBack() } catch { fail("the store: \(error)") }
    count(.p1Acknowledged, devices.reduce(0) { $0 + $1.takeAcknowledged() })
    place.crash(power: random.happens(500), &random)
    ended.end()
    server = nil
    (faults.commit, faults.limbo) = (nil, nil)
    (faults.failLoads, faults.failReads) = (0, 0)
    for link in links where link.serverHas { serverVanishes(link) }
    schedule(after: random.between(50, 2_500), .restart)
  }

  func drain() {
    guard let server, !server.isDraining else { return }
    note { "drain" }
    count(.drain)
    server.isDraining = true
    for loop in server.loops { loop.drain() }
    schedule(after: 10_000, .drainEnds(server.generation))
  }

  private func endDrain() {
    guard let ending = server else { return }
    ending.endLedger()
    guard server != nil else { return }
    note { "server \(ending.generation) ends" }
    place.close()
    ending.end()
    server = nil
    for link in links where link.serverHas { serverVanishes(link) }
    schedule(after: random.between(50, 500), .restart)
  }

  private func serverVanishes(_ link: Link) {
    link.serverHas = false
    link.carriesUp = false
    if random.happens(500) { link.carriesDown = false }
    schedule(after: max(0, link.downAt - time) + random.between(1, 300), .clientNotices(link))
  }

  /// Checks P7 for one stream, each time another: what is read is not older than what was answered.
  func checkFresh(_ store: any EventStore) throws(StoreError) {
    guard let stream = random.pick(truth.order), let head = truth.streams[stream]?.head else {
      return
    }
    if try store.head(of: stream)?.seq ?? 0 < head { fail("P7 a reader sees an old \(stream)") }
  }

  /// Checks an answer to a query, at this moment. `duesAreSettled`: no list's zone changed so recently that rows are
  /// old.
  func queried(_ user: UserID, _ query: Query, _ outcome: RequestOutcome, duesAreSettled: Bool) {
    count(.p7Query)
    guard case .answer(let bytes) = outcome else { return }
    if case .search(let query) = query { return checkSearch(user, query, bytes) }
    if case .view(let query) = query { return checkView(user, query, bytes, duesAreSettled) }
    if case .agenda(let query) = query { return checkAgenda(user, query, bytes, duesAreSettled) }
    if case .digest(let query) = query { return checkDigest(user, query, bytes) }
    if case .notifications = query { return checkNotifications(user, bytes) }
    if case .stats(let query) = query { return checkStats(user, query, bytes) }
    if case .twins(let query) = query { return checkTwins(user, query, bytes) }
    if case .history(let query) = query { checkHistory(user, query, bytes) }
    guard let stream = query.stream else { return }
    if truth.streams[stream]?.isMember(user) != true {
      fail("P9 somebody who is no member is answered about \(stream)")
    }
  }

  /// Answers whether the user has access now, or had it so recently that some loop may not have heard of its end.
  func hasAccess(_ user: UserID, to stream: StreamID) -> Bool {
    if truth.streams[stream]?.isMember(user) ?? false { return true }
    return endedAt[stream]?[user].map { time - $0 <= 1_000 } ?? false
  }

  func jump(_ milliseconds: Int64) { wallOffset += milliseconds }
}

/// A binary heap; events of the same moment come in the order in which they were added.
struct SimEventQueue {
  private var heap: [(at: Int64, number: Int, event: SimEvent)] = []
  private var numbers = 0

  mutating func add(_ at: Int64, _ event: SimEvent) {
    numbers += 1
    heap.append((at, numbers, event))
    var child = heap.count - 1
    while child > 0, isBefore(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  var nextAt: Int64? { heap.first?.at }

  mutating func next() -> (at: Int64, event: SimEvent)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.at, first.event)
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && isBefore(child, least) {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (heap[left].at, heap[left].number) < (heap[right].at, heap[right].number)
  }
}
