// The state of a stream is a set of objects, each found by its kind and id (protocol §6). A snapshot
// is those objects; an op changes one of them. Events and snapshots carry exactly these fields.

/// Who did something and when.
package struct Stamp: Equatable, Sendable {
  package let at: Timestamp
  package let by: UserID
  package init(at: Timestamp, by: UserID) {
    self.at = at
    self.by = by
  }
}

/// The badge of a category: posts in it that are not removed, by derived status.
package struct Counters: Equatable, Sendable {
  package var open: Int
  package var done: Int
  /// The open posts that the log says are overdue (`Post.overdue`).
  package var overdue: Int
  package var total: Int { open + done }
  package init(open: Int = 0, done: Int = 0, overdue: Int = 0) {
    self.open = open
    self.done = done
    self.overdue = overdue
  }
}

/// The part of the past that members of a category may read: `history.…`, and events to undo.
package enum CategoryHistory: String, CaseIterable, Sendable {
  /// Everything since the list began.
  case all
  /// From the event on that let the member in, the last time.
  case joined

  /// The first event that a member may read of.
  package func begins(joinedSeq: Int64) -> Int64 {
    switch self {
    case .all: 1
    case .joined: max(1, joinedSeq)
    }
  }
}

/// A category (alias list): the head of a `c:` stream.
package struct Category: Equatable, Sendable {
  package let id: CategoryID
  package var name: String
  /// The group that owns it; nil for a personal category.
  package let group: GroupID?
  package var history: CategoryHistory
  package let added: Stamp
  package var removed: Stamp?
  /// The number of the newest post (#12); numbers are never used again.
  package var lastPost: Int
  package var counters: Counters

  /// IANA name: whose days a date without a time has. Categories from before there was one have `UTC`.
  package var zone = Category.zoneOfOld
  package static let zoneOfOld = "UTC"
  /// Nil is `Color.standard`, which is never set.
  package var color: Color?
  /// Nothing in it changes any more (`Archiving`).
  package var archived: Stamp?

  /// Neither removed nor archived: only then its deadlines are told, and views show what is in it.
  package var isActive: Bool { removed == nil && archived == nil }

  package init(
    id: CategoryID, name: String, group: GroupID?, history: CategoryHistory = .all, added: Stamp,
    removed: Stamp? = nil, lastPost: Int = 0, counters: Counters = Counters()
  ) {
    self.id = id
    self.name = name
    self.group = group
    self.history = history
    self.added = added
    self.removed = removed
    self.lastPost = lastPost
    self.counters = counters
  }
}

/// A group of people: the head of a `g:` stream.
package struct Group: Equatable, Sendable {
  package let id: GroupID
  package var name: String
  package let added: Stamp
  package var removed: Stamp?
  /// The categories that went with a removed group and come back with it, ascending.
  package var removedCategories: [CategoryID]

  package init(
    id: GroupID, name: String, added: Stamp, removed: Stamp? = nil,
    removedCategories: [CategoryID] = []
  ) {
    self.id = id
    self.name = name
    self.added = added
    self.removed = removed
    self.removedCategories = removedCategories
  }
}

/// A category that a group owns, as its `g:` stream knows it. The name lives in the `c:` stream.
package struct GroupCategory: Equatable, Sendable {
  package let id: CategoryID
  package init(id: CategoryID) { self.id = id }
}

/// Person or program: told at registration, for the life of the account. A program is a member like any other (protocol
/// §5.12 has what is otherwise).
package enum UserKind: String, CaseIterable, Sendable {
  case person
  case bot
}

/// A user as the user sees it: the head of a `u:` stream.
package struct Profile: Equatable, Sendable {
  package let id: UserID
  /// 3–32 of `a-z 0-9 . _ -`, unique, never reissued. A guest has one that the server made up.
  package var username: String
  package var name: String
  package var location: String
  /// IANA name such as `Europe/Lisbon`.
  package var zone: String
  package let kind: UserKind
  package var invitedBy: InvitedBy
  /// A language tag such as `pt-PT`; empty: not said.
  package var locale = ""
  /// A person whose account has no name and password of its own yet.
  package var isGuest = false
  package let registeredAt: Timestamp
  /// When the account ends, as long as nobody takes that back.
  package var endsAt: Timestamp?

  package init(
    id: UserID, username: String, name: String, location: String, zone: String, kind: UserKind,
    invitedBy: InvitedBy = .anybody, registeredAt: Timestamp
  ) {
    self.invitedBy = invitedBy
    self.id = id
    self.username = username
    self.name = name
    self.location = location
    self.zone = zone
    self.kind = kind
    self.registeredAt = registeredAt
  }
}

/// Somebody in a category or group, or who once was: those who left stay, without a role, so that
/// what they did keeps its name.
package struct Member: Equatable, Sendable {
  package let id: UserID
  package var username: String
  package var name: String
  package let kind: UserKind
  /// Whether it is a guest, as in `Profile`.
  package var isGuest = false
  package var grants: Grants
  /// The event that let this person in, the last time. A cursor before it is not served (`rejoined`).
  package var joinedSeq: Int64

  package init(
    id: UserID, username: String, name: String, kind: UserKind, grants: Grants, joinedSeq: Int64
  ) {
    self.id = id
    self.username = username
    self.name = name
    self.kind = kind
    self.grants = grants
    self.joinedSeq = joinedSeq
  }

  /// Nil when this person has left.
  package var role: Role? { grants.role }
}

/// A completed post: when, by whom, and the event that did it (for "newest first").
package struct Completion: Equatable, Sendable {
  package let at: Timestamp
  package let by: UserID
  package let seq: Int64
  package init(at: Timestamp, by: UserID, seq: Int64) {
    self.at = at
    self.by = by
    self.seq = seq
  }

  /// Without the event: a completion that an undo takes back and a redo brings is the same.
  var stamp: Stamp { Stamp(at: at, by: by) }
}

