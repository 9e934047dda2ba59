import Crypto
import WebSocket

/// Everything that one connection needs while it is idle. Buffers exist only while they hold something.
struct Connection {
  /// The stage of a connection's life. `dialling` and `head` hold what only the handshake needs.
  enum Phase {
    case free
    /// The address is looked up, the socket connects, or the answer to our handshake is on its way.
    case dialling(Dialling)
    /// A request or its body is on its way.
    case head(RequestReading)
    /// The connection carries WebSocket frames, and the application knows it.
    case open
    /// The application was told the end. The pending bytes leave, then we wait for the peer's end.
    case lingering(finishesFirst: Bool)
    /// The socket is closed. The slot becomes free when the turn is over.
    case over
  }

  var phase: Phase = .free
  var generation: UInt32 = 0
  /// The socket; -1 while there is none.
  var socket: Int32 = -1
  var interest: Poller.Interest = []
  var isPaused = false
  /// Whether the connection is not read until the backlog is gone (`NetOptions.backlogBytesMax`).
  var isChoked = false
  /// The number of pings and pongs since `controlsFrom`.
  var controls: UInt16 = 0
  /// The class in which loop 0 counts it. Nil when it was dialled.
  var admittedAs: Admission.Class?
  /// The listener that accepted it, as an index of `Loop.kinds`. It means nothing when the connection was dialled.
  var listener: UInt8 = 0
  var machine = WebSocketConnection(role: .server, messageBytesMax: 0)
  var peer = PeerAddress(high: 0, low: 0, port: 0)
  /// The moment at which the last byte came.
  var heardAt = Moment(milliseconds: 0)
  var controlsFrom = Moment(milliseconds: 0)
  /// The number of bytes that came after the last words and were thrown away.
  var lateBytes: Int32 = 0
  /// The moment at which the next ping is due.
  var pingAt = Moment(milliseconds: 0)
  var timer: TimerID?
  /// The TLS session, when the connection has TLS. A server's begins with the first bytes of the client.
  var tls: TLSSession?
  /// The bytes that the kernel did not take, from `backlogStart` on. With TLS they are ciphertext.
  var backlog: [UInt8] = []
  var backlogStart = 0
  /// The bytes that were received but not delivered, because reading was paused.
  var stash: [UInt8] = []
  /// The last piece of the chain in `Output` that is due this turn; -1 when nothing is due.
  var lastPiece: Int32 = -1

  var backlogBytes: Int { backlog.count - backlogStart }
}

/// The slots of one loop. A slot never moves, so a pointer to it is good until the slot is freed.
///
/// Slots are pointers, because a message handler sends to connections while one of them is being read.
final class ConnectionTable {
  private static let chunkSlots = 256
  private var chunks: [UnsafeMutablePointer<Connection>] = []
  private var free: [Int32] = []
  /// The slots that ended in this turn. They are free in the next one, so that no late event meets a stranger.
  private var ended: [Int32] = []

  deinit {
    for chunk in chunks {
      chunk.deinitialize(count: ConnectionTable.chunkSlots)
      chunk.deallocate()
    }
  }

  /// The number of slots made so far, used or not.
  var slotCount: Int32 { Int32(chunks.count * ConnectionTable.chunkSlots) }

  /// The number of slots that are in use, or were in this turn.
  var usedCount: Int { Int(slotCount) - free.count - ended.count }

  subscript(slot: Int32) -> UnsafeMutablePointer<Connection> {
    chunks[Int(slot) / ConnectionTable.chunkSlots] + Int(slot) % ConnectionTable.chunkSlots
  }

  /// Returns the connection of that name. Nil when it is over.
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

  /// Takes a slot in phase `.over` with a new generation. The caller fills it.
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

  /// Marks the slot's connection as over. Its buffers go at once.
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

  /// Frees the slots that ended in this turn; the turn is over.
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
