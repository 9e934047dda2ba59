// The questions that `decide` must have answered, and the store's answers. A command is decided on what is loaded.
// Missing answers are asked for, and then the command is decided again from the start.

/// A question to the store about what is committed.
package enum Need: Hashable, Sendable {
  /// The newest event of a stream → `.head`.
  case head(StreamID)
  /// One object, in the state or out of it (removed posts, older completed ones) → `.object`.
  case object(StreamID, ObjectKey)
  /// Every object of this kind in a stream, in any order → `.objects`. It is asked for members (also those who left),
  /// invitations, codes, links, group categories, memberships, blocks, tags, filters, notices, personal things, kept
  /// reminders and reactions, and never for posts.
  case objects(StreamID, ObjectKind)
  /// The places of the ranked objects of a kind in the state: completed posts, notices, kept reminders, lines of talk
  /// or counts of comments → `.ranks`.
  case ranks(StreamID, ObjectKind)
  /// The user with this username → `.user`.
  case username(String)
  /// The account of a user → `.account`.
  case account(UserID)
  /// Every open session of a user, in any order → `.sessions`.
  case sessions(UserID)
  /// Every bot that a person owns, in any order → `.users`.
  case bots(UserID)
  /// Every webhook of a bot, in any order → `.webhooks`.
  case webhooks(UserID)
  /// Whether this registration code is spent → `.flag`.
  case codeSpent(String)
  /// One committed event with what was before it → `.past`. Forgotten when the work is settled.
  case past(StreamPosition)
  /// Every event of the command with this key, if its answer lives in this stream → `.positions`. Forgotten when the
  /// work is settled.
  case commandEvents(home: StreamID, by: UserID, CommandKey)
  /// The lists in which the posts that one event brought or took away have been, or to which they have gone →
  /// `.trails`.
  case trails(StreamPosition)
  /// The first open posts of a list in its order that nobody is on and that are nobody's work or this user's →
  /// `.queue`. They are at most `Limits.queueMax`, from the first `Limits.queueLookedAtMax`. Forgotten when the work is
  /// settled.
  case queue(CategoryID, for: UserID)
  /// The post of a list with this source, removed or not → `.post`. Forgotten when the work is settled.
  case imported(CategoryID, SourceKey)
}

extension Need {
  /// The stream that the answer belongs to. Nil for answers that belong to none or are not kept.
  var stream: StreamID? {
    switch self {
    case .head(let stream), .object(let stream, _), .objects(let stream, _), .ranks(let stream, _):
      stream
    case .trails(let position): position.stream
    case .username, .account, .sessions, .bots, .webhooks, .codeSpent, .past, .commandEvents,
      .queue, .imported:
      nil
    }
  }

  static func profile(_ user: UserID) -> Need {
    .object(.user(user), ObjectKey(kind: .profile, id: user.uuid))
  }

  static func member(_ user: UserID, of stream: StreamID) -> Need {
    .object(stream, ObjectKey(kind: .member, id: user.uuid))
  }

  /// Returns the questions that every change of a post asks first.
  package static func toChange(_ address: PostAddress, by user: UserID) -> [Need] {
    let stream = address.stream
    return [
      .object(stream, ObjectKey(kind: .post, id: address.post.uuid)), .head(stream),
      .object(stream, ObjectKey(kind: .category, id: address.category.uuid)),
      .member(user, of: stream),
    ]
  }
}

/// The store's answer to a `Need`, of the case named there. It is boxed, as `Object` is.
package indirect enum Loaded: Equatable, Sendable {
  /// Nil when there is no such stream.
  case head(StreamHead?)
  case object(Object?)
  case objects([Object])
  case ranks([Rank])
  case user(UserID?)
  case users([UserID])
  case account(Account?)
  case sessions([SessionRecord])
  case webhooks([Webhook])
  case flag(Bool)
  /// Nil when there is no such event, or none any more.
  case past(PastEvent?)
  case positions([StreamPosition])
  /// Empty when there is no such event any more.
  case trails([PostTrail])
  case queue([QueuedPost])
  case post(PostID?)
}

/// The newest event of a stream.
package struct StreamHead: Equatable, Sendable {
  package let epoch: Epoch
  package var seq: Int64
  package var at: Timestamp
  package var transaction: TransactionID
  /// The number of the newest event that erased a text; 0 for none. Everything read of the stream before it is
  /// outdated.
  package var erasedSeq: Int64
  /// The number up to which events are no longer kept; 0 when all are. It is less than `seq`, unless the stream is
  /// dropped.
  package var horizon: Int64

  /// Whether only the fact is left that the stream was there. Its id is never given again.
  package var isDropped: Bool { horizon > 0 && horizon >= seq }

  package init(
    epoch: Epoch, seq: Int64, at: Timestamp, transaction: TransactionID, erasedSeq: Int64 = 0,
    horizon: Int64 = 0
  ) {
    self.epoch = epoch
    self.seq = seq
    self.at = at
    self.transaction = transaction
    self.erasedSeq = erasedSeq
    self.horizon = horizon
  }
}

/// The place of an object among those of which only the newest stay in the state. Completed posts are ordered by (seq
/// of the completion, post number), notices and kept reminders by (seq of their event, the op's place in it), lines of
/// talk by the seq of their event, and counts of comments by that of the last comment. The number of a line is
/// that of the UTF-8 bytes of its text.
package struct Rank: Hashable, Comparable, Sendable {
  package let seq: Int64
  package let number: Int
  package let key: ObjectKey

  package init(seq: Int64, number: Int, key: ObjectKey) {
    self.seq = seq
    self.number = number
    self.key = key
  }

  package static func < (left: Rank, right: Rank) -> Bool {
    (left.seq, left.number, left.key.id) < (right.seq, right.number, right.key.id)
  }
}

extension Object {
  /// The rank. Nil for objects that stay in the state however many there are.
  package var rank: Rank? {
    switch self {
    case .post(let post):
      post.removed == nil
        ? post.completed.map { Rank(seq: $0.seq, number: post.number, key: key) } : nil
    case .notice(let notice): Rank(seq: notice.seq, number: notice.opIndex, key: notice.key)
    case .reminder(let it): Rank(seq: it.seq, number: it.opIndex, key: it.key)
    case .line(let it): Rank(seq: it.event, number: it.text.utf8.count, key: it.key)
    case .comments(let it): Rank(seq: it.seq, number: 0, key: it.key)
    case .category, .group, .groupCategory, .profile, .member, .invitation, .invitationCode,
      .membership, .readMark, .declines, .block, .tag, .filter, .personal, .settings, .link,
      .reactions:
      nil
    }
  }
}
