// How values of the domain look in a column, where that is not plain.

import Domain

extension ObjectKind {
  /// The kinds in the order of a snapshot; 1 and 6 are also in the schema and in queries.
  var storedNumber: Int64 {
    switch self {
    case .category: 1
    case .group: 2
    case .profile: 3
    case .member: 4
    case .groupCategory: 5
    case .post: 6
    case .invitation: 7
    case .membership: 8
    case .readMark: 9
    case .notice: 10
    }
  }

  /// Nil for a number that no kind has.
  init?(storedNumber: Int64) {
    guard let kind = ObjectKind.allCases.first(where: { $0.storedNumber == storedNumber }) else {
      return nil
    }
    self = kind
  }
}

/// The events of a command's result: for each the stream's 17 bytes and the number's 8, big-endian.
enum StoredPositions {
  private static let bytesEach = 25

  static func encode(_ positions: [StreamPosition]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(positions.count * bytesEach)
    for position in positions {
      bytes.append(position.stream.letter)
      bytes.append(contentsOf: position.stream.uuid.bytes)
      let seq = UInt64(position.seq)
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: seq >> shift))
      }
    }
    return bytes
  }

  /// Nil when the bytes are none that `encode` makes.
  static func decode(_ bytes: [UInt8]) -> [StreamPosition]? {
    guard bytes.count % bytesEach == 0 else { return nil }
    var positions: [StreamPosition] = []
    for start in stride(from: 0, to: bytes.count, by: bytesEach) {
      guard let uuid = UUID(bytes: Array(bytes[start + 1..<start + 17])),
        let stream = StreamID(letter: bytes[start], uuid: uuid)
      else { return nil }
      let seq = bytes[start + 17..<start + 25].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      positions.append(StreamPosition(stream: stream, seq: Int64(bitPattern: seq)))
    }
    return positions
  }
}
