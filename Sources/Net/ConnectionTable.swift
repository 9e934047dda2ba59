import Crypto
import WebSocket

/// Everything that one connection needs while it is idle; buffers exist only while they hold
/// something.
struct Connection {
  /// Where a connection is in its life. `dialling` and `head` hold what only the handshake needs.
  enum Phase {
    case free
    /// Looking up, connecting or waiting for the answer to our handshake.
    case dialling(Dialling)
    /// A request or its body is on its way.
    case head(RequestReading)
    /// WebSocket frames; the application knows the connection.
    case open
    /// The application was told the end. What is pending leaves, then we wait for the peer's end.
    case lingering(finishesFirst: Bool)
    /// Ended: the socket is closed, the slot becomes free when the turn is over.
    case over
  }

  var phase: Phase = .free
  var generation: UInt32 = 0
  /// -1 while there is none.
  var socket: Int32 = -1
  var interest: Poller.Interest = []
  var isPaused = false
  /// Not read until the backlog is gone (`NetOptions.backlogBytesMax`).
  var isChoked = false
  /// Pings and pongs since `controlsFrom`.
  var controls: UInt16 = 0
  /// What loop 0 counts it as; nil when it was dialled.
  var admittedAs: Admission.Class?
  /// The listener that accepted it, an index of `Loop.kinds`; means nothing when it was dialled.
  var listener: UInt8 = 0
  var machine = WebSocketConnection(role: .server, messageBytesMax: 0)
  var peer = PeerAddress(high: 0, low: 0, port: 0)
  /// When the last byte came.
  var heardAt = Moment(milliseconds: 0)
  var controlsFrom = Moment(milliseconds: 0)
  /// Bytes that came after the last words and were thrown away.
  var lateBytes: Int32 = 0
  /// When the next ping is due.
  var pingAt = Moment(milliseconds: 0)
  var timer: TimerID?
  /// With TLS; a server's begins with the first bytes of the client.
  var tls: TLSSession?
  /// What the kernel did not take, from `backlogStart` on. With TLS: ciphertext.
  var backlog: [UInt8] = []
  var backlogStart = 0
  /// What was received but not delivered because reading was paused.
  var stash: [UInt8] = []
  /// What is due this turn: the last piece of its chain in `Output`, -1 without.
  var lastPiece: Int32 = -1

  var backlogBytes: Int { backlog.count - backlogStart }
}

/// The slots of one loop. A slot never moves, so a pointer to it is good until the slot is freed.
///
/// Pointers, because a message handler sends to connections while one of them is being read.
final class ConnectionTable {
  private static let chunkSlots = 256
  private var chunks: [UnsafeMutablePointer<Connection>] = []
  private var free: [Int32] = []
  /// Slots ended in this turn; free in the next, so that no late event meets a stranger.
  private var ended: [Int32] = []

  deinit {
    for chunk in chunks {
      chunk.deinitialize(count: ConnectionTable.chunkSlots)
      chunk.deallocate()
    }
  }

  /// Slots made so far, used or not.
  var slotCount: Int32 { Int32(chunks.count * ConnectionTable.chunkSlots) }

  /// Slots that are somebody's, or were in this turn.
  var usedCount: Int { Int(slotCount) - free.count - ended.count }

  subscript(slot: Int32) -> UnsafeMutablePointer<Connection> {
    chunks[Int(slot) / ConnectionTable.chunkSlots] + Int(slot) % ConnectionTable.chunkSlots
  }

  /// The connection of that name, unless it is over.
  func find(_ id: ConnectionID) -> UnsafeMutablePointer<Connection>? {
    guard id.slot >= 0, id.slot < slotCount else { return nil }
    let connection = self[id.slot]
    guard connection.pointee.generation == id.generation else { return nil }
    switch connection.pointee.phase {
    case .free, .over: return nil
    case .dialling, .head, .open, .lingering: return connection
    }
  }

  func id(of slot: Int32) -> ConnectionID {
    ConnectionID(slot: slot, generation: self[slot].pointee.generation)
  }

  /// A slot in phase `.over` with a new generation; the caller fills it.
  func take() -> ConnectionID {
    if free.isEmpty { grow() }
    let slot = free.removeLast()
    let connection = self[slot]
    let generation = connection.pointee.generation &+ 1
    connection.pointee = Connection()
    connection.pointee.generation = generation
    connection.pointee.phase = .over
    return ConnectionID(slot: slot, generation: generation)
  }

  /// The slot's connection is over; buffers go at once.
  func end(_ slot: Int32) {
    let connection = self[slot]
    connection.pointee.phase = .over
    connection.pointee.backlog = []
    connection.pointee.backlogStart = 0
    connection.pointee.stash = []
    connection.pointee.tls = nil
    connection.pointee.machine = WebSocketConnection(role: .server, messageBytesMax: 0)
    ended.append(slot)
  }

  /// The turn is over: what ended in it can be used again.
  func freeEnded() {
    for slot in ended { self[slot].pointee.phase = .free }
    free.append(contentsOf: ended)
    ended.removeAll(keepingCapacity: true)
  }

  private func grow() {
    let chunk = UnsafeMutablePointer<Connection>.allocate(capacity: ConnectionTable.chunkSlots)
    chunk.initialize(repeating: Connection(), count: ConnectionTable.chunkSlots)
    let first = slotCount
    chunks.append(chunk)
    // The lowest slot is taken first.
    for offset in (0..<Int32(ConnectionTable.chunkSlots)).reversed() { free.append(first + offset) }
  }
}
