// The only writer (DESIGN §6). Takes all that has arrived, settles it in memory, commits once, and only
// then answers and publishes: nobody hears of anything that is not on stable storage (P1). Refusals
// wait for the commit too, because they were decided on the batch's state.

internal import Calendar
internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Wire

/// What became of a piece of work, in the words of the protocol's failures.
struct Settlement: Sendable {
  let result: Result<CommandResult, Failure>
  /// The original result of an earlier submission.
  let repeated: Bool
}

/// Owned by the ledger thread, with the writing connection to the store.
final class LedgerThread {
  private let store: any EventStore
  private let mailboxes: Mailboxes
  private let log: Log
  private let counters: LedgerCounters
  private var ledger: Ledger
  private var isFailing = false
  private let folder: String
  private let diskRules: DiskRules
  private var disk = DiskSpace.plenty
  /// Milliseconds of the monotonic clock.
  private var lookAtDiskFrom: Int64 = 0

  init(store: any EventStore, options: ServerOptions, mailboxes: Mailboxes) {
    self.store = store
    folder = options.dataFolder
    diskRules = options.disk
    self.mailboxes = mailboxes
    counters = mailboxes.counters.ledger
    log = Log(mailbox: mailboxes.log)
    ledger = Ledger(
      storeEpoch: store.identity.epoch, cacheBytesMax: ServerLimits.ledgerCacheBytes)
  }

  /// Runs until `.stop`; what arrived before it is settled.
  func run() {
    var stopping = false
    while !stopping {
      var works: [(LedgerWork, LedgerReply)] = []
      lookAtDisk()
      for message in mailboxes.ledger.wait(milliseconds: ServerLimits.idleLookMilliseconds) {
        switch message {
        case .work(let work, let reply): works.append((work, reply))
        case .stop: stopping = true
        }
      }
      guard stopping || !works.isEmpty else { continue }
      counters.counts.set(.busySince, Int(MachineClock.monotonic().milliseconds))
      while !works.isEmpty {
        counters.counts.set(.inHand, works.count)
        settle(works.prefix(ServerLimits.worksPerCommit))
        works.removeFirst(min(works.count, ServerLimits.worksPerCommit))
      }
      tidy()
      counters.counts.set(.inHand, 0)
      counters.counts.set(.busySince, 0)
    }
  }

  // MARK: One batch

  private func settle(_ works: ArraySlice<(LedgerWork, LedgerReply)>) {
    var publication = Publication()
    var settled: [(LedgerReply, Settlement)] = []
    let now = Timestamp(milliseconds: MachineClock.wallMilliseconds())
    lookAtDisk()
    for (work, reply) in works {
      let settlement = settle(work, now, &publication)
      if settlement.repeated { counters.counts.add(.repeats) }
      settled.append((reply, settlement))
    }
    counters.counts.add(.works, works.count)
    if let failure = commit(works.count) {
      let settlement = Settlement(result: .failure(failure), repeated: false)
      settled = settled.map { ($0.0, settlement) }
      publication = Publication()
    }
    publish(settled, publication)
  }

  private func settle(
    _ work: LedgerWork, _ now: Timestamp, _ publication: inout Publication
  ) -> Settlement {
    let before = ledger.stagedLog.sizes
    do throws(StoreError) {
      let (result, repeated) = try decide(work, now)
      let log = ledger.stagedLog
      publication.add(
        events: log.events[before.events...], access: log.access[before.access...],
        accounts: log.accounts[before.accounts...])
      return Settlement(result: result, repeated: repeated)
    } catch {
      note(error, "loading")
      return Settlement(result: .failure(unavailable), repeated: false)
    }
  }

  /// The rules of Domain know no calendar; that there is such a zone is seen to here (protocol §8.13).
  private func unknownZone(in work: LedgerWork) -> Refusal? {
    guard case .command(let submission) = work, case .editProfile(let edit) = submission.command,
      let zone = edit.zone, !Zones.isKnown(zone)
    else { return nil }
    return .invalid(field: "zone", reason: "names no time zone")
  }

  /// Asks the ledger, and the store for what the ledger lacks, until there is a verdict.
  private func decide(
    _ work: LedgerWork, _ now: Timestamp
  ) throws(StoreError) -> (Result<CommandResult, Failure>, repeated: Bool) {
    if let refusal = unknownZone(in: work) { return (.failure(.refused(refusal)), false) }
    if try !hasRoom(for: work) {
      return (.failure(.unavailable(afterMilliseconds: ServerLimits.diskMilliseconds)), false)
    }
    guard let transaction = newTransaction(now) else { return (.failure(unavailable), false) }
    // Every round answers at least one new question; a command has far fewer.
    for _ in 0..<1_000 {
      switch ledger.decide(work, now: now, transaction: transaction) {
      case .needs(let needs):
        let answers = try store.load(needs)
        for (need, answer) in zip(needs, answers) { ledger.provide(need, answer) }
      case .settled(let result, let repeated):
        return (result.mapError(Failure.refused), repeated)
      }
    }
    log.note("ledger: a decision asks without end")
    return (.failure(.internal), false)
  }

