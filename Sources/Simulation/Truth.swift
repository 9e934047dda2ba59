// The transactions that the store has really written, in the order of the commits, kept apart from the code under test.
// The checkers compare everything that anybody is told with it.

import Domain
import Sync
import Wire

/// The log of a stream, its state after each event, and the times for which people were in it.
struct StreamTruth {
  var epoch: Epoch
  private(set) var events: [Event] = []
  /// The bodies as the log has them now, without erased texts.
  var bodies: [[UInt8]] = []
  private(set) var erased: [Erased] = []
  /// The events by which posts left and before which everything is forgotten; the log may have lost the texts of these
  /// posts.
  var left: [Erased] = []
  /// The states; there is one more than events, because the first is empty.
  private(set) var states: [StreamState]
  private var stays: [UserID: [Stay]] = [:]
  var over = OccurrencesOver()
  /// All links that were ever made. Whoever looks by one is in the stream until it ends.
  private(set) var links: [GuestLink] = []
  private(set) var linkEnds: [UserID: Premise] = [:]
  var imports = ImportsSeen()
  var bin = BinSeen()
  var runs = RunsSeen()
  var contests = ContestsSeen()
  /// The event up to which events are forgotten (Truth+Forgetting).
  var horizon: Int64 = 0

  /// The time from the event that lets somebody in to the one that puts them out.
  struct Stay {
    let from: Int64
    var to: Int64?
  }

  init(_ stream: StreamID, epoch: Epoch) {
    self.epoch = epoch
    states = [StreamState(stream: stream)]
    if case .user(let user) = stream { stays[user] = [Stay(from: 0)] }
  }

  var head: Int64 { Int64(events.count) }
  var state: StreamState { states[events.count] }

  mutating func append(_ event: Event, _ body: [UInt8]) {
    var state = state
    _ = state.apply(event)
    events.append(event)
    bodies.append(body)
    states.append(state)
    for subject in event.ops.erasedSubjects {
      erased.append(Erased(subject: subject, seq: event.seq))
    }
    for op in event.ops {
      if case .member(.added(let member)) = op { enter(member.id, at: event.seq) }
      if case .member(.removed(let user, _, _)) = op { leave(user, at: event.seq) }
      if case .link(.made(let link)) = op {
        links.append(link)
        enter(link.guest, at: event.seq)
      }
      if case .link(.ended(let id)) = op, let link = links.last(where: { $0.id == id }) {
        leave(link.guest, at: event.seq)
        linkEnds[link.guest] = event.endingOfLinks
      }
    }
  }

  private mutating func enter(_ user: UserID, at seq: Int64) {
    if let last = stays[user]?.last, last.to == nil { return }
    stays[user, default: []].append(Stay(from: seq))
  }

  private mutating func leave(_ user: UserID, at seq: Int64) {
    guard let last = stays[user]?.indices.last, stays[user]?[last].to == nil else { return }
    stays[user]?[last].to = seq
  }

  /// Whether nothing is left of it but the fact that it was there.
  private(set) var isDropped = false

  mutating func drop() {
    isDropped = true
    horizon = head
    // No event ends it, so what was sent of its last state is theirs.
    for user in stays.keys { leave(user, at: head + 1) }
  }

  /// Answers whether this event let the person in.
  func hasEntry(of user: UserID, _ seq: Int64) -> Bool {
    stays[user]?.contains { $0.from == seq } ?? false
  }

  /// Returns how often this person came in.
  func entries(of user: UserID) -> Int { stays[user]?.count ?? 0 }

  /// Returns the event that let this person in the last time.
  func joinedSeq(_ user: UserID) -> Int64 { stays[user]?.last?.from ?? 0 }

  /// Returns the event that let this person in for the stay that holds `seq`; 0 when they were not in then.
  func entry(of user: UserID, at seq: Int64) -> Int64 {
    stays[user]?.last { $0.from <= seq }?.from ?? 0
  }

  func isMember(_ user: UserID) -> Bool { stays[user]?.last.map { $0.to == nil } ?? false }

  /// Answers whether a person may get an event. P9: the event that puts somebody out is the last that they get.
  func mayHaveEvent(_ user: UserID, _ seq: Int64) -> Bool {
    stays[user]?.contains { $0.from <= seq && seq <= $0.to ?? .max } ?? false
  }

  func mayHaveState(_ user: UserID, _ seq: Int64) -> Bool {
    stays[user]?.contains { $0.from <= seq && seq < $0.to ?? .max } ?? false
  }
}

/// The place of a command on its connection.
struct Submitted {
  let link: Int
  let place: Int
  /// Whether it was sent more than once; then it is not known which one took effect.
  let isUnclear: Bool
}

