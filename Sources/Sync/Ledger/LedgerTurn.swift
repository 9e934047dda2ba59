// One turn of the ledger (DESIGN §6) takes works in the order in which they came. It settles each on top of the others,
// commits once, and only then has anything to tell: nobody hears of a change that is not on stable storage (P1).
// Refusals wait for the commit too, because they were decided on the batch's state (P3).
//
// The ledger thread and the simulator run turns with a store. Both send on the results in this order: answers, news,
// closed sessions.

package import Domain
package import Wire

/// The outcome of a piece of work, in the words of the protocol's failures.
package struct Settlement: Equatable, Sendable {
  package let result: Result<CommandResult, Failure>
  /// Whether this is the original result of an earlier submission.
  package let repeated: Bool
  /// The CPU time of the decision, and its part of the time of the commit; 0 without clocks for it.
  package fileprivate(set) var tookNanoseconds: Int64
  /// The part of the commit that is in `tookNanoseconds`.
  package fileprivate(set) var commitPartNanoseconds: Int64 = 0
  /// The number of streams to which the work wrote one event each, or caused that one will be written.
  package let streams: Int

  package init(
    result: Result<CommandResult, Failure>, repeated: Bool, tookNanoseconds: Int64 = 0,
    streams: Int = 0
  ) {
    self.result = result
    self.repeated = repeated
    self.tookNanoseconds = tookNanoseconds
    self.streams = streams
  }

  /// The number of requests that the work counts against the rates of its sender.
  package var requests: Int { Limits.requests(taking: tookNanoseconds, streams: streams) }

  /// Whether the work was settled as it was asked for.
  package var isDone: Bool { if case .success = result { true } else { false } }

  /// The answer that a connection is told.
  package func outcome(_ done: (CommandResult) -> RequestOutcome) -> RequestOutcome {
    switch result {
    case .success(let result): done(result)
    case .failure(let failure): .failed(failure)
    }
  }
}

/// The things of the world that a turn needs, as values.
package struct LedgerTools {
  /// Returns a name for one piece of work, or nil when none can be made.
  let newTransaction: (Timestamp) -> TransactionID?
  /// Answers whether a time zone of this name exists. The rules of Domain know no calendar.
  let isZone: (String) -> Bool
  /// Answers whether the disk has room for a command.
  let hasRoom: (Command) -> Bool
  /// The codes of invitations and links. The rules do not know the store's secret either.
  let codes: CodeBook
  /// The lead of the clock, as `Scheduler.ahead` has it.
  let ahead: Int64
  /// Returns the CPU time of this thread in nanoseconds. Once a turn has taken `turnNanosecondsMax`, or behind dear
  /// work (`DearPeople`), the rest is left for the next turn. At least one piece of work is settled. With a nil
  /// `turnNanosecondsMax` all are.
  let cpuNanoseconds: () -> Int64
  /// Returns the nanoseconds of a clock that goes on while a commit waits for the disk.
  let machineNanoseconds: () -> Int64
  let turnNanosecondsMax: Int64?

  package init(
    newTransaction: @escaping (Timestamp) -> TransactionID?,
    isZone: @escaping (String) -> Bool, hasRoom: @escaping (Command) -> Bool,
    codes: CodeBook = .none, ahead: Int64 = 0,
    cpuNanoseconds: @escaping () -> Int64 = { 0 },
    machineNanoseconds: @escaping () -> Int64 = { 0 }, turnNanosecondsMax: Int64? = nil
  ) {
    self.cpuNanoseconds = cpuNanoseconds
    self.machineNanoseconds = machineNanoseconds
    self.turnNanosecondsMax = turnNanosecondsMax
    self.newTransaction = newTransaction
    self.isZone = isZone
    self.hasRoom = hasRoom
    self.codes = codes
    self.ahead = ahead
  }
}

/// The milliseconds that clients are told to wait.
package struct LedgerWaits: Sendable {
  /// The waits while the store does not take writes, and while its disk is filling up.
  package var unavailableMilliseconds = 2_000
  package var diskMilliseconds = 60_000

  package init() {}
}

