/// The methods about the connection itself.
package enum ConnectionMethod: String, MethodFamily {
  case hello
  case ping
  case about = "server.about"
  case open = "sync.open"
  case close = "sync.close"

  package var row: MethodRow {
    switch self {
    case .hello, .ping, .about, .close: .session()
    case .open: .session(from: .viewer)
    }
  }
}
