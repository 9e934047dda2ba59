package import Crypto
package import WebSocket

/// The program on one loop thread: it is told what happened and gives orders to the loop.
///
/// Every method is called on the loop's thread, never inside a call that the application itself made to the loop, and
/// must not block (no disk, no hashing, no name look-up). One turn of the loop is: sockets (`opened`, `received`,
/// `writable`), timers (`timerFired`), mailboxes (`woken`), ends (`closed`), `turnEnded`, and then one write for each
/// connection that has something due.
package protocol LoopApplication: AnyObject {
  /// Tells that the loop runs. It is called once, before everything else. Keep the loop and attach mailboxes here.
  func started(_ loop: Loop)
  /// Tells that the handshake succeeded. The answer to it has not left yet: messages that are sent here leave with it.
  func opened(_ connection: ConnectionID, _ opening: Opening)
  /// Hands over a whole message; a text is valid UTF-8. The payload lives until the method returns.
  func received(_ connection: ConnectionID, _ kind: MessageKind, _ payload: Span<UInt8>)
  /// Hands over a request for a path of `RouteTable.addQuestions`, which waits for `Loop.reply`. It waits as long as a
  /// handshake may take, and then it is answered 503. The connection may end before that, which is not told.
  func asked(_ connection: ConnectionID, _ request: RouteRequest)
  /// Tells that everything that was pending went to the kernel (`pendingBytes` is 0 again).
  func writable(_ connection: ConnectionID)
  /// Tells that the connection has ended, also a dialled one that never opened. Its name is not valid any more. This is
  /// called exactly once for every `opened` and for every `dial`.
  func closed(_ connection: ConnectionID, _ ending: Ending)
  /// Tells that an attached mailbox has messages. It is called once per batch, so take from all mailboxes.
  func woken()
  /// Tells that a timer set by `Loop.setTimer` is due.
  func timerFired(_ timer: TimerID)
  /// Tells the end of a turn in which something happened. It is the last place to send before the writes.
  func turnEnded()
  /// Tells, for the log, that descriptors or memory ran out while accepting. The loop tries again by itself.
  func acceptPaused(_ error: NetError)
  /// Tells of SIGHUP, with `NetOptions.tellsHangUps`, on loop 0 only. By custom, files are read again then.
  func hungUp()
  /// Tells of SIGTERM, SIGINT or `LoopGroup.stop()`: nothing is accepted any more. Close connections, finish what is in
  /// flight, then call `Loop.end()`. This is called at most once.
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

/// The facts of a connection that has opened.
package struct Opening: Sendable {
  /// The path of the route that accepted the upgrade, or that was dialled; without a query.
  package let path: String
  /// The subprotocol that both sides agreed on. Nil when there is none.
  package let subprotocol: String?
  /// The other end of the socket, or the client that a trusted proxy names.
  package let peer: PeerAddress
  /// The address of the listener that accepted it, or our own address when it was dialled.
  package let local: PeerAddress
}

/// The way in which a connection ended.
package enum Ending: Error, Equatable, Sendable {
  /// Both sides exchanged close frames; this is the peer's.
  case closed(CloseNotice)
  /// The peer broke the protocol, and was told so in a close frame.
  case failed(WebSocketFault)
  /// The socket ended without a close frame of the peer.
  case lost
  /// The peer was silent for too long, or the handshake or the closing took too long.
  case timedOut
  /// `Loop.abort` or the loop's end ended it.
  case aborted
  /// A dialled connection could not be made (address, connect).
  case unreachable(NetError)
  /// The TLS with this peer failed. For a dialled connection the cause may be a certificate that is not trusted.
  case unprotected(TLSFault)
  /// The server that was dialled did not answer with a right handshake.
  case refused(HandshakeFault)
}
