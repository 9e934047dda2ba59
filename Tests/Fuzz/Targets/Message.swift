// The messages of the protocol. An input is a message, an event, an object or the objects before one.
//
// Promises: a request that is taken can be sent by a client, and is then taken as the same request with the same
// idempotency input. Events and objects that were read are read again from the bytes that we write.

import Domain
import Wire

func fuzzMessage(_ bytes: [UInt8]) throws(Finding) {
  try checkRequest(bytes)
  try checkServerMessage(bytes)
  try checkStored(bytes)
}

private func checkRequest(_ bytes: [UInt8]) throws(Finding) {
  switch Result(catching: { () throws(RequestError) in try RequestEnvelope(decoding: bytes) }) {
  case .failure(let error):
    // Whatever it was, there is an answer to it that a client understands.
    let answer = Answer.error(error.id, error.failure)
    guard case .error(error.id, _)? = serverMessage(answer) else {
      throw Finding(sentence: "no error: \(String(decoding: answer, as: UTF8.self))")
    }
  case .success(let envelope):
    let sent = envelope.request.encoded(id: envelope.id)
    let again = Result { () throws(RequestError) in try RequestEnvelope(decoding: sent) }
    try promiseEqual(again, .success(envelope), "the request sent again")
  }
}

private func checkServerMessage(_ bytes: [UInt8]) throws(Finding) {
  switch serverMessage(bytes) {
  case .result(_, let node): readResults(node)
  case .error, .gone, .live, .drain, .unknown, nil: break
  case .events(let push):
    guard !push.events.isEmpty else { return }
    let written = Push.events(
      push.stream, epoch: push.epoch, from: push.from, bodies: push.events.map(EventCodec.encode))
    guard case .events(push)? = serverMessage(written) else {
      throw Finding(sentence: "events written again are others: \(push)")
    }
  case .ephemeral(let set):
    guard case .ephemeral(set)? = serverMessage(Push.ephemeral(set)) else {
      throw Finding(sentence: "what holds for a moment, written again, is another: \(set)")
    }
  case .objects(let push): for object in push.objects { try checkObject(object) }
  case .snapshot(let page): for object in page.objects { try checkObject(object) }
  }
}

/// Reads a result as each method does: the method that asked decides how, and a hostile server may answer any with any.
/// The reading may be refused. This only looks for crashes.
private func readResults(_ node: JSONNode) {
  _ = Result { () throws(WireError) in try HelloResult(decoding: node) }
  _ = Result { () throws(WireError) in try StreamStatus.decodeOpenResult(node) }
  _ = Result { () throws(WireError) in try RegisterResult(decoding: node) }
  _ = Result { () throws(WireError) in try LoginResult(decoding: node) }
  _ = Result { () throws(WireError) in try RecoverResult(decoding: node) }
  _ = Result { () throws(WireError) in try SessionLine.decodeListResult(node) }
  _ = Result { () throws(WireError) in try Profile(decoding: node) }
  _ = Result { () throws(WireError) in try Domain.Category.decodeListResult(node) }
  _ = Result { () throws(WireError) in try PostsResult(decoding: node) }
  _ = Result { () throws(WireError) in try MemberLine.decodeListResult(node) }
  _ = Result { () throws(WireError) in try NotificationsResult(decoding: node) }
  _ = Result { () throws(WireError) in try SearchResult(decoding: node) }
  _ = Result { () throws(WireError) in try ViewResult(decoding: node) }
  _ = Result { () throws(WireError) in try AgendaResult(decoding: node) }
  _ = Result { () throws(WireError) in try CommandResult(decoding: node) }
}

private func checkStored(_ bytes: [UInt8]) throws(Finding) {
  if let event = storedEvent(bytes) {
    try promiseEqual(storedEvent(EventCodec.encode(event)), event, "the event written again")
  }
  if let object = storedObject(bytes) { try checkObject(object) }
  let before = Result { () throws(WireError) in try ObjectCodec.decode(before: bytes) }
  if case .success(let before) = before {
    for case let object? in before.objects { try checkObject(object) }
  }
}

private func checkObject(_ object: Object) throws(Finding) {
  let written = ObjectCodec.encode(object)
  try promiseEqual(storedObject(written), object, "the object written again")
}

func serverMessage(_ bytes: [UInt8]) -> ServerMessage? {
  do throws(WireError) { return try ServerMessage(decoding: bytes) } catch { return nil }
}

private func storedEvent(_ bytes: [UInt8]) -> Event? {
  do throws(WireError) { return try EventCodec.decode(bytes, seq: 1) } catch { return nil }
}

private func storedObject(_ bytes: [UInt8]) -> Object? {
  do throws(WireError) { return try ObjectCodec.decode(bytes) } catch { return nil }
}
