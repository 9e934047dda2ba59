// Strangers choose where letters go. A letter to an address inside the server's own network would reach machines that
// trust whoever can reach them: databases, routers, the cloud's metadata at 169.254.169.254. So letters go only to
// addresses that the whole internet can reach.
//
// The source is IANA's registries of special-purpose addresses (RFC 6890, RFC 8190):
// iana.org/assignments/iana-ipv4-special-registry and iana.org/assignments/iana-ipv6-special-registry. Multicast (RFC
// 5771, RFC 4291 §2.7) and the reserved 240/4 are refused too. For IPv6 the rule is turned round: only 2000::/3, the
// one part from which global unicast addresses are given out (RFC 4291 §2.4, RFC 3587), is public.

/// Judges whether an IP address belongs to the public internet.
enum AddressJudge {
  /// Answers for an IPv4 address in host order: 127.0.0.1 is 0x7F00_0001.
  static func isPublic(ipv4 address: UInt32) -> Bool {
    !specialV4.contains { range in (address ^ range.first) >> (32 - range.bits) == 0 }
  }

  /// Answers for the 16 bytes of an IPv6 address in network order.
  static func isPublic(ipv6 address: [UInt8]) -> Bool {
    precondition(address.count == 16, "an IPv6 address has 16 bytes")
    // A mapped address (RFC 4291 §2.5.5.2) and one of a translator to IPv4 (RFC 6052 §2.1) end in the IPv4 address that
    // is reached in truth.
    if address.starts(with: mapped) || address.starts(with: translated) {
      return isPublic(ipv4: word(address[12...]))
    }
    // A relay of 6to4 sends to the IPv4 address behind the first two bytes (RFC 3056 §2).
    if address.starts(with: [0x20, 0x02]) { return isPublic(ipv4: word(address[2..<6])) }
    let head = word(address[..<4])
    return head >> 29 == 0b001
      && !specialV6.contains { range in (head ^ range.first) >> (32 - range.bits) == 0 }
  }

  /// The IPv4 ranges that are not public: the first address, and how many of its bits all in the range share.
  private static let specialV4: [(first: UInt32, bits: UInt32)] = [
    // "This network" (RFC 791 §3.2). Linux takes 0.0.0.0 for itself.
    (0x0000_0000, 8),
    // Private use (RFC 1918).
    (0x0A00_0000, 8), (0xAC10_0000, 12), (0xC0A8_0000, 16),
    // Shared by a provider's customers (RFC 6598).
    (0x6440_0000, 10),
    // Loopback (RFC 1122 §3.2.1.3), and link-local (RFC 3927).
    (0x7F00_0000, 8), (0xA9FE_0000, 16),
    // Protocol assignments (RFC 6890 §2.1), and the old relays of 6to4 (RFC 7526).
    (0xC000_0000, 24), (0xC058_6300, 24),
    // Documentation (RFC 5737), and benchmarks (RFC 2544).
    (0xC000_0200, 24), (0xC633_6400, 24), (0xCB00_7100, 24), (0xC612_0000, 15),
    // Multicast, reserved and broadcast.
    (0xE000_0000, 3),
    // The host of a virtual machine at Azure, which has a public number.
    (0xA83F_8110, 32),
  ]

  /// The ranges in 2000::/3 that are not public, by the first 32 bits of their addresses.
  private static let specialV6: [(first: UInt32, bits: UInt32)] = [
    // Protocol assignments (RFC 2928), Teredo among them.
    (0x2001_0000, 23),
    // Documentation (RFC 3849, RFC 9637).
    (0x2001_0DB8, 32), (0x3FFF_0000, 20),
  ]

  private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
  private static let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

  /// Reads four bytes, the highest first.
  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