final class Truth {
  private(set) var streams: [StreamID: StreamTruth] = [:]
  /// The streams, in the order in which they began.
  private(set) var order: [StreamID] = []
  private(set) var keys: [KeyAddress: KeyRecord] = [:]
  /// The keys whose hash the store does not keep any more.
  var hashless: Set<KeyAddress> = []
  private(set) var commits = 0
  /// The commit that wrote each key.
  private var keyedAt: [KeyAddress: Int] = [:]
  /// The length of the home stream's log when each key was written.
  private(set) var keySeqs: [KeyAddress: Int64] = [:]
  private var sends: [Sent: Int] = [:]
  private var refusals: [Sent: Int] = [:]
  /// The events of each key, by stream.
  private var effects: [StreamKey: Int64] = [:]
  /// The newest submission of each key.
  private var submissions: [KeyAddress: Submitted] = [:]
  private var lastCommitted: [Int: Int] = [:]
  private var placesTaken: [Int: Int] = [:]
  /// The transactions that were in doubt and turned out to be written.
  private(set) var settled: [LedgerTransaction] = []
  /// The moment at which the transaction that is checked now was written; nil when that was some time ago.
  var moment: TrueMoment?
  /// The transactions that are written or not; only the store will tell.
  var inDoubt: [LedgerTransaction] = []

  /// The accounts of all who have one (Truth+Accounts).
  var accounts: [UserID: AccountTruth] = [:]
  var sessionOwners: [SessionID: UserID] = [:]
  /// The sessions by which a change of the password was sent.
  var passwordAsked: [KeyAddress: Set<SessionID>] = [:]

  fileprivate struct StreamKey: Hashable {
    let stream: StreamID
    let user: UserID
    let key: CommandKey
  }

  // MARK: P3

  /// A command as it was sent, maybe several times.
  struct Sent: Hashable {
    let address: KeyAddress
    let hash: [UInt8]
  }

  func sent(_ command: Sent) { sends[command, default: 0] += 1 }

  /// The notes that the author of a change of notes had seen.
  private(set) var notesSeen: [Sent: String] = [:]

  func seen(_ notes: String, by command: Sent) { notesSeen[command] = notes }

  /// The occurrence of a post that the author of a command had seen.
  private(set) var occurrencesMeant: [Sent: Int] = [:]

  func means(_ occurrence: Int, by command: Sent) { occurrencesMeant[command] = occurrence }

  /// Returns what a refused command has done all the same. A command that is refused and sent again may take effect
  /// then. So the effect must be older than the sending, or every sending must have been refused.
  func effect(ofRefused command: Sent, sentAfter commits: Int) -> KeyRecord? {
    refusals[command, default: 0] += 1
    guard let record = keys[command.address], record.hash == command.hash else { return nil }
    let wasThere = keyedAt[command.address].map { $0 <= commits } ?? false
    return wasThere || refusals[command, default: 0] >= sends[command, default: 0] ? record : nil
  }

  /// The place to which a list moves by a command about one's own order.
  private(set) var movesMeant: [Sent: ListMove] = [:]

  func means(_ move: ListMove, by command: Sent) { movesMeant[command] = move }

  // MARK: What happens

  func submitted(_ address: KeyAddress, on link: Int) {
    placesTaken[link, default: 0] += 1
    submissions[address] = Submitted(
      link: link, place: placesTaken[link] ?? 0, isUnclear: submissions[address] != nil)
  }

  /// Takes a transaction; returns a sentence when it breaks a promise.
  func commit(_ transaction: LedgerTransaction, _ tally: inout Tally) -> String? {
    commits += 1
    for record in transaction.events {
      if let breach = append(record) ?? letBeOver(record.stream, &tally) { return breach }
      if let truth = streams[record.stream], let event = truth.events.last,
        let breach = truth.checkDeadlines(event, &tally) ?? truth.checkReminders(event, &tally)
          ?? truth.checkDigests(event, &tally) ?? truth.checkKept(event, &tally)
      {
        return "\(record.stream): \(breach)"
      }
      if let truth = streams[record.stream], let event = truth.events.last,
        let breach = truth.checkClaims(event, &tally) ?? truth.checkArrivals(event)
      {
        return "\(record.stream): \(breach)"
      }
      tally.count(.p4Event)
    }
    let streams = Set(transaction.events.map(\.stream))
    let names = Set(transaction.events.map(\.transaction))
    if streams.count > 1, names.count == 1 { tally.count(.p4Shared) }
    for key in transaction.keys {
      if let breach = note(key, &tally) { return breach }
    }
    for erasure in transaction.erasures { note(erasure, &tally) }
    if let breach = takeAccounts(transaction, &tally) { return breach }
    return checkPosts(transaction, &tally)
  }

  /// Notes a word of progress of a run.
  func heard(_ word: RunWord, at time: Int64) {
    streams[word.address.stream]?.runs.heard(word, at: time)
  }

