// The server's threads without threads. Each has a mailbox, takes from it when its turn comes, and tells the outcome a
// little later. Sync makes their decisions; the code that joins them mirrors Server's threads.

import Calendar
import Domain
import Sync
import Wire

enum ReaderMessage {
  case hello(ReplyAddress, Hello)
  case open(ReplyAddress, Identity, [Cursor])
  case query(ReplyAddress, RequestID, Identity, Query)
  case watch(loop: Int, HubRead)
}

enum LoopMessage {
  case batch(SimBatch)
  case outcome(ReplyAddress, RequestOutcome)
  case read(HubRead, HubReadAnswer<[UInt8]>)
  case moments([EphemeralNote])
}

struct SimBatch {
  var answers: [(to: ReplyAddress, outcome: RequestOutcome)] = []
  let news: [StreamNews<[UInt8]>]
  let closedSessions: [SessionID]
}

/// One run of the server, from its start to its end.
final class SimServer {
  unowned let world: Simulation
  let generation: Int
  let faults: StoreFaults
  private(set) var loops: [SimLoop] = []
  private(set) var readers: [SimReader] = []
  private var authenticator: SimAuthenticator?
  private(set) var courier: SimCourier?
  let store: FaultyStore
  private var ledger: Ledger
  private var ledgerBox: [(LedgerWork, LedgerReply)] = []
  private var ledgerHeld: SimTurn?
  private var inbox = LedgerInbox(
    KindLimits(
      people: SimRules.session.rate, bots: SimRules.session.botRate,
      restMilliseconds: SimRules.session.restMilliseconds),
    lines: .lines(restMilliseconds: SimRules.session.restMilliseconds))
  private var refusals = RefusalOrder()
  /// The CPU time of the ledger, which counts on by chance.
  private var cpuNanoseconds: Int64 = 0
  private var ledgerIsDue = false
  var scheduler: Scheduler
  var deadlineQuarantine = DeadlineQuarantine()
  var reminderQuarantine = ReminderQuarantine()
  var checkQuarantine = CheckQuarantine()
  var claimEnds = ClaimEnds()
  var runs = RunWatch()
  var mayCheckDues = true
  var ends = AccountEnds()
  var untoldNames = UntoldNames()
  var bin: Bin
  var mustLookAtAll = false
  var isDraining = false
  /// Whether a sweep goes on.
  private var isForgetting = false

  init(
    _ world: Simulation, generation: Int, place: any StorePlace, faults: StoreFaults
  ) throws(StoreError) {
    self.world = world
    self.generation = generation
    self.faults = faults
    store = FaultyStore(try place.openWriter(), faults)
    ledger = Ledger(
      storeEpoch: store.identity.epoch, cacheBytesMax: 64 * 1024, almanac: .system)
    let newest = try store.newestEventTime()
    scheduler = Scheduler(newest: newest, wall: world.moment.wall)
    bin = Bin(SimRules.bin, newest: newest)
    mustLookAtAll = newest.map { world.moment.wall < $0 } ?? false
    for index in 0..<SimRules.loops { loops.append(SimLoop(index, self)) }
    for index in 0..<SimRules.readers {
      readers.append(SimReader(index, self, FaultyStore(try place.openReader(), faults)))
    }
    authenticator = SimAuthenticator(self, FaultyStore(try place.openReader(), faults))
    courier = try SimCourier(self, FaultyStore(try place.openReader(), faults))
    if scheduler.pause != nil {
      waitForConfirmation()
      doubtClock()
    }
    world.schedule(after: 1, .ledgerWakes(generation))
  }

  /// Lets the writes of a failed COMMIT come back, when the process has ended without order.
  func comeBack() throws(StoreError) { try store.comeBack() }

  /// Releases what readers hold of the server.
  func end() {
    for reader in readers { reader.end() }
  }

  // MARK: Mailboxes

  func post(_ message: LoopMessage, to loop: Int) { loops[loop].post(message) }

  func reply(_ to: ReplyAddress, _ outcome: RequestOutcome) {
    post(.outcome(to, outcome), to: to.loop)
  }

  /// Returns the reader of a stream, which is always the same (Server/Messages.swift).
  func reader(of stream: StreamID) -> SimReader {
    readers[Int(stream.uuid.bytes[15]) % readers.count]
  }

  func readerIndex(of user: UserID) -> Int { Int(user.uuid.bytes[15]) % readers.count }

  func reader(ofLink link: Int) -> SimReader { readers[link % readers.count] }

  func visit(_ to: ReplyAddress, _ request: AuthenticationRequest) {
    authenticator?.begin(to, request)
  }

  func hashed(_ visit: VisitID) { authenticator?.hashed(visit) }

