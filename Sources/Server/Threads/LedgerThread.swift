// The only writer (DESIGN §6). It queues everything that has arrived and lets the ledger settle as much of it in one
// turn as there is time for (Sync/Ledger/LedgerTurn.swift). Then it answers, and publishes the news. Every command
// passes here, so the commands of a person or of a bot are counted here: a flood is refused before anything is decided
// or read.

internal import Calendar
internal import Crypto
internal import Domain
internal import Net
internal import Store
internal import Sync
internal import WebSocket
internal import Wire

/// The ledger thread, which owns the writing connection to the store.
final class LedgerThread {
  let store: any EventStore
  private let mailboxes: Mailboxes
  let log: Log
  let counters: LedgerCounters
  private var ledger: Ledger
  private let codes: CodeBook
  /// The random bytes for the names of transactions.
  private var random = RandomPool()
  /// The cost of each piece of work, for `DearPeople`.
  private var meter = CPUMeter()
  var isFailing = false
  /// The moment until which the ledger's own work waits after a failure, in milliseconds of the monotonic clock.
  var tryAgainFrom: Int64 = 0
  /// Whether dues may be left to check. An earlier run may have left some.
  var mayCheckDues = true
  /// Whether everything is to be looked at again, because the clock was put back.
  var mustLookAtAll = false
  var scheduler: Scheduler
  var deadlineQuarantine = DeadlineQuarantine()
  var reminderQuarantine = ReminderQuarantine()
  var checkQuarantine = CheckQuarantine()
  /// The moment of the next look at time zones, in milliseconds of the monotonic clock.
  var lookAtZonesFrom: Int64 = 0
  /// The version of the zones that deadlines are computed with. Nil before the first look.
  var zoneVersion: String?
  let zoneFolder: String
  let clockIsSynchronized: () -> Bool
  /// The moment of the next question whether the wall clock is right, while that is not known, in milliseconds of the
  /// monotonic clock.
  var askOfClockFrom: Int64 = 0
  var claimEnds = ClaimEnds()
  var runs = RunWatch()
  /// The moment at which the mailbox was emptied last, in milliseconds of the monotonic clock.
  var heardAt: Int64 = 0
  /// The bin. Nil while the newest event could not be read.
  var bin: Bin?
  let keepRemovedDays: Int?
  var ends = AccountEnds()
  var lookForRequestsFrom: Int64 = 0
  var untoldNames = UntoldNames()
  /// Whether there may be webhooks, so that the courier has to hear of news.
  private var hasWebhooks = true
  private let keepHistoryDays: Int?
  /// The moment of the next trim, in milliseconds of the monotonic clock.
  private var trimFrom: Int64 = 0
  let folder: String
  private let diskRules: DiskRules
  private let reserve: DiskReserve?
  /// Whether the operator was told last that the reserve is given up.
  private var missesReserve = false
  var disk = DiskSpace.plenty
  var inbox: LedgerInbox
  var house = House()
  /// The time that the last commit took.
  private var commitNanoseconds: Int64 = 0
  /// The moment of the next look at the disk, in milliseconds of the monotonic clock.
  private var lookAtDiskFrom: Int64 = 0

  init(
    store: any EventStore, reserve: DiskReserve?, codes: Codes, options: ServerOptions,
    mailboxes: Mailboxes
  ) {
    self.store = store
    self.reserve = reserve
    folder = options.dataFolder
    diskRules = options.disk
    keepHistoryDays = options.keepHistoryDays
    zoneFolder = options.zoneFolder
    clockIsSynchronized = options.clockIsSynchronized
    keepRemovedDays = options.keepRemovedDays
    self.mailboxes = mailboxes
    self.codes = codes.book
    counters = mailboxes.counters.ledger
    log = Log(mailbox: mailboxes.log)
    let rest = options.session.restMilliseconds
    inbox = LedgerInbox(
      options.commandLimits(restMilliseconds: rest),
      lines: options.lineLimits(restMilliseconds: rest))
    ledger = Ledger(
      storeEpoch: store.identity.epoch, cacheBytesMax: ServerLimits.ledgerCacheBytes,
      almanac: .system, storage: options.storage, hasTalk: options.hasTalk)
    scheduler = Scheduler(newest: nil, wall: LedgerThread.now)
  }

