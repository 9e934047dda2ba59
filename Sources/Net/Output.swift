// One write per connection and turn. What a turn sends is not written at once but noted here: own
// frames lie one after another in `scratch`, shared frames are held by reference, and each
// connection has a chain of pieces. At the end of the turn a chain of one piece is written from
// where it lies, a longer one is copied together first. (Measured: 16 messages in one write cost a
// tenth of 16 writes.)
//
// Bounded: the loop writes early when `isFull`.

import WebSocket

/// What is due to the connections of one loop this turn.
struct Output {
  /// Bytes in `scratch` (`frame` -1) or a whole shared frame.
  struct Piece {
    let frame: Int32
    var start: Int
    var end: Int
    var next: Int32

    var count: Int { end - start }
  }

  /// Half a receive buffer's answers; the copy stays in the second-level cache.
  static let scratchBytesMax = 1 << 20
  static let piecesMax = 1 << 16

  /// Own frames of this turn.
  var scratch: [UInt8] = []
  private(set) var pieces: [Piece] = []
  private(set) var frames: [SharedFrame] = []
  /// Slots with something due, in the order of their first piece.
  private(set) var dirty: [Int32] = []

  var isFull: Bool {
    scratch.count >= Output.scratchBytesMax || pieces.count >= Output.piecesMax
  }

  /// Notes what was written to `scratch` from `start` on as due.
  mutating func addScratch(from start: Int, slot: Int32, _ connection: inout Connection) {
    let end = scratch.count
    guard end > start else { return }
    if connection.lastPiece >= 0, pieces[Int(connection.lastPiece)].frame < 0,
      pieces[Int(connection.lastPiece)].end == start
    {
      pieces[Int(connection.lastPiece)].end = end
      return
    }
    append(Piece(frame: -1, start: start, end: end, next: -1), slot: slot, &connection)
  }

  /// Notes a shared frame as due.
  mutating func add(_ frame: SharedFrame, slot: Int32, _ connection: inout Connection) {
    let count = frame.bytes.count
    let index = index(of: frame)
    append(Piece(frame: index, start: 0, end: count, next: -1), slot: slot, &connection)
  }

  /// Makes the flush look at a connection that has nothing due.
  mutating func touch(_ slot: Int32) {
    dirty.append(slot)
  }

  /// Takes the list of slots with something due.
  mutating func takeDirty() -> [Int32] {
    let slots = dirty
    dirty = []
    return slots
  }

  /// Forgets everything that was due, keeping usual amounts of memory.
  mutating func reset(reusing slots: [Int32]) {
    let isLarge = scratch.capacity > 2 * Output.scratchBytesMax
    scratch.removeAll(keepingCapacity: !isLarge)
    pieces.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    guard dirty.isEmpty else { return }
    dirty = slots
    dirty.removeAll(keepingCapacity: true)
  }

  /// Frames are sent to many in a row, or a few in turns.
  private mutating func index(of frame: SharedFrame) -> Int32 {
    let recent = frames.suffix(16)
    for index in recent.indices.reversed() where frames[index].isSame(as: frame) {
      return Int32(index)
    }
    frames.append(frame)
    return Int32(frames.count - 1)
  }

  private mutating func append(_ piece: Piece, slot: Int32, _ connection: inout Connection) {
    let index = Int32(pieces.count)
    pieces.append(piece)
    if connection.lastPiece >= 0 {
      pieces[Int(connection.lastPiece)].next = index
    } else {
      connection.firstPiece = index
      dirty.append(slot)
    }
    connection.lastPiece = index
  }
}
