// The count of stored bytes for each payer, and the decision who may write more (protocol §13: `storedBytes`,
// `bytesPerDay` …).
//
// Everything that a stream holds is on the account of its payer. A person pays for their own stream and for the lists
// that they own, and a group for itself and its lists. The store counts the bytes in the stream's own row, which every
// commit writes anyhow. This book holds the counts that were asked for, and adds what was written since. That is a
// little too much, because the book does not know what a change replaces. So the store is asked once more before
// anybody is refused, and a refusal counts only what the store says and what this batch has staged.
//
// The bytes that are written in a day are counted here alone, by the wall clock's day in UTC. They count for the writer
// and for the payer, so that many accounts together fill nobody's disk in a day. A restart begins the day anew.
//
// A command that ends or finishes something is taken up to a quarter beyond a limit: nobody is kept from making room.

package import Domain

/// The counts that the store has of one stream.
package struct StoredBytes: Equatable, Sendable {
  /// A person's own stream, or a group's; the stream itself where it has no owner.
  package let payer: StreamID
  /// The bytes of everything that the payer answers for: objects, and events with the objects before them.
  package let total: Int64
  /// The bytes of the objects in this stream's state, which a snapshot sends.
  package let state: Int64

  package init(payer: StreamID, total: Int64, state: Int64) {
    self.payer = payer
    self.total = total
    self.state = state
  }

  /// The bytes that an event takes besides its own: its row, its places in indexes and its key.
  package static let ofEvent: Int64 = 256
}

/// The greatest allowed numbers of bytes.
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
  /// The streams that were asked for in this batch. For them the store's answer counts, and what the batch has staged.
  private var asked: Set<StreamID> = []
  private var staged: [StreamID: Growth] = [:]
  private var day: Int64 = 0
  private var written: [UserID: Int64] = [:]
  private var writtenFor: [StreamID: Int64] = [:]

  /// The number of streams at which all are forgotten, at some 10 MB. A forgotten stream is asked for again.
  private static let streamsMax = 65_536
  /// The greatest size of an event that counts for no payer when its stream is not the command's home: such an event
  /// tells somebody of something.
  private static let smallEventBytes: Int64 = 4_096
  private static let dayMilliseconds: Int64 = 24 * 3_600_000

  init(_ rules: StorageRules) { self.rules = rules }

  /// Answers whether the store need not be asked about the stream.
  func knows(_ stream: StreamID) -> Bool {
    asked.contains(stream) || streams.index(forKey: stream) != nil
  }

  /// Takes the store's answer; nil for a stream that is not there yet.
  mutating func provide(_ stored: StoredBytes?, of stream: StreamID) {
    asked.insert(stream)
    guard let stored else { return }
    streams[stream] = (stored.payer, stored.state + (staged[stream]?.state ?? 0))
    totals[stored.payer] = stored.total + stagedBytes(of: stored.payer)
  }

  private func stagedBytes(of payer: StreamID) -> Int64 {
    staged.reduce(0) { $0 + (streams[$1.key]?.payer == payer ? $1.value.stored : 0) }
  }

  /// Forgets the counts of the store, because streams may have other owners from now on.
  mutating func forget() { (streams, totals) = ([:], [:]) }

  mutating func endBatch() {
    if !asked.isEmpty { asked = [] }
    if !staged.isEmpty { staged = [:] }
    if streams.count > StorageBook.streamsMax { forget() }
  }

  /// Takes the events of a command, or throws the limit that they exceed. Returns the streams about which the store has
  /// to be asked first; if there are any, nothing is taken.
  mutating func take(
    _ events: [StoredEventSize], of command: Command, by user: UserID, at now: Timestamp
  ) throws(Halt) -> [StreamID] {
    turnDay(now)
    let home = command.home(of: user)
    func isCounted(_ event: StoredEventSize) -> Bool {
      event.stream == home
        || event.bytes > StorageBook.smallEventBytes && !event.stream.isOfOther(than: user)
    }
    var unknown: [StreamID] = []
    for event in events where isCounted(event) && !knows(event.stream) {
      unknown.append(event.stream)
    }
    guard unknown.isEmpty else { return unknown }
    let reserve: Int64 = command.makesRoom ? 4 : 0
    let bytes = events.reduce(0) { $0 + $1.bytes }
    try within(rules.bytesPerDay, "bytesPerDay", written[user] ?? 0, plus: bytes, reserve)
    var again: [StreamID] = []
    for event in events where isCounted(event) {
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

  /// Counts events. Those that the system writes count too, with a nil user.
  mutating func note(_ events: [StoredEventSize], by user: UserID?) {
    for event in events {
      if let user { written[user, default: 0] += event.bytes }
      // The objects that it changed are about as long as it is.
      staged[event.stream, default: Growth()].add(event)
      guard let place = streams.index(forKey: event.stream) else { continue }
      streams.values[place].state += event.body
      let payer = streams.values[place].payer
      totals[payer, default: 0] += event.bytes + event.body
      if user != nil { writtenFor[payer, default: 0] += event.bytes }
    }
  }

  /// The bytes by which a stream grows in this batch.
  private struct Growth {
    var stored: Int64 = 0
    var state: Int64 = 0

    mutating func add(_ event: StoredEventSize) {
      stored += event.bytes + event.body
      state += event.body
    }
  }

  private mutating func turnDay(_ now: Timestamp) {
    let today = now.milliseconds / StorageBook.dayMilliseconds
    guard today != day else { return }
    (day, written, writtenFor) = (today, [:], [:])
  }
}

/// The size of an event.
struct StoredEventSize {
  let stream: StreamID
  let body: Int64
  /// The bytes of the event, of the objects before it and of its row.
  let bytes: Int64

  init(_ event: EventRecord) {
    stream = event.stream
    body = Int64(event.body.count)
    bytes = body + Int64(event.was.count) + StoredBytes.ofEvent
  }
}

extension StreamID {
  /// Answers whether this is the own stream of another person.
  fileprivate func isOfOther(than person: UserID) -> Bool {
    if case .user(let it) = self { it != person } else { false }
  }
}

extension Command {
  /// Whether the command ends or finishes something, which people must always be able to do.
  package var makesRoom: Bool {
    guard case .batch(let commands) = self else { return method.row.makesRoom }
    return commands.allSatisfy(\.makesRoom)
  }
}
