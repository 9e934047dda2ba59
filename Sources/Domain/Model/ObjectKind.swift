/// The kinds of objects, by their words on the wire, member `t` (protocol §6).
package enum ObjectKind: String, CaseIterable, Sendable {
  case category
  case group
  case groupCategory = "group_category"
  case profile
  case member
  case post
  case invitation
  case invitationCode = "invitation_code"
  case membership
  case readMark = "read_mark"
  case declines
  case block
  case personal
  case settings
  case reminder
  case notice = "notification"
  case tag
  case filter
  case link
  case reactions
  case line
  case comments
}

/// The row of a kind: everything that code must know of an object whatever is in it. A new kind answers every question
/// here, or it does not compile.
package struct ObjectKindRow: Equatable, Sendable {
  /// The words in an object that people wrote, by what ends them.
  package enum Words: Sendable {
    /// It has none.
    case none
    /// They are a post's: erased and purged with it, found by search, and taken along when the post is copied or moved.
    case ofPost
    /// They name the category or group itself, or are said in it about all its posts, and stay as long as it does.
    case ofPlace
    /// They name a person, and go when the account ends.
    case ofPerson
    /// They are said in one's own stream to oneself, and go with it.
    case ofOneself
    /// They are said to all members, and go when the line is removed.
    case ofTalk
  }

  /// The members of an object that tell it from all others of its kind in its stream.
  package enum Name: Sendable {
    case id
    /// Its `stream`.
    case stream
    /// The `category` and the `id` of a post.
    case post
    /// The number of an event, and the place of an op in it.
    case place
  }

  /// The bound of a kind of which the state keeps only the newest, by `Rank`.
  package struct Bound: Equatable, Sendable {
    package let inStateMax: Int
    /// The most that the numbers of their ranks may come to together. Nil: any.
    package var sumMax: Int?
    /// Whether the oldest one beyond the bound is kept outside of the state, where it can be looked up.
    package let keepsOlder: Bool
  }

  /// The number in the database. Snapshots are in the order of the numbers too. It never changes.
  package let number: Int64
  package let words: Words
  package let name: Name
  /// Whether an object that comes, changes or goes may change who reads the stream.
  package let tellsAccess: Bool
  /// Nil when the state keeps all of them.
  package let bound: Bound?

  fileprivate init(
    _ number: Int64, by name: Name = .id, words: Words, tellsAccess: Bool = false,
    bound: Bound? = nil
  ) {
    self.number = number
    self.name = name
    self.words = words
    self.tellsAccess = tellsAccess
    self.bound = bound
  }
}

extension ObjectKind {
  package var row: ObjectKindRow {
    switch self {
    case .category: ObjectKindRow(1, words: .ofPlace)
    case .group: ObjectKindRow(2, words: .ofPlace)
    // A profile is its owner's access to their own stream. The whole stream goes when the account ends.
    case .profile: ObjectKindRow(3, words: .ofOneself, tellsAccess: true)
    case .member: ObjectKindRow(4, words: .ofPerson, tellsAccess: true)
    case .groupCategory: ObjectKindRow(5, words: .none)
    case .post:
      ObjectKindRow(
        6, words: .ofPost, bound: .init(inStateMax: Limits.completedInStateMax, keepsOlder: true))
    case .invitation: ObjectKindRow(7, words: .ofPerson)
    case .membership: ObjectKindRow(8, by: .stream, words: .none)
    case .readMark: ObjectKindRow(9, by: .stream, words: .none)
    case .notice:
      ObjectKindRow(
        10, by: .place, words: .none,
        bound: .init(inStateMax: Limits.noticesInStateMax, keepsOlder: true))
    case .invitationCode: ObjectKindRow(11, words: .none)
    case .tag: ObjectKindRow(12, words: .ofPlace)
    case .declines: ObjectKindRow(13, by: .stream, words: .none)
    case .block: ObjectKindRow(14, words: .ofPerson)
    case .personal: ObjectKindRow(15, by: .post, words: .ofOneself)
    case .settings: ObjectKindRow(16, words: .none)
    // No reminder is looked up later.
    case .reminder:
      ObjectKindRow(
        17, by: .post, words: .none,
        bound: .init(inStateMax: Limits.remindersInStateMax, keepsOlder: false))
    case .filter: ObjectKindRow(20, words: .ofOneself)
    case .link: ObjectKindRow(30, words: .none, tellsAccess: true)
    // An op says which of them make room, so that a past state has those that are gone now.
    case .reactions: ObjectKindRow(31, words: .none)
    // The log has the older ones.
    case .line:
      ObjectKindRow(
        32, words: .ofTalk,
        bound: .init(
          inStateMax: Limits.linesInStateMax, sumMax: Limits.linesInStateBytesMax,
          keepsOlder: false))
    case .comments:
      ObjectKindRow(
        33, words: .none, bound: .init(inStateMax: Limits.commentsInStateMax, keepsOlder: true))
    }
  }

  private static let byNumber = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.row.number, $0) })

  /// Finds a kind by its number in the database. Nil for a number that no kind has.
  package init?(number: Int64) {
    guard let kind = Self.byNumber[number] else { return nil }
    self = kind
  }
}
