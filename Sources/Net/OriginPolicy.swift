// Browsers let any page open a WebSocket to any address, and a page's own name may be pointed at 127.0.0.1 after it was
// loaded (DNS rebinding). Pages cannot forge two fields: Host, the name that the browser was told, and Origin, the page
// that runs. So an unknown Host is answered 421 (RFC 9110 §15.5.20), and a foreign Origin 403 (RFC 6455 §10.2).
// Programs send no Origin and are not checked by it. Ports are not compared: they may be forwarded, and a page of the
// same host is at home.

import WebSocket

/// The hosts and origins that are allowed.
struct OriginPolicy: Sendable {
  private let listeners: [PeerAddress]
  private let hosts: [String]
  private let origins: [String]

  /// The address of our end of every accepted socket, when there is one listener for one address. Otherwise nil.
  let onlyAddress: PeerAddress?

  init(listeners: [ListenAddress], hosts: [String], origins: [String]) {
    self.listeners = listeners.compactMap(\.socketAddress)
    onlyAddress = listeners.count == 1 ? self.listeners.first { !$0.isWildcard } : nil
    self.hosts = hosts.map { $0.lowercased() }
    self.origins = origins.map { $0.lowercased() }
  }

  /// Answers whether the Host field (lower case) names this server. `local` is our end of the socket. Only HTTP/1.0,
  /// which no browser speaks, may leave the field out.
  func allows(host: String?, local: PeerAddress) -> Bool {
    guard let host else { return true }
    guard let (name, _) = ListenAddress.split(host) else { return false }
    if name == "localhost" || name.hasSuffix(".localhost") || hosts.contains(name) { return true }
    guard let address = PeerAddress(host: name, port: 0) else { return false }
    if address == local.with(port: 0), !address.isWildcard { return true }
    return listeners.contains { !$0.isWildcard && $0.with(port: 0) == address }
  }

  /// Answers whether a page may connect: it comes from the host that it asks for, or from a configured origin.
  func allows(origins values: [String], host: String?) -> Bool {
    guard let value = values.first else { return true }
    guard values.count == 1 else { return false }
    let origin = value.lowercased()
    if origins.contains(origin) { return true }
    guard let host, let (ownName, _) = ListenAddress.split(host) else { return false }
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      return ListenAddress.split(String(origin.dropFirst(scheme.count)))?.host == ownName
    }
    return false
  }
}
