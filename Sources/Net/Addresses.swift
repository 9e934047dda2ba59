import CLinux

/// One end of a socket: an IPv4 or IPv6 address and a port. Scopes (`%eth0`) are not supported. The ends of a socket
/// file have no address: both are `.unix`.
package struct PeerAddress: Hashable, Sendable {
  /// The upper half of the IPv6 address (IPv4 is ::ffff:a.b.c.d), host byte order.
  package let high: UInt64
  /// The lower half, host byte order.
  package let low: UInt64
  /// The port, 0…65 535.
  package let port: UInt16

  /// The address of everybody who comes through a socket file. It counts as one customer.
  package static let unix = PeerAddress(high: 0, low: 0, port: 0)

  init(high: UInt64, low: UInt64, port: UInt16) {
    self.high = high
    self.low = low
    self.port = port
  }

  init(_ raw: whattodo_address) {
    self.init(high: raw.high, low: raw.low, port: raw.port)
  }

  /// Reads a numeric address without port. Nil for anything else.
  init?(host: String, port: UInt16) {
    var raw = whattodo_address()
    guard !host.utf8.contains(0), whattodo_address_parse(host, &raw) == 0 else { return nil }
    self.init(high: raw.high, low: raw.low, port: port)
  }

  var raw: whattodo_address { whattodo_address(high: high, low: low, port: port) }

  /// True for IPv4, also when it was written ::ffff:a.b.c.d.
  package var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

  /// True for 127.0.0.0/8 and ::1.
  package var isLoopback: Bool {
    isIPv4 ? (low >> 24) & 0xff == 127 : high == 0 && low == 1
  }

  /// True for 0.0.0.0 and ::, which mean every address of the machine.
  package var isWildcard: Bool {
    isIPv4 ? UInt32(truncatingIfNeeded: low) == 0 : high == 0 && low == 0
  }

  /// The part of the address that limits count as one customer: a whole IPv4 address, or the /64 of an IPv6 address.
  /// Port 0.
  package var prefix: PeerAddress {
    PeerAddress(high: high, low: isIPv4 ? low : 0, port: 0)
  }

  /// The part of the address that mostly belongs to one owner: the /24 of an IPv4 address, or the /48 of an IPv6
  /// address. Port 0.
  package var network: PeerAddress {
    isIPv4
      ? PeerAddress(high: high, low: low & ~0xff, port: 0)
      : PeerAddress(high: high & ~0xffff, low: 0, port: 0)
  }

  /// Returns the same address with another port.
  func with(port: UInt16) -> PeerAddress {
    PeerAddress(high: high, low: low, port: port)
  }

  /// The address without port: `127.0.0.1`, `::1`.
  package var host: String {
    var raw = raw
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      guard let start = text.baseAddress, whattodo_address_print(&raw, start, text.count) == 0
      else { return "?" }
      return String(cString: start)
    }
  }
}

extension PeerAddress: CustomStringConvertible {
  /// The address and port as text: `127.0.0.1:8484`, `[::1]:8484` or `unix`.
  package var description: String {
    if self == .unix { return "unix" }
    return isIPv4 ? "\(host):\(port)" : "[\(host)]:\(port)"
  }
}
