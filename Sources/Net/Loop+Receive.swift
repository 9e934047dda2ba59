import CLinux
import Glibc
import WebSocket

extension Loop {
  /// One read holds two thousand compressed messages of 256 KiB each. When those of one connection came
  /// to more than this, the others have their turn first.
  private static let joinedBytesMax = 1 << 20

  /// The window of `NetOptions.controlFramesMax`.
  private static let controlsMilliseconds: Int64 = 10_000
  /// Whoever has heard our last words may be in the middle of a message; more than this is not read.
  private static let lateBytesMax: Int32 = 1 << 20

  func connectionReady(_ slot: Int32, _ events: Poller.Interest) {
    let connection = table[slot]
    guard connection.pointee.socket >= 0 else { return }
    if case .dialling = connection.pointee.phase, !connection.pointee.interest.contains(.readable) {
      connectEnded(table.id(of: slot))
      return
    }
    if events.contains(.writable), connection.pointee.backlogBytes > 0 { drain(slot) }
    guard connection.pointee.socket >= 0 else { return }
    if connection.pointee.interest.contains(.readable) {
      if !events.isDisjoint(with: [.readable, .hangUp]) { readable(slot) }
    } else if !events.isDisjoint(with: .hangUp) {
      // Not reading, but the kernel says that the socket broke; it would say so again and again.
      finish(table.id(of: slot), .lost)
    }
  }

  /// Reads once; if there is more, the kernel says so in the next turn, after everybody's turn. A peer
  /// that takes no answers is not read: `drain` goes on when it has taken them. Only a server does so:
  /// two ends that both wait until the other one reads would wait for ever.
  private func readable(_ slot: Int32) {
    let connection = table[slot]
    if connection.pointee.backlogBytes > options.backlogBytesMax, asksOnly(connection) {
      connection.pointee.isChoked = true
      setInterest(slot, connection.pointee.interest.subtracting(.readable))
      return
    }
    let count = whattodo_receive(
      connection.pointee.socket, receiveBuffer.baseAddress, receiveBuffer.count)
    if count > 0 {
      counters.add(.bytesIn, count)
      connection.pointee.heardAt = now
      if case .lingering = connection.pointee.phase { countLate(slot, count) }
      if speaksTLS(slot) {
        receivedTLS(table.id(of: slot), count: count)
      } else {
        received(table.id(of: slot), receiveBuffer, count: count)
      }
    } else if count == 0 {
      streamEnded(table.id(of: slot))
    } else if count != -Int(EAGAIN) {
      finish(table.id(of: slot), .lost)
    }
  }

  /// Stops reading what nobody hears, so that a flood costs its sender's time and not ours.
  private func countLate(_ slot: Int32, _ count: Int) {
    let connection = table[slot]
    connection.pointee.lateBytes += Int32(clamping: count)
    guard connection.pointee.lateBytes > Loop.lateBytesMax else { return }
    setInterest(slot, connection.pointee.interest.subtracting(.readable))
  }

  /// A client of ours that could ask on and on without taking an answer.
  private func asksOnly(_ connection: UnsafeMutablePointer<Connection>) -> Bool {
    switch connection.pointee.phase {
    case .open: connection.pointee.machine.role == .server
    case .head: true
    case .free, .dialling, .lingering, .over: false
    }
  }

  /// Delivers what connections had received before they were paused, put off or asked something that takes time.
  func deliverResumed() {
    guard !resumed.isEmpty else { return }
    let ids = resumed
    resumed.removeAll(keepingCapacity: true)
    for id in ids {
      guard let connection = findOpen(id) ?? findHead(id), !connection.pointee.isPaused else {
        continue
      }
      var stash = connection.pointee.stash
      connection.pointee.stash = []
      stash.withUnsafeMutableBufferPointer { received(id, $0, count: $0.count) }
      guard !connection.pointee.isPaused, connection.pointee.stash.isEmpty,
        connection.pointee.socket >= 0, asked(id)?.waits != true
      else { continue }
      setInterest(id.slot, connection.pointee.interest.union(.readable))
      tellTLSEnd(id)
    }
  }

  /// Plain bytes of the peer: those of the socket, or what TLS made of them.
  func received(
    _ id: ConnectionID, _ buffer: UnsafeMutableBufferPointer<UInt8>, count: Int
  ) {
    var position = 0
    switch table[id.slot].pointee.phase {
    case .free, .over, .lingering: return
    case .head:
      readRequests(id, UnsafeBufferPointer(buffer), at: &position, end: count)
    case .dialling(let dialling):
      readAnswer(id, dialling, UnsafeBufferPointer(buffer), at: &position, end: count)
    case .open: break
    }
    if position < count, case .open = table[id.slot].pointee.phase {
      readFrames(id, buffer, at: &position, end: count)
    }
  }