  // MARK: The disk

  private func lookAtDisk() {
    let now = MachineClock.monotonic().milliseconds
    guard now >= lookAtDiskFrom else { return }
    lookAtDiskFrom = now + ServerLimits.diskEveryMilliseconds
    let room = DiskRoom(of: folder)
    let space = room.map { DiskSpace($0, diskRules) } ?? .plenty
    if space != disk { log.note("ledger: the disk of \(folder) has \(space) room") }
    disk = space
    counters.counts.set(.diskState, space.rawValue)
    counters.counts.set(.diskFreeBytes, Int(clamping: room?.freeBytes ?? 0))
    counters.counts.set(.diskBytes, Int(clamping: room?.totalBytes ?? 0))
  }

  /// Whether the disk has room for it, or it took effect already and only its answer is asked for.
  private func hasRoom(for work: LedgerWork) throws(StoreError) -> Bool {
    guard case .command(let it) = work, !disk.takes(it.command, diskRules) else {
      return true
    }
    let address = KeyAddress(
      stream: it.command.home(of: it.actor.user), actor: it.actor.user, key: it.key)
    return try store.key(address) != nil
  }

  private func newTransaction(_ now: Timestamp) -> TransactionID? {
    do {
      return TransactionID(UUID.version7(at: now, random: try randomBytes(10)))
    } catch {
      log.note("ledger: no random bytes")
      return nil
    }
  }

  /// The failure of the whole batch of so many works; nil when it is committed.
  private func commit(_ works: Int) -> Failure? {
    let transaction = ledger.staged
    guard !transaction.isEmpty else {
      ledger.committed()
      return nil
    }
    do throws(StoreError) {
      let begun = MachineClock.monotonicNanoseconds()
      try store.commit(transaction)
      counters.commits.note(Int(MachineClock.monotonicNanoseconds() - begun))
      counters.batches.note(works)
      counters.counts.add(.committed)
      counters.counts.add(.events, transaction.events.count)
      counters.counts.set(.failedAt, 0)
      ledger.committed()
      if isFailing { log.note("ledger: the store takes writes again") }
      isFailing = false
      return nil
    } catch {
      note(error, "committing")
      switch error {
      case .outcomeUnknown:
        counters.counts.add(.unknown)
        ledger.rolledBack(forget: true)
        return .unknownOutcome
      case .unreadable, .notCommitted:
        counters.counts.add(.failed)
        ledger.rolledBack(forget: false)
        return unavailable
      }
    }
  }

  // MARK: Answers

  private func publish(_ settled: [(LedgerReply, Settlement)], _ publication: Publication) {
    let news = publication.news()
    var batches = mailboxes.loops.map { _ in
      LedgerBatch(answers: [], news: news, closedSessions: publication.closedSessions)
    }
    for (reply, settlement) in settled {
      switch reply {
      case .command(let to):
        batches[to.loop].answers.append((to, outcome(settlement) { .done($0) }))
      case .logout(let to):
        batches[to.loop].answers.append((to, outcome(settlement) { _ in .loggedOut }))
      case .door(let visit): mailboxes.door.post(.settled(visit, settlement))
      case .nobody: break
      }
    }
    for (loop, batch) in batches.enumerated()
    where !publication.isEmpty || !batch.answers.isEmpty {
      mailboxes.loops[loop].post(.batch(batch))
    }
  }

  private func outcome(
    _ settlement: Settlement, _ done: (CommandResult) -> Outcome
  ) -> Outcome {
    switch settlement.result {
    case .success(let result): done(result)
    case .failure(let failure): .failed(failure)
    }
  }

  private var unavailable: Failure {
    .unavailable(afterMilliseconds: ServerLimits.unavailableMilliseconds)
  }

  private func tidy() {
    do throws(StoreError) { try store.tidy() } catch { note(error, "tidying") }
  }

  /// Once, until the store takes writes again: a full disk fails with every batch.
  private func note(_ error: StoreError, _ doing: String) {
    if !isFailing { log.note("ledger: \(doing): \(error.fault.detail)") }
    isFailing = true
    counters.counts.set(.failedAt, Int(MachineClock.monotonic().milliseconds))
  }
}

extension LedgerTransaction {
  fileprivate var sizes: (events: Int, access: Int, accounts: Int) {
    (events.count, access.count, accounts.count)
  }
}
