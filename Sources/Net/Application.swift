package import Crypto
package import WebSocket

/// What a program does on one loop thread: it is told what happened and gives orders to the loop.
///
/// Every method is called on the loop's thread, never inside a call that the application itself
/// made to the loop, and must not block (no disk, no hashing, no name look-up). One turn of the
/// loop is: sockets (`opened`, `received`, `writable`), timers (`timerFired`), mailboxes (`woken`),
/// ends (`closed`), `turnEnded`, and then one write for each connection that has something due.
package protocol LoopApplication: AnyObject {
  /// The loop runs; called once, before everything else. Keep the loop; attach mailboxes here.
  func started(_ loop: Loop)
  /// The handshake succeeded. The answer to it has not left yet: what is sent here leaves with it.
  func opened(_ connection: ConnectionID, _ opening: Opening)
  /// A whole message; a text is valid UTF-8. The payload lives until the method returns.
  func received(_ connection: ConnectionID, _ kind: MessageKind, _ payload: Span<UInt8>)
  /// A request for a path of `RouteTable.addQuestions`, which waits for `Loop.reply`: for as long as a handshake may
  /// take, then it is answered 503. The connection may be gone before that, which is not told.
  func asked(_ connection: ConnectionID, _ request: RouteRequest)
  /// Everything that was pending went to the kernel (`pendingBytes` is 0 again).
  func writable(_ connection: ConnectionID)
  /// The connection is gone, also a dialled one that never opened. Its name is not valid any more.
  /// Called exactly once for every `opened` and for every `dial`.
  func closed(_ connection: ConnectionID, _ ending: Ending)
  /// An attached mailbox has messages; called once per batch. Take from all mailboxes.
  func woken()
  /// A timer set by `Loop.setTimer` is due.
  func timerFired(_ timer: TimerID)
  /// The end of a turn in which something happened; the last place to send before the writes.
  func turnEnded()
  /// Descriptors or memory ran out while accepting; the loop tries again by itself. For the log.
  func acceptPaused(_ error: NetError)
  /// SIGHUP, with `NetOptions.tellsHangUps`; loop 0 only. By custom: read again what is in files.
  func hungUp()
  /// SIGTERM, SIGINT or `LoopGroup.stop()`: nothing is accepted any more. Close connections, finish
  /// what is in flight, then call `Loop.end()`. Called at most once.
  func stopRequested()
}

extension LoopApplication {
  package func started(_ loop: Loop) {}
  package func asked(_ connection: ConnectionID, _ request: RouteRequest) {}
  package func writable(_ connection: ConnectionID) {}
  package func woken() {}
  package func timerFired(_ timer: TimerID) {}
  package func turnEnded() {}
  package func acceptPaused(_ error: NetError) {}
  package func hungUp() {}
}

/// How a connection came to be.
package struct Opening: Sendable {
  /// The path of the route that accepted the upgrade, or that was dialled; without a query.
  package let path: String
  /// The subprotocol both sides agreed on.
  package let subprotocol: String?
  /// The other end of the socket, or the client that a trusted proxy names.
  package let peer: PeerAddress
  /// The address of the listener that accepted it; of ourselves when dialled.
  package let local: PeerAddress
}

/// How a connection ended.
package enum Ending: Error, Equatable, Sendable {
  /// Both sides exchanged close frames; what the peer's said.
  case closed(CloseNotice)
  /// The peer broke the protocol, and was told so in a close frame.
  case failed(WebSocketFault)
  /// The socket ended without a close frame of the peer.
  case lost
  /// Nothing was heard for too long, the handshake or the closing took too long.
  case timedOut
  /// Ended by `Loop.abort` or by the loop's end.
  case aborted
  /// Dialled: no connection could be made (address, connect).
  case unreachable(NetError)
  /// TLS was not to be had with this peer. Dialled: among others, the server's certificate is not trusted.
  case unprotected(TLSFault)
  /// Dialled: the server did not answer with a right handshake.
  case refused(HandshakeFault)
}
