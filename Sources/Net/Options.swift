package import Crypto

/// Everything about the network that can be set. Times are milliseconds.
package struct NetOptions: Sendable {
  /// The addresses to listen on. Empty for a program that only dials.
  package var listen: [ListenAddress] = []
  /// More addresses to listen on, for the operator's eyes. They are served by the group's `sideRoutes`, never with TLS,
  /// with at most `Admission.sideMax` connections that count against nobody's limits.
  package var side: [ListenAddress] = []
  /// The most listeners of both kinds together.
  package static let listenersMax = 64
  /// The TLS context of a server. With it every TCP listener of `listen` speaks TLS and nothing else. Socket files and
  /// `side` stay plain. `LoopGroup.reload(tls:)` gives another context to connections that come later.
  package var tls: TLSContext?
  /// The number of loop threads, at least 1.
  package var loops = 1
  /// Whether SIGTERM, SIGINT and (but for nohup) SIGHUP request the stop. One group per process may do so. It blocks
  /// the signals in the thread that makes it, and every other thread must be a `Thread` or come later.
  package var stopsOnSignals = false
  /// Whether SIGHUP is told to the application of loop 0 instead (`LoopApplication.hungUp`).
  package var tellsHangUps = false
  /// The host names allowed besides the listeners' own addresses and `localhost`, without port.
  package var hosts: [String] = []
  /// The Web origins allowed besides the listeners' own, such as `https://example.org`.
  package var origins: [String] = []
  /// The most connections of all loops together; above it the answer is 503.
  package var connectionsMax = 10_000
  /// The proxies whose X-Forwarded-For is believed: limits count the addresses in it.
  package var trustedProxies: [TrustedProxy] = []
  /// The most connections of one address prefix (`PeerAddress.prefix`).
  package var connectionsPerAddressMax = 10_000
  /// The time from accept to the end of the request's head, or from dial to `opened`.
  package var handshakeMilliseconds: Int64 = 10_000
  /// The time from an answer to the next request on the same connection. After it the connection is closed without a
  /// word.
  package var keepAliveMilliseconds: Int64 = 20_000
  /// The time from our close frame to the end of the socket.
  package var closeMilliseconds: Int64 = 5_000
  /// The time from our close frame to the end of the socket, once a stop was requested. A peer that is there answers
  /// within a round trip. The bytes that were sent lie in the kernel and arrive also when we have ended.
  package var stopMilliseconds: Int64 = 2_000
  /// The time between pings. The first comes after a random half to whole of it. 0 means no pings.
  package var pingMilliseconds: Int64 = 25_000
  /// The silence after which a peer counts as gone. 0 means never.
  package var silenceMilliseconds: Int64 = 40_000
  /// The most pings and pongs that a peer may send in ten seconds (else 1008): each ping costs a pong. Autobahn sends
  /// ten at once; a browser sends none.
  package var controlFramesMax: UInt16 = 1_000
  /// The most bytes that are read at once, into one buffer per loop. It also bounds what a paused connection keeps.
  package var receiveBytes = 512 * 1024
  /// The most bytes that may wait for a peer that does not read. Beyond it the peer is not read either: a peer that
  /// takes no answers asks nothing more, and only the answers of one read come on top.
  package var backlogBytesMax = 256 * 1024
  /// The size in bytes from which messages are compressed for those who agreed to it; see `Compressors`.
  package var compressedBytesMin = 256
  /// The size of the kernel's send buffer of each connection, for tests. Nil for the system's own.
  package var sendBufferBytes: Int? = nil

  package init() {}
}
