import CLinux
import Glibc
import WebSocket

extension Loop {
  /// The most bytes of joined messages that one read delivers at once. One read may hold two thousand compressed
  /// messages of 256 KiB each, so beyond this the other connections have their turn first.
  private static let joinedBytesMax = 1 << 20

  /// The window of `NetOptions.controlFramesMax`.
  private static let controlsMilliseconds: Int64 = 10_000
  /// The most bytes that are read after our last words. The peer may be in the middle of a message when it hears them.
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
      // The connection is not read, but the kernel says that the socket broke, and would say so again and again.
      finish(table.id(of: slot), .lost)
    }
  }

  /// Reads once. If there is more, the kernel says so in the next turn, after everybody's turn. A peer that takes no
  /// answers is not read; `drain` goes on when it has taken them. Only a server does so: two ends that both wait until
  /// the other one reads would wait for ever.
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

  /// Counts bytes that nobody hears, and stops reading when there are too many, so that a flood costs its sender's time
  /// and not ours.
  private func countLate(_ slot: Int32, _ count: Int) {
    let connection = table[slot]
    connection.pointee.lateBytes += Int32(clamping: count)
    guard connection.pointee.lateBytes > Loop.lateBytesMax else { return }
    setInterest(slot, connection.pointee.interest.subtracting(.readable))
  }

  /// Answers whether the peer is a client of ours, which could ask on and on without taking an answer.
  private func asksOnly(_ connection: UnsafeMutablePointer<Connection>) -> Bool {
    switch connection.pointee.phase {
    case .open: connection.pointee.machine.role == .server
    case .head: true
    case .free, .dialling, .lingering, .over: false
    }
  }

  /// Delivers what connections had received before they were paused, put off, or waited for an answer.
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

  /// Takes plain bytes of the peer: those of the socket, or those that TLS decrypted.
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

  /// Keeps the rest of a read until everybody else had a turn.
  private func putOff(
    _ id: ConnectionID, _ connection: UnsafeMutablePointer<Connection>,
    _ rest: UnsafeBufferPointer<UInt8>
  ) {
    connection.pointee.stash.append(contentsOf: rest)
    setInterest(id.slot, connection.pointee.interest.subtracting(.readable))
    resumed.append(id)
  }

  /// Counts a ping or a pong. False when there were too many and the connection is over.
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

  /// Ends the WebSocket connection but not yet the socket. The pending bytes leave, then the server ends its side (RFC
  /// 6455 §7.1.1) and waits for the client's end, so that no late byte resets the connection under our last words. The
  /// client waits for the server.
  private func linger(
    _ id: ConnectionID, _ connection: UnsafeMutablePointer<Connection>, _ ending: Ending
  ) {
    guard case .open = connection.pointee.phase else { return }
    connectionCount -= 1
    tellLater(id, ending)
    startLingering(id, finishesFirst: connection.pointee.machine.role == .server)
  }

  /// Does the same for a connection that was never open to the application.
  func startLingering(_ id: ConnectionID, finishesFirst: Bool) {
    let connection = table[id.slot]
    connection.pointee.phase = .lingering(finishesFirst: finishesFirst)
    connection.pointee.stash = []
    connection.pointee.isPaused = false
    setDeadline(id, closeMilliseconds)
    setInterest(id.slot, connection.pointee.interest.union(.readable))
    // With this the flush looks at the connection also when nothing else is due.
    output.touch(id.slot)
  }

  /// Goes on when the peer sends nothing more.
  func streamEnded(_ id: ConnectionID) {
    let connection = table[id.slot]
    switch connection.pointee.phase {
    case .free, .over: break
    case .open: finish(id, .lost)
    case .head:
      // The peer may still read its answers.
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
        // The peer may still read. Without this the kernel would tell its end again and again.
        setInterest(id.slot, connection.pointee.interest.subtracting(.readable))
      }
    }
  }
}
