import CLinux
import Glibc
import WebSocket

extension Loop {
  /// Lets the connection's machine append a frame: to this turn's output, or to the backlog when the kernel is full.
  func write(
    _ slot: Int32, _ connection: UnsafeMutablePointer<Connection>,
    _ append: (inout WebSocketConnection, MaskKey?, inout [UInt8]) -> Void
  ) {
    let mask = freshMask(connection.pointee.machine.role)
    if connection.pointee.backlogBytes > 0, connection.pointee.tls == nil {
      let before = connection.pointee.backlog.count
      append(&connection.pointee.machine, mask, &connection.pointee.backlog)
      counters.add(.backlogBytes, connection.pointee.backlog.count - before)
      return
    }
    let start = output.scratch.count
    append(&connection.pointee.machine, mask, &output.scratch)
    output.addScratch(from: start, slot: slot, &connection.pointee)
    if output.isFull { flush() }
  }

  /// Does the same for bytes of the handshakes.
  func writePlain(
    _ slot: Int32, _ connection: UnsafeMutablePointer<Connection>,
    _ append: (inout [UInt8]) -> Void
  ) {
    let start = output.scratch.count
    append(&output.scratch)
    output.addScratch(from: start, slot: slot, &connection.pointee)
  }

  /// Makes a mask for a frame of a client, from a strong source and new for each frame (RFC 6455 §5.3). Nil for a
  /// server.
  private func freshMask(_ role: WebSocketRole) -> MaskKey? {
    switch role {
    case .server: nil
    case .client: MaskKey(bits: UInt32.random(in: 0...UInt32.max))
    }
  }

  /// Writes everything that is due: one send per connection.
  func flush() {
    guard output.hasWork else { return }
    let slots = output.takeDirty()
    for slot in slots { flush(slot) }
    gatheredPiece = -1
    output.reset(reusing: slots)
  }

  func flush(_ slot: Int32) {
    let connection = table[slot]
    let last = connection.pointee.lastPiece
    connection.pointee.lastPiece = -1
    guard connection.pointee.socket >= 0 else { return }
    if last >= 0 { emitChain(endingWith: last, slot, connection) }
    if let session = connection.pointee.tls { flushTLS(slot, connection, session) }
    wroteAll(slot, connection)
  }

  /// Sends a chain of pieces. They are copied together if there are several, or if others may have the same chain.
  private func emitChain(
    endingWith last: Int32, _ slot: Int32, _ connection: UnsafeMutablePointer<Connection>
  ) {
    if last != gatheredPiece {
      let piece = output.pieces[Int(last)]
      if piece.previous < 0, piece.frame < 0 {
        withBytes(of: piece) { emit(slot, connection, $0) }
        return
      }
      guard piece.chainBytes <= gatherBuffer.count else {
        emitLong(output.chain(endingWith: last), slot, connection)
        return
      }
      gather(endingWith: last)
    }
    emit(slot, connection, UnsafeBufferPointer(rebasing: gatherBuffer[..<gatheredBytes]))
  }

  /// Sends bytes of the loop, as they are or sealed.
  private func emit(
    _ slot: Int32, _ connection: UnsafeMutablePointer<Connection>,
    _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    if let session = connection.pointee.tls {
      seal(slot, connection, session, bytes)
    } else {
      sendOrKeep(slot, connection, bytes)
    }
  }

  /// Copies a chain together, from its end to its beginning.
  private func gather(endingWith last: Int32) {
    gatheredPiece = last
    gatheredBytes = output.pieces[Int(last)].chainBytes
    var end = gatheredBytes
    var next = last
    while next >= 0 {
      let piece = output.pieces[Int(next)]
      end -= piece.count
      withBytes(of: piece) { fillGatherBuffer(with: $0, at: end) }
      next = piece.previous
    }
  }

  /// Sends a chain that is too long to be copied together, a buffer full at a time.
  private func emitLong(
    _ chain: [Output.Piece], _ slot: Int32, _ connection: UnsafeMutablePointer<Connection>
  ) {
    gatheredPiece = -1
    var filled = 0
    for piece in chain {
      withBytes(of: piece) { bytes in
        if filled + bytes.count > gatherBuffer.count {
          emit(slot, connection, UnsafeBufferPointer(rebasing: gatherBuffer[..<filled]))
          filled = 0
        }
        if bytes.count > gatherBuffer.count {
          emit(slot, connection, bytes)
        } else {
          fillGatherBuffer(with: bytes, at: filled)
          filled += bytes.count
        }
      }
    }
    emit(slot, connection, UnsafeBufferPointer(rebasing: gatherBuffer[..<filled]))
  }

