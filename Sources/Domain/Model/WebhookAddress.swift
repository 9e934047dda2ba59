/// The address to which a webhook sends: an absolute URL with `https` or `http` (RFC 3986), in ASCII, of at most
/// `Limits.webhookAddressBytesMax` bytes. It names a host, and has neither a user nor a fragment. The host is judged
/// when it is called, because only then is it known where it leads.
package struct WebhookAddress: Equatable, Sendable {
  package let text: String
  /// The host and port, without the rest, which may be a secret.
  package let host: String

  /// The reason why a text is no such address, for the end of a sentence.
  package enum Problem: String, Error {
    case length = "must have 1 to 2048 bytes"
    case characters = "has a character that no URL may have: write it in percent code"
    case scheme = "must begin with https:// or http://"
    case user = "must have no user and no password"
    case fragment = "must have no #"
    case host = "names no host"
    case port = "has no port from 1 to 65535 behind the colon"
  }

  package init(_ text: String) throws(Problem) {
    let bytes = Array(text.utf8)
    guard (1...Limits.webhookAddressBytesMax).contains(bytes.count) else { throw .length }
    guard bytes.allSatisfy(WebhookAddress.isOfURL) else { throw .characters }
    let beginning = text.prefix(8).lowercased()
    guard let scheme = ["https://", "http://"].first(where: beginning.hasPrefix) else {
      throw .scheme
    }
    guard !bytes.contains(UInt8(ascii: "#")) else { throw .fragment }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else { throw .user }
    try WebhookAddress.check(authority)
    self.text = text
    host = String(authority)
  }

  /// Makes an address of a text, or nil when the text is none.
  package init?(ofText text: String) {
    do throws(Problem) {
      try self.init(text)
    } catch {
      return nil
    }
  }

  private static func check(_ authority: Substring) throws(Problem) {
    var host = authority
    var port: Substring?
    if authority.first == "[" {
      guard let end = authority.firstIndex(of: "]") else { throw .host }
      host = authority[..<end].dropFirst()
      guard !host.isEmpty, host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
        throw .host
      }
      let tail = authority[end...].dropFirst()
      guard tail.isEmpty || tail.first == ":" else { throw .host }
      port = tail.isEmpty ? nil : tail.dropFirst()
    } else {
      if let colon = authority.firstIndex(of: ":") {
        host = authority[..<colon]
        port = authority[colon...].dropFirst()
      }
      guard !host.isEmpty, host.allSatisfy(isOfHost) else { throw .host }
    }
    guard let port else { return }
    guard port.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(port),
      (1...65_535).contains(number)
    else { throw .port }
  }

  /// Answers whether a URL may have the byte (RFC 3986 §2). A backslash may end the host for some programs.
  private static func isOfURL(_ byte: UInt8) -> Bool {
    (0x21...0x7e).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
  }

  private static func isOfHost(_ character: Character) -> Bool {
    switch character {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
    default: false
    }
  }
}