  /// Notes that a server has started.
  func started(at time: Int64) {
    for stream in order { streams[stream]?.runs.started(at: time) }
  }

  /// The number of runs that go on.
  var runsGoingOn: Int {
    streams.values.reduce(0) { $0 + ($1.isDropped ? 0 : $1.runs.count) }
  }

  /// Checks what the newest event does to occurrences, imports, runs, contests and the bin.
  private func letBeOver(_ stream: StreamID, _ tally: inout Tally) -> String? {
    guard let truth = streams[stream], let event = truth.events.last else { return nil }
    if let breach = truth.unconfirmed(event, &tally) { return breach }
    if let breach = streams[stream]?.takeImports(of: event, &tally) { return breach }
    if let breach = streams[stream]?.bin.add(event, moment, &tally) { return breach }
    if let breach = streams[stream]?.runs.add(event, in: stream, truth.state, moment, &tally) {
      return breach
    }
    let before = truth.states[truth.events.count - 1]
    if let breach = streams[stream]?.contests.add(event, before, truth.state, &tally) {
      return breach
    }
    return streams[stream]?.over.add(event, in: stream, &tally)
  }

  private func append(_ record: EventRecord) -> String? {
    let event: Event
    do throws(WireError) {
      event = try EventCodec.decode(record.body, seq: record.seq)
    } catch {
      return "P4 the body of \(record.stream) \(record.seq) cannot be read: \(error)"
    }
    if streams[record.stream] == nil {
      streams[record.stream] = StreamTruth(record.stream, epoch: record.epoch)
      order.append(record.stream)
    }
    guard let truth = streams[record.stream], record.seq == truth.head + 1 else {
      return
        "P4 \(record.stream) \(record.seq) does not follow \(streams[record.stream]?.head ?? 0)"
    }
    guard record.epoch == truth.epoch else { return "P4 \(record.stream) changed its epoch" }
    if let last = truth.events.last, event.at < last.at {
      return "P4 time runs backwards in \(record.stream) at \(record.seq)"
    }
    if let user = event.by, let key = event.key {
      let name = StreamKey(stream: record.stream, user: user, key: key)
      if let earlier = effects.updateValue(record.seq, forKey: name) {
        return "P2 \(key) took effect twice in \(record.stream): \(earlier) and \(record.seq)"
      }
    }
    streams[record.stream]?.append(event, record.body)
    do throws(WireError) {
      try streams[record.stream]?.takeOutErased()
    } catch {
      return "P4 a body of \(record.stream) before \(record.seq) cannot be read: \(error)"
    }
    return nil
  }

  private func note(_ record: KeyRecord, _ tally: inout Tally) -> String? {
    let earlier = keys.updateValue(record, forKey: record.address)
    if earlier != nil {
      return "P2 \(record.address.key) was recorded twice"
    }
    keyedAt[record.address] = commits
    keySeqs[record.address] = streams[record.address.stream]?.head
    guard let it = submissions[record.address], !it.isUnclear else { return nil }
    if let last = lastCommitted[it.link] {
      if it.place <= last { return "P7 \(record.address.key) took effect out of its order" }
      tally.count(.p7Commit)
    }
    lastCommitted[it.link] = it.place
    return nil
  }

  // MARK: A backup

  /// The state of the truth that belongs to a store which is put back.
  struct Memory {
    fileprivate let streams: [StreamID: StreamTruth]
    fileprivate let order: [StreamID]
    fileprivate let keys: [KeyAddress: KeyRecord]
    fileprivate let effects: [StreamKey: Int64]
    fileprivate let accounts: [UserID: AccountTruth]
  }

  var memory: Memory {
    Memory(streams: streams, order: order, keys: keys, effects: effects, accounts: accounts)
  }

  /// Forgets what came after a backup; returns a sentence unless every stream has another epoch now.
  func restore(_ memory: Memory, as store: any EventStore) throws(StoreError) -> String? {
    (streams, order, keys) = (memory.streams, memory.order, memory.keys)
    (effects, accounts) = (memory.effects, memory.accounts)
    (inDoubt, settled) = ([], [])
    for stream in order {
      guard let epoch = try store.head(of: stream)?.epoch, epoch != streams[stream]?.epoch else {
        return "P5 \(stream) has its old epoch after a restore"
      }
      streams[stream]?.epoch = epoch
    }
    return nil
  }

  func drop(_ stream: StreamID) { streams[stream]?.drop() }

  func setHorizon(of stream: StreamID, to seq: Int64) { streams[stream]?.forget(through: seq) }

  // MARK: What is stored

