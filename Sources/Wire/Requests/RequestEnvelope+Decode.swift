import Domain

/// The place where a request was until now.
package enum RequestOrigin: Sendable {
  case sent
  /// It was in the queue of a client, perhaps of an earlier version that accepted names of which nothing shows.
  case kept
}

extension RequestEnvelope {
  /// Reads one message of a client (protocol §4). Texts are normalised and checked, and every limit that needs no state
  /// is applied. The error says which field is wrong and why.
  package init(
    decoding bytes: [UInt8], origin: RequestOrigin = .sent
  ) throws(RequestError) {
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
      let request = try Request(method, Params(root["params"], origin: origin))
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
    switch method.facts.kind {
    case .session, .account: try ownRequest(method, params)
    case .query: .query(try Query(method, params))
    case .moment: .ephemeral(try EphemeralRequest(method, params))
    case .change: try command(method, params)
    }
  }

  private static func ownRequest(_ method: Method, _ params: Params) throws(Refusal) -> Request {
    switch method {
    case .hello: .hello(try Hello(params))
    case .ping: .ping
    case .serverAbout: .about
    case .syncOpen: .open(try Cursor.list(params))
    case .syncClose: .close(try params.streams("streams"))
    case .accountRegister: .register(try RegisterRequest(params))
    case .accountLogin: .login(try LoginRequest(params))
    case .accountRecover: .recover(try RecoverRequest(params))
    case .accountChangePassword: .changePassword(try ChangePasswordRequest(params))
    case .accountLogout: .logout
    case .sessionPair: .openPairing
    case .accountPair: .pair(try PairRequest(params))
    case .accountGuest: .guest(try GuestRequest(params))
    case .accountUpgrade: .upgrade(try UpgradeRequest(params))
    case .accountDelete: .deleteAccount(try DeleteAccountRequest(params))
    default: preconditionFailure("\(method.rawValue) is no request of its own")
    }
  }

  private static func command(_ method: Method, _ params: Params) throws(Refusal) -> Request {
    let command = try Command(method, params)
    let base = try params.has("base") ? CommandBase(params.object("base")) : nil
    return .command(command, key: try params.key(), base: base)
  }
}

extension Query {
  fileprivate init(_ method: Method, _ params: Params) throws(Refusal) {
    switch method {
    case .sessionList: self = .sessions
    case .profileGet: self = .profile
    case .postList: self = .posts(try PostsQuery(params))
    case .categoryList: self = try .categories(params)
    case .memberList: self = .members(try params.stream("stream", "cg"))
    case .invitationCodes: self = .codes(try params.stream("stream", "cg"))
    case .linkList: self = .links(CategoryID(try params.uuid("category")))
    case .notificationList:
      self = .notifications(limit: try params.limit(Query.notificationsMax))
    case .undoPreview: self = .history(.undo(try UndoQuery(params)))
    case .historyGet: self = .history(.events(try HistoryEventsQuery(params)))
    case .historyState: self = .history(.state(try HistoryStateQuery(params)))
    case .historyDiff: self = .history(.difference(try HistoryDifferenceQuery(params)))
    case .search: self = .search(try SearchQuery(params))
    case .postQuery: self = .view(try ViewQuery(params))
    case .agendaGet: self = .agenda(try AgendaQuery(params))
    case .postTwins: self = .twins(try TwinsQuery(params))
    case .digestGet: self = .digest(try DigestQuery(params))
    case .statsGet: self = .stats(try StatsQuery(params))
    case .accountExport: self = .export(try params.exportPlace("after"))
    default: preconditionFailure("\(method.rawValue) is no query")
    }
  }
}

extension EphemeralRequest {
  fileprivate init(_ method: Method, _ params: Params) throws(Refusal) {
    switch method {
    case .presenceSet: self = try .presence(params)
    case .typingSet: self = try .typing(params)
    case .progressSet: self = try .progress(params)
    default: preconditionFailure("\(method.rawValue) holds for no moment")
    }
  }
}

extension CommandBase {
  fileprivate init(_ params: Params) throws(Refusal) {
    let epoch = try params.secret("epoch", bytes: 1...CursorPosition.epochBytesMax)
    self.init(epoch: Epoch(epoch), seq: try params.int("seq", 0...JSONNumber.integerMax))
  }
}
