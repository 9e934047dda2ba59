/// The ways in which JSON can fail to be a request (protocol §4.1, §11).
package enum EnvelopeFault: String, CaseIterable, Sendable {
  case batch
  case notAnObject
  case idMissing
  case idMalformed
  /// A request with this id has not been answered yet.
  case idInFlight
  case jsonrpcMalformed
  case methodMissing
  case methodMalformed
  case paramsMalformed
  /// The connection says hello a second time.
  case helloAgain

  package var sentence: String {
    switch self {
    case .batch: "Batches are not part of this protocol; send one request in each message."
    case .notAnObject: "A message is one JSON object."
    case .idMissing: "A request needs an id."
    case .idMalformed: "The id must be an integer or a text of 1 to 64 bytes."
    case .idInFlight: "A request with this id has not been answered yet."
    case .jsonrpcMalformed: "The jsonrpc must be \"2.0\" or be left out."
    case .methodMissing: "A request needs a method."
    case .methodMalformed: "The method must be a text."
    case .paramsMalformed: "The params must be an object."
    case .helloAgain: "This connection said hello already."
    }
  }
}

extension JSONError.Kind {
  /// The words that a person may read after "Not JSON: ".
  package var sentence: String {
    switch self {
    case .tooLong: "longer than a message may be"
    case .tooDeep: "objects and lists inside each other too deeply"
    case .unexpectedEnd: "it ends too early"
    case .unexpectedByte: "a byte that does not belong there"
    case .byteOrderMark: "a byte order mark"
    case .trailingBytes: "something after the value"
    case .number: "a malformed number"
    case .numberTooLong: "a number with too many digits"
    case .numberRange: "a number outside of ±9007199254740991"
    case .controlCharacter: "a control character in a text"
    case .escape: "an unknown escape"
    case .loneSurrogate: "half of a surrogate pair"
    case .utf8: "a text that is not UTF-8"
    case .marks: "more than 30 combining marks in a row"
    case .duplicateMember: "a member that is there twice"
    }
  }
}
