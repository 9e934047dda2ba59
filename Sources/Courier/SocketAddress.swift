// The address to which libcurl is about to connect, as the kernel will read it. A name may have another address each
// time it is asked for, and "2130706433" is 127.0.0.1. Here all of that is over.

import CCurl
import Glibc

/// An address of a socket, without the port.
enum SocketAddress: Equatable {
  /// An IPv4 address in host order.
  case ipv4(UInt32)
  /// The 16 bytes of an IPv6 address.
  case ipv6([UInt8])
  /// An address of another family, such as AF_UNIX.
  case other(family: Int)

  init(_ raw: UnsafeMutablePointer<curl_sockaddr>) {
    let bytes = UnsafeRawPointer(whattodo_curl_address(raw))
    let count = Int(raw.pointee.addrlen)
    switch raw.pointee.family {
    case AF_INET where count >= MemoryLayout<sockaddr_in>.size:
      let address = bytes?.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
      self = .ipv4(UInt32(bigEndian: address ?? 0))
    case AF_INET6 where count >= MemoryLayout<sockaddr_in6>.size:
      var address = bytes?.loadUnaligned(as: sockaddr_in6.self).sin6_addr ?? in6_addr()
      self = .ipv6(withUnsafeBytes(of: &address) { Array($0) })
    default: self = .other(family: Int(raw.pointee.family))
    }
  }

  /// True for an address of the public internet.
  var isPublic: Bool {
    switch self {
    case .ipv4(let address): AddressJudge.isPublic(ipv4: address)
    case .ipv6(let address): AddressJudge.isPublic(ipv6: address)
    case .other: false
    }
  }

  /// True for an address of the internet, public or not.
  var isInternet: Bool {
    switch self {
    case .ipv4, .ipv6: true
    case .other: false
    }
  }

  /// The address as people write it: `127.0.0.1`, `::1` (RFC 5952), `family 1`.
  var text: String {
    switch self {
    case .ipv4(let address):
      [24, 16, 8, 0].map { "\(address >> $0 & 0xFF)" }.joined(separator: ".")
    case .ipv6(let address): SocketAddress.text(address)
    case .other(let family): "family \(family)"
    }
  }

  private static func text(_ address: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, address, &text, socklen_t(text.count)) != nil else { return "IPv6" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
