package import Domain

/// The address of a server: `wss://host[:port][/path]`, or `ws://` without encryption. Port 443 or 80 and path `/ws`
/// are taken when they are left out.
package struct ServerAddress: Equatable, Sendable {
  package static let usual = "ws://127.0.0.1:8484/ws"

  /// Whether it is `wss`: the connection has TLS, and the server shows who it is.
  package let isEncrypted: Bool
  package let host: String
  package let port: UInt16
  package let path: String

  /// Reads a URL. The error of a wrong one says in a sentence what is wrong.
  package init(_ url: String) throws(ClientError) {
    isEncrypted = url.hasPrefix("wss://")
    guard isEncrypted || url.hasPrefix("ws://") else {
      throw .address("\(url): an address begins with wss:// or ws://")
    }
    let rest = url.dropFirst(isEncrypted ? 6 : 5)
    let authority = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(authority.count)
    guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let (host, port) = ServerAddress.split(authority, usualPort: isEncrypted ? 443 : 80)
    else { throw .address("\(url): not wss://host:port/path") }
    self.host = host
    self.port = port
    self.path = path.isEmpty || path == "/" ? "/ws" : String(path)
  }

  /// The URL in its one spelling.
  package var url: String {
    let scheme = isEncrypted ? "wss" : "ws"
    return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
  }

  /// Returns the URL where calendar programs find the list that a link shows (protocol §5.14), beside the socket. It is
  /// as short as it can be, because people copy it from a terminal.
  package func calendar(link code: String) -> String {
    "\(besideSocket)calendar/\(code.filter { $0 != "-" }.lowercased()).ics"
  }

  /// Returns the URL where programs report over HTTP (protocol §5.17). It names the list, unless the token is for that
  /// list alone.
  package func hooks(list: CategoryID? = nil) -> String {
    "\(besideSocket)hooks\(list.map { "/\($0.uuid)" } ?? "")"
  }

  /// The URL of what the server has beside its socket, up to the last `/`.
  private var besideSocket: String {
    let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
    let web = "\(isEncrypted ? "https" : "http")\(url.drop { $0 != ":" }.dropLast(path.count))"
    return "\(web)\(folder)"
  }

  /// Whether nobody on the way can read or change the messages: they are encrypted, or stay on this machine.
  package var isPrivate: Bool {
    isEncrypted || host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
  }

  private static func split(
    _ authority: Substring, usualPort: UInt16
  ) -> (String, UInt16)? {
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
    guard let port else { return (String(host), usualPort) }
    guard let number = UInt16(port), number > 0 else { return nil }
    return (String(host), number)
  }
}
