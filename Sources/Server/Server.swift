// The whole server: opens the store, starts the threads, and ends them in an order in which everything that
// was accepted is still finished.

package import Crypto
internal import Domain
package import Net
package import Store
internal import Sync
internal import WebSocket
internal import Wire

/// A running server. It is made, waited for and gone; `stop` and `wait` may be called from any thread.
package final class Server: Sendable {
  /// The URLs where it accepts, in the order of the options: `ws://127.0.0.1:8484/ws`,
  /// `ws+unix:/run/whattodo.sock:/ws`.
  package let urls: [String]
  /// The addresses where `/metrics` is, in the order of the options.
  package let metricsAddresses: [ListenAddress]
  private let group: LoopGroup
  let mailboxes: Mailboxes
  /// The threads, in the order in which they end.
  private let threads: ServerThreads

  package static let version = Release.version
  package static let path = "/ws"
  package static let subprotocol = "whattodo.v1"

  /// Opens everything and starts serving. Nothing is left behind when this throws.
  package init(_ options: ServerOptions) throws(ServerError) {
    try Server.check(options)
    let identity = try options.certificate?.read()
    let opened = try OpenedStores(options)
    let recorder = try Server.recorder(options)
    let about = try options.about()
    do throws(NetError) {
      let mailboxes = try Mailboxes(
        loops: options.loops, readers: options.readers, hashers: options.hashers)
      let (rules, slowMilliseconds) = (options.session, options.slowMilliseconds)
      let health = HealthRoutes(mailboxes)
      // The loops come first: signals are blocked for the threads that are made afterwards.
      let group = try LoopGroup(
        options.net(identity), routes: Server.routes(health), sideRoutes: health.forOperator(),
        counters: mailboxes.counters.net
      ) { index in
        ServerLoop(
          index, mailboxes: mailboxes, rules: rules, slowMilliseconds: slowMilliseconds,
          recorder: recorder, about: about)
      }
      self.group = group
      self.mailboxes = mailboxes
      threads = try ServerThreads(opened, options, mailboxes) { group.reload(tls: $0) }
    } catch {
      throw .net(error)
    }
    urls = group.addresses.map { $0.url(Server.path, secure: options.certificate != nil) }
    metricsAddresses = group.sideAddresses
    let log = Log(mailbox: mailboxes.log)
    log.note("serving \(options.dataFolder) with \(options.loops) loops")
    for note in opened.notes { log.note(note) }
    if let files = options.certificate, let identity {
      log.note("certificate: \(words(of: files, identity))")
    }
    for address in metricsAddresses { log.note("metrics on \(address)") }
    noteDescriptors(options, log)
  }

  /// Tells the clients, and lets what is in flight be finished. Returns at once.
  package func stop() { group.stop() }

  /// Waits for the end, after `stop` or a signal. Call it once.
  package func wait() {
    group.wait()
    Log(mailbox: mailboxes.log).note("stopping: every connection is closed")
    threads.end(mailboxes)
  }

  /// Warns when there are fewer descriptors than connections may come. The store and the threads have some sixty.
  private func noteDescriptors(_ options: ServerOptions, _ log: Log) {
    let room = group.descriptorsMax - 64
    guard room < options.connectionsMax else { return }
    log.note(
      "this process may have \(group.descriptorsMax) descriptors (ulimit -n): with some \(room) connections "
        + "accepting will rest, before --connections \(options.connectionsMax) is reached")
  }

  private static func check(_ options: ServerOptions) throws(ServerError) {
    guard !options.listen.isEmpty else { throw .nowhereToListen }
    guard
      options.certificate != nil || options.allowsPlaintext
        || options.listen.allSatisfy(\.isLoopback)
    else {
      throw .plaintext
    }
    guard options.allowsPlaintext || options.metricsListen.allSatisfy(\.isLoopback) else {
      throw .plaintextMetrics
    }
  }

  private static func recorder(_ options: ServerOptions) throws(ServerError) -> Recorder? {
    guard let path = options.recordFrames else { return nil }
    guard let recorder = Recorder(path: path) else { throw .cannotRecord(path) }
    return recorder
  }

  private static func routes(_ health: HealthRoutes) -> RouteTable {
    var routes = health.forEverybody()
    routes.addWebSocket(
      path, subprotocols: Subprotocols([subprotocol], areRequired: true),
      messageBytesMax: Limits.messageBytesMax, deflate: true)
    routes.addQuestions(.get, under: CalendarRequest.path)
    routes.addQuestion(.post, at: HookRequest.path, bodyBytesMax: Limits.messageBytesMax)
    routes.addQuestions(
      .post, under: HookRequest.path + "/", bodyBytesMax: Limits.messageBytesMax)
    return routes
  }
}

extension ServerOptions {
  fileprivate func about() throws(ServerError) -> ServerAbout {
    var privacy: String?
    if let privacyFile { privacy = try PrivacyText.read(privacyFile) }
    return ServerAbout(
      server: ServerName(name: "whattodo-server", version: Server.version),
      registrationIsOpen: registrationIsOpen, privacy: privacy, takesGuests: guestsMax > 0,
      removedDays: keepRemovedDays, hasTalk: hasTalk)
  }

  fileprivate func net(_ identity: TLSContext?) -> NetOptions {
    var net = NetOptions()
    net.listen = listen
    net.side = metricsListen
    net.tls = identity
    net.tellsHangUps = identity != nil
    net.loops = loops
    net.compressedBytesMin = compressedBytesMin
    net.stopsOnSignals = stopsOnSignals
    net.hosts = hosts
    net.origins = origins
    net.trustedProxies = trustedProxies
    net.connectionsMax = connectionsMax
    net.connectionsPerAddressMax = connectionsPerAddressMax ?? connectionsMax
    net.closeMilliseconds = closeMilliseconds
    net.sendBufferBytes = sendBufferBytes
    return net
  }
}

/// The reason why a server did not start. `description` is a sentence for the operator.
package enum ServerError: Error, CustomStringConvertible {
  case store(StoreOpenError)
  case net(NetError)
  case crypto(CryptoError)
  case nowhereToListen
  /// A listener that others can reach has no TLS.
  case plaintext
  /// A listener of metrics, which are never encrypted, can be reached by others.
  case plaintextMetrics
  case cannotRecord(String)
  /// A file for `--privacy` cannot be read, or is no text of a length that fits.
  case noText(String)
  case certificate(TLSError)
  /// The file with the key can be read by everybody on this machine.
  case exposedKey(String)

  package var description: String {
    switch self {
    case .store(let error): error.description
    case .net(let error): error.description
    case .crypto(let error): "OpenSSL does not work here: \(error)."
    case .nowhereToListen: "There is no address to listen on."
    case .plaintext:
      "Other machines can reach this address and nothing would be encrypted: give --tls-certificate and "
        + "--tls-key, listen on 127.0.0.1 behind a proxy that speaks TLS, or say --insecure-plaintext."
    case .plaintextMetrics:
      "Other machines can read the metrics at this address and nothing would be encrypted: give "
        + "--metrics-listen a port or an address of this machine, or say --insecure-plaintext."
    case .cannotRecord(let path): "\(path) cannot be written."
    case .noText(let path):
      "\(path) cannot be read, or is no plain text of up to \(Limits.notesScalarsMax) characters."
    case .certificate(let error): error.description
    case .exposedKey(let path):
      "Everybody on this machine can read the key in \(path): chmod o-rwx \(path)"
    }
  }
}