  func post(_ work: LedgerWork, _ reply: LedgerReply) {
    if case .command(let to) = reply { refusals.arrived(to) }
    ledgerBox.append((work, reply))
    callLedger()
  }

  func connected(_ session: SessionID) { ledger.connected.began(session) }

  func disconnected(_ session: SessionID) { ledger.connected.ended(session) }

  func callLedger() {
    guard !ledgerIsDue else { return }
    ledgerIsDue = true
    world.schedule(after: world.random.between(0, 6), .ledgerTurn(generation))
  }

  // MARK: The ledger

  func ledgerTurn() { ledgerTurn(isLast: false) }

  /// Settles works of its own, or some of the commands that wait.
  private func ledgerTurn(isLast: Bool) {
    takeMessages()
    let now = world.moment.milliseconds
    let own = ownWorks()
    var entries = own.map { LedgerQueue.Entry($0.0, $0.1, isRefusable: false) }
    var refused: [LedgerInbox.Refusal] = []
    if own.isEmpty {
      (entries, refused) = inbox.take(Int(world.random.between(1, 12)), at: now, isLast: isLast)
    }
    let turn = ledger.turn(
      entries.map(\.work), at: world.moment.wall, in: store, tools(own.isEmpty)
    ) { transaction throws(StoreError) in
      try store.commit(transaction)
    }
    world.count(.p2Repeated, turn.settlements.count { $0.repeated })
    for case .asksWithoutEnd in turn.notes { world.fail("a decision asks without end") }
    for case .committing(.notCommitted(let fault)) in turn.notes where fault.kind == .contradiction
    {
      world.fail("P4 the store was given a contradiction: \(fault.detail)")
    }
    guard !faults.hasCrashed else { return world.crash() }
    note(entries.map(\.work), turn)
    count(entries.map(\.work), turn)
    let settled = Array(entries.prefix(turn.settlements.count))
    // Those that were refused before this turn are noted first.
    for refusal in refused { noteRefused(refusal.entry) }
    check(settled, turn.commit)
    let behind = inbox.note(
      entries, turn.settlements, turn.commit, took: turn.commitNanoseconds, refused: refused,
      at: now)
    for refusal in behind { noteRefused(refusal.entry) }
    ledgerHeld = SimTurn(settled: settled, turn: turn, refused: refused + behind)
    let isSlow = world.random.happens(SimRules.slowPerMille)
    if isSlow { world.count(.slowLedger) }
    world.schedule(after: world.random.between(0, isSlow ? 900 : 3), .ledgerTells(generation))
  }

  /// Takes what has arrived, and tells at once who is refused.
  private func takeMessages() {
    let refused = ledgerBox.compactMap { work, reply in
      inbox.add(
        LedgerQueue.Entry(work, reply, isRefusable: reply.isCommand), at: world.moment.milliseconds)
    }
    ledgerBox = []
    tell(refused)
  }

  private func noteRefused(_ entry: LedgerInbox.Entry) {
    guard case .command(let it) = entry.work, case .command(let to) = entry.reply else { return }
    refusals.refused(it.actor.user, to)
  }

  /// Checks P7. When the commit failed all are as good as refused.
  private func check(_ settled: [LedgerInbox.Entry], _ commit: LedgerTurn.Commit) {
    for entry in settled {
      guard case .command(let it) = entry.work, case .command(let to) = entry.reply else {
        continue
      }
      switch commit {
      case .failed, .unknown: refusals.refused(it.actor.user, to)
      case .nothing, .committed:
        if let breach = refusals.settled(it.actor.user, to) { world.fail(breach) }
      }
    }
  }

  private func tell(_ refused: [LedgerInbox.Refusal]) {
    for refusal in refused {
      guard case .command(let to) = refusal.entry.reply else { continue }
      // Whatever has arrived until now was sent without knowing it.
      noteRefused(refusal.entry)
      world.count(.p7Refused)
      let answer: (to: ReplyAddress, outcome: RequestOutcome) = (to, .failed(refusal.failure))
      post(.batch(SimBatch(answers: [answer], news: [], closedSessions: [])), to: to.loop)
    }
  }

  private func count(_ works: [LedgerWork], _ turn: LedgerTurn) {
    for (work, settlement) in zip(works, turn.settlements) {
      if settlement.tookNanoseconds >= SimRules.dearNanoseconds { world.count(.dearWork) }
      guard case .success = settlement.result else { continue }
      if !settlement.repeated {
        world.count(accepted: work)
      } else if case .command(let it) = work, it.command.setsPassword {
        world.count(.p2Renewed)
      }
    }
  }