/// The outcome of a turn.
package struct LedgerTurn: Sendable {
  package enum Commit: Equatable, Sendable {
    /// There was nothing to write.
    case nothing
    case committed(events: Int)
    /// Nothing was written.
    case failed
    /// It is not known whether anything was written; only a repeat of a command tells.
    case unknown
  }

  /// A problem of the turn, for the operator.
  package enum Note: Equatable, Sendable {
    case loading(StoreError)
    case committing(StoreError)
    case noTransaction
    case asksWithoutEnd
  }

  /// The outcomes of the settled works, in their order: of all, or of as many from the first as there was time for.
  package let settlements: [Settlement]
  /// The committed events and accesses, for the loops.
  package let publication: Publication
  package let commit: Commit
  /// The time that the commit took, with its wait for the disk; 0 without a clock for it.
  package let commitNanoseconds: Int64
  package let notes: [Note]
  /// Whether deadlines or reminders are to be checked again, because of something that was committed.
  package let leavesDuesToCheck: Bool
  /// The moment at which the first of the committed claims ends; nil for none.
  package let earliestClaimEnd: Timestamp?
  /// The runs that the commit changed or spoke of; nil for a post that has none any more.
  package let runs: [PostAddress: LiveRun?]
  /// The streams of which the commit has left nothing.
  package let dropped: Set<StreamID>
  /// The earliest moment of the committed deadlines that are not told and of the committed reminders; nil for none.
  package let earliestDeadline: Timestamp?

  /// Whether a piece of work succeeded. If none did, the same works again do nothing either.
  package var hasDoneSomething: Bool {
    settlements.contains { if case .success = $0.result { true } else { false } }
  }
  /// Whether the end of an account was set or taken back.
  package let changesEnds: Bool
  /// Whether a post that is in the bin was changed.
  package let bins: Bool
  /// Whether a person's name is still to be told in more lists.
  package let leavesNames: Bool
  /// The committed changes of webhooks that the owner or an end has made, for the courier.
  package let webhooks: [AccountChange]
}

extension Ledger {
  /// Settles the works and commits everything that they stage. `commit` is the store's, or wraps it.
  package mutating func turn(
    _ works: [LedgerWork], at now: Timestamp, in store: any EventStore,
    _ tools: LedgerTools, _ waits: LedgerWaits = LedgerWaits(),
    commit: (LedgerTransaction) throws(StoreError) -> Void
  ) -> LedgerTurn {
    var builder = LedgerTurnBuilder(store: store, tools: tools, waits: waits, now: now)
    builder.loadFirst(works, into: &self)
    let begun = tools.cpuNanoseconds()
    var now = begun
    for work in works {
      let before = now
      builder.settle(work, with: &self)
      now = tools.cpuNanoseconds()
      builder.noteCost(now - before)
      // One transaction has one piece of dear work at most: nobody waits for two of them at once.
      if let most = tools.turnNanosecondsMax,
        now - before >= DearPeople.nanosecondsFrom || now - begun >= most
      {
        break
      }
    }
    let outcome = builder.commit(&self, commit)
    return LedgerTurn(
      settlements: builder.settlements, publication: builder.publication, commit: outcome,
      commitNanoseconds: builder.commitNanoseconds, notes: builder.notes,
      leavesDuesToCheck: builder.leavesDuesToCheck,
      earliestClaimEnd: builder.earliestClaimEnd, runs: builder.runs,
      dropped: builder.dropped,
      earliestDeadline: builder.earliestDeadline,
      changesEnds: builder.changesEnds, bins: builder.bins, leavesNames: builder.leavesNames,
      webhooks: builder.webhooks)
  }
}

/// The outcome of a turn so far.
private struct LedgerTurnBuilder {
  let store: any EventStore
  let tools: LedgerTools
  let waits: LedgerWaits
  let now: Timestamp
  var settlements: [Settlement] = []
  /// The bytes that count for nobody: most of the time of a commit that writes less is the wait for the disk itself.
  private static let bytesThatAreFree = 64 * 1024
  /// The most that a byte counts for: 25 ms for a megabyte, 40 µs for a post. A disk that stalls is nobody's fault.
  private static let nanosecondsPerByteMax: Int64 = 25
  /// The time that the commit took; 0 when there was none.
  var commitNanoseconds: Int64 = 0
  /// The bytes that each settled piece of work writes, roughly.
  private var bytes: [Int] = []
  var publication = Publication()
  /// Whether the first questions of the works could not be read.
  var isBlind = false
  var notes: [LedgerTurn.Note] = []
  var leavesDuesToCheck = false
  var earliestClaimEnd: Timestamp?
  var runs: [PostAddress: LiveRun?] = [:]
  var dropped: Set<StreamID> = []
  var earliestDeadline: Timestamp?
  var changesEnds = false
  var bins = false
  var leavesNames = false
  var webhooks: [AccountChange] = []

  init(
    store: any EventStore, tools: LedgerTools, waits: LedgerWaits, now: Timestamp
  ) {
    self.store = store
    self.tools = tools
    self.waits = waits
    self.now = now
  }