  private func fillGatherBuffer(with bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
    guard let source = bytes.baseAddress, let target = gatherBuffer.baseAddress else { return }
    (target + start).update(from: source, count: bytes.count)
  }

  private func withBytes(of piece: Output.Piece, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if piece.frame >= 0 {
      output.frames[Int(piece.frame)].form.bytes.withUnsafeBufferPointer(body)
    } else {
      output.scratch.withUnsafeBufferPointer { scratch in
        body(UnsafeBufferPointer(rebasing: scratch[piece.start..<piece.end]))
      }
    }
  }

  /// Gives bytes to the kernel. Those that it does not take become backlog.
  func sendOrKeep(
    _ slot: Int32, _ connection: UnsafeMutablePointer<Connection>,
    _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    guard connection.pointee.socket >= 0, !bytes.isEmpty else { return }
    guard connection.pointee.backlogBytes == 0 else {
      connection.pointee.backlog.append(contentsOf: bytes)
      counters.add(.backlogBytes, bytes.count)
      return
    }
    let sent = whattodo_send(connection.pointee.socket, bytes.baseAddress, bytes.count)
    guard sent >= 0 || sent == -Int(EAGAIN) else {
      finish(table.id(of: slot), .lost)
      return
    }
    let taken = max(sent, 0)
    counters.add(.bytesOut, taken)
    guard taken < bytes.count else { return }
    connection.pointee.backlog.append(contentsOf: bytes[taken...])
    counters.add(.backlogBytes, bytes.count - taken)
    setInterest(slot, connection.pointee.interest.union(.writable))
  }

  /// Sends backlog, when the kernel has room again.
  func drain(_ slot: Int32) {
    let connection = table[slot]
    let start = connection.pointee.backlogStart
    let socket = connection.pointee.socket
    let sent = connection.pointee.backlog.withUnsafeBufferPointer { backlog in
      let rest = UnsafeBufferPointer(rebasing: backlog[start...])
      return whattodo_send(socket, rest.baseAddress, rest.count)
    }
    guard sent >= 0 || sent == -Int(EAGAIN) else {
      finish(table.id(of: slot), .lost)
      return
    }
    connection.pointee.backlogStart += max(sent, 0)
    counters.add(.bytesOut, max(sent, 0))
    counters.add(.backlogBytes, -max(sent, 0))
    // A peer that takes bytes is alive; a peer that is not read gives no other sign.
    if sent > 0 { connection.pointee.heardAt = now }
    guard connection.pointee.backlogBytes == 0 else {
      compactBacklog(connection)
      return
    }
    connection.pointee.backlog = []
    connection.pointee.backlogStart = 0
    readAgain(slot, connection)
    wroteAll(slot, connection)
    let id = table.id(of: slot)
    if let open = findOpen(id), open.pointee.machine.state == .open { application?.writable(id) }
  }

  /// Ends the wait for room, because the backlog is gone. A choked peer is read again.
  private func readAgain(_ slot: Int32, _ connection: UnsafeMutablePointer<Connection>) {
    var interest = connection.pointee.interest.subtracting(.writable)
    if connection.pointee.isChoked, !connection.pointee.isPaused { interest.insert(.readable) }
    connection.pointee.isChoked = false
    setInterest(slot, interest)
  }

  /// Gives back the memory of bytes that have left, once they are the larger part.
  private func compactBacklog(_ connection: UnsafeMutablePointer<Connection>) {
    let start = connection.pointee.backlogStart
    guard start > 64 * 1024, start > connection.pointee.backlog.count / 2 else { return }
    connection.pointee.backlog = Array(connection.pointee.backlog[start...])
    connection.pointee.backlogStart = 0
  }

  /// Ends our side of the socket after the last bytes of a connection that ended.
  private func wroteAll(_ slot: Int32, _ connection: UnsafeMutablePointer<Connection>) {
    guard case .lingering(finishesFirst: true) = connection.pointee.phase,
      connection.pointee.backlogBytes == 0
    else { return }
    connection.pointee.phase = .lingering(finishesFirst: false)
    if whattodo_finish_sending(connection.pointee.socket) < 0 {
      finish(table.id(of: slot), .lost)
    }
  }
}
