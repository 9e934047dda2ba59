// Masking, RFC 6455 §5.3: byte i of a payload is XORed with byte i mod 4 of the key.
//
// Safe code has no eight-byte loads out of a byte span, so the optimizer must be led to vectors. XOR of a window with a
// pattern of 32 bytes becomes vector code (1 KiB in 90 ns; a loop over `key[i & 3]` takes 830). Below 32 bytes setting
// up the pattern costs more than it saves, so four bytes are taken at a time with one bounds check.

extension MaskKey {
  /// Returns byte `index` of the key, counted round the four. Byte 0 is the first on the wire.
  func byte(_ index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: bits &>> UInt32(truncatingIfNeeded: (3 &- (index & 3)) &* 8))
  }

  /// Returns the key as it applies from `count` bytes further on in the same payload.
  func advanced(by count: Int) -> MaskKey {
    let turn = UInt32(truncatingIfNeeded: (count & 3) &* 8)
    return turn == 0 ? self : MaskKey(bits: bits &<< turn | bits &>> (32 &- turn))
  }

  /// Masks or unmasks (it is the same) the bytes at `range`, in place. Byte 0 of the key meets the first byte.
  func apply(to bytes: inout MutableSpan<UInt8>, at range: Range<Int>) {
    var part = bytes._mutatingExtracting(range)
    if range.count < 32 { applyByFours(to: &part) } else { applyByPattern(to: &part) }
  }

  private func applyByFours(to part: inout MutableSpan<UInt8>) {
    let (first, second, third, fourth) = (byte(0), byte(1), byte(2), byte(3))
    let count = part.count
    var index = 0
    while index < count - 3 {
      // The highest index comes first: it makes the checks of the others needless.
      part[index + 3] ^= fourth
      part[index] ^= first
      part[index + 1] ^= second
      part[index + 2] ^= third
      index += 4
    }
    while index < count {
      part[index] ^= byte(index)
      index += 1
    }
  }

  private func applyByPattern(to part: inout MutableSpan<UInt8>) {
    let (a, b, c, d) = (byte(0), byte(1), byte(2), byte(3))
    let pattern: InlineArray<32, UInt8> = [
      a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d,
      a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d,
    ]
    let count = part.count
    var index = 0
    while index < count {
      let length = min(32, count &- index)
      var window = part._mutatingExtracting(index..<(index &+ length))
      let key = pattern.span.extracting(0..<length)
      for offset in 0..<length { window[offset] ^= key[offset] }
      index &+= length
    }
  }
}
