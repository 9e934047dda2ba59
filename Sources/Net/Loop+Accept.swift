import CLinux
import WebSocket

/// A socket on its way from loop 0 to the loop that will own it.
struct Accepted: Sendable {
  let socket: Int32
  let peer: PeerAddress
  /// The listener that accepted it, as an index of `Loop.kinds`.
  let listener: UInt8
  let admittedAs: Admission.Class
}

extension Loop {
  /// The most sockets accepted at a time, so that those who are connected do not wait for those who connect.
  private static let acceptBatchMax = 128
  /// The time for which accepting rests when descriptors have run out.
  private static let acceptPauseMilliseconds: Int64 = 200

  func watchListener(_ index: Int) throws(NetError) {
    guard let listener = listeners[index] else { return }
    try poller.add(listener.descriptor, .listener(index: Int32(index)), .readable)
  }

  /// Accepts a batch and hands each socket to the loop with the fewest connections.
  func acceptBatch(_ index: Int) {
    guard let listener = listeners[index] else { return }
    var handed = [[Accepted]](repeating: [], count: others.count)
    for _ in 0..<Loop.acceptBatchMax {
      switch listener.accept() {
      case .accepted(let socket, let peer): assign(socket, peer, by: index, to: &handed)
      case .failed: continue
      case .empty:
        handOver(handed)
        return
      case .exhausted(let error):
        pauseAccept(error)
        handOver(handed)
        return
      }
    }
    handOver(handed)
  }

  private func assign(
    _ socket: Int32, _ peer: PeerAddress, by listener: Int, to handed: inout [[Accepted]]
  ) {
    let kind: Admission.Class
    if kinds[listener].isSide {
      kind = .side
    } else {
      kind = options.trustedProxies.cover(peer) ? .proxied : .served
    }
    func hand(_ loop: Int, _ kind: Admission.Class) {
      handed[loop].append(
        Accepted(socket: socket, peer: peer, listener: UInt8(listener), admittedAs: kind))
    }
    switch admit(peer, as: kind) {
    case .serve(let loop): hand(loop, kind)
    case .turnAway(let loop, let kind): hand(loop, kind)
    case .drop: drop(socket, speaksTLS: kinds[listener].speaksTLS)
    }
  }

  /// Closes a socket for which there is no room to wait for the request. A plain connection is told so at once: the
  /// kernel delivers the answer unless the request comes first.
  private func drop(_ socket: Int32, speaksTLS: Bool) {
    if !speaksTLS {
      _ = Loop.fullReply.withUnsafeBufferPointer {
        whattodo_send(socket, $0.baseAddress, $0.count)
      }
    }
    whattodo_close(socket)
    counters.add(.refusedDropped)
  }

  private func admit(_ peer: PeerAddress, as kind: Admission.Class) -> Admission.Verdict {
    switch kind {
    case .side: admission.admitToSide()
    case .proxied: admission.admit(nil)
    case .served, .turnedAway, .crowded: admission.admit(peer.prefix)
    }
  }

  private func handOver(_ handed: [[Accepted]]) {
    for socket in handed[0] { adopt(socket) }
    for loop in handed.indices.dropFirst() where !handed[loop].isEmpty {
      others[loop].post(.adopt(handed[loop]))
    }
  }

  /// Takes over an accepted socket and expects its request.
  func adopt(_ accepted: Accepted) {
    counters.add(.accepted)
    let id = table.take()
    let connection = table[id.slot]
    connection.pointee.socket = accepted.socket
    connection.pointee.peer = accepted.peer
    connection.pointee.admittedAs = accepted.admittedAs
    connection.pointee.listener = accepted.listener
    connection.pointee.heardAt = now
    connection.pointee.interest = .readable
    let wasTurnedAway = accepted.admittedAs == .turnedAway || accepted.admittedAs == .crowded
    connection.pointee.phase = .head(RequestReading(wasTurnedAway: wasTurnedAway))
    do {
      if let bytes = options.sendBufferBytes {
        _ = try checked(
          whattodo_set_send_buffer(accepted.socket, Int32(clamping: bytes)), .setsockopt)
      }
      try poller.add(accepted.socket, .connection(slot: id.slot), .readable)
      setDeadline(id, options.handshakeMilliseconds)
    } catch {
      finish(id, .lost)
    }
  }

  private func pauseAccept(_ error: NetError) {
    guard !acceptIsPaused else { return }
    acceptIsPaused = true
    counters.add(.acceptPauses)
    for index in listeners.indices { ignoreListener(index) }
    _ = wheel.set(at: now + Loop.acceptPauseMilliseconds, .acceptAgain)
    application?.acceptPaused(error)
  }

  func resumeAccept() {
    guard acceptIsPaused else { return }
    acceptIsPaused = false
    do {
      for index in listeners.indices { try watchListener(index) }
    } catch {
      pauseAccept(error)
    }
  }

  /// Closes the listeners, so that nobody new is let in. With `exceptSide` figures can be asked for until the end.
  func closeListeners(exceptSide: Bool = false) {
    for index in listeners.indices where listeners[index] != nil {
      if exceptSide, kinds[index].isSide { continue }
      listeners[index]?.close()
      listeners[index] = nil
    }
  }

  private func ignoreListener(_ index: Int) {
    guard let listener = listeners[index] else { return }
    do {
      try poller.remove(listener.descriptor, .listener(index: Int32(index)))
    } catch {
      // The listener was not watched, because a resume failed half-way before this pause.
      return
    }
  }
}
