/// Bytes as base64 (RFC 4648 §4, padded) or base64url (§5, without padding). Readers accept only the spelling that
/// writers make.
package enum Base64 {
  private static let standard = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let url = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Returns base64 with padding, as the WebSocket handshake wants it.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text = characters(of: bytes, standard)
    while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads base64. Nil for anything but whole padded groups of four.
  package static func decode(_ text: String) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 4) else { return nil }
    let padding = text.utf8.suffix(2).filter { $0 == UInt8(ascii: "=") }.count
    return decodeUnpadded(String(decoding: text.utf8.dropLast(padding), as: UTF8.self))
  }

  /// Returns base64url for tokens: letters, digits, `-` and `_`, no padding.
  package static func encodeURL(_ bytes: [UInt8]) -> String { encode(bytes, url) }

  /// Reads base64url. Nil for anything that `encodeURL` does not make.
  package static func decodeURL(_ text: String) -> [UInt8]? { decode(text, url) }

  /// Returns base64 without padding, for PHC strings.
  static func encodeUnpadded(_ bytes: [UInt8]) -> String { encode(bytes, standard) }

  static func decodeUnpadded(_ text: String) -> [UInt8]? { decode(text, standard) }

  private static func encode(_ bytes: [UInt8], _ alphabet: [UInt8]) -> String {
    String(decoding: characters(of: bytes, alphabet), as: UTF8.self)
  }

  private static func characters(of bytes: [UInt8], _ alphabet: [UInt8]) -> [UInt8] {
    var text = Bits.groups(of: bytes, width: 6)
    for index in text.indices { text[index] = alphabet[Int(text[index])] }
    return text
  }

  private static func decode(_ text: String, _ alphabet: [UInt8]) -> [UInt8]? {
    var groups: [UInt8] = []
    groups.reserveCapacity(text.utf8.count)
    for letter in text.utf8 {
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      groups.append(UInt8(value))
    }
    return Bits.bytes(of: groups, width: 6)
  }
}
