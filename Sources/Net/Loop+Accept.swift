import CLinux
import WebSocket

/// A socket on its way from loop 0 to the loop that will own it.
struct Accepted: Sendable {
  let socket: Int32
  let peer: PeerAddress
  let wasTurnedAway: Bool
}

extension Loop {
  /// So many at a time, so that those who are connected do not wait for those who connect.
  private static let acceptBatchMax = 128
  /// How long accepting rests when descriptors have run out.
  private static let acceptPauseMilliseconds: Int64 = 200

  func watchListener(_ index: Int) throws(NetError) {
    try poller.add(listeners[index].descriptor, .listener(index: Int32(index)), .readable)
  }

  /// Accepts a batch and hands each to the loop with the fewest.
  func acceptBatch(_ index: Int) {
    guard listeners.indices.contains(index) else { return }
    var handed = [[Accepted]](repeating: [], count: others.count)
    for _ in 0..<Loop.acceptBatchMax {
      switch listeners[index].accept() {
      case .accepted(let socket, let peer): assign(socket, peer, to: &handed)
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

  private func assign(_ socket: Int32, _ peer: PeerAddress, to handed: inout [[Accepted]]) {
    switch admission.admit(peer.prefix) {
    case .serve(let loop):
      handed[loop].append(Accepted(socket: socket, peer: peer, wasTurnedAway: false))
    case .turnAway(let loop):
      handed[loop].append(Accepted(socket: socket, peer: peer, wasTurnedAway: true))
    case .drop: whattodo_close(socket)
    }
  }

  private func handOver(_ handed: [[Accepted]]) {
    for socket in handed[0] { adopt(socket) }
    for loop in handed.indices.dropFirst() where !handed[loop].isEmpty {
      others[loop].post(.adopt(handed[loop]))
    }
  }

  /// Takes an accepted socket over; its request is expected.
  func adopt(_ accepted: Accepted) {
    let id = table.take()
    let connection = table[id.slot]
    connection.pointee.socket = accepted.socket
    connection.pointee.peer = accepted.peer
    connection.pointee.isAdmitted = true
    connection.pointee.wasTurnedAway = accepted.wasTurnedAway
    connection.pointee.heardAt = now
    connection.pointee.interest = .readable
    connection.pointee.phase = .head(RequestReading(wasTurnedAway: accepted.wasTurnedAway))
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
    for index in listeners.indices { ignoreListener(index) }
    _ = wheel.set(at: now + Loop.acceptPauseMilliseconds, .acceptAgain)
    application?.acceptPaused(error)
  }

  func resumeAccept() {
    guard acceptIsPaused, !stopIsRequested else { return }
    acceptIsPaused = false
    do {
      for index in listeners.indices { try watchListener(index) }
    } catch {
      pauseAccept(error)
    }
  }

  func closeListeners() {
    for listener in listeners { listener.close() }
    listeners = []
  }

  private func ignoreListener(_ index: Int) {
    do {
      try poller.remove(listeners[index].descriptor, .listener(index: Int32(index)))
    } catch {
      // Not watched: pausing after a resume that failed half-way.
      return
    }
  }
}
