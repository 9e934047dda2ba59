import Domain

extension RequestEnvelope {
  /// Reads one message of a client (protocol §4). Texts are normalised and checked, every limit that
  /// needs no state is held; the error says which field and why.
  package init(decoding bytes: [UInt8]) throws(RequestError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(bytes)
    } catch {
      throw RequestError(id: nil, failure: .parse(error))
    }
    let root = document.root
    guard root.kind == .object else {
      let fault: EnvelopeFault = root.kind == .array ? .batch : .notAnObject
      throw RequestError(id: nil, failure: .invalidRequest(fault))
    }
    let id = try RequestID(of: root)
    var known: Method?
    do throws(Failure) {
      let method = try Method(of: root)
      known = method
      if let params = root["params"], params.kind != .object {
        throw Failure.invalidRequest(.paramsMalformed)
      }
      let request = try Request(method, Params(root["params"]))
      self.init(id: id, method: method, request: request, canonical: request.canonical)
    } catch {
      throw RequestError(id: id, method: known, failure: error)
    }
  }
}

extension RequestID {
  fileprivate init(of root: JSONNode) throws(RequestError) {
    guard let node = root["id"] else {
      throw RequestError(id: nil, failure: .invalidRequest(.idMissing))
    }
    if let number = node.int64 {
      self = .number(number)
    } else if let text = node.string, (1...RequestID.textBytesMax).contains(text.utf8.count) {
      self = .text(text)
    } else {
      throw RequestError(id: nil, failure: .invalidRequest(.idMalformed))
    }
  }
}

extension Method {
  fileprivate init(of root: JSONNode) throws(Failure) {
    if let version = root["jsonrpc"], version.string != "2.0" {
      throw .invalidRequest(.jsonrpcMalformed)
    }
    guard let node = root["method"] else { throw .invalidRequest(.methodMissing) }
    guard let name = node.string else { throw .invalidRequest(.methodMalformed) }
    guard let method = Method(rawValue: name) else { throw .unknownMethod }
    self = method
  }
}

extension Request {
  fileprivate init(_ method: Method, _ params: Params) throws(Failure) {
    do throws(Refusal) {
      self = try Request.decode(method, params)
    } catch {
      throw .refused(error)
    }
  }

  private static func decode(_ method: Method, _ params: Params) throws(Refusal) -> Request {
    switch method {
    case .hello: .hello(try Hello(params))
    case .ping: .ping
    case .syncOpen: .open(try Cursor.list(params))
    case .syncClose: .close(try params.streams("streams"))
    case .accountRegister: .register(try RegisterRequest(params))
    case .accountLogin: .login(try LoginRequest(params))
    case .accountRecover: .recover(try RecoverRequest(params))
    case .accountChangePassword: .changePassword(try ChangePasswordRequest(params))
    case .accountLogout: .logout
    case .sessionList: .query(.sessions)
    case .profileGet: .query(.profile)
    case .postList: .query(.posts(try PostsQuery(params)))
    case .categoryList: .query(try Query.categories(params))
    case .memberList: .query(.members(try params.stream("stream", "cg")))
    case .notificationList: .query(.notifications(limit: try params.limit(Query.notificationsMax)))
    case .presenceSet: .ephemeral(try .presence(params))
    case .typingSet: .ephemeral(try .typing(params))
    case .progressSet: .ephemeral(try .progress(params))
    case .undoPreview: .query(.history(.undo(try UndoQuery(params))))
    case .historyGet: .query(.history(.events(try HistoryEventsQuery(params))))
    case .historyState: .query(.history(.state(try HistoryStateQuery(params))))
    case .historyDiff: .query(.history(.difference(try HistoryDifferenceQuery(params))))
    case .sessionClose, .profileEdit, .categoryAdd, .categoryEdit, .categoryRemove,
      .categoryRestore, .postAdd, .postEdit, .postComplete, .postReopen, .postRemove,
      .postRestore, .postErase, .groupAdd, .invitationSend, .invitationAccept, .invitationDecline,
      .invitationRevoke, .memberLeave, .memberRemove, .notificationRead, .batch, .undo,
      .memberSetRole, .groupEdit, .groupRemove, .groupRestore:
      try command(method, params)
    }
  }
  private static func command(_ method: Method, _ params: Params) throws(Refusal) -> Request {
    let command = try Command(method, params)
    let base = try params.has("base") ? CommandBase(params.object("base")) : nil
    return .command(command, key: try params.key(), base: base)
  }
}

extension CommandBase {
  fileprivate init(_ params: Params) throws(Refusal) {
    let epoch = try params.secret("epoch", bytes: 1...CursorPosition.epochBytesMax)
    self.init(epoch: Epoch(epoch), seq: try params.int("seq", 0...JSONNumber.integerMax))
  }
}
