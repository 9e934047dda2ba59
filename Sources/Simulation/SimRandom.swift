package import Domain

/// SplitMix64 (Steele, Lea, Flood 2014). It makes the same numbers from the same seed on every machine.
package struct SimRandom: Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to count − 1; `count` is at least 1.
  package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }

  package mutating func between(_ low: Int64, _ high: Int64) -> Int64 {
    low + Int64(next() % UInt64(high - low + 1))
  }

  /// Returns true in `perMille` of a thousand cases.
  package mutating func happens(_ perMille: Int) -> Bool { below(1_000) < perMille }

  /// Returns one of the elements; nil when there is none.
  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }

  package mutating func uuid() -> UUID { UUID(high: next(), low: next()) }
}

/// FNV-1a (Fowler, Noll, Vo). It compares runs, and stands in for SHA-256, which is not pure Swift.
package struct Digest: Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  package mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { add(byte) }
  }

  package mutating func add(_ number: Int64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// Returns 32 bytes that differ for different inputs as far as chance goes; no secret depends on them here.
  package static func of(_ bytes: [UInt8]) -> [UInt8] {
    var words: [UInt8] = []
    for salt in 1...4 {
      var digest = Digest()
      digest.add(UInt8(salt))
      digest.add(bytes)
      words += UUID(high: digest.value, low: 0).bytes.prefix(8)
    }
    return words
  }
}
