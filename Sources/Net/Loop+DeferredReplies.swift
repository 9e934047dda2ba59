// Requests that the application answers later, because the answer is made on another thread. The connection is not read
// meanwhile, so a client that asks several things gets them one after another.

package import WebSocket

extension Loop {
  /// Answers a request that came by `LoopApplication.asked`. It is ignored when the connection has ended or was
  /// answered already.
  package func reply(_ id: ConnectionID, _ reply: HTTPReply) {
    guard let reading = asked(id), let question = reading.question else { return }
    reading.question = nil
    counters.add(.answered)
    goOn(id, reading, reply, to: question, hasReadBody: true)
    if let connection = findHead(id) { readOn(id, connection) }
  }

  func ask(_ id: ConnectionID, _ reading: RequestReading, _ request: HTTPRequest) {
    reading.question = request
    setInterest(id.slot, table[id.slot].pointee.interest.subtracting(.readable))
    setDeadline(id, options.handshakeMilliseconds)
    let peer = client(of: id, request)
    let body = reading.body
    reading.body = []
    application?.asked(id, RouteRequest(head: request, body: body, peer: peer))
  }

  /// Returns a connection on which requests are read. Nil when it is another kind, or over.
  func findHead(_ id: ConnectionID) -> UnsafeMutablePointer<Connection>? {
    guard let connection = table.find(id), case .head = connection.pointee.phase else { return nil }
    return connection
  }

  func asked(_ id: ConnectionID) -> RequestReading? {
    guard let connection = findHead(id), case .head(let reading) = connection.pointee.phase else {
      return nil
    }
    return reading
  }
}