  static var now: Timestamp { Timestamp(milliseconds: MachineClock.wallMilliseconds()) }

  /// Runs until `.stop`. Works that arrived before it are settled.
  func run() {
    var stopping = false
    lookForWebhooks()
    beginScheduling()
    // An earlier run may have left something.
    var hasMore = true
    while !stopping || !inbox.isEmpty {
      lookAtDisk()
      let wait = stopping || hasMore ? 0 : millisecondsUntilWork
      var refused: [LedgerInbox.Refusal] = []
      let messages = mailboxes.ledger.wait(milliseconds: wait)
      heardAt = MachineClock.monotonic().milliseconds
      for message in messages {
        switch message {
        case .work(let work, let reply):
          let entry = LedgerQueue.Entry(work, reply, isRefusable: reply.isCommand)
          let now = MachineClock.monotonic().milliseconds
          if let refusal = inbox.add(entry, at: now) { refused.append(refusal) }
        case .connected(let session): ledger.connected.began(session)
        case .disconnected(let session): ledger.connected.ended(session)
        case .heard(let word): runs.heard(word, at: MachineClock.monotonic().milliseconds)
        case .stop: stopping = true
        }
      }
      tell(refused)
      guard stopping || !inbox.isEmpty else {
        hasMore = keepHouse()
        continue
      }
      counters.counts.set(.busySince, Int(MachineClock.monotonic().milliseconds))
      lookAtClock(LedgerThread.now)
      // The wait may have been long.
      lookAtDisk()
      counters.counts.set(.inHand, inbox.count)
      settleNext(isLast: stopping)
      hasMore = keepHouse()
      counters.counts.set(.inHand, inbox.count)
      counters.counts.set(.busySince, 0)
    }
  }

  /// The milliseconds for which there is nothing to do, unless something comes.
  private var millisecondsUntilWork: Int {
    let now = MachineClock.monotonic().milliseconds
    guard let milliseconds = inbox.milliseconds(at: now) else { return idleMilliseconds }
    return min(idleMilliseconds, Int(milliseconds))
  }

  // MARK: One batch

  /// Settles as many of the waiting works as there is time for. The rest comes first in the next turn.
  private func settleNext(isLast: Bool) {
    let begun = MachineClock.monotonic().milliseconds
    let most = Int(turnNanosecondsMax / ServerLimits.nanosecondsPerWork)
    let (entries, refused) = inbox.take(most, at: begun, isLast: isLast)
    guard !entries.isEmpty || !refused.isEmpty else { return }
    let turn = settle(entries, at: LedgerThread.now, tools(isBounded: true))
    // Rests begin before anybody is told of them.
    let behind = inbox.note(
      entries, turn.settlements, turn.commit, took: turn.commitNanoseconds, refused: refused,
      at: MachineClock.monotonic().milliseconds)
    publish(entries, turn, refused + behind)
  }

  private func tell(_ refused: [LedgerInbox.Refusal]) {
    guard !refused.isEmpty else { return }
    var batches = mailboxes.loops.map { _ in
      LedgerBatch(answers: [], news: [], closedSessions: [])
    }
    add(refused, to: &batches)
    for (loop, batch) in batches.enumerated() where !batch.answers.isEmpty {
      mailboxes.loops[loop].post(.batch(batch))
    }
  }

  private func add(
    _ refused: [LedgerInbox.Refusal], to batches: inout [LedgerBatch]
  ) {
    for refusal in refused {
      guard case .command(let to) = refusal.entry.reply else { continue }
      batches[to.loop].answers.append((to, .failed(refusal.failure)))
    }
  }

  /// Settles works of the server itself, all of them in one turn.
  @discardableResult
  func settle(
    _ all: ArraySlice<(LedgerWork, LedgerReply)>, at now: Timestamp = LedgerThread.now
  ) -> LedgerTurn {
    lookAtDisk()
    let entries = all.map { LedgerQueue.Entry($0.0, $0.1, isRefusable: false) }
    let turn = settle(entries, at: now, tools(isBounded: false))
    publish(entries, turn, [])
    return turn
  }

