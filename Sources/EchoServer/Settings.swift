import Net

/// The settings that the command line gives.
struct Settings {
  /// The addresses to listen on, at least one.
  private(set) var listen: [String] = []
  private(set) var loops = 1
  /// Whether messages are compressed: for every client that offers it, and every message that it makes shorter.
  private(set) var deflate = false
  private(set) var connections = 100_000
  /// The files for TLS; both or none.
  private(set) var tls: (certificate: String, key: String)?

  /// Reads the words; nil when they are not as `Program.usage` says.
  init?(_ arguments: ArraySlice<String>) {
    var certificate: String?
    var key: String?
    var rest = arguments
    while let name = rest.popFirst() {
      if name == "--deflate" {
        deflate = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--listen": listen.append(value)
      case "--loops":
        guard let count = Int(value), (1...64).contains(count) else { return nil }
        loops = count
      case "--connections":
        guard let count = Int(value), count >= 1 else { return nil }
        connections = count
      case "--tls-certificate": certificate = value
      case "--tls-key": key = value
      default: return nil
      }
    }
    guard (1...NetOptions.listenersMax).contains(listen.count),
      (certificate == nil) == (key == nil)
    else { return nil }
    if let certificate, let key { tls = (certificate, key) }
  }
}