/// A post (alias task).
package struct Post: Equatable, Sendable {
  package let id: PostID
  /// #12: per category, from 1, never reused.
  package internal(set) var number: Int
  /// Empty where the text was erased; nobody can write an empty one.
  package var title: String
  package var notes: String
  /// In their order. A completed post has no open one.
  package var steps: [Step]
  package let addedBy: UserID
  package let createdAt: Timestamp
  package var updatedAt: Timestamp
  /// 1 when added, one more with every change.
  package var version: Int
  package var completed: Completion?
  package var removed: Stamp?
  /// Who erased the text, as long as nobody has written another.
  package var erased: Stamp?

  package var priority: Priority?
  /// Nil is `Color.standard`, which is never set.
  package var color: Color?
  package var due: Due?
  /// The deadline at which the log says that it became overdue. It goes when the due is set anew, not when the post is
  /// completed or removed: then it means nothing, and counts again when the post is open again.
  package var overdue: Timestamp?
  package var location: Location?
  /// Only of a post with a due.
  package var repeats: Repetition? {
    didSet { lastOccurrence = max(lastOccurrence, occurrence?.number ?? 0) }
  }
  /// The highest number that an occurrence of it was given; 0 when it never came again. An undo does not bring back
  /// what it was.
  package var lastOccurrence = 0

  /// Ascending, each once; one that is no tag of the category any more means nothing.
  package var tags: [TagID] = []
  /// By user, each once; also of who is no member any more (`Member.holds`).
  package var assignees: [Assignment] = []
  /// The source of a post that came from another program.
  package var source: Source?
  /// Only of what is open and not removed.
  package var claim: PostClaim?
  /// Who says that this occurrence is done, when an admin has to confirm it (`Submitting`).
  package var submitted: Stamp?
  /// Nil: one completes it for all.
  package var mode: PostMode?
  /// By user, each once; only of a post with a mode, also of who is no member any more (`Member.holds`).
  package var parts: [PostPart] = []

  /// Where somebody put it among the others; nil while it stands where its number says (`place`).
  package var position: Position?

  /// The event of this list that brought it from another one; nil for a post that was added here.
  package var came: Int64?
  /// The event that took it to another list: it counts as removed here, and has no text (`Transfers`).
  package var moved: Int64?
  /// When it went from the bin for good: it is removed, and has no text (`Decide/Bin.swift`).
  package var purged: Timestamp?

  package init(
    id: PostID, number: Int, title: String, notes: String, steps: [Step] = [], addedBy: UserID,
    createdAt: Timestamp, updatedAt: Timestamp, version: Int, completed: Completion? = nil,
    removed: Stamp? = nil, erased: Stamp? = nil
  ) {
    self.id = id
    self.number = number
    self.title = title
    self.notes = notes
    self.steps = steps
    self.addedBy = addedBy
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.version = version
    self.completed = completed
    self.removed = removed
    self.erased = erased
  }
}

/// A pending invitation, the same in the stream that it invites to and in the invited person's `u:`.
/// One that was answered or revoked leaves the state.
package struct Invitation: Equatable, Sendable {
  package let id: InvitationID
  /// `c:` or `g:`.
  package let stream: StreamID
  /// The name of the category or group when the invitation was sent: its receiver cannot read it there.
  package let streamName: String
  package let user: UserID
  package let username: String
  package let role: Role
  package let sent: Stamp
  package let senderUsername: String

  package init(
    id: InvitationID, stream: StreamID, streamName: String, user: UserID, username: String,
    role: Role, sent: Stamp, senderUsername: String
  ) {
    self.id = id
    self.stream = stream
    self.streamName = streamName
    self.user = user
    self.username = username
    self.role = role
    self.sent = sent
    self.senderUsername = senderUsername
  }
}

/// A category or group that the user is a member of, in the user's own `u:`.
package struct Membership: Equatable, Sendable {
  package let stream: StreamID
  package var role: Role
  /// The place of a category among the person's others (`ListOrder`). Nil in ops that say only a role, and of
  /// who came in before there was an order.
  package var position: Position?
  package init(stream: StreamID, role: Role, position: Position? = nil) {
    self.position = position
    self.stream = stream
    self.role = role
  }
}

/// How far the user has read a stream; moves forward only.
package struct ReadMark: Equatable, Sendable {
  package let stream: StreamID
  package var seq: Int64
  package init(stream: StreamID, seq: Int64) {
    self.stream = stream
    self.seq = seq
  }
}

/// A directed notification in the receiver's `u:` (DESIGN §8): what it says and where it comes from.
package struct Notice: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case invited
    case removed
    case roleChanged = "role_changed"
    /// Somebody made a post this person's work.
    case assigned
    // As they are called in `ReminderKind`.
    case reminder
    case planned
    case snoozed
    case dueSoon = "due_soon"
    case overdue
    /// There is something to tell of a day, which its op names.
    case digest
  }

  package let kind: Kind
  /// The event of this `u:` stream that it comes from, and the op's place in it, from 0.
  package let seq: Int64
  package let opIndex: Int
  package let at: Timestamp
  package let by: UserID?
  /// The category or group that it is about; of a digest the `u:` itself.
  package let stream: StreamID
  /// The post that is assigned.
  package let post: PostID?

  package init(
    kind: Kind, seq: Int64, opIndex: Int, at: Timestamp, by: UserID?, stream: StreamID,
    post: PostID? = nil
  ) {
    self.post = post
    self.kind = kind
    self.seq = seq
    self.opIndex = opIndex
    self.at = at
    self.by = by
    self.stream = stream
  }
}
