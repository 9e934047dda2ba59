// How much is stored, for whom, and who may write more of it (protocol §13: `storedBytes`, `bytesPerDay` …).
//
// Everything that a stream holds is on somebody's account, its payer: a person's own stream and the lists that they own
// on theirs, a group and its lists on the group's. The store counts it in the stream's own row, which every commit
// writes anyhow; here is what was asked of it, and what was written since. That is a little too much, because what a
// change replaces is not known here: so who would be refused is looked up in the store once more, and is refused only
// by what the store says and this batch has staged.
//
// What is written in a day is counted here alone, by the wall clock's day in UTC: for who writes it, and for the payer,
// so that many accounts together fill nobody's disk in a day. A restart begins the day anew.
//
// What ends or finishes something is taken a quarter longer: nobody is kept from making room.

package import Domain

/// What the store says of one stream.
package struct StoredBytes: Equatable, Sendable {
  /// A person's own stream, or a group's; the stream itself where it has no owner.
  package let payer: StreamID
  /// Of all that the payer answers for: events with what was before them, and objects.
  package let total: Int64
  /// Of the objects in this stream's state, which is what a snapshot sends.
  package let state: Int64

  package init(payer: StreamID, total: Int64, state: Int64) {
    self.payer = payer
    self.total = total
    self.state = state
  }

  /// What an event takes beside its bytes: its row, its places in indexes and its key.
  package static let ofEvent: Int64 = 256
}

/// How much it may be.
package struct StorageRules: Equatable, Sendable {
  package var storedBytesMax = Int64(Limits.storedBytesMax)
  package var groupStoredBytesMax = Int64(Limits.groupStoredBytesMax)
  package var listBytesMax = Int64(Limits.listBytesMax)
  package var bytesPerDay = Int64(Limits.bytesPerDay)
  package var ownerBytesPerDay = Int64(Limits.ownerBytesPerDay)

  package init() {}

  func storedBytesMax(of payer: StreamID) -> (limit: String, max: Int64) {
    switch payer {
    case .group: ("groupStoredBytes", groupStoredBytesMax)
    case .user, .category: ("storedBytes", storedBytesMax)
    }
  }
}

struct StorageBook: Sendable {
  private let rules: StorageRules
  private var streams: [StreamID: (payer: StreamID, state: Int64)] = [:]
  private var totals: [StreamID: Int64] = [:]
  /// Asked for in this batch: what the store says then is what counts, with what the batch has staged.
  private var asked: Set<StreamID> = []
  private var staged: [StreamID: (stored: Int64, state: Int64)] = [:]
  private var day: Int64 = 0
  private var written: [StreamID: Int64] = [:]
  private var writtenFor: [StreamID: Int64] = [:]

  /// Some 10 MB; what is forgotten is asked again.
  private static let streamsMax = 65_536
  /// A smaller event is no matter of the stream's payer where the command is not addressed to it: somebody is told of
  /// something.
  private static let smallEventBytes: Int64 = 4_096
  private static let dayMilliseconds: Int64 = 24 * 3_600_000

  init(_ rules: StorageRules) { self.rules = rules }

  /// Whether the store need not be asked.
  func knows(_ stream: StreamID) -> Bool {
    asked.contains(stream) || streams.index(forKey: stream) != nil
  }

  /// The store's answer; nil for a stream that is not there yet.
  mutating func provide(_ stored: StoredBytes?, of stream: StreamID) {
    asked.insert(stream)
    guard let stored else { return }
    streams[stream] = (stored.payer, stored.state + (staged[stream]?.state ?? 0))
    totals[stored.payer] = stored.total + stagedBytes(of: stored.payer)
  }

  private func stagedBytes(of payer: StreamID) -> Int64 {
    staged.reduce(0) { $0 + (streams[$1.key]?.payer == payer ? $1.value.stored : 0) }
  }

