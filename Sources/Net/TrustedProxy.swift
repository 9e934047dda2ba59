// X-Forwarded-For is a list to which every proxy appends its client; a client may have written anything into it before.
// So it is read from the right: an entry that a proxy of ours wrote is believed, and the first address that is not a
// proxy of ours is the client. An entry that is no address (`unknown`, `unix:`, a field that is missing) ends the walk
// at the proxy that wrote it. That proxy is then counted as the client, so nobody gains by hiding. The Forwarded field
// of RFC 7239 is not read.

/// The proxies whose X-Forwarded-For is believed: `10.0.0.0/8`, `::1`, or `unix` for all that come by socket files.
package struct TrustedProxy: Hashable, Sendable {
  private enum Range: Hashable, Sendable {
    case unix
    /// The first `bits` of 128 bits count.
    case addresses(first: PeerAddress, bits: Int)
  }

  private let range: Range

  /// Reads an address with or without `/bits`, or `unix`. Throws `.badRange`. The bits beyond must be 0, or the range
  /// would be another one than it looks.
  package init(_ text: String) throws(NetError) {
    guard text != "unix" else {
      range = .unix
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = PeerAddress(host: String(parts[0]), port: 0) else {
      throw .badRange(text)
    }
    let width = first.isIPv4 ? 32 : 128
    let bits = parts.count == 2 ? TrustedProxy.number(parts[1]) : width
    guard let bits, bits <= width, first.masked(to: bits + 128 - width) == first else {
      throw .badRange(text)
    }
    range = .addresses(first: first, bits: bits + 128 - width)
  }

  /// Answers whether this is such a proxy. Families do not mix: `::/0` covers no IPv4 address.
  package func covers(_ peer: PeerAddress) -> Bool {
    switch range {
    case .unix: peer == .unix
    case .addresses(let first, let bits):
      peer != .unix && peer.isIPv4 == first.isIPv4
        && peer.with(port: 0).masked(to: bits) == first
    }
  }

  private static func number(_ text: Substring) -> Int? {
    let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return (1...3).contains(text.utf8.count) && isDigits ? Int(text) : nil
  }
}

extension [TrustedProxy] {
  func cover(_ peer: PeerAddress) -> Bool { contains { $0.covers(peer) } }

  /// Returns the client of a request that came from `peer`, a proxy of ours: see the top of the file.
  func client(behind peer: PeerAddress, forwardedFor values: [String]) -> PeerAddress {
    var client = peer
    for value in values.reversed() {
      // The value is split as bytes: characters that a client wrote before a comma may make one Character with it.
      let entries = value.utf8.split(
        separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      for entry in entries.reversed() {
        guard cover(client), let before = PeerAddress(forwarded: Substring(entry)) else {
          return client
        }
        client = before
      }
    }
    return client
  }
}

extension PeerAddress {
  /// Reads an entry of X-Forwarded-For: an address, IPv6 with or without brackets. Some proxies write a port too.
  fileprivate init?(forwarded entry: Substring) {
    var text = entry
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    if let plain = PeerAddress(host: String(text), port: 0) {
      self = plain
    } else if let (host, _) = ListenAddress.split(String(text)),
      let address = PeerAddress(host: host, port: 0),
      address.isIPv4 != (text.first == "[")
    {
      self = address
    } else {
      return nil
    }
    if self == .unix { return nil }
  }

  fileprivate func masked(to bits: Int) -> PeerAddress {
    func mask(_ bits: Int) -> UInt64 { bits <= 0 ? 0 : UInt64.max << UInt64(64 - min(bits, 64)) }
    return PeerAddress(high: high & mask(bits), low: low & mask(bits - 64), port: port)
  }
}