  /// Reads from the store, at once, everything that all works ask first. When that fails, works that asked are told so.
  mutating func loadFirst(_ works: [LedgerWork], into ledger: inout Ledger) {
    var seen: Set<LedgerNeed> = []
    var needs: [LedgerNeed] = []
    for work in works {
      for need in ledger.firstNeeds(of: work) where seen.insert(need).inserted {
        needs.append(need)
      }
    }
    guard !needs.isEmpty else { return }
    do throws(StoreError) {
      for (need, answer) in zip(needs, try store.load(needs)) { ledger.provide(need, answer) }
    } catch {
      notes.append(.loading(error))
      // Damaged rows are a matter of the works that ask for them: each work then asks by itself.
      isBlind = error.fault.kind != .damaged
    }
  }

  /// Notes the CPU time of the work that was settled last.
  mutating func noteCost(_ nanoseconds: Int64) {
    guard !settlements.isEmpty else { return }
    settlements[settlements.count - 1].tookNanoseconds = nanoseconds
  }

  /// Shares the time of the commit among the works, by the bytes that each writes. Nobody pays for the first part of
  /// it, which a commit of nothing would take as well, or for a disk that is slow.
  private mutating func noteCost(ofCommit nanoseconds: Int64) {
    commitNanoseconds = nanoseconds
    let all = bytes.reduce(Self.bytesThatAreFree, +)
    for (index, part) in bytes.enumerated() where part > 0 {
      let share = Int64(Double(nanoseconds) * Double(part) / Double(all))
      let counted = min(share, Int64(part) * Self.nanosecondsPerByteMax)
      settlements[index].tookNanoseconds += counted
      settlements[index].commitPartNanoseconds = counted
    }
  }

  mutating func settle(_ work: LedgerWork, with ledger: inout Ledger) {
    let bytesBefore = ledger.stagedBytes
    defer { bytes.append(ledger.stagedBytes - bytesBefore) }
    if isBlind, !ledger.firstNeeds(of: work).isEmpty {
      return settlements.append(Settlement(result: .failure(unavailable), repeated: false))
    }
    let before = ledger.stagedLog.sizes
    do throws(StoreError) {
      let (result, repeated) = try decide(work, &ledger)
      let log = ledger.stagedLog
      publication.add(
        events: log.events[before.events...], access: log.access[before.access...],
        accounts: log.accounts[before.accounts...], erasures: log.erasures[before.erasures...])
      let streams =
        log.events.count - before.events
        + log.accounts[before.accounts...].reduce(0) { $0 + $1.placesLeft }
      settlements.append(Settlement(result: result, repeated: repeated, streams: streams))
    } catch {
      notes.append(.loading(error))
      settlements.append(Settlement(result: .failure(unavailable), repeated: false))
    }
  }

  /// Asks the ledger, and the store for what the ledger lacks, until there is a verdict.
  private mutating func decide(
    _ work: LedgerWork, _ ledger: inout Ledger
  ) throws(StoreError) -> (Result<CommandResult, Failure>, repeated: Bool) {
    // A command that took effect already only gets its answer, though this machine may know fewer zones by now.
    if case .command(let it) = work, let refusal = it.command.unknownZone(tools.isZone),
      try !isAnswered(it)
    {
      return (.failure(.refused(refusal)), false)
    }
    if try !hasRoom(for: work) {
      return (.failure(.unavailable(afterMilliseconds: waits.diskMilliseconds)), false)
    }
    let opened = try withOpening(work)
    guard let transaction = tools.newTransaction(now), let work = withGuest(opened) else {
      notes.append(.noTransaction)
      return (.failure(unavailable), false)
    }
    // Every round answers at least one new question; a command has far fewer.
    for _ in 0..<1_000 {
      switch ledger.decide(work, now: now, ahead: tools.ahead, transaction: transaction) {
      case .needs(let needs):
        let answers = try store.load(needs)
        for (need, answer) in zip(needs, answers) { ledger.provide(need, answer) }
      case .settled(let result, let repeated):
        return (result.mapError(Failure.refused), repeated)
      }
    }
    ledger.giveUp()
    notes.append(.asksWithoutEnd)
    return (.failure(.internal), false)
  }

  /// Returns the work with the opening of the code in it, or with the mark of its username. The rules cannot find
  /// these.
  private func withOpening(_ work: LedgerWork) throws(StoreError) -> LedgerWork {
    guard case .command(var it) = work else { return work }
    switch it.command {
    case .account(.register(var registration)):
      registration.mark = tools.codes.mark(registration.username)
      it.command = .account(.register(registration))
    case .account(.upgrade(var upgrade)):
      upgrade.mark = tools.codes.mark(upgrade.username)
      it.command = .account(.upgrade(upgrade))
    case .bot(.add(var new)):
      new.mark = tools.codes.mark(new.username)
      it.command = .bot(.add(new))
    case .bot(.addToken(let bot, let id, let new)):
      it.command = .bot(.addToken(bot, id, tools.codes.making(new, id, of: bot)))
    case .invitation(.redeem(var code)):
      code.opens = try tools.codes.opening(of: code.text, by: it.actor.user, in: store)
      it.command = .invitation(.redeem(code))
    default: return work
    }
    return .command(it)
  }

