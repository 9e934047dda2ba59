import Deflate
import TestRandom
import WebSocket

/// A thing that came out of a connection, without how it came out (in the buffer or as an array).
enum Seen: Hashable, Sendable {
  case text([UInt8])
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case closed(CloseNotice)
  case failed(UInt16)

  static func message(_ kind: MessageKind, _ bytes: [UInt8]) -> Seen {
    switch kind {
    case .text: .text(bytes)
    case .binary: .binary(bytes)
    }
  }
}

/// Bytes around the piece that is fed, which the machine must neither read nor change.
private let rim: [UInt8] = [0xAA, 0x55, 0xFF, 0x00, 0x88]

/// Feeds one piece out of the middle of a larger buffer and drains the machine.
func feed(
  _ piece: ArraySlice<UInt8>, to connection: inout WebSocketConnection, inflater: Inflater? = nil
) -> [Seen] {
  var buffer = rim + piece + rim
  var seen: [Seen] = []
  var position = rim.count
  let end = rim.count + piece.count
  var span = buffer.mutableSpan
  draining: while true {
    switch connection.next(in: &span, at: &position, end: end, inflater: inflater) {
    case .needMore: break draining
    case .message(let kind, let range):
      precondition(range.lowerBound >= rim.count && range.upperBound <= end)
      seen.append(.message(kind, range.map { span[$0] }))
    case .joinedMessage(let kind, let bytes): seen.append(.message(kind, bytes))
    case .ping(let payload): seen.append(.ping(payload))
    case .pong(let payload): seen.append(.pong(payload))
    case .closed(let notice): seen.append(.closed(notice))
    case .failed(let fault): seen.append(.failed(fault.closeCode.rawValue))
    }
  }
  precondition(position == end)
  precondition(buffer.starts(with: rim) && buffer.suffix(rim.count).elementsEqual(rim))
  return seen
}

/// The events of a stream that arrives in these pieces.
func events(
  of pieces: [ArraySlice<UInt8>], role: WebSocketRole, messageBytesMax: Int = 1 << 20,
  inflater: Inflater? = nil
) -> [Seen] {
  let deflate = inflater.map { _ in DeflateAgreement(sendWindow: .bits15) }
  var connection = WebSocketConnection(
    role: role, messageBytesMax: messageBytesMax, deflate: deflate)
  return pieces.flatMap { feed($0, to: &connection, inflater: inflater) }
}

extension [UInt8] {
  func split(at index: Int) -> [ArraySlice<UInt8>] { [self[..<index], self[index...]] }

  var bytewise: [ArraySlice<UInt8>] { indices.map { self[$0...$0] } }

  func inChunks(of count: Int) -> [ArraySlice<UInt8>] {
    stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
  }

  /// Pieces of random sizes, empty ones included.
  func inPieces(upTo max: Int, by random: inout SeededRandom) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    while start < count {
      let end = Swift.min(count, start + Int.random(in: 0...max, using: &random))
      pieces.append(self[start..<end])
      start = end
    }
    return pieces
  }
}

/// The same in every run; a test's name shows the one that failed.
let seeds: [UInt64] = Array(1...9)
