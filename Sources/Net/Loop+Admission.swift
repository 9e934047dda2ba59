// A client behind a trusted proxy is known when its request has come, on any loop, but loop 0 counts it. So the upgrade
// waits for the answer of loop 0:
//
//   loop N    `admit`      keeps the request, stops reading, asks             .claim
//   loop 0    `claimed`    counts the address in, or finds it full            .claimed
//   loop N    `decided`    opens, or answers 503; counts out who has gone     .unclaim

import WebSocket

/// An upgrade that may be granted if there is room.
struct Claim {
  let request: HTTPRequest
  let upgrade: Upgrade
  let route: WebSocketRoute
}

extension Loop {
  /// Returns who sent the request: the other end of the socket, or the client that a trusted proxy names.
  func client(of id: ConnectionID, _ request: HTTPRequest) -> PeerAddress {
    let connection = table[id.slot]
    guard connection.pointee.admittedAs == .proxied else { return connection.pointee.peer }
    return options.trustedProxies.client(
      behind: connection.pointee.peer, forwardedFor: request.values("x-forwarded-for"))
  }

  /// Opens at once a connection that was counted when it was accepted. Others ask loop 0 first.
  func admit(_ id: ConnectionID, _ claim: Claim) {
    let connection = table[id.slot]
    guard connection.pointee.admittedAs == .proxied,
      case .head(let reading) = connection.pointee.phase
    else {
      open(id, claim)
      return
    }
    let prefix = client(of: id, claim.request).prefix
    reading.claim = claim
    guard index != 0 else {
      decided(id, prefix, isGranted: admission.claim(prefix))
      return
    }
    setInterest(id.slot, connection.pointee.interest.subtracting(.readable))
    others[0].post(.claim(id, loop: index, prefix))
  }

  /// Answers the question of another loop, on loop 0.
  func claimed(_ id: ConnectionID, loop: Int, _ prefix: PeerAddress) {
    others[loop].post(.claimed(id, prefix, isGranted: admission.claim(prefix)))
  }

  /// Opens or refuses, when loop 0 has answered.
  func decided(_ id: ConnectionID, _ prefix: PeerAddress, isGranted: Bool) {
    guard let connection = table.find(id), case .head(let reading) = connection.pointee.phase,
      let claim = reading.claim
    else {
      // The client timed out or left meanwhile.
      if isGranted { others[0].post(.unclaim(prefix)) }
      return
    }
    reading.claim = nil
    guard isGranted, !stopIsRequested else {
      if isGranted { others[0].post(.unclaim(prefix)) }
      turnAway(id, claim.request)
      return
    }
    connection.pointee.peer = client(of: id, claim.request)
    connection.pointee.admittedAs = .served
    open(id, claim)
    if !connection.pointee.isPaused { readOn(id, connection) }
  }
}
