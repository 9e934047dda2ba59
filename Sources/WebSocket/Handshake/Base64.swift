/// The GUID that both ends append to the key (RFC 6455 §1.3).
let webSocketGUID = Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)

/// The encoding of RFC 4648 §4, as far as a handshake needs it.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(3 - group.count) * 8
      for index in 0..<4 {
        let digit = Int(bits >> UInt32(18 - index * 6)) & 63
        output.append(index <= group.count ? alphabet[digit] : UInt8(ascii: "="))
      }
    }
    return output
  }
}

extension UInt8 {
  /// Whether this is in the alphabet of RFC 4648 §4.
  var isBase64Byte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
    default: false
    }
  }
}
