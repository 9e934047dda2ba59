package import Crypto

/// Everything about the network that can be set. Times are milliseconds.
package struct NetOptions: Sendable {
  /// Where to listen; empty for a program that only dials.
  package var listen: [ListenAddress] = []
  /// Where to listen besides, for the operator's eyes: served by the group's `sideRoutes`, never with
  /// TLS, at most `Admission.sideMax` connections that count against nobody's limits.
  package var side: [ListenAddress] = []
  /// Of both kinds together.
  package static let listenersMax = 64
  /// With it every TCP listener of `listen` speaks TLS and nothing else: a context for servers. Socket
  /// files and `side` stay plain.
  /// `LoopGroup.reload(tls:)` gives another one to connections that come later.
  package var tls: TLSContext?
  /// Loop threads, at least 1.
  package var loops = 1
  /// SIGTERM, SIGINT and (but for nohup) SIGHUP request the stop. One group per process may do so; it blocks the
  /// signals in the thread that makes it, and every other thread must be a `Thread` or come later.
  package var stopsOnSignals = false
  /// Of these SIGHUP is told to the application of loop 0 instead (`LoopApplication.hungUp`).
  package var tellsHangUps = false
  /// Host names allowed besides the listeners' own addresses and `localhost`; without port.
  package var hosts: [String] = []
  /// Web origins allowed besides the listeners' own, such as `https://example.org`.
  package var origins: [String] = []
  /// Connections of all loops together; above it the answer is 503.
  package var connectionsMax = 10_000
  /// Proxies whose X-Forwarded-For is believed: the addresses in it are those that limits count.
  package var trustedProxies: [TrustedProxy] = []
  /// Connections of one address prefix (`PeerAddress.prefix`).
  package var connectionsPerAddressMax = 10_000
  /// From accept to the end of the request's head, or from dial to `opened`.
  package var handshakeMilliseconds: Int64 = 10_000
  /// From an answer to the next request on the same connection; then it is closed without a word.
  package var keepAliveMilliseconds: Int64 = 20_000
  /// From our close frame to the end of the socket.
  package var closeMilliseconds: Int64 = 5_000
  /// The same once a stop was requested. Whoever is there answers within a round trip; what was sent lies
  /// in the kernel and arrives also when we are gone.
  package var stopMilliseconds: Int64 = 2_000
  /// A ping so often (the first at a random half to whole of it); 0: no pings.
  package var pingMilliseconds: Int64 = 25_000
  /// A peer that was not heard for so long is gone; 0: never.
  package var silenceMilliseconds: Int64 = 40_000
  /// Pings and pongs that a peer may send in ten seconds (else 1008): each ping costs a pong. Autobahn sends
  /// ten at once; a browser none.
  package var controlFramesMax: UInt16 = 1_000
  /// How much is read at once, into one buffer per loop. It also bounds what a paused connection
  /// keeps.
  package var receiveBytes = 512 * 1024
  /// With more than this waiting for a peer that does not read, the peer is not read either: whoever
  /// takes no answers asks nothing more, and one read's answers are all that comes on top.
  package var backlogBytesMax = 256 * 1024
  /// Messages from this size on are compressed for those who agreed to it; see `Compressors`.
  package var compressedBytesMin = 256
  /// Size of the kernel's send buffer of each connection; nil: the system's own. For tests.
  package var sendBufferBytes: Int? = nil

  package init() {}
}
