/// A change of the talk of a category or group (protocol §7, `line.…`). The author of its event speaks.
package enum LineOp: Equatable, Sendable {
  /// The line has the number of its event.
  case said(line: Int64, text: String, post: PostID? = nil, answers: Int64? = nil)
  /// The post is that of the line, so that whoever looks for a post's comments finds their changes too.
  case edited(line: Int64, text: String, post: PostID? = nil)
  /// The line is gone, and so is its text from all that was written before.
  case removed(line: Int64, post: PostID? = nil)

  package var line: Int64 {
    switch self {
    case .said(let line, _, _, _), .edited(let line, _, _), .removed(let line, _): line
    }
  }

  /// The post that the line is about. Nil: it is about the place as a whole.
  package var post: PostID? {
    switch self {
    case .said(_, _, let post, _), .edited(_, _, let post), .removed(_, let post): post
    }
  }
}

extension LineOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] { [TalkLine.key(of: line)] }

  package func rankedKind(in stream: StreamID) -> ObjectKind? { .line }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, of: event, into: &changes)
  }

  /// A person takes a line back by removing it. Nobody else's undo does.
  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> LineOp {
    guard subject == .line(line) else { return self }
    return switch self {
    case .said(let line, _, let post, let answers):
      .said(line: line, text: "", post: post, answers: answers)
    case .edited(let line, _, let post): .edited(line: line, text: "", post: post)
    case .removed: self
    }
  }

  package var erased: ErasedSubject? {
    if case .removed(let line, _) = self { .line(line) } else { nil }
  }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? { nil }
}

extension StreamState {
  mutating func apply(_ op: LineOp, of event: Event, into changes: inout [ObjectChange]) {
    let key = TalkLine.key(of: op.line)
    switch op {
    case .said(let line, let text, let post, let answers):
      guard let user = event.by else { return }
      let said = Stamp(at: event.at, by: user)
      put(
        .line(TalkLine(event: line, said: said, text: text, post: post, answers: answers)),
        into: &changes)
    case .edited(_, let text, _):
      guard case .line(var line) = objects[key] else { return }
      line.text = text
      line.edited = event.at
      put(.line(line), into: &changes)
    case .removed: deleteRanked(key, into: &changes)
    }
  }
}
