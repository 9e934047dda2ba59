// The addresses of this machine itself. A public one is no way around: what listens there may be closed to the internet
// by a firewall that lets the machine itself through. Neighbours behind the same router often have public IPv6
// addresses, and the same is true of them.

import Glibc

/// The addresses of the interfaces, each with the bits that it shares with its neighbours.
struct OwnAddresses {
  private let entries: [(address: SocketAddress, mask: [UInt8])]

  /// Takes addresses, and for IPv6 the 16 bytes of the mask of each network.
  init(_ entries: [(address: SocketAddress, mask: [UInt8])]) { self.entries = entries }

  /// Asks the kernel. Nil when it does not say.
  static func current() -> OwnAddresses? {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return nil }
    defer { freeifaddrs(first) }
    var entries: [(address: SocketAddress, mask: [UInt8])] = []
    var next = first
    while let entry = next {
      if let address = entry.pointee.ifa_addr.flatMap(SocketAddress.init(of:)) {
        let mask = entry.pointee.ifa_netmask.flatMap(SocketAddress.init(of:))
        entries.append((address, mask?.bytes ?? []))
      }
      next = entry.pointee.ifa_next
    }
    return OwnAddresses(entries)
  }

  /// Answers whether the address is one of this machine, or for IPv6 one of the same network.
  func holds(_ address: SocketAddress) -> Bool {
    entries.contains { own in
      if own.address == address { return true }
      guard case .ipv6(let mine) = own.address, case .ipv6(let other) = address,
        own.mask.count == 16, own.mask.contains(where: { $0 != 0 })
      else { return false }
      return zip(zip(mine, other), own.mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
    }
  }
}

extension SocketAddress {
  /// Reads an address of the kernel. Nil for another family than those of the internet.
  fileprivate init?(of raw: UnsafeMutablePointer<sockaddr>) {
    let bytes = UnsafeRawPointer(raw)
    switch Int32(raw.pointee.sa_family) {
    case AF_INET:
      let address = bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
      self = .ipv4(UInt32(bigEndian: address))
    case AF_INET6:
      var address = bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr
      self = .ipv6(withUnsafeBytes(of: &address) { Array($0) })
    default: return nil
    }
  }

  fileprivate var bytes: [UInt8]? { if case .ipv6(let bytes) = self { bytes } else { nil } }
}
