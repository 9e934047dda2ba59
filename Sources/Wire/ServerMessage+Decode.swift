import Domain

extension ServerMessage {
  /// Reads one message of a server. Unknown members are ignored.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    let message = try StoredFields(ObjectCodec.document(bytes, limits: .message).root)
    if message.has("method") {
      self = try ServerMessage.push(message)
    } else if message.has("error") {
      let id = try ServerMessage.id(message)
      self = .error(id, try ServerError(decoding: message.fields("error")))
    } else {
      guard let id = try ServerMessage.id(message) else { throw .malformed("id") }
      self = .result(id, try message.node("result"))
    }
  }

  private static func id(_ message: StoredFields) throws(WireError) -> RequestID? {
    let node = try message.node("id")
    if let number = node.int64 { return .number(number) }
    if let text = node.string { return .text(text) }
    guard node.isNull else { throw .malformed("id") }
    return nil
  }

  private static func push(_ message: StoredFields) throws(WireError) -> ServerMessage {
    let name = try message.string("method")
    guard let method = PushMethod(rawValue: name) else { return .unknown(method: name) }
    let params = try message.fields("params")
    switch method {
    case .events: return .events(try EventsPush(params))
    case .snapshot: return .snapshot(try SnapshotPage(params))
    case .objects: return .objects(try ObjectsPush(params))
    case .live:
      return .live(
        stream: try params.stream("stream"), epoch: Epoch(try params.string("epoch")),
        seq: try params.int64("seq"))
    case .gone: return .gone(try params.stream("stream"))
    case .ephemeral:
      return try EphemeralSet(params).map { .ephemeral($0) } ?? .unknown(method: name)
    case .drain:
      return .drain(
        afterMilliseconds: try params.int("afterMs"),
        withinMilliseconds: try params.int("withinMs"))
    }
  }
}

extension EventsPush {
  init(_ params: StoredFields) throws(WireError) {
    let from = try params.int64("from")
    guard from > 0 else { throw .malformed("from") }
    var events: [Event] = []
    for element in try params.elements("events") {
      events.append(try EventCodec.decode(element, seq: from + Int64(events.count)))
    }
    self.init(
      stream: try params.stream("stream"), epoch: Epoch(try params.string("epoch")), from: from,
      events: events)
  }
}

extension StoredFields {
  /// Reads the objects of a push. Those of kinds that this version does not know are left out.
  fileprivate func knownObjects() throws(WireError) -> [Object] {
    var objects: [Object] = []
    for element in try elements("objects") {
      do throws(WireError) {
        objects.append(try ObjectCodec.decode(element))
      } catch {
        guard case .unknownObject = error else { throw error }
      }
    }
    return objects
  }
}

extension ObjectsPush {
  init(_ params: StoredFields) throws(WireError) {
    var gone: [GoneObject] = []
    for element in try params.elements("gone") {
      if let name = try GoneObject(StoredFields(element)) { gone.append(name) }
    }
    self.init(
      stream: try params.stream("stream"), objects: try params.knownObjects(), gone: gone,
      cursor: try params.optionalFields("cursor").map(CursorPosition.init))
  }
}

extension CursorPosition {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      epoch: Epoch(try fields.string("epoch")), seq: try fields.int64("seq"),
      transaction: TransactionID(try fields.uuid("tx")))
  }
}

extension SnapshotPage {
  init(_ params: StoredFields) throws(WireError) {
    self.init(
      stream: try params.stream("stream"), epoch: Epoch(try params.string("epoch")),
      seq: try params.int64("seq"), transaction: TransactionID(try params.uuid("tx")),
      page: try params.int("page"), pages: try params.int("pages"),
      objects: try params.knownObjects())
  }
}

extension ServerError {
  init(decoding error: StoredFields) throws(WireError) {
    let data = try error.optionalFields("data")
    self.init(
      kind: try data?.optionalString("kind").flatMap(ErrorKind.init(rawValue:)),
      code: try error.int("code"),
      retry: try data?.optionalString("retry").flatMap(Retry.init(rawValue:)) ?? .no,
      sentence: try error.string("message"),
      field: try data?.optionalString("field"), limit: try data?.optionalString("limit"),
      max: try data?.optionalInt("max"), version: try data?.optionalInt("version"),
      object: try data?.optionalNode("object").flatMap(ServerError.object),
      afterMilliseconds: try data?.optionalInt("afterMs"), index: try data?.optionalInt("index"),
      place: try data?.optionalInt("at"))
  }

  private static func object(_ node: JSONNode) throws(WireError) -> Object? {
    do throws(WireError) {
      return try ObjectCodec.decode(node)
    } catch {
      guard case .unknownObject = error else { throw error }
      return nil
    }
  }
}
