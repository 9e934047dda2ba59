// One write per connection and turn. Bytes that a turn sends are not written at once but noted here. Own frames lie one
// after another in `scratch`, and shared frames are held by reference. Each connection has a chain of pieces, of which
// it knows the last. At the end of the turn a chain of one piece is written from where it lies, and a longer one is
// copied together first. (Measured: 16 messages in one write cost a tenth of 16 writes.)
//
// A chain is linked backwards, so that connections that were sent the same frames share it. The second subscriber of a
// frame finds the piece that the first one got, and only the number of that piece is noted for it. The bytes are put
// together once for all who have the same last piece.
//
// It is bounded: the loop writes early when `isFull`.

import Deflate
import WebSocket

/// The bytes that are due to the connections of one loop this turn.
struct Output {
  /// A part of a chain: bytes in `scratch` (`frame` -1) or a whole shared frame.
  struct Piece {
    let frame: Int32
    /// The piece before it, -1 for none.
    let previous: Int32
    var start: Int
    var end: Int
    /// The number of bytes of the chain that ends here.
    var chainBytes: Int
    /// The piece that a shared frame behind this one made last, -1 for none.
    var follower: Int32 = -1

    var count: Int { end - start }
  }

  /// A shared frame in one of its forms.
  struct Shared {
    let frame: SharedFrame
    let window: DeflateWindow?
    let form: SharedFrame.Form

    func isOf(_ frame: SharedFrame, _ window: DeflateWindow?) -> Bool {
      self.frame.isSame(as: frame) && self.window == window
    }
  }

  /// The most bytes of `scratch`: half a receive buffer's answers. The copy stays in the second-level cache.
  static let scratchBytesMax = 1 << 20
  static let piecesMax = 1 << 16
  /// The most bytes of shared frames that are held until the end of the turn: as much as many publishers send at once.
  static let frameBytesMax = 8 << 20

  /// The own frames of this turn.
  var scratch: [UInt8] = []
  private(set) var pieces: [Piece] = []
  private(set) var frames: [Shared] = []
  private var frameBytes = 0
  /// The slots with something due, in the order of their first piece.
  private(set) var dirty: [Int32] = []
  /// The piece that a shared frame at the beginning of a chain made last, for each kind of receiver.
  private var firstFollowers = InlineArray<3, Int32>(repeating: -1)

  var isFull: Bool {
    scratch.count >= Output.scratchBytesMax || pieces.count >= Output.piecesMax
      || frameBytes >= Output.frameBytesMax
  }

  /// Notes that the bytes of `scratch` from `start` on are due.
  mutating func addScratch(from start: Int, slot: Int32, _ connection: inout Connection) {
    let end = scratch.count
    guard end > start else { return }
    let last = Int(connection.lastPiece)
    // Bytes in `scratch` belong to one connection, so nobody else has this piece.
    if last >= 0, pieces[last].frame < 0, pieces[last].end == start {
      pieces[last].end = end
      pieces[last].chainBytes += end - start
      return
    }
    let piece = newPiece(frame: -1, start: start, end: end, behind: connection.lastPiece)
    append(piece, slot: slot, &connection)
  }

  /// Notes that a shared frame is due, in the form for this connection.
  mutating func add(
    _ frame: SharedFrame, _ compressors: Compressors, slot: Int32, _ connection: inout Connection
  ) {
    let window = connection.machine.deflate?.sendWindow
    let last = connection.lastPiece
    var piece = last < 0 ? firstFollowers[Output.place(window)] : pieces[Int(last)].follower
    if piece < 0 || !frames[Int(pieces[Int(piece)].frame)].isOf(frame, window) {
      let index = index(of: frame, window, compressors)
      let count = frames[Int(index)].form.bytes.count
      piece = newPiece(frame: index, start: 0, end: count, behind: last)
      if last < 0 {
        firstFollowers[Output.place(window)] = piece
      } else {
        pieces[Int(last)].follower = piece
      }
    }
    append(piece, slot: slot, &connection)
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

  /// Forgets everything that was due, and keeps usual amounts of memory.
  mutating func reset(reusing slots: [Int32]) {
    let isLarge = scratch.capacity > 2 * Output.scratchBytesMax
    scratch.removeAll(keepingCapacity: !isLarge)
    pieces.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    frameBytes = 0
    firstFollowers = InlineArray(repeating: -1)
    guard dirty.isEmpty else { return }
    dirty = slots
    dirty.removeAll(keepingCapacity: true)
  }

  /// Returns the pieces of the chain that ends with `last`, in the order of their bytes.
  func chain(endingWith last: Int32) -> [Piece] {
    var chain: [Piece] = []
    var index = last
    while index >= 0 {
      chain.append(pieces[Int(index)])
      index = pieces[Int(index)].previous
    }
    return chain.reversed()
  }

  private static func place(_ window: DeflateWindow?) -> Int {
    switch window {
    case nil: 0
    case .bits15: 1
    case .bits9: 2
    }
  }

  /// Returns the index of a frame. It looks at the newest 16 only: frames are sent to many in a row, or a few in turns.
  private mutating func index(
    of frame: SharedFrame, _ window: DeflateWindow?, _ compressors: Compressors
  ) -> Int32 {
    let recent = frames.suffix(16)
    for index in recent.indices.reversed()
    where frames[index].isOf(frame, window) {
      return Int32(index)
    }
    let form = frame.form(window, compressors)
    frames.append(Shared(frame: frame, window: window, form: form))
    frameBytes += form.bytes.count
    return Int32(frames.count - 1)
  }

  private mutating func newPiece(frame: Int32, start: Int, end: Int, behind last: Int32) -> Int32 {
    let before = last < 0 ? 0 : pieces[Int(last)].chainBytes
    pieces.append(
      Piece(frame: frame, previous: last, start: start, end: end, chainBytes: before + end - start))
    return Int32(pieces.count - 1)
  }

  private mutating func append(_ piece: Int32, slot: Int32, _ connection: inout Connection) {
    if connection.lastPiece < 0 { dirty.append(slot) }
    connection.lastPiece = piece
  }
}
