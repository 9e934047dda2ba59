// What is written is read again only if it is the same: a number of 64 bits beside every body, over its bytes and over
// what the row is of. A bit that turns over in a file, in a page or on its way is then an error of the one stream
// that it is in, told to the operator and answered `unavailable`, and never other data (`StoreFault.Kind.damaged`).
//
// Each step of it maps different words to different ones (XOR and multiplying by an odd number can be taken back), so a
// change within one word of eight bytes is always found, and any other but for one in 2⁶⁴. It is no signature: who can
// write the file can write the number too. Rows of before the step that brought it (Schema+Checksums.swift) have none
// until they are written anew.

import Domain
import Sync

struct Checksum {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Odd, and half of its bits are set.
  private static let factor: UInt64 = 0xD6E8_FEB8_6659_FD93

  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* Checksum.factor
    value ^= value >> 29
  }

  /// With their number, so that zeros at the end count.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    add(UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
      offset += 8
    }
    guard offset < bytes.count else { return }
    var last: UInt64 = 0
    for index in offset..<bytes.count { last = last << 8 | UInt64(bytes[index]) }
    add(last)
  }

  mutating func add(_ bytes: [UInt8]) {
    bytes.span.bytes.withUnsafeBytes { add($0) }
  }

  /// As SQLite keeps it.
  var stored: Int64 { Int64(bitPattern: value) }
}

/// What the number beside a body says besides: the same bytes in another row are damage too.
enum Summed {
  /// An event of this number, or what was before it.
  case event(seq: Int64)
  case before(seq: Int64)
  case object

  func checksum(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    var sum = Checksum()
    switch self {
    case .event(let seq): sum.add(UInt64(bitPattern: seq))
    case .before(let seq): sum.add(~UInt64(bitPattern: seq))
    case .object: break
    }
    sum.add(bytes)
    return sum.stored
  }

  func checksum(_ bytes: [UInt8]) -> Int64 { bytes.span.bytes.withUnsafeBytes { checksum($0) } }
}

extension Statement {
  /// The bytes of a column whose number stands in the next one; nil there for a row of before.
  func body(_ column: Int32, _ what: Summed = .object) throws(DatabaseError) -> [UInt8] {
    let bytes = bytes(column)
    guard !isNull(column + 1), what.checksum(bytes) != int64(column + 1) else { return bytes }
    throw damaged(column, "is not what was written")
  }
}

extension KeyRecord {
  /// Over everything that its row says but the hash, which goes when a text is erased.
  var checksum: Int64 {
    var sum = Checksum()
    sum.add(address.actor.uuid.bytes)
    sum.add(Array(address.key.text.utf8))
    sum.add(result.changed ? 1 : 0)
    for number in [result.number, result.version, result.generation] {
      sum.add(number.map { UInt64(bitPattern: Int64($0)) } ?? .max)
    }
    sum.add(StoredDeeds.encode(result))
    return sum.stored
  }
}
