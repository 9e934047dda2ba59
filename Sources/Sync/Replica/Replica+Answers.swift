import Wire

// The effects of answers on requests.
extension Replica {
  mutating func resulted(
    _ id: RequestID, _ node: JSONNode, now: Int64
  ) throws(WireError) -> [ReplicaEffect] {
    if let own = requests.takeOwn(id) { return try resulted(own, node, now: now) }
    guard let request = requests.request(id) else { return [] }
    requests.answered(id, try ReplicaAnswer(node, to: request))
    if request == .logout { return settle() + end(.signedOut) + [.close] }
    guard case .open = request else { return settle() + sendRequests() }
    let opened = try StreamStatus.decodeOpenResult(node).flatMap { reopened($0) }
    return opened + settle() + sendRequests()
  }

  mutating func failed(
    _ id: RequestID?, _ error: ServerError, now: Int64
  ) -> [ReplicaEffect] {
    // An error without an id means that the server could not read a message of ours at all. Answers come in the order
    // of the requests, so it belongs to the oldest one without an answer (protocol §2.2).
    guard let id = id ?? requests.oldestInFlight else { return end(.unreadable) + [.close] }
    if let own = requests.takeOwn(id) { return failed(own, error, now: now) }
    let failed = requests.failed(id, error, now: now)
    guard failed.isEmpty else { return failed.flatMap { tell($0, error) } + sendRequests() }
    requests.release(now: now)
    return (error.retry == .reconnect ? [] : sendRequests()) + nextWake()
  }

  private func tell(_ failed: RequestQueue.Failed, _ error: ServerError) -> [ReplicaEffect] {
    let kept: [ReplicaEffect] =
      failed.isQueued ? [.outbox(.refused(failed.ticket.number, error))] : []
    return kept + [.answered(failed.ticket, .failure(.refused(error)))]
  }

  private mutating func resulted(
    _ own: RequestQueue.Own, _ node: JSONNode, now: Int64
  ) throws(WireError) -> [ReplicaEffect] {
    switch own {
    case .hello: return greeted(try HelloResult(decoding: node), now: now)
    case .open(let stream):
      asked.remove(stream)
      return try StreamStatus.decodeOpenResult(node).flatMap { take($0) }
    }
  }

  private mutating func failed(
    _ own: RequestQueue.Own, _ error: ServerError, now: Int64
  ) -> [ReplicaEffect] {
    switch own {
    case .hello:
      if error.kind == .unauthenticated { return end(.signedOut) + [.close] }
      return hangUp(error)
    case .open: return hangUp(error)
    }
  }

  /// Closes the connection and comes back later, as if the server had asked for it.
  private mutating func hangUp(_ error: ServerError) -> [ReplicaEffect] {
    if let wait = error.afterMilliseconds { drain = (wait, wait / 2) }
    return [.hangUp]
  }
}
