package import Domain

// The one table of failures: kind (and with it code and retry), sentence and data (protocol §11). A new case of
// `Failure` or `Refusal` goes into each switch here, into protocol §11, `protocol/schema/error.json` and a vector.

extension Failure {
  package var kind: ErrorKind {
    switch self {
    case .parse: .parse
    case .invalidRequest: .invalidRequest
    case .unknownMethod: .unknownMethod
    case .refused(let refusal): refusal.kind
    case .helloFirst, .credentials: .unauthenticated
    case .rateLimited: .rateLimited
    case .unavailable: .unavailable
    case .unknownOutcome: .unknownOutcome
    case .draining: .draining
    case .internal: .internal
    }
  }

  /// The sentence that a person may read.
  package var sentence: String {
    switch self {
    case .parse(let error): "Not JSON: \(error.kind.sentence), at byte \(error.offset)."
    case .invalidRequest(let fault): fault.sentence
    case .unknownMethod([]): "There is no such method."
    case .unknownMethod(let near):
      "There is no such method; near to it: \(near.map(\.name).joined(separator: ", "))."
    case .refused(let refusal): refusal.sentence
    case .helloFirst: "Say hello with a token first."
    case .credentials: "Unknown username, or wrong password or code."
    case .rateLimited: "Too many requests; wait a moment."
    case .unavailable: "The store cannot be written at the moment; nothing was changed."
    case .unknownOutcome:
      "It is not known whether this took effect; send it again with the same key."
    case .draining: "The server is stopping; connect again."
    case .internal: "The server made a mistake; it is in its log."
    }
  }

  /// Writes the member `error` of an answer.
  func writeError(to writer: inout JSONWriter) {
    writer.key("error")
    writer.beginObject()
    writer.member("code", kind.code)
    writer.member("message", sentence)
    writer.key("data")
    writer.beginObject()
    writer.member("kind", kind.rawValue)
    writer.member("retry", kind.retry.rawValue)
    writeData(to: &writer)
    writer.endObject()
    writer.endObject()
  }

  func writeData(to writer: inout JSONWriter) {
    switch self {
    case .refused(let refusal): refusal.writeData(to: &writer)
    case .rateLimited(let after), .unavailable(let after): writer.member("afterMs", after)
    case .parse(let error): writer.member("offset", error.offset)
    case .invalidRequest, .unknownMethod, .helloFirst, .credentials, .unknownOutcome, .draining,
      .internal:
      break
    }
  }
}

extension Refusal {
  package var kind: ErrorKind {
    switch self {
    case .invalid: .invalid
    case .tooLarge: .tooLarge
    case .unauthenticated: .unauthenticated
    case .forbidden: .forbidden
    case .notFound: .notFound
    case .conflict, .postConflict, .overlap: .conflict
    case .gone, .goneForGood: .gone
    case .moved: .moved
    case .exists: .exists
    case .keyReused: .keyReused
    case .quota: .quota
    case .staleBase: .staleBase
    case .inBatch(_, let refusal): refusal.kind
    }
  }

  package var sentence: String {
    switch self {
    case .invalid(let field, let reason, _): "The \(field) \(reason)."
    case .tooLarge(let field, let max): "The \(field) is too long; at most \(max)."
    case .unauthenticated: "The token is not valid; sign in again."
    case .forbidden(let reason): "Not allowed: \(reason)."
    case .notFound(let noun): "There is no such \(noun)."
    case .conflict(let post):
      "It was changed meanwhile; it is at version \(post.version) now."
    case .postConflict(_, let sentence): sentence
    case .overlap(let post, let field):
      "Its \(field) changed meanwhile; it is at version \(post.version) now."
    case .gone("bot"): "This bot is to end; only bot.keep keeps it."
    case .gone(let noun): "This \(noun) was removed; only restore brings it back."
    case .goneForGood: "This post was removed, and is gone for good."
    case .moved: "This post is in another list now."
    case .exists(let field, .taken): "This \(field) is taken already."
    case .exists(_, .member): "This person is a member already."
    case .exists(_, .invited): "This person is invited already."
    case .keyReused: "This key was used with another command."
    case .quota(let limit, let max): "The quota \(limit) of \(max) is used up."
    case .staleBase: "It was done on a copy that is too old or of another history; look again."
    case .inBatch(let index, let refusal): "In command \(index) of the batch: \(refusal.sentence)"
    }
  }

  func writeData(to writer: inout JSONWriter) {
    switch self {
    case .invalid(let field, _, let place):
      writer.member("field", field)
      writer.member("at", ifPresent: place)
    case .tooLarge(let field, let max):
      writer.member("field", field)
      writer.member("max", max)
    case .conflict(let post), .postConflict(let post, _):
      writer.member("version", post.version)
      writer.key("object")
      ObjectCodec.write(.post(post), to: &writer)
    case .overlap(let post, let field):
      writer.member("field", field)
      writer.member("version", post.version)
      writer.key("object")
      ObjectCodec.write(.post(post), to: &writer)
    case .moved(let list): writer.member("to", list.uuid)
    case .exists(let field, _): writer.member("field", field)
    case .quota(let limit, let max):
      writer.member("limit", limit)
      writer.member("max", max)
    case .unauthenticated, .forbidden, .notFound, .gone, .goneForGood, .keyReused, .staleBase: break
    case .inBatch(let index, let refusal):
      refusal.writeData(to: &writer)
      writer.member("index", index)
    }
  }
}

extension Answer {
  /// Returns an error answer. `id` is nil when that of the request could not be read; the answer then has `null`
  /// (JSON-RPC 2.0 §5).
  package static func error(_ id: RequestID?, _ failure: Failure) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    if let id {
      writer.member("id", id)
    } else {
      writer.key("id")
      writer.null()
    }
    failure.writeError(to: &writer)
    writer.endObject()
    return writer.bytes
  }
}
