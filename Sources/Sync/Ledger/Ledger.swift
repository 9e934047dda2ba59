// The one writer of a store takes works in the order in which they come. It decides each on top of what is committed
// and what this batch has staged (DESIGN §4, §6). One piece of work is settled in these steps:
//   1. The key is looked up. The same command again gets the original result, and another one is `keyReused`.
//      This comes before any authorization, so a repeat is answered even when access is lost (P2).
//   2. The finding about a password must still hold, and so must the copy that the command was made on.
//   3. The rules of Domain decide. State that is not loaded is asked for, and the piece starts again.
//   4. The events are numbered and encoded. Each is checked against the size limit, which is the last refusal.
//   5. Everything is staged: events, objects, access, accounts, and the key with its result.
// Before step 5 nothing changes, so a refusal leaves no trace (P3). A staged change counts for the next piece of the
// batch, but for nobody else until `committed` (P1).

package import Domain
import Wire

/// Decides and records, without a clock, a store or a thread. Its caller loads what it needs, commits what it has
/// staged and tells it the outcome.
package struct Ledger: Sendable {
  private let storeEpoch: String
  /// The almanac is asked once, when something comes again or is due; the event has the result.
  let almanac: Almanac
  var world: World
  /// The keys of this batch only: nearly every key is new, so there is nothing to gain by remembering them.
  var keys: [KeyAddress: KeyRecord?] = [:]
  /// The staged changes without the objects, which the world holds.
  var batch = LedgerTransaction()
  /// The bytes of events and objects that this batch writes, roughly.
  private(set) var stagedBytes = 0
  /// The moment at which the first of the claims that the batch wrote ends; nil for none.
  var earliestClaimEnd: Timestamp?
  /// The runs that the batch changed or spoke of, as they are now; nil for a post that has none any more.
  var runs: [PostAddress: LiveRun?] = [:]
  /// Whether the batch changed a post that is in the bin.
  var bins = false
  /// The sessions that are connected. The caller keeps them up to date.
  package var connected = ConnectedSessions()
  private var book: StorageBook
  /// The streams about which the store has to be asked before the piece of work in hand may be written.
  private var unknownStorage: [StreamID] = []

  /// Makes a ledger. `storeEpoch` is that of the database, and the first part of the epoch of every new stream.
  /// `cacheBytesMax` is about how much loaded state is kept between batches. `hasTalk` says whether people may talk.
  package init(
    storeEpoch: String, cacheBytesMax: Int, almanac: Almanac,
    storage: StorageRules = StorageRules(), hasTalk: Bool = true
  ) {
    book = StorageBook(storage)
    self.storeEpoch = storeEpoch
    self.almanac = almanac
    world = World(bytesMax: cacheBytesMax, hasTalk: hasTalk)
  }

  /// Settles one piece of work. `transaction` names it in its events; the caller passes the same value again after
  /// `.needs`. `ahead` is that of `Scheduler.ahead`.
  package mutating func decide(
    _ work: LedgerWork, now: Timestamp, ahead: Int64 = 0, transaction: TransactionID
  ) -> Verdict {
    let sure = Timestamp(milliseconds: now.milliseconds - ahead)
    let verdict = settle(work, at: Moment(now: now, sure: sure, transaction: transaction))
    if case .settled = verdict { world.forgetPast() }
    return verdict
  }

  /// Gives up the piece of work in hand: it is not decided any further.
  mutating func giveUp() { world.forgetPast() }

  private mutating func settle(_ work: LedgerWork, at moment: Moment) -> Verdict {
    do throws(Halt) {
      switch work {
      case .command(let submission): return try settle(submission, at: moment)
      case .openSession(let session, let account, let renewed, let pairedBy):
        let decision = try openSession(
          session, of: account, renewed: renewed, pairedBy: pairedBy,
          isConnected: connected.contains, in: &world)
        return settled(try write(decision, by: account.id, key: nil, at: moment))
      case .openGuest(let guest, let session):
        let decision = try openGuest(
          guest, session, at: moment.now, isConnected: connected.contains, in: &world)
        return settled(try write(decision, by: guest.id, key: nil, at: moment))
      case .useSession(let session, let user, let used):
        let decision = try useSession(session, of: user, at: used, in: &world)
        return settled(try write(decision, by: user, key: nil, at: moment))
      case .closeSession(let session, let user):
        let decision = try closeSession(session, of: user, in: &world)
        return settled(try write(decision, by: user, key: nil, at: moment))
      case .checkDues(let part): return settled(try check(part, at: moment))
      case .tellName(let user, let place):
        let decision = try tellName(of: user, after: place, in: &world)
        return settled(try write(decision, by: user, key: nil, at: moment))
      case .giveBot(let bot, let owner):
        return settled(try give(bot, to: owner, at: moment))
      case .noteWebhook(let key, let progress):
        let decision = try note(progress, of: key, in: &world)
        return settled(try write(decision, by: nil, key: nil, at: moment))
      case .askForEnd(let user, let days):
        return settled(try askForEnd(of: user, after: days, at: moment))
      case .endAccount(let user, let mark):
        return settled(try end(user, leaving: mark, at: moment))
      case .forget(let user, let stream):
        return settled(try forget(user, in: stream, at: moment))
      case .forgetAccount(let user):
        return settled(
          try write(Decision(accounts: [.gone(user)]), by: nil, key: nil, at: moment))
      case .tellOverdue(let category, let posts): return try tell(posts, in: category, at: moment)
      case .endClaims(let category, let posts):
        return settled(try end(claimsOf: posts, in: category, at: moment))
      case .loseRun(let run): return settled(try lose(run, at: moment))
      case .purge(let category, let posts):
        return settled(try purge(posts, of: category, at: moment))
      case .remind(let person, let rows): return try remind(person, of: rows, at: moment)
      case .checkReminders(let parts): return settled(try check(parts, at: moment))
      }
    } catch {
      switch error {
      case .needs(let needs):
        defer { unknownStorage = [] }
        return .needs(needs.map { .domain($0) } + unknownStorage.map { .storage($0) })
      case .refused(let refusal): return .settled(.failure(refusal), repeated: false)
      }
    }
  }

  /// Returns the unknown part of the first needs of a piece of work. Providing them before `decide` or after it changes
  /// nothing but the number of trips to the store.
  package func firstNeeds(of work: LedgerWork) -> [LedgerNeed] {
    guard case .command(let it) = work else { return [] }
    let address = KeyAddress(
      stream: it.command.home(of: it.actor.user), actor: it.actor.user, key: it.key)
    let missing = world.unknown(among: it.command.firstNeeds(of: it.actor.user))
    return (keys[address] == nil ? [.key(address)] : []) + missing.map { .domain($0) }
      + (book.knows(address.stream) ? [] : [.storage(address.stream)])
  }

  /// Takes the store's answer to a need. It is our bug if the answer is to another kind of need.
  package mutating func provide(_ need: LedgerNeed, _ loaded: LedgerLoaded) {
    switch (need, loaded) {
    case (.domain(let need), .domain(let loaded)):
      world.provide(need, withoutErasedTexts(loaded, for: need))
    case (.key(let address), .key(let record)): keys[address] = .some(record)
    case (.storage(let stream), .storage(let stored)): book.provide(stored, of: stream)
    case (.domain, _), (.key, _), (.storage, _):
      preconditionFailure("an answer to another question")
    }
  }

  /// Takes texts out of past events that this batch erases and the store still has. An undo of one of them would write
  /// the text again.
  private func withoutErasedTexts(_ loaded: Loaded, for need: Need) -> Loaded {
    guard case .past(let position) = need, case .past(let past?) = loaded else { return loaded }
    let erasures = batch.erasures.filter {
      $0.stream == position.stream && position.seq < $0.seq
    }
    return .past(erasures.reduce(past) { TextEraser($1.subject).past($0) })
  }

  /// Everything that was settled since the last `committed` or `rolledBack`. It is made when asked for, once a batch.
  package var staged: LedgerTransaction {
    var transaction = batch
    transaction.objects = world.stagedObjects.map { ObjectRecord($0.stream, $0.key, $0.effect) }
    return transaction
  }

  /// The staged changes without the objects. They cost nothing and show what each piece of work adds.
  package var stagedLog: LedgerTransaction { batch }

  /// Notes that the store has committed `staged`, which is the state from now on.
  package mutating func committed() {
    world.commit()
    if !batch.access.isEmpty { book.forget() }
    let dropped = batch.erasures.filter { $0.subject == .everything }.map(\.stream)
    if !dropped.isEmpty { world.forget(Set(dropped)) }
    endBatch()
  }

  /// Notes that the store has not committed `staged`. With `forget` nothing loaded is trusted any more: that is for an
  /// error of COMMIT itself, after which the batch may be there or not.
  package mutating func rolledBack(forget: Bool) {
    world.rollback(forget: forget)
    endBatch()
  }

  /// Notes that the store keeps the events of this stream only behind this position. To be called between batches.
  package mutating func trimmed(through horizon: StreamPosition) {
    world.note(horizon: horizon.seq, of: horizon.stream)
  }

  private mutating func endBatch() {
    keys = [:]
    batch = LedgerTransaction()
    stagedBytes = 0
    earliestClaimEnd = nil
    runs = [:]
    bins = false
    book.endBatch()
  }

  // MARK: Commands

  private mutating func settle(_ it: Submission, at moment: Moment) throws(Halt) -> Verdict {
    let home = it.command.home(of: it.actor.user)
    let address = KeyAddress(stream: home, actor: it.actor.user, key: it.key)
    guard let looked = keys[address] else { return .needs([.key(address)]) }
    if let record = looked { return try repeated(it, record) }
    try checkProof(of: it)
    if let base = it.base { try refuseStale(base, of: home, for: it.actor.user, in: &world) }
    let decision = try Domain.decide(
      it.command, by: it.actor, at: moment.now, in: &world, almanac: almanac)
    let result = try write(
      decision, by: it.actor.user, key: it.key, of: it.command, at: moment)
    try noteRuns(spokenOf: it.command, by: it.actor.user)
    let record = KeyRecord(address: address, hash: it.hash, result: result)
    keys[address] = .some(record)
    batch.keys.append(record)
    return settled(result)
  }

  func settled(_ result: CommandResult) -> Verdict {
    .settled(.success(result), repeated: false)
  }

  /// Answers a command whose key was used before. A registration counts as somebody else's unless the password says
  /// otherwise: its answer holds a recovery code, and its id may be known to others.
  private mutating func repeated(
    _ it: Submission, _ record: KeyRecord
  ) throws(Halt) -> Verdict {
    let same = record.isOf(it.hash)
    if case .account(.register(let registration)) = it.command {
      guard same, case .verified(let password) = it.proof,
        try world.account(registration.id)?.password == password
      else { throw .refused(.exists(field: "id")) }
    }
    guard same, !it.command.isAnsweredFromItself || !record.hash.isEmpty else {
      throw .refused(.keyReused)
    }
    // Rows of an older version have all events.
    return .settled(.success(record.result.told(to: it.actor.user)), repeated: true)
  }

  /// Refuses a command whose finding about the password does not hold for the account as it is now.
  private mutating func checkProof(of it: Submission) throws(Halt) {
    let field: String
    switch it.command {
    case .account(.changePassword): field = "old"
    case .account(.delete): field = "password"
    default: return
    }
    let known = try world.account(it.actor.user)?.password
    // A guest has no password to know.
    if case .account(.delete) = it.command, known?.isNone == true { return }
    guard case .verified(let password) = it.proof, known == password else {
      throw .refused(.invalid(field: field, reason: "is not the password of this account"))
    }
  }

  // MARK: Writing

  /// Writes what the system does by itself: an event by nobody, or none.
  mutating func write(_ draft: Draft?, at moment: Moment) throws(Halt) -> CommandResult {
    try write(Decision(drafts: draft.map { [$0] } ?? []), by: nil, key: nil, at: moment)
  }

  /// Numbers, encodes and stages the events of a decision. With `command` a person wants them written, so they count
  /// against what may be stored for them.
  mutating func write(
    _ decision: Decision, by user: UserID?, key: CommandKey?, of command: Command? = nil,
    at moment: Moment
  ) throws(Halt) -> CommandResult {
    // The state for a single draft is asked for at once anyhow.
    if decision.drafts.count > 1 { try world.require(decision.drafts.flatMap(\.needs)) }
    var steps: [Step] = []
    for draft in decision.drafts {
      steps.append(try step(draft, by: user, key: key, at: moment))
    }
    let marks = try world.unspentMarks(of: decision.drafts, by: user ?? .system)
    try count(steps.map { StoredEventSize($0.record) }, of: command, by: user, at: moment)
    try world.stage(marks, of: user ?? .system)
    try world.stage(decision.accounts, of: user ?? .system)
    batch.accounts += decision.accounts + marks
    for step in steps { stage(step) }
    let result = CommandResult(
      changed: decision.changed,
      events: steps.map { StreamPosition(stream: $0.record.stream, seq: $0.record.seq) }
        .filter { !decision.unseen.contains($0.stream) },
      number: decision.number, version: decision.version, generation: decision.generation,
      parts: decision.parts, skipped: decision.skipped, imported: decision.imported)
    return user.map { result.told(to: $0) } ?? result
  }

  private mutating func count(
    _ events: [StoredEventSize], of command: Command?, by user: UserID?, at moment: Moment
  ) throws(Halt) {
    guard let command, let user else { return book.note(events, by: nil) }
    unknownStorage = try book.take(events, of: command, by: user, at: moment.now)
    if !unknownStorage.isEmpty { throw .needs([]) }
  }

  /// Makes one event and everything that it changes, and stages nothing yet.
  private mutating func step(
    _ draft: Draft, by user: UserID?, key: CommandKey?, at moment: Moment
  ) throws(Halt) -> Step {
    let stream = draft.stream
    let ops = draft.ops.withoutErasedTexts
    var state = try world.state(of: stream, for: ops)
    let head = try world.head(of: stream)
    if head?.isDropped == true { throw .refused(.notFound(stream.noun)) }
    let event = Event(
      seq: (head?.seq ?? 0) + 1, transaction: moment.transaction,
      at: max(moment.now, head?.at ?? moment.now), by: user, key: key,
      undoes: draft.undoes, ops: ops)
    let body = EventCodec.encode(event)
    guard body.count <= Limits.eventBytesMax else {
      throw .refused(.tooLarge(field: "event", max: Limits.eventBytesMax))
    }
    var before = Before()
    let changes = state.apply(event, before: &before)
    before.objects = ops.withoutErasedTexts(before: before.objects)
    before.trails = draft.trails
    let was = ObjectCodec.encode(before)
    guard was.count <= Limits.beforeBytesMax else {
      throw .refused(.tooLarge(field: "event", max: Limits.eventBytesMax))
    }
    let erased = ops.erasedSubjects
    let (dues, check) = try dues(of: changes, in: stream)
    return Step(
      record: EventRecord(
        stream: stream, epoch: head?.epoch ?? newEpoch(at: moment), seq: event.seq, at: event.at,
        by: user, transaction: moment.transaction, body: body, was: was, hasTalk: event.hasTalk),
      changes: changes, dues: dues, dueCheck: check,
      achievements: AchievementWrite.all(of: event, changes, in: stream),
      reminderChecks: ReminderCheck.all(
        of: changes, in: stream, by: ops, at: min(event.at, moment.sure)),
      erased: erased, trails: draft.trails,
      erasedSeq: erased.isEmpty ? head?.erasedSeq ?? 0 : event.seq, horizon: head?.horizon ?? 0)
  }

  private mutating func stage(_ step: Step) {
    let it = step.record
    batch.events.append(it)
    stagedBytes += it.body.count + it.was.count
    stagedBytes += step.changes.reduce(0) { $0 + ($1.effect.object?.bytes ?? 0) }
    batch.erasures += step.erased.map { Erasure(stream: it.stream, subject: $0, seq: it.seq) }
    batch.access += AccessChange.all(of: step.changes, in: it.stream)
    batch.words += PostWords.all(of: step.changes, in: it.stream)
    batch.dues += step.dues
    batch.achievements += step.achievements
    if let check = step.dueCheck { batch.dueChecks.append(check) }
    batch.reminderChecks += step.reminderChecks
    let head = StreamHead(
      epoch: it.epoch, seq: it.seq, at: it.at, transaction: it.transaction,
      erasedSeq: step.erasedSeq, horizon: step.horizon)
    world.stage(.head(head), for: .head(it.stream))
    world.stage(step.trails, of: StreamPosition(stream: it.stream, seq: it.seq))
    world.stage(step.changes, in: it.stream)
    noteMoments(in: step.changes)
    noteRuns(in: step.changes, of: it.stream)
  }

  /// Returns the epoch of a stream that begins with this transaction. It is the store's epoch and the transaction's
  /// random part, so a stream that is made again after a restore has another one.
  private func newEpoch(at moment: Moment) -> Epoch {
    Epoch("\(storeEpoch).\(moment.transaction.description.suffix(12))")
  }
}

/// The time at which a piece of work is settled, and its name.
struct Moment {
  let now: Timestamp
  /// The moment that has certainly come: `now`, or before it where the clock is known to be ahead.
  let sure: Timestamp
  let transaction: TransactionID
}

/// One event of a piece of work, and everything that it changes.
private struct Step {
  let record: EventRecord
  let changes: [ObjectChange]
  let dues: [PostDue]
  let dueCheck: DueCheck?
  let achievements: [AchievementWrite]
  let reminderChecks: [ReminderCheck]
  /// The subjects whose earlier texts go with this event.
  let erased: [ErasedSubject]
  let trails: [PostTrail]
  /// The marks that the stream's head has from now on.
  let erasedSeq: Int64
  let horizon: Int64
}
