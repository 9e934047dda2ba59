import Domain

@testable import Wire

// Random talk.
extension RandomValues {
  mutating func talkLine() -> TalkLine {
    TalkLine(
      event: seq(), said: stamp(), text: string(), post: bool() ? PostID(uuid()) : nil,
      answers: bool() ? seq() : nil, mentions: mentions(), reactions: lineReactions(),
      edited: bool() ? time() : nil)
  }

  private mutating func lineReactions() -> [LineReaction] {
    (0..<count() % 3).map { _ in LineReaction(user: UserID(uuid()), sign: string()) }
  }

  private mutating func mentions() -> [Mention] {
    (0..<count() % 3).map { _ in Mention(UserID(uuid()), at: count(), length: count()) }
  }

  mutating func lineOp(_ kind: LineOp.Kind) -> LineOp {
    let post = bool() ? PostID(uuid()) : nil
    return switch kind {
    case .said:
      .said(
        SaidLine(
          line: seq(), text: string(), post: post, answers: bool() ? seq() : nil,
          to: bool() ? UserID(uuid()) : nil, mentions: mentions(),
          comments: bool() ? count() : nil))
    case .edited: .edited(line: seq(), text: string(), post: post, mentions: mentions())
    case .reacted:
      .reacted(line: seq(), to: UserID(uuid()), sign: optionalString(), post: post)
    case .removed: .removed(line: seq(), post: post, comments: bool() ? count() : nil)
    }
  }
}