  private func readFrames(
    _ id: ConnectionID, _ buffer: UnsafeMutableBufferPointer<UInt8>, at position: inout Int,
    end: Int
  ) {
    let connection = table[id.slot]
    var bytes = MutableSpan(_unsafeElements: buffer)
    let inflater = inflater
    var joinedBytes = 0
    while true {
      let step = connection.pointee.machine.next(
        in: &bytes, at: &position, end: end, inflater: inflater)
      switch step {
      case .needMore: return
      case .message(let kind, let range):
        counters.add(.messagesIn)
        let payload = UnsafeBufferPointer(rebasing: buffer[range])
        application?.received(id, kind, Span(_unsafeElements: payload))
      case .joinedMessage(let kind, let payload):
        counters.add(.messagesIn)
        joinedBytes += payload.count
        application?.received(id, kind, payload.span)
      case .ping(let payload):
        counters.add(.pingsIn)
        guard takesControl(id, connection) else { return }
        write(id.slot, connection) { machine, mask, bytes in
          machine.writePong(payload, mask: mask, to: &bytes)
        }
      case .pong:
        counters.add(.pongsIn)
        guard takesControl(id, connection) else { return }
      case .closed(let notice): peerClosed(id, connection, notice)
      case .failed(let fault): peerFailed(id, connection, fault)
      }
      guard case .open = connection.pointee.phase else { return }
      guard !connection.pointee.isPaused else {
        connection.pointee.stash.append(contentsOf: buffer[position..<end])
        return
      }
      if joinedBytes > Loop.joinedBytesMax, position < end {
        putOff(id, connection, UnsafeBufferPointer(rebasing: buffer[position..<end]))
        return
      }
    }
  }

  /// The rest of a read is delivered after everybody else's turn.
  private func putOff(
    _ id: ConnectionID, _ connection: UnsafeMutablePointer<Connection>,
    _ rest: UnsafeBufferPointer<UInt8>
  ) {
    connection.pointee.stash.append(contentsOf: rest)
    setInterest(id.slot, connection.pointee.interest.subtracting(.readable))
    resumed.append(id)
  }

  /// Counts a ping or a pong; false when there were too many and the connection is over.
  private func takesControl(
    _ id: ConnectionID, _ connection: UnsafeMutablePointer<Connection>
  ) -> Bool {
    if now - connection.pointee.controlsFrom >= Loop.controlsMilliseconds {
      connection.pointee.controlsFrom = now
      connection.pointee.controls = 0
    }
    guard connection.pointee.controls < options.controlFramesMax else {
      peerFailed(id, connection, .controlFramesTooMany)
      return false
    }
    connection.pointee.controls += 1
    return true
  }

  private func peerClosed(
    _ id: ConnectionID, _ connection: UnsafeMutablePointer<Connection>, _ notice: CloseNotice
  ) {
    if connection.pointee.machine.state == .closeReceived {
      write(id.slot, connection) { machine, mask, bytes in
        machine.writeClose(notice.code, mask: mask, to: &bytes)
      }
    }
    linger(id, connection, .closed(notice))
  }

  private func peerFailed(
    _ id: ConnectionID, _ connection: UnsafeMutablePointer<Connection>, _ fault: WebSocketFault
  ) {
    write(id.slot, connection) { machine, mask, bytes in
      machine.writeClose(fault.closeCode, reason: fault.sentence, mask: mask, to: &bytes)
    }
    linger(id, connection, .failed(fault))
  }

  /// The WebSocket connection is over, the socket not yet: what is pending leaves, then the server
  /// ends its side (RFC 6455 §7.1.1) and waits for the client's end, so that no late byte resets
  /// the connection under our last words. The client waits for the server.
  private func linger(
    _ id: ConnectionID, _ connection: UnsafeMutablePointer<Connection>, _ ending: Ending
  ) {
    guard case .open = connection.pointee.phase else { return }
    connectionCount -= 1
    tellLater(id, ending)
    startLingering(id, finishesFirst: connection.pointee.machine.role == .server)
  }

  /// The same for a connection that never was the application's.
  func startLingering(_ id: ConnectionID, finishesFirst: Bool) {
    let connection = table[id.slot]
    connection.pointee.phase = .lingering(finishesFirst: finishesFirst)
    connection.pointee.stash = []
    connection.pointee.isPaused = false
    setDeadline(id, closeMilliseconds)
    setInterest(id.slot, connection.pointee.interest.union(.readable))
    // Makes the flush look at it also when nothing else is due.
    output.touch(id.slot)
  }

  /// The peer sends nothing more.
  func streamEnded(_ id: ConnectionID) {
    let connection = table[id.slot]
    switch connection.pointee.phase {
    case .free, .over: break
    case .open: finish(id, .lost)
    case .head:
      // It may still read its answers.
      if connection.pointee.backlogBytes > 0 || connection.pointee.lastPiece >= 0 {
        startLingering(id, finishesFirst: true)
      } else {
        finish(id, .lost)
      }
    case .dialling: finish(id, .refused(.malformed))
    case .lingering:
      if connection.pointee.backlogBytes == 0, connection.pointee.lastPiece < 0 {
        finish(id, .lost)
      } else {
        // It may still read; without this the kernel would tell its end again and again.
        setInterest(id.slot, connection.pointee.interest.subtracting(.readable))
      }
    }
  }
}
