/// A change of the talk of a category or group (protocol §8, `line.…`).
package enum LineCommand: Equatable, Sendable {
  /// Says a line: a comment on the post, an answer to the line of that number, or neither.
  case say(StreamID, text: String, post: PostID? = nil, answers: Int64? = nil)
  case edit(StreamID, line: Int64, text: String)
  /// Gives the sign to the line. Nil: the caller has none there any more.
  case react(StreamID, line: Int64, sign: String?)
  case remove(StreamID, line: Int64)

  package var stream: StreamID {
    switch self {
    case .say(let stream, _, _, _), .edit(let stream, _, _), .react(let stream, _, _),
      .remove(let stream, _):
      stream
    }
  }

  package var method: LineMethod {
    switch self {
    case .say: .say
    case .edit: .edit
    case .react: .react
    case .remove: .remove
    }
  }
}