  private func settle(
    _ entries: [LedgerQueue.Entry], at now: Timestamp, _ tools: LedgerTools
  ) -> LedgerTurn {
    let turn = ledger.turn(entries.map(\.work), at: now, in: store, tools) {
      transaction throws(StoreError) in
      try store.commit(transaction)
    }
    note(turn)
    return turn
  }

  /// Returns the tools of a turn. With `isBounded` the waiting works are settled as far as there is time.
  private func tools(isBounded: Bool) -> LedgerTools {
    let (disk, rules) = (disk, diskRules)
    return LedgerTools(
      newTransaction: { [self] in newTransaction($0) }, isZone: { Zones.isKnown($0) },
      hasRoom: { disk.takes($0, rules) }, codes: codes, ahead: scheduler.ahead,
      cpuNanoseconds: { [self] in meter.step() },
      machineNanoseconds: { MachineClock.monotonicNanoseconds() },
      turnNanosecondsMax: isBounded ? turnNanosecondsMax : nil)
  }

  private var turnNanosecondsMax: Int64 {
    let bounds = ServerLimits.turnNanoseconds
    return min(max(commitNanoseconds, bounds.lowerBound), bounds.upperBound)
  }

  private func newTransaction(_ now: Timestamp) -> TransactionID? {
    do {
      return TransactionID(UUID.version7(at: now, random: try random.take(10)))
    } catch {
      return nil
    }
  }

  func usernameMark(_ name: String) -> String { codes.mark(name) }

  // MARK: The disk

  private func lookAtDisk() {
    let now = MachineClock.monotonic().milliseconds
    // The store gives the reserve up by itself too.
    let isNews = reserve.map { $0.isMissed != missesReserve } ?? false
    guard now >= lookAtDiskFrom || isNews else { return }
    lookAtDiskFrom = now + ServerLimits.diskEveryMilliseconds
    let room = DiskRoom(of: folder)
    let space = DiskSpace.settle(reserve, room, diskRules)
    noteReserve()
    if space != disk { log.note("ledger: the disk of \(folder) has \(space) room") }
    disk = space
    counters.counts.set(.diskState, space.rawValue)
    counters.counts.set(.diskFreeBytes, Int(clamping: room?.freeBytes ?? 0))
    counters.counts.set(.diskBytes, Int(clamping: room?.totalBytes ?? 0))
  }

  private func noteReserve() {
    guard let reserve else { return }
    counters.counts.set(.diskReserveBytes, reserve.isThere ? reserve.bytes : 0)
    guard reserve.isMissed != missesReserve else { return }
    missesReserve = reserve.isMissed
    log.note("ledger: \(DiskReserveNotes.sentence(reserve, folder))")
  }

  // MARK: After the turn

  private func note(_ turn: LedgerTurn) {
    for note in turn.notes {
      switch note {
      case .loading(let error): self.note(error, "loading")
      case .committing(let error): self.note(error, "committing")
      case .noTransaction: log.note("ledger: no random bytes")
      case .asksWithoutEnd: log.note("ledger: a decision asks without end")
      }
    }
    counters.counts.add(.works, turn.settlements.count)
    counters.counts.add(.repeats, turn.settlements.count { $0.repeated })
    switch turn.commit {
    case .nothing: break
    case .committed(let events):
      if turn.leavesDuesToCheck { mayCheckDues = true }
      if turn.changesEnds { ends.look() }
      if turn.leavesNames { untoldNames.look() }
      if turn.bins { bin?.look() }
      if let deadline = turn.earliestDeadline { scheduler.note(deadline) }
      claimEnds.note(turn.earliestClaimEnd)
      if !turn.runs.isEmpty || !turn.dropped.isEmpty {
        runs.note(turn.runs, at: MachineClock.monotonic().milliseconds)
        runs.forget(turn.dropped)
        counters.counts.set(.runs, runs.count)
      }
      commitNanoseconds = turn.commitNanoseconds
      counters.commits.note(Int(commitNanoseconds))
      counters.batches.note(turn.settlements.count)
      counters.counts.add(.committed)
      counters.counts.add(.events, events)
      counters.counts.set(.failedAt, 0)
      if isFailing { log.note("ledger: the store takes writes again") }
      isFailing = false
    case .failed: counters.counts.add(.failed)
    case .unknown:
      counters.counts.add(.unknown)
      scheduler.forget()
      claimEnds.forget()
      runs.forget()
      mayCheckDues = true
    }
  }

