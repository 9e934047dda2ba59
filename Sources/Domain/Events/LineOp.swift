/// A change of the talk of a category or group (protocol §7, `line.…`). The author of its event speaks.
package indirect enum LineOp: Equatable, Sendable {
  case said(SaidLine)
  /// The post is that of the line, so that whoever looks for a post's comments finds their changes too.
  case edited(line: Int64, text: String, post: PostID? = nil, mentions: [Mention] = [])
  /// The author gives this sign to the line that `to` has said. Nil: none any more.
  case reacted(line: Int64, to: UserID, sign: String?, post: PostID? = nil)
  /// The line is gone, and so is its text from all that was written before. `comments` is the number of comments that
  /// the post has then. Nil: it says nothing of them.
  case removed(line: Int64, post: PostID? = nil, comments: Int? = nil)

  package var line: Int64 {
    switch self {
    case .said(let it): it.line
    case .edited(let line, _, _, _), .reacted(let line, _, _, _), .removed(let line, _, _): line
    }
  }

  /// The post that the line is about. Nil: it is about the place as a whole.
  package var post: PostID? {
    switch self {
    case .said(let it): it.post
    case .edited(_, _, let post, _), .reacted(_, _, _, let post), .removed(_, let post, _): post
    }
  }
}

/// A line as its event says it.
package struct SaidLine: Equatable, Sendable {
  /// The number of its event.
  package let line: Int64
  /// The text of the line. It is empty when it was erased.
  package let text: String
  package let post: PostID?
  /// The number of the line that it answers.
  package let answers: Int64?
  /// The user who said the line that it answers.
  package let to: UserID?
  package let mentions: [Mention]
  /// The number of comments that the post has then. Nil: it says nothing of them.
  package let comments: Int?

  package init(
    line: Int64, text: String, post: PostID? = nil, answers: Int64? = nil, to: UserID? = nil,
    mentions: [Mention] = [], comments: Int? = nil
  ) {
    self.line = line
    self.text = text
    self.post = post
    self.answers = answers
    self.to = to
    self.mentions = mentions
    self.comments = comments
  }

  /// The line without its text, and so without whom that names.
  fileprivate var withoutText: SaidLine {
    SaidLine(line: line, text: "", post: post, answers: answers, to: to, comments: comments)
  }
}

extension LineOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    let line = TalkLine.key(of: line)
    guard let post, counts else { return [line] }
    return [line, Comments.key(of: post)]
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] {
    counts ? [.line, .comments] : [.line]
  }

  /// Whether it says how many comments the post has.
  private var counts: Bool {
    switch self {
    case .said(let it): it.comments != nil
    case .removed(_, _, let comments): comments != nil
    case .edited, .reacted: false
    }
  }

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
    case .said(let it): .said(it.withoutText)
    case .edited(let line, _, let post, _): .edited(line: line, text: "", post: post)
    case .reacted, .removed: self
    }
  }

  package var erased: ErasedSubject? {
    if case .removed(let line, _, _) = self { .line(line) } else { nil }
  }

  /// A line is told once, by the first of these that holds: it names the person, it answers them, it is a comment, it
  /// is said. A line that was removed is not told, and neither is a change.
  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? {
    switch self {
    case .said(let it) where !it.text.isEmpty:
      Meaning(kind: it.news(to: viewer), post: it.post, line: it.line)
    case .reacted(let line, viewer, let sign?, let post):
      Meaning(kind: .reacted, post: post, sign: sign, line: line)
    case .said, .edited, .reacted, .removed: nil
    }
  }
}

extension SaidLine {
  fileprivate func news(to viewer: UserID) -> Notification.Kind {
    if mentions.contains(where: { $0.user == viewer }) { return .mentioned }
    if to == viewer { return .answered }
    return post == nil ? .said : .commented
  }
}

extension StreamState {
  mutating func apply(_ op: LineOp, of event: Event, into changes: inout [ObjectChange]) {
    let key = TalkLine.key(of: op.line)
    switch op {
    case .said(let it):
      guard let user = event.by else { return }
      put(.line(TalkLine(it, said: Stamp(at: event.at, by: user))), into: &changes)
      guard let post = it.post, let count = it.comments else { return }
      let comments = Comments(on: post, count: count, last: event.at, seq: it.line)
      put(.comments(comments), into: &changes)
    case .edited(_, let text, _, let mentions):
      changeLine(key, into: &changes) {
        ($0.text, $0.mentions, $0.edited) = (text, mentions, event.at)
      }
    case .reacted(_, _, let sign, _):
      guard let user = event.by else { return }
      changeLine(key, into: &changes) { $0.react(user, with: sign) }
    case .removed(_, let post, let count):
      deleteRanked(key, into: &changes)
      guard let post, let count else { return }
      recount(Comments.key(of: post), count, into: &changes)
    }
  }

  private mutating func changeLine(
    _ key: ObjectKey, into changes: inout [ObjectChange], _ change: (inout TalkLine) -> Void
  ) {
    guard case .line(var line) = objects[key] else { return }
    change(&line)
    put(.line(line), into: &changes)
  }

  /// Sets the number of comments on a post, where it is: in the state or, in the ledger, out of it.
  private mutating func recount(
    _ key: ObjectKey, _ count: Int, into changes: inout [ObjectChange]
  ) {
    guard case .comments(var it) = objects[key] else { return }
    guard count > 0 else { return deleteRanked(key, into: &changes) }
    it.count = count
    guard ranks.contains(where: { $0.key == key }) else {
      return putOutside(.comments(it), into: &changes)
    }
    put(.comments(it), into: &changes)
  }
}

extension TalkLine {
  fileprivate init(_ it: SaidLine, said: Stamp) {
    self.init(
      event: it.line, said: said, text: it.text, post: it.post, answers: it.answers,
      mentions: it.mentions)
  }

  fileprivate mutating func react(_ user: UserID, with sign: String?) {
    reactions.removeAll { $0.user == user }
    if let sign { reactions.append(LineReaction(user: user, sign: sign)) }
  }
}