  /// Returns the work with a name for the guest of the link that it makes, or nil when no name can be made.
  private func withGuest(_ work: LedgerWork) -> LedgerWork? {
    guard case .command(let it) = work,
      case .link(.make(let id, let category, var new)) = it.command
    else { return work }
    guard let random = tools.newTransaction(now) else { return nil }
    new.guest = UserID(random.uuid.asLinkGuest)
    var resolved = it
    resolved.command = .link(.make(id, category, new))
    return .command(resolved)
  }

  /// Answers whether the disk has room for the work. That is also so when it took effect already and only its answer is
  /// asked for.
  private func hasRoom(for work: LedgerWork) throws(StoreError) -> Bool {
    if case .openGuest(let guest, _) = work { return try hasRoom(for: guest) }
    guard case .command(let it) = work, !tools.hasRoom(it.command) else { return true }
    return try isAnswered(it)
  }

  /// Answers whether the disk has room for a guest. A guest is a new account too, unless it comes back.
  private func hasRoom(for guest: NewGuest) throws(StoreError) -> Bool {
    let registration = Registration(
      id: guest.id, username: guest.username, name: guest.name, zone: guest.zone, password: .none,
      code: nil)
    if tools.hasRoom(.account(.register(registration))) { return true }
    return try store.account(guest.id) != nil
  }

  private func isAnswered(_ it: Submission) throws(StoreError) -> Bool {
    let address = KeyAddress(
      stream: it.command.home(of: it.actor.user), actor: it.actor.user, key: it.key)
    return try store.key(address) != nil
  }

  /// Commits the staged changes. When nothing was committed every piece of work gets the same failure, and nobody else
  /// hears of anything.
  mutating func commit(
    _ ledger: inout Ledger, _ write: (LedgerTransaction) throws(StoreError) -> Void
  ) -> LedgerTurn.Commit {
    let transaction = ledger.staged
    guard !transaction.isEmpty else {
      ledger.committed()
      return .nothing
    }
    do throws(StoreError) {
      let begun = tools.machineNanoseconds()
      try write(transaction)
      noteCost(ofCommit: tools.machineNanoseconds() - begun)
      publication.add(objects: transaction.objects)
      publication.close(ledger.runs.keys.filter { ledger.runs[$0] == .some(nil) })
      leavesDuesToCheck =
        transaction.dueChecks.contains { $0.after != nil }
        || transaction.reminderChecks.contains { $0.after != nil }
      earliestDeadline =
        (transaction.dues.filter { !$0.isTold }.compactMap(\.deadline)
        + transaction.reminders.compactMap(\.at)).min()
      earliestClaimEnd = ledger.earliestClaimEnd
      runs = ledger.runs
      dropped = Set(transaction.erasures.filter { $0.subject == .everything }.map(\.stream))
      bins = ledger.bins
      changesEnds = transaction.accounts.contains {
        if case .ends = $0 { true } else { false }
      }
      leavesNames = transaction.accounts.contains { $0.placesLeft > 0 }
      webhooks = transaction.accounts.filter(\.isOfWebhook)
      ledger.committed()
      return .committed(events: transaction.events.count)
    } catch {
      notes.append(.committing(error))
      switch error {
      case .outcomeUnknown:
        ledger.rolledBack(forget: true)
        fail(.unknownOutcome)
        return .unknown
      case .unreadable, .notCommitted:
        ledger.rolledBack(forget: false)
        fail(unavailable)
        return .failed
      }
    }
  }

  private mutating func fail(_ failure: Failure) {
    settlements = settlements.map {
      Settlement(
        result: .failure(failure), repeated: false, tookNanoseconds: $0.tookNanoseconds)
    }
    publication = Publication()
  }

  private var unavailable: Failure {
    .unavailable(afterMilliseconds: waits.unavailableMilliseconds)
  }
}

extension AccountChange {
  /// Whether the courier must know of it. It says itself how far a webhook has come.
  fileprivate var isOfWebhook: Bool {
    switch self {
    case .webhookAdded, .webhookSet, .webhooksRemoved: true
    default: false
    }
  }

  /// The number of lists in which a name is told later.
  fileprivate var placesLeft: Int {
    if case .nameLeft(_, after: _, let places) = self { places } else { 0 }
  }
}

extension LedgerTransaction {
  fileprivate var sizes: (events: Int, access: Int, accounts: Int, erasures: Int) {
    (events.count, access.count, accounts.count, erasures.count)
  }
}
