/// The cost of a guess at a password (RFC 7914 §2).
package struct ScryptCost: Hashable, Sendable {
  /// The logarithm of N, to the base of 2. One more doubles memory and time.
  package let logN: Int
  /// The size of a block.
  package let r: Int
  /// The number of times that the whole is done: it takes time without memory.
  package let p: Int

  package init(logN: Int, r: Int, p: Int) {
    self.logN = logN
    self.r = r
    self.p = p
  }

  /// The choice of OWASP for 32 MiB (Password Storage Cheat Sheet): N = 2¹⁵, r = 8, p = 3.
  package static let standard = ScryptCost(logN: 15, r: 8, p: 3)

  /// The bytes of memory that one hash takes while it runs. 0 for a cost that is not allowed.
  package var memoryBytes: Int { isAllowed ? 128 * r * ((1 << logN) + p + 2) : 0 }

  /// Whether hashes are made at this cost. The bounds keep arithmetic from overflowing, and a typing error in a setting
  /// from taking the machine: at most 1 GiB and 16 rounds.
  package var isAllowed: Bool {
    (1...20).contains(logN) && (1...32).contains(r) && (1...16).contains(p)
      && 128 * r * (1 << logN) <= 1 << 30
  }
}
