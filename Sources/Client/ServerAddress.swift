/// Where the server is: `ws://host[:port][/path]`. Port 80 and path `/ws` when left out.
package struct ServerAddress: Equatable, Sendable {
  package static let usual = "ws://127.0.0.1:8484/ws"

  package let host: String
  package let port: UInt16
  package let path: String

  /// Reads a URL; a sentence in the error says what is wrong with it.
  package init(_ url: String) throws(ClientError) {
    guard !url.hasPrefix("wss://") else {
      throw .address("\(url): encrypted connections (wss) are not supported yet")
    }
    guard url.hasPrefix("ws://") else { throw .address("\(url): an address begins with ws://") }
    let rest = url.dropFirst(5)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let (host, port) = ServerAddress.split(authority)
    else { throw .address("\(url): not ws://host:port/path") }
    self.host = host
    self.port = port
    self.path = path.isEmpty || path == "/" ? "/ws" : String(path)
  }

  /// The URL in its one spelling.
  package var url: String {
    "ws://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
  }

  private static func split(_ authority: Substring) -> (String, UInt16)? {
    var host = authority
    var port: Substring?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[..<end].dropFirst()
      let rest = authority[authority.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    }
    let allowed = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: ":"):
        true
      default: false
      }
    }
    guard allowed, !host.isEmpty else { return nil }
    guard let port else { return (String(host), 80) }
    guard let number = UInt16(port), number > 0 else { return nil }
    return (String(host), number)
  }
}
