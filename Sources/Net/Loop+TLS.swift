// TLS lies between the socket and everything else: bytes that `Loop+Receive` gets were decrypted, and bytes that
// `Loop+Send` gives to the kernel were sealed. In each turn a connection has one read, into the loop's receive buffer
// and from there decrypted into the engine's, and one write, of all records that became due. Handshakes write at once:
// nothing else is due before they are over.
//
// A server's session begins with the client's first bytes, so that a socket that stays silent costs no more than a
// plain one.

import CLinux
import Crypto

extension Loop {
  /// The number of sealed bytes at which they are sent: so a large message is never doubled.
  private static let sealedBytesMax = 256 * 1024

  /// Answers whether bytes of this connection's socket go through TLS.
  func speaksTLS(_ slot: Int32) -> Bool {
    let connection = table[slot]
    if connection.pointee.tls != nil { return true }
    guard case .head = connection.pointee.phase else { return false }
    return kinds[Int(connection.pointee.listener)].speaksTLS
  }

  /// Answers whether the TLS handshake is not over, so that no request can be answered yet.
  func isInTLSHandshake(_ id: ConnectionID) -> Bool {
    guard speaksTLS(id.slot) else { return false }
    guard let session = table[id.slot].pointee.tls else { return true }
    return session.state == .handshake
  }

  /// Greets the server that was dialled and connected.
  func startTLS(_ id: ConnectionID, _ context: TLSContext, host: String) {
    let connection = table[id.slot]
    guard let session = engine.connect(context, host: host) else {
      engine.clearCiphertext()
      finish(id, .unprotected(.violation(0)))
      return
    }
    connection.pointee.tls = session
    sendSealed(id.slot, connection)
  }

  /// Takes bytes of a TLS connection's socket, which lie in the receive buffer.
  func receivedTLS(_ id: ConnectionID, count: Int) {
    let connection = table[id.slot]
    guard let session = connection.pointee.tls ?? acceptTLS(connection) else {
      finish(id, .lost)
      return
    }
    guard session.state != .failed, session.state != .peerEnded else { return }
    let bytes = UnsafeBufferPointer(rebasing: receiveBuffer[..<count])
    let step = engine.receive(bytes, session)
    if step.fault == .plainRequest, case .head = connection.pointee.phase {
      engine.clearCiphertext()
      connection.pointee.tls = nil
      answerPlainRequest(id)
      return
    }
    sendSealed(id.slot, connection)
    if step.opened { counters.add(.tlsHandshakes) }
    if step.opened, case .dialling(let dialling) = connection.pointee.phase {
      writeHandshake(id, dialling)
    }
    if step.count > 0 { received(id, engine.plaintext, count: step.count) }
    if let fault = step.fault {
      endTLS(id, fault)
    } else {
      tellTLSEnd(id)
    }
  }

  /// Ends the stream of a peer that said that nothing follows. While reading is paused or an answer is being made that
  /// is not looked at, as with the end of a socket.
  func tellTLSEnd(_ id: ConnectionID) {
    guard let connection = table.find(id), connection.pointee.tls?.state == .peerEnded,
      !connection.pointee.isPaused, asked(id)?.waits != true
    else { return }
    streamEnded(id)
  }

  private func acceptTLS(_ connection: UnsafeMutablePointer<Connection>) -> TLSSession? {
    guard let tls, let session = engine.accept(tls) else { return nil }
    connection.pointee.tls = session
    return session
  }

  /// Ends a connection whose session is broken and whose alert is on its way. As with refusals in HTTP, our side of the
  /// socket ends then, and the peer's end is waited for: a reset would overtake the alert.
  private func endTLS(_ id: ConnectionID, _ fault: TLSFault) {
    guard let connection = table.find(id) else { return }
    switch connection.pointee.phase {
    case .free, .over, .lingering: return
    case .dialling, .open: finish(id, .unprotected(fault))
    case .head:
      counters.add(.refusedTLS)
      startLingering(id, finishesFirst: true)
    }
  }

  // MARK: Sending

  /// Encrypts a part of the bytes that are due.
  func seal(
    _ slot: Int32, _ connection: UnsafeMutablePointer<Connection>, _ session: TLSSession,
    _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    var rest = bytes[...]
    while !rest.isEmpty, connection.pointee.socket >= 0 {
      let part = UnsafeBufferPointer(rebasing: rest.prefix(Loop.sealedBytesMax))
      guard engine.seal(part, session) else {
        engine.clearCiphertext()
        finish(table.id(of: slot), .lost)
        return
      }
      rest = rest.dropFirst(part.count)
      if engine.ciphertext.count >= Loop.sealedBytesMax { sendSealed(slot, connection) }
    }
  }

  /// Sends everything that was sealed in this turn, and after the last words of a connection our end.
  func flushTLS(
    _ slot: Int32, _ connection: UnsafeMutablePointer<Connection>, _ session: TLSSession
  ) {
    if case .lingering = connection.pointee.phase { engine.end(session) }
    sendSealed(slot, connection)
  }

  /// Tells the TLS end to a peer that was silent for too long, which otherwise could not tell our end from a cut (RFC
  /// 8446 §6.1). If it does not fit into the kernel there is nothing more to be done.
  func sayTLSEnd(_ connection: UnsafeMutablePointer<Connection>) {
    guard let session = connection.pointee.tls, connection.pointee.socket >= 0,
      connection.pointee.backlogBytes == 0
    else { return }
    engine.end(session)
    let words = engine.ciphertext
    guard !words.isEmpty else { return }
    let sent = whattodo_send(connection.pointee.socket, words.baseAddress, words.count)
    counters.add(.bytesOut, max(sent, 0))
    engine.clearCiphertext()
  }

  private func sendSealed(_ slot: Int32, _ connection: UnsafeMutablePointer<Connection>) {
    sendOrKeep(slot, connection, engine.ciphertext)
    engine.clearCiphertext()
  }
}