  func ledgerTells() {
    guard let held = ledgerHeld else { return }
    let turn = held.turn
    ledgerHeld = nil
    switch turn.commit {
    case .failed, .unknown: for entry in held.settled { noteRefused(entry) }
    case .nothing, .committed: break
    }
    let (news, closed) = (turn.publication.news { $0 }, turn.publication.closedSessions)
    var batches = loops.map { _ in SimBatch(news: news, closedSessions: closed) }
    for (entry, settlement) in zip(held.settled, turn.settlements) {
      switch entry.reply {
      case .command(let to):
        let outcome = settlement.outcome { .done(SimCodes.book.completed($0, of: entry.work)) }
        batches[to.loop].answers.append((to, outcome))
      case .logout(let to):
        batches[to.loop].answers.append((to, settlement.outcome { _ in .loggedOut }))
      case .authenticator(let visit): authenticator?.settled(visit, settlement)
      case .courier(let key): courier?.settled(key, isWritten: settlement.isDone)
      case .nobody: break
      }
    }
    for (loop, batch) in batches.enumerated() { post(.batch(batch), to: loop) }
    courier?.published(turn)
    tell(held.refused)
    ledgerIsDue = false
    do throws(StoreError) { try store.tidy() } catch { world.fail("tidying: \(error)") }
    forgetSome()
    let wait = inbox.milliseconds(at: world.moment.milliseconds)
    if !ledgerBox.isEmpty || isForgetting || wait == 0 { return callLedger() }
    if let wait { world.schedule(after: wait, .ledgerCalled(generation)) }
  }

  /// Settles everything that arrived before the end (ServerThreads.end).
  func endLedger() {
    ledgerTells()
    while !ledgerBox.isEmpty || !inbox.isEmpty, world.violation == nil, !faults.hasCrashed {
      ledgerTurn(isLast: true)
      ledgerTells()
    }
  }

  // MARK: The horizon

  /// Begins a sweep now and then, as an operator would.
  func mayForget() {
    if world.oldestKept != nil, world.random.happens(150) { isForgetting = true }
  }

  /// Takes one step of forgetting, as LedgerThread's `trim`. When the store fails, it is left alone until the next
  /// sweep.
  private func forgetSome() {
    guard isForgetting, let oldest = world.oldestKept else {
      isForgetting = false
      return
    }
    do throws(StoreError) {
      isForgetting = try !forget(before: oldest).isDone
    } catch {
      isForgetting = false
    }
  }

  private func forget(before oldest: Timestamp) throws(StoreError) -> TrimStep {
    let step = try store.trim(before: oldest)
    if let horizon = step.horizon {
      ledger.trimmed(through: horizon)
      world.forgot(horizon, before: oldest)
    }
    return step
  }

  /// Forgets everything that is old, at one moment. A sweep that has begun ends first.
  func forgetAll(before oldest: Timestamp) throws(StoreError) {
    while try store.tidy() {}
    var sweeps = 0
    while sweeps < 2 { if try forget(before: oldest).isDone { sweeps += 1 } }
  }

  /// Returns the tools of a turn. With `isBounded` the works are settled as far as there is time.
  private func tools(_ isBounded: Bool) -> LedgerTools {
    let world = world
    return LedgerTools(
      newTransaction: { _ in TransactionID(world.random.uuid()) }, isZone: { _ in true },
      hasRoom: { _ in true }, codes: SimCodes.book, ahead: scheduler.ahead,
      cpuNanoseconds: { [self] in
        // A few works take long, so their people are dear for a while.
        let isDear = world.random.happens(SimRules.dearPerMille)
        cpuNanoseconds += isDear ? SimRules.dearNanoseconds : 100_000
        return cpuNanoseconds
      },
      turnNanosecondsMax: isBounded ? SimRules.turnNanoseconds : nil)
  }
}

/// A turn whose outcome is not told yet.
private struct SimTurn {
  let settled: [LedgerInbox.Entry]
  let turn: LedgerTurn
  let refused: [LedgerInbox.Refusal]
}

/// The numbers of the simulated server.
enum SimRules {
  /// The days for which a deleted account can still be kept.
  static let graceDays = 14
  static let loops = 2
  static let readers = 2
  /// The bytes after which a client counts as stalled; few, so that a few messages are enough.
  static let pendingBytesMax = 4_000
  static let slowMilliseconds: Int64 = 30_000
  static let slowPerMille = 30
  static let dearPerMille = 5
  static let dearNanoseconds: Int64 = 20_000_000
  static let turnNanoseconds: Int64 = 3_000_000
  /// The posts of one check; few, so that one check is often not enough.
  static let postsPerCheck = 2
  static let postsPerTurn = 3
  static let idleMilliseconds: Int64 = 1_000
  static let session: SessionRules = {
    var rules = SessionRules()
    rules.rate = TokenRate(count: 20, everyMilliseconds: 1_000, burst: 30)
    rules.botRate = TokenRate(count: 25, everyMilliseconds: 1_000, burst: 40)
    return rules
  }()
}
