// Base 32 and base 64 are one algorithm: the bits of the bytes, highest first, cut into groups of 5 or 6 (RFC 4648
// §4–6). The last group is filled with zeros. Each byte string has exactly one text: a reader refuses a last group
// whose filling is not zero, and a number of groups that no number of bytes makes.

enum Bits {
  /// Returns the values of the groups.
  static func groups(of bytes: [UInt8], width: Int) -> [UInt8] {
    var groups: [UInt8] = []
    groups.reserveCapacity((bytes.count * 8 + width - 1) / width)
    var pending: UInt32 = 0
    var count = 0
    for byte in bytes {
      pending = pending << 8 | UInt32(byte)
      count += 8
      while count >= width {
        count -= width
        groups.append(UInt8(truncatingIfNeeded: pending >> UInt32(count)) & mask(width))
      }
    }
    if count > 0 {
      groups.append(UInt8(truncatingIfNeeded: pending << UInt32(width - count)) & mask(width))
    }
    return groups
  }

  /// Returns the bytes that make these groups. Nil when none do.
  static func bytes(of groups: [UInt8], width: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(groups.count * width / 8)
    var pending: UInt32 = 0
    var count = 0
    for group in groups {
      pending = pending << UInt32(width) | UInt32(group)
      count += width
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(count)))
      }
    }
    let filling = pending & (1 << UInt32(count) - 1)
    return count < width && filling == 0 ? bytes : nil
  }

  private static func mask(_ width: Int) -> UInt8 { 1 << UInt8(width) - 1 }
}
