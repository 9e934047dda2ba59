// A mark is what finds a command's key in the store: 64 bits instead of some sixty bytes, so that a page of the index
// holds four times as many. It is SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012), keyed
// by the store's secret, so nobody can search for two keys with the same mark. By chance two keys of one stream have
// the same mark in one of four million streams with ten million keys each. The second key then lies at another of four
// neighbouring marks (`places`), among which the whole key is looked for.

import Domain
import Sync

struct KeyHasher {
  private let first: UInt64
  private let second: UInt64

  static let secretBytes = 16

  /// Keys the marks by the first 16 bytes of the secret.
  init(secret: [UInt8]) {
    first = KeyHasher.word(secret, 0..<8)
    second = KeyHasher.word(secret, 8..<16)
  }

  func mark(actor: UUID, key: String) -> Int64 {
    var bytes = actor.bytes
    bytes.append(contentsOf: key.utf8)
    return Int64(bitPattern: hash(bytes))
  }

  func mark(of address: KeyAddress) -> Int64 {
    mark(actor: address.actor.uuid, key: address.key.text)
  }

  /// The marks at which a key with this mark may lie. It lies at the first one that was free.
  static func places(of mark: Int64) -> [Int64] { (0..<4).map { mark ^ $0 } }

  func hash(_ bytes: [UInt8]) -> UInt64 {
    var state = SipState(first, second)
    var place = 0
    while place + 8 <= bytes.count {
      state.take(KeyHasher.word(bytes, place..<place + 8))
      place += 8
    }
    let length = UInt64(truncatingIfNeeded: bytes.count) << 56
    state.take(KeyHasher.word(bytes, place..<bytes.count) | length)
    return state.finished()
  }

  /// Reads up to eight bytes, the lowest first.
  private static func word(_ bytes: [UInt8], _ places: Range<Int>) -> UInt64 {
    var word: UInt64 = 0
    for place in places.clamped(to: bytes.indices).reversed() {
      word = word << 8 | UInt64(bytes[place])
    }
    return word
  }
}

private struct SipState {
  private var v0, v1, v2, v3: UInt64

  init(_ first: UInt64, _ second: UInt64) {
    v0 = first ^ 0x736f_6d65_7073_6575
    v1 = second ^ 0x646f_7261_6e64_6f6d
    v2 = first ^ 0x6c79_6765_6e65_7261
    v3 = second ^ 0x7465_6462_7974_6573
  }

  mutating func take(_ word: UInt64) {
    v3 ^= word
    for _ in 0..<2 { round() }
    v0 ^= word
  }

  mutating func finished() -> UInt64 {
    v2 ^= 0xff
    for _ in 0..<4 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  private mutating func round() {
    v0 &+= v1
    v1 = turned(v1, 13) ^ v0
    v0 = turned(v0, 32)
    v2 &+= v3
    v3 = turned(v3, 16) ^ v2
    v0 &+= v3
    v3 = turned(v3, 21) ^ v0
    v2 &+= v1
    v1 = turned(v1, 17) ^ v2
    v2 = turned(v2, 32)
  }

  private func turned(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word << bits | word >> (64 - bits)
  }
}
