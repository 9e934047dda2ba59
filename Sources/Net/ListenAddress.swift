import CLinux

/// An address to listen on: `127.0.0.1:8484`, `[::1]:0`, `localhost:8484` (port 0: the kernel
/// picks), or a socket file, `unix:/run/whattodo.sock`.
package struct ListenAddress: Hashable, Sendable {
  enum Endpoint: Hashable, Sendable {
    case socket(PeerAddress)
    case unix(path: String)
  }

  let endpoint: Endpoint

  /// The longest path of a socket file in bytes (107 on Linux).
  package static var pathBytesMax: Int { Int(whattodo_unix_path_max()) }

  private static let unixPrefix = "unix:"

  /// Reads `host:port` or `unix:PATH`; throws `.badAddress`, `.pathTooLong`. `localhost` is
  /// 127.0.0.1. A path has no blank, control character or `:`, which would end it in a URL.
  package init(_ text: String) throws(NetError) {
    if text.hasPrefix(ListenAddress.unixPrefix) {
      let path = String(text.dropFirst(ListenAddress.unixPrefix.count))
      let isPrintable = path.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ":") }
      guard !path.isEmpty, isPrintable else { throw .badAddress(text) }
      guard path.utf8.count <= ListenAddress.pathBytesMax else { throw .pathTooLong(path) }
      endpoint = .unix(path: path)
      return
    }
    guard let (host, port) = ListenAddress.split(text), let port,
      let address = PeerAddress(host: host == "localhost" ? "127.0.0.1" : host, port: port)
    else { throw .badAddress(text) }
    guard address.isIPv4 != (text.utf8.first == UInt8(ascii: "[")) else { throw .badAddress(text) }
    endpoint = .socket(address)
  }

  init(_ endpoint: Endpoint) {
    self.endpoint = endpoint
  }

  /// Whether only this machine can reach it: 127.0.0.0/8, ::1, or a socket file.
  package var isLoopback: Bool {
    switch endpoint {
    case .socket(let address): address.isLoopback
    case .unix: true
    }
  }

  /// Whether it is a socket file. Its clients are programs of this machine, mostly a proxy.
  package var isUnix: Bool {
    switch endpoint {
    case .socket: false
    case .unix: true
    }
  }

  /// The port; 0 for a socket file.
  package var port: UInt16 { socketAddress?.port ?? 0 }

  /// The address of a socket. Nil for a socket file.
  package var socketAddress: PeerAddress? {
    switch endpoint {
    case .socket(let address): address
    case .unix: nil
    }
  }

  /// Returns the URL of a path of the WebSocket server there: `ws://127.0.0.1:8484/ws`, `wss://…` when it is `secure`,
  /// and `ws+unix:/run/whattodo.sock:/ws`, as the Node package `ws` writes it. Without a path it is a URL to which a
  /// path can be appended.
  package func url(_ path: String = "", secure: Bool = false) -> String {
    switch endpoint {
    case .socket(let address): "\(secure ? "wss" : "ws")://\(address)\(path)"
    case .unix(let file): "ws+unix:\(file)\(path.isEmpty ? "" : ":" + path)"
    }
  }

  /// Splits `host:port`, `[host]:port`, `host` or `[host]`, and takes the brackets off. Nil when the text is none of
  /// these, or when the port is no number up to 65 535.
  static func split(_ text: String) -> (host: String, port: UInt16?)? {
    let bytes = text.utf8
    var rest = bytes[...]
    let host: Substring.UTF8View
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      host = bytes[bytes.index(after: bytes.startIndex)..<end]
      rest = bytes[bytes.index(after: end)...]
    } else {
      let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
      host = bytes[..<end]
      rest = bytes[end...]
    }
    guard !host.isEmpty else { return nil }
    if rest.isEmpty { return (String(Substring(host)), nil) }
    let digits = rest.dropFirst()
    guard rest.first == UInt8(ascii: ":"), (1...5).contains(digits.count),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = UInt16(Substring(digits))
    else { return nil }
    return (String(Substring(host)), port)
  }
}

extension ListenAddress: CustomStringConvertible {
  /// The text in the form that `init` reads: `127.0.0.1:8484`, `[::1]:8484`, `unix:/run/whattodo.sock`.
  package var description: String {
    switch endpoint {
    case .socket(let address): address.description
    case .unix(let path): ListenAddress.unixPrefix + path
    }
  }
}
