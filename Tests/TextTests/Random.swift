/// A small generator with a printable seed (Knuth's MMIX constants).
struct Random {
  var state: UInt64

  mutating func below(_ bound: UInt32) -> UInt32 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt32(truncatingIfNeeded: state >> 33) % bound
  }
}

/// Scalars that differ: all but the long runs of ideographs, syllables and private ones, of which the
/// ends are enough.
let telling: [Unicode.Scalar] = {
  let runs: [ClosedRange<UInt32>] = [
    0x3410...0x4DB0, 0x4E10...0x9FE0, 0xAC80...0xD780, 0xE010...0xF8F0, 0x20010...0x2F7F0,
    0x2FA20...0xDFFFD, 0xE0200...0xFFFF0, 0x100010...0x10FFF0,
  ]
  return (UInt32(0)...0x10FFFF).compactMap { value in
    runs.contains { $0.contains(value) } ? nil : Unicode.Scalar(value)
  }
}()
