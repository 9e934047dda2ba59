import Crypto
import Domain
import Sync
import Testing
import Wire

@testable import Store

// The result of a log, event by event, as one line of sums for each:
//   SEQ STATE UNDO BYTES
//   STATE  the objects of the stream as `ObjectCodec` writes them, sorted; those that have left the state behind them
//   UNDO   the ops by which the event's author would take it back right after its transaction; `none` where nothing is
//          left to take back, `refused` where that is refused, `system` where nobody is the author, `never` in `u:`
//   BYTES  the event written again; `same` when these are the bytes that were read
// A sum is the first 16 hexadecimal digits of a SHA-256.
//
// The state is made twice: by `StreamState`, as clients and snapshots have it, and by `StreamReplay`, which also knows
// removed posts and old completed ones. The objects before an event come from the replay, as `verify` has them.

/// A replay of all streams of one log.
struct GoldenReplay {
  /// One event, and its result.
  struct ReplayedEvent {
    let stream: StreamID
    let event: Event
    var sums: String

    var place: String {
      let kinds = event.ops.map { OpKind($0)?.rawValue ?? "unknown" }
      return "event \(event.seq) of \(stream) (\(kinds.joined(separator: ", ")))"
    }
  }

  private(set) var outcomes: [ReplayedEvent] = []
  /// The kinds of ops that were applied, and of objects that these have made.
  private(set) var opKinds: Set<OpKind> = []
  private(set) var objectKinds: Set<ObjectKind> = []
  private var states: [StreamID: StreamState] = [:]
  private(set) var replays: [StreamID: StreamReplay] = [:]
  private(set) var pasts: [StreamPosition: PastEvent] = [:]
  private(set) var commands: [String: [StreamPosition]] = [:]
  /// The posts that the events of a transaction take out of their lists or bring into them.
  private(set) var travels: [TransactionID: [(post: PostID, list: CategoryID)]] = [:]

  init(_ log: GoldenLog) throws {
    let events = try log.lines().map { line in (line, try Self.event(line)) }
    for (line, event) in events { note(event, in: line.stream) }
    var start = 0
    for end in events.indices
    where end + 1 == events.count || events[end + 1].1.transaction != events[end].1.transaction {
      for (line, event) in events[start...end] { try apply(event, of: line) }
      for index in start...end {
        let (line, event) = events[index]
        outcomes[index].sums += " \(undo(event, in: line.stream))"
        let bytes = EventCodec.encode(event)
        outcomes[index].sums += bytes == line.body ? " same" : " \(Self.sum([bytes]))"
      }
      start = end + 1
    }
  }

  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  private static func event(_ line: GoldenLog.Line) throws(Unreadable) -> Event {
    do throws(WireError) {
      return try EventCodec.decode(line.body, seq: line.seq)
    } catch {
      let body = String(decoding: line.body, as: UTF8.self)
      throw Unreadable(
        description: "event \(line.seq) of \(line.stream) cannot be read: \(error) in \(body)")
    }
  }

  static func sum(_ parts: [[UInt8]]) -> String {
    String(Hex.encode(sha256(Array(parts.joined(separator: [10])))).prefix(16))
  }

  /// The streams whose state is another one for clients than for the store.
  var disagreements: [StreamID] {
    states.keys.sorted().filter { stream in
      let rows = (replays[stream]?.rows ?? [:]).filter(\.value.inState).mapValues(\.object)
      return states[stream]?.objects != rows
    }
  }

  private mutating func note(_ event: Event, in stream: StreamID) {
    opKinds.formUnion(event.ops.compactMap(OpKind.init))
    if let by = event.by, let key = event.key {
      commands["\(by) \(key.text)", default: []].append(
        StreamPosition(stream: stream, seq: event.seq))
    }
    guard case .category(let list) = stream else { return }
    for op in event.ops {
      guard let post = op.traveller else { continue }
      travels[event.transaction, default: []].append((post, list))
    }
  }

  private mutating func apply(_ event: Event, of line: GoldenLog.Line) throws {
    let stream = line.stream
    let changes = states[stream, default: StreamState(stream: stream)].apply(event)
    objectKinds.formUnion(changes.map(\.key.kind))
    var before = replays[stream, default: StreamReplay(stream: stream)].apply(event)
    before.trails = trails(of: event, in: stream)
    pasts[StreamPosition(stream: stream, seq: event.seq)] = PastEvent(
      event: event, before: before, bytes: line.body.count)
    for case let object? in changes.map(\.effect.object) {
      let body = ObjectCodec.encode(object)
      #expect(try ObjectCodec.decode(body) == object, "\(String(decoding: body, as: UTF8.self))")
    }
    let sum = Self.sum(stateBodies(of: stream))
    outcomes.append(ReplayedEvent(stream: stream, event: event, sums: "\(event.seq) \(sum)"))
  }

  /// Returns the objects in the state, an empty line, and the objects that have left it.
  private func stateBodies(of stream: StreamID) -> [[UInt8]] {
    let outside = (replays[stream]?.rows ?? [:]).values.filter { !$0.inState }.map(\.object)
    return sorted(states[stream]?.objects.values.map { $0 } ?? []) + [[]] + sorted(outside)
  }

  private func sorted(_ objects: [Object]) -> [[UInt8]] {
    objects.map(ObjectCodec.encode).sorted { $0.lexicographicallyPrecedes($1) }
  }
}
