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
    guard let method = Method(named: name) else {
      let word = name.prefix { $0 != "." }
      throw .unknownMethod(Method.allCases.filter { $0.name.prefix { $0 != "." } == word })
    }
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

  fileprivate static func decode(_ method: Method, _ params: Params) throws(Refusal) -> Request {
    switch try method.read(params) {
    case .other(let request): return request
    case .command(let command):
      let base = try params.optional(.base)
      return .command(command, key: try params.read(.key), base: base)
    }
  }
}

extension Method {
  /// The parameters, as the reader of requests reads them. Throws when an example of one of them is refused.
  package var parameters: ParameterList {
    get throws(Refusal) {
      try ParameterList(of: { params throws(Refusal) in _ = try Request.decode(self, params) })
    }
  }
}
