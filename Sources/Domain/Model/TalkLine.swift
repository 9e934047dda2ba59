// Talk (protocol §5.20): members of a category or group say lines to each other. A line is an event of the stream whose
// members may read it, so what was said stands between what was done. The state holds the newest lines. The log has all
// of them.

/// A line of talk.
package struct TalkLine: Equatable, Sendable {
  /// The number of the event by which it was said. A stream has no other line of this number.
  package let event: Int64
  package let said: Stamp
  /// 1 … `Limits.lineScalarsMax` scalars, maybe of several lines of a screen.
  package var text: String
  /// The post of the category that it is about: it is a comment then. Nil: it is about the place as a whole.
  package let post: PostID?
  /// The number of the line that it answers.
  package let answers: Int64?
  /// The members whom the text names, in the order of its words.
  package var mentions: [Mention]
  /// The signs that people give to it, in the order in which they were given, each person once.
  package var reactions: [LineReaction]
  /// The time of the last change of its text. Nil: it is as it was said.
  package var edited: Timestamp?

  package init(
    event: Int64, said: Stamp, text: String, post: PostID? = nil, answers: Int64? = nil,
    mentions: [Mention] = [], reactions: [LineReaction] = [], edited: Timestamp? = nil
  ) {
    self.event = event
    self.said = said
    self.text = text
    self.post = post
    self.answers = answers
    self.mentions = mentions
    self.reactions = reactions
    self.edited = edited
  }

  package var key: ObjectKey { TalkLine.key(of: event) }

  /// Returns the key of a line. Its id is the event's number and zeros, as that of reactions is.
  package static func key(of event: Int64) -> ObjectKey {
    ObjectKey(kind: .line, id: UUID(high: UInt64(bitPattern: event), low: 0))
  }

  /// Returns the number of the line with this key.
  package static func number(of key: ObjectKey) -> Int64 { Int64(bitPattern: key.id.high) }
}

/// The sign that a person gives to a line.
package struct LineReaction: Equatable, Sendable {
  package let user: UserID
  /// One grapheme, of at most `Limits.reactionScalarsMax` scalars.
  package let sign: String

  package init(user: UserID, sign: String) {
    self.user = user
    self.sign = sign
  }
}

extension ObjectKind {
  /// Whether objects of this kind are talk. Guests by a link get nothing of it.
  package var isTalk: Bool { self == .line || self == .comments }
}

extension Event {
  /// Whether some of the event is talk.
  package var hasTalk: Bool { ops.contains { $0.isTalk } }

  /// The event as guests by a link get it. Its number, transaction and time are the same. When nothing is left of it,
  /// it does not say either who caused it.
  package var withoutTalk: Event {
    let rest = ops.filter { !$0.isTalk }
    guard rest.count < ops.count else { return self }
    return Event(
      seq: seq, transaction: transaction, at: at, by: rest.isEmpty ? nil : by,
      key: rest.isEmpty ? nil : key, undoes: undoes, ops: rest)
  }
}

extension Op {
  /// Whether the op is talk.
  package var isTalk: Bool { if case .line = self { true } else { false } }
}
