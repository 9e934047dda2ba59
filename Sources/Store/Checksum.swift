// A stored body is read back only if it is the same. Beside every body stands a number of 64 bits, computed over the
// body's bytes and over what the row is of. A bit that turns over in a file, in a page or on its way is then an error
// of the one stream that it is in. It is told to the operator and answered `unavailable`, and it never becomes other
// data (`StoreFault.Kind.damaged`).
//
// Each step of the sum maps different words to different ones (XOR and multiplying by an odd number can be taken back).
// So a change within one word of eight bytes is always found, and of all other changes one in 2⁶⁴ is missed. The sum is
// no signature: whoever can write the file can write the number too. Rows that were written before
// Schema+Checksums.swift have no number until they are written anew.

import Domain
import Sync

struct Checksum {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The factor of each step. It is odd, and half of its bits are set.
  private static let factor: UInt64 = 0xD6E8_FEB8_6659_FD93

  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* Checksum.factor
    value ^= value >> 29
  }

  /// Adds the number of bytes and then the bytes, so that zeros at the end count.
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

  /// The sum in the form in which SQLite keeps it.
  var stored: Int64 { Int64(bitPattern: value) }
}

/// The row that a sum belongs to. It is part of the sum, because the same bytes in another row are damage too.
enum Summed {
  /// The body of the event with this number, or the objects as they were before it.
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
  /// Returns the bytes of a column whose sum stands in the next column. A row without a sum is not compared. Throws
  /// when the sum is another one.
  func body(_ column: Int32, _ what: Summed = .object) throws(DatabaseError) -> [UInt8] {
    let bytes = bytes(column)
    guard !isNull(column + 1), what.checksum(bytes) != int64(column + 1) else { return bytes }
    throw damaged(column, "is not what was written")
  }
}

extension KeyRecord {
  /// The sum of everything in the row but the hash, which goes when a text is erased.
  var checksum: Int64 {
    var sum = Checksum()
    sum.add(address.actor.uuid.bytes)
    sum.add(Array(address.key.text.utf8))
    sum.add(result.changed ? 1 : 0)
    for number in [result.number, result.version, result.generation] {
      sum.add(number.map { UInt64(bitPattern: Int64($0)) } ?? .max)
    }
    sum.add(CommandResultCodec.encode(result))
    return sum.stored
  }
}