  /// Whoever owns a stream may be somebody else from now on.
  mutating func forget() { (streams, totals) = ([:], [:]) }

  mutating func endBatch() {
    if !asked.isEmpty { asked = [] }
    if !staged.isEmpty { staged = [:] }
    if streams.count > StorageBook.streamsMax { forget() }
  }

  /// Takes the events of a command, or says which limit they go over. Answers which streams the store has to be asked
  /// about first; then nothing is taken.
  mutating func take(
    _ events: [StoredEventSize], of command: Command, by user: UserID, at now: Timestamp
  ) throws(Halt) -> [StreamID] {
    turnDay(now)
    let home = command.home(of: user)
    let counted = events.filter {
      $0.stream == home
        || $0.bytes > StorageBook.smallEventBytes && !$0.stream.isOfOther(than: user)
    }
    let unknown = counted.map(\.stream).filter { !knows($0) }
    guard unknown.isEmpty else { return unknown }
    let reserve: Int64 = command.makesRoom ? 4 : 0
    let bytes = events.reduce(0) { $0 + $1.bytes }
    try within(rules.bytesPerDay, "bytesPerDay", written[.user(user)] ?? 0, plus: bytes, reserve)
    var again: [StreamID] = []
    for event in counted {
      guard let (payer, state) = streams[event.stream] else { continue }
      try within(
        rules.ownerBytesPerDay, "ownerBytesPerDay", writtenFor[payer] ?? 0, plus: bytes, reserve)
      let (limit, max) = rules.storedBytesMax(of: payer)
      do throws(Halt) {
        try within(max, limit, totals[payer] ?? 0, plus: 2 * event.bytes, reserve)
        guard case .category = event.stream else { continue }
        try within(rules.listBytesMax, "listBytes", state, plus: event.body, reserve)
      } catch {
        if asked.contains(event.stream) { throw error }
        again.append(event.stream)
      }
    }
    guard again.isEmpty else { return again }
    note(events, by: user)
    return []
  }

  private func within(
    _ max: Int64, _ limit: String, _ used: Int64, plus bytes: Int64, _ reserve: Int64
  ) throws(Halt) {
    let most = reserve == 0 ? max : max + max / reserve
    guard used + bytes <= most else { throw .refused(.quota(limit: limit, max: Int(max))) }
  }

  /// What the system writes is counted too.
  mutating func note(_ events: [StoredEventSize], by user: UserID?) {
    for event in events {
      if let user { written[.user(user), default: 0] += event.bytes }
      // The objects that it changed are about as long as it is.
      let (stored, grown) = staged[event.stream] ?? (0, 0)
      staged[event.stream] = (stored + event.bytes + event.body, grown + event.body)
      guard let place = streams.index(forKey: event.stream) else { continue }
      streams.values[place].state += event.body
      let payer = streams.values[place].payer
      totals[payer, default: 0] += event.bytes + event.body
      if user != nil { writtenFor[payer, default: 0] += event.bytes }
    }
  }

  private mutating func turnDay(_ now: Timestamp) {
    let today = now.milliseconds / StorageBook.dayMilliseconds
    guard today != day else { return }
    (day, written, writtenFor) = (today, [:], [:])
  }
}

/// How large an event of a command is.
struct StoredEventSize {
  let stream: StreamID
  let body: Int64
  /// With what was before it.
  let bytes: Int64

  init(_ event: EventRecord) {
    stream = event.stream
    body = Int64(event.body.count)
    bytes = body + Int64(event.was.count) + StoredBytes.ofEvent
  }
}

extension StreamID {
  /// Somebody else's own.
  fileprivate func isOfOther(than person: UserID) -> Bool {
    if case .user(let it) = self { it != person } else { false }
  }
}

extension Command {
  /// Ends or finishes something, which people must always be able to.
  package var makesRoom: Bool {
    guard case .batch(let commands) = self else { return method.facts.makesRoom }
    return commands.allSatisfy(\.makesRoom)
  }
}