  /// Compares the store after a restart: it has everything that was written, and each transaction in doubt is there
  /// whole or not at all.
  func compare(with store: any EventStore, _ tally: inout Tally) throws(StoreError) -> String? {
    for transaction in inDoubt {
      let breach = try settle(transaction, in: store, &tally)
      if breach != nil { return breach }
    }
    try settleSessions(of: inDoubt, in: store)
    inDoubt = []
    for stream in order {
      let breach = try compare(stream, in: store, &tally)
      if breach != nil { return breach }
    }
    return nil
  }

  private func settle(
    _ transaction: LedgerTransaction, in store: any EventStore, _ tally: inout Tally
  ) throws(StoreError) -> String? {
    var found = 0
    for event in transaction.events {
      let position = StreamPosition(stream: event.stream, seq: event.seq)
      if try store.transaction(at: position) == event.transaction { found += 1 }
    }
    // When the key was sent again and taken, it belongs to a later commit.
    if transaction.events.isEmpty, let key = transaction.keys.first, keys[key.address] != nil {
      return nil
    }
    if transaction.events.isEmpty, let key = transaction.keys.first {
      return try store.key(key.address) == nil ? nil : settle(transaction, &tally)
    }
    if found == 0 { return nil }
    guard found == transaction.events.count else { return "P1 a transaction was written in part" }
    return settle(transaction, &tally)
  }

  private func settle(_ transaction: LedgerTransaction, _ tally: inout Tally) -> String? {
    settled.append(transaction)
    return commit(transaction, &tally)
  }

  func takeSettled() -> [LedgerTransaction] {
    defer { settled = [] }
    return settled
  }

  /// Compares two stores that were given the same transactions; they must answer the same.
  func compare(_ store: any EventStore, with twin: any EventStore) throws(StoreError) -> String? {
    for stream in order {
      // Rows of a dropped stream may be left for a while; nobody reads them.
      let isEqual =
        streams[stream]?.isDropped == true
        ? try store.head(of: stream) == twin.head(of: stream)
        : try store.snapshot(of: stream) == twin.snapshot(of: stream)
      if !isEqual { return "P10 two stores have another \(stream)" }
      if try !achievements(of: stream, in: store, areThoseIn: twin) {
        return "P10 two stores have other achievements in \(stream)"
      }
    }
    for case .user(let user) in order
    where try store.streams(of: user) != twin.streams(of: user) {
      return "P10 two stores let \(user) read other streams"
    }
    return nil
  }

  private func achievements(
    of stream: StreamID, in store: any EventStore, areThoseIn twin: any EventStore
  ) throws(StoreError) -> Bool {
    guard case .category(let list) = stream else { return true }
    let all = AchievementSpan(
      moments: Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max), floor: 0, user: nil,
      limit: .max)
    let rows = try store.achievements(in: list, all)
    let others = try twin.achievements(in: list, all)
    return rows.count == others.count && rows.allSatisfy(others.contains)
  }

  private func compare(
    _ stream: StreamID, in store: any EventStore, _ tally: inout Tally
  ) throws(StoreError) -> String? {
    guard let truth = streams[stream] else { return nil }
    guard let snapshot = try store.snapshot(of: stream) else { return "P1 \(stream) is lost" }
    guard snapshot.head.seq == truth.head, snapshot.head.epoch == truth.epoch else {
      return "P1 \(stream) is at \(snapshot.head.seq) instead of \(truth.head)"
    }
    guard snapshot.head.horizon == truth.horizon else {
      return "P1 \(stream) has forgotten up to \(snapshot.head.horizon), not \(truth.horizon)"
    }
    guard snapshot.head.transaction == truth.events.last?.transaction else {
      return "P1 the head of \(stream) is another event"
    }
    if truth.isDropped { return nil }
    var objects: [Object] = []
    do throws(WireError) {
      for body in snapshot.objects { objects.append(try ObjectCodec.decode(body)) }
    } catch {
      return "P6 an object of \(stream) cannot be read: \(error)"
    }
    tally.count(.p6Stored)
    if truth.horizon > 0 { tally.count(.p6Horizon) }
    guard StreamState(stream: stream, objects: objects) == truth.state else {
      return "P6 the stored state of \(stream) is not the effect of its events"
    }
    return nil
  }

  /// Compares the log itself, byte by byte.
  func compareLog(with store: any EventStore) throws(StoreError) -> String? {
    for stream in order {
      guard let truth = streams[stream], !truth.isDropped else { continue }
      let stored = try store.events(
        in: stream, after: 0, through: .max, bytesMax: .max)
      let kept = truth.horizon + 1..<truth.head + 1
      guard stored.count == kept.count,
        zip(stored, kept).allSatisfy({ truth.isBody($0.body, of: $1) })
      else {
        return "P1 the log of \(stream) is another one"
      }
    }
    return nil
  }

  /// Returns the streams that a person may read now.
  func streams(of user: UserID) -> [StreamID] {
    order.filter { streams[$0]?.isMember(user) ?? false }.sorted()
  }
}