  private func publish(
    _ entries: [LedgerQueue.Entry], _ turn: LedgerTurn,
    _ refused: [LedgerInbox.Refusal]
  ) {
    let news = turn.publication.news { SharedFrame(.text, $0) }
    let closed = turn.publication.closedSessions
    var batches = mailboxes.loops.map { _ in
      LedgerBatch(answers: [], news: news, closedSessions: closed)
    }
    for (index, settlement) in turn.settlements.enumerated() {
      switch entries[index].reply {
      case .command(let to):
        let outcome = settlement.outcome { .done(codes.completed($0, of: entries[index].work)) }
        batches[to.loop].answers.append((to, outcome))
      case .logout(let to):
        batches[to.loop].answers.append((to, settlement.outcome { _ in .loggedOut }))
      case .authenticator(let visit): mailboxes.authenticator.post(.settled(visit, settlement))
      case .courier(let key): mailboxes.courier.post(.settled(key, settlement.isDone))
      case .nobody: break
      }
    }
    add(refused, to: &batches)
    tellCourier(turn)
    let isNews = !turn.publication.isEmpty
    for (loop, batch) in batches.enumerated() where isNews || !batch.answers.isEmpty {
      mailboxes.loops[loop].post(.batch(batch))
    }
  }

  /// Looks whether there are webhooks. When the store does not say, there may be some.
  private func lookForWebhooks() {
    do throws(StoreError) {
      hasWebhooks = try !store.webhooks().isEmpty
    } catch {
      note(error, "looking for webhooks")
    }
  }

  /// Tells the courier of changed webhooks, and of news while there is a webhook.
  private func tellCourier(_ turn: LedgerTurn) {
    if turn.commit == .unknown {
      hasWebhooks = true
      mailboxes.courier.post(.unknown)
    }
    if !turn.webhooks.isEmpty {
      hasWebhooks = true
      mailboxes.courier.post(.changed(turn.webhooks))
    }
    guard hasWebhooks, !turn.publication.streams.isEmpty else { return }
    mailboxes.courier.post(.news(turn.publication.streams))
  }

  /// Forgets events that are older than the operator wants to keep. That is for good, so it is not done by a clock that
  /// may be wrong.
  func trim() -> Bool {
    let now = MachineClock.monotonic().milliseconds
    guard let days = keepHistoryDays, now >= trimFrom, scheduler.pause == nil else { return false }
    do throws(StoreError) {
      let oldest = MachineClock.wallMilliseconds() - Int64(days) * 24 * 3_600_000
      let step = try store.trim(before: Timestamp(milliseconds: oldest))
      if let horizon = step.horizon { ledger.trimmed(through: horizon) }
      if step.isDone { trimFrom = now + ServerLimits.trimEveryMilliseconds }
      return !step.isDone
    } catch {
      note(error, "trimming")
      trimFrom = now + ServerLimits.trimEveryMilliseconds
      return false
    }
  }

  func tidy() -> Bool {
    do throws(StoreError) {
      return try store.tidy()
    } catch {
      note(error, "tidying")
      return false
    }
  }

  /// Notes a failure of the store. It is logged once until the store takes writes again, because a full disk fails with
  /// every batch.
  func note(_ error: StoreError, _ doing: String) {
    if !isFailing { log.note("ledger: \(doing): \(error.fault.detail)") }
    isFailing = true
    let now = MachineClock.monotonic().milliseconds
    tryAgainFrom = now + Int64(ServerLimits.unavailableMilliseconds)
    counters.counts.set(.failedAt, Int(now))
  }
}
