/// A request target taken apart (RFC 9112 §3.2).
struct HTTPTarget: Sendable, Hashable {
  /// The authority, from the absolute form only. It outweighs the Host field (§3.2.2).
  var authority: String?
  let path: String
  let query: String?

  /// Takes the origin form, the absolute form (http, https, ws, wss) and, for OPTIONS, `*`.
  init(_ bytes: ArraySlice<UInt8>, allowsAsterisk: Bool) throws(HTTPFault) {
    guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw .malformed
    }
    if allowsAsterisk && bytes.elementsEqual("*".utf8) {
      (authority, path, query) = (nil, "*", nil)
      return
    }
    var rest = bytes
    authority = nil
    if bytes.first != .slash {
      guard let start = Self.authorityStart(bytes) else { throw .malformed }
      let end = bytes[start...].firstIndex { $0 == .slash || $0 == UInt8(ascii: "?") }
      let name = bytes[start..<(end ?? bytes.endIndex)]
      guard name.isHost else { throw .malformed }
      authority = name.hostText
      rest = bytes[(end ?? bytes.endIndex)...]
    }
    let mark = rest.firstIndex(of: UInt8(ascii: "?"))
    let pathBytes = rest[..<(mark ?? rest.endIndex)]
    path = pathBytes.isEmpty ? "/" : pathBytes.text
    query = mark.map { rest[($0 + 1)...].text }
  }

  private static func authorityStart(_ bytes: ArraySlice<UInt8>) -> Int? {
    for scheme in ["http://", "https://", "ws://", "wss://"]
    where bytes.prefix(scheme.utf8.count).isWord(scheme) {
      return bytes.startIndex + scheme.utf8.count
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// Whether this is a host with or without a port (RFC 3986 §3.2.2): a name, an IPv4 address, or an IPv6 address in
  /// brackets. It has no user and nothing percent-encoded.
  var isHost: Bool {
    var rest = self
    if first == UInt8(ascii: "[") {
      guard let close = firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = self[(startIndex + 1)..<close]
      let isAddress = address.allSatisfy { $0.isHexDigit || $0 == .colon || $0 == 0x2E }
      guard !address.isEmpty && isAddress else { return false }
      rest = self[(close + 1)...]
    } else {
      rest = self[(firstIndex(of: .colon) ?? endIndex)...]
      let name = self[..<rest.startIndex]
      guard !name.isEmpty && name.allSatisfy(\.isHostNameByte) else { return false }
    }
    guard let colon = rest.first else { return true }
    guard colon == .colon, let port = rest.dropFirst().decimal(digitsMax: 5) else { return false }
    return port <= 65_535
  }

  /// The host in lower case, because hosts are compared without regard to case.
  var hostText: String { String(decoding: map(\.lowercased), as: UTF8.self) }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { isDigit || (lowercased >= 0x61 && lowercased <= 0x66) }

  fileprivate var isHostNameByte: Bool {
    isDigit || (lowercased >= 0x61 && lowercased <= 0x7A) || self == 0x2D || self == 0x2E
      || self == 0x5F
  }
}
