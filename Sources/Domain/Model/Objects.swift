// The state of a stream is a set of objects, each found by its kind and id (protocol §6). A snapshot is those objects,
// and an op changes one of them. Events and snapshots carry exactly these fields.

/// The person who did something, and the time.
package struct Stamp: Equatable, Sendable {
  package let at: Timestamp
  package let by: UserID
  package init(at: Timestamp, by: UserID) {
    self.at = at
    self.by = by
  }
}

/// The badge of a category: the numbers of its posts that are not removed, by derived status.
package struct Counters: Equatable, Sendable {
  package var open: Int
  package var done: Int
  /// The number of open posts that the log says are overdue (`Post.overdue`).
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
  /// Everything since the event that let the member in for the last time.
  case joined

  /// Returns the number of the first event that a member may read.
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
  /// The group that owns it. Nil for a personal category.
  package let group: GroupID?
  package var history: CategoryHistory
  package let added: Stamp
  package var removed: Stamp?
  /// The number of the newest post (#12). Numbers are never used again.
  package var lastPost: Int
  package var counters: Counters

  /// The IANA name of the zone whose days count for a date without a time. Categories that are older than this field
  /// have `UTC`.
  package var zone = Category.zoneOfOld
  package static let zoneOfOld = "UTC"
  /// The colour. Nil is `Color.standard`, which is never set.
  package var color: Color?
  /// The stamp of the archiving. While it is set, nothing in the category changes (`Archiving`).
  package var archived: Stamp?
  /// Whether its members may talk. The group that owns it may silence it too (`Group.talk`).
  package var talk = TalkSetting.on

  /// Whether the category is neither removed nor archived. Only then its deadlines are told, and views show its posts.
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
  /// Whether its members may talk, in the group and in all its categories.
  package var talk = TalkSetting.on

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

/// A category that a group owns, as the group's `g:` stream knows it. Its name is in the `c:` stream.
package struct GroupCategory: Equatable, Sendable {
  package let id: CategoryID
  package init(id: CategoryID) { self.id = id }
}

/// The two kinds of users. It is said at registration, for the life of the account. A program is a member like any
/// other (protocol §5.12 has the differences).
package enum UserKind: String, CaseIterable, Sendable {
  case person
  case bot
}

/// A user as the user sees it: the head of a `u:` stream.
package struct Profile: Equatable, Sendable {
  package let id: UserID
  /// The username: 3–32 of `a-z 0-9 . _ -`, unique, never given to another. A guest has one that the server made up.
  package var username: String
  package var name: String
  package var location: String
  /// An IANA name such as `Europe/Lisbon`.
  package var zone: String
  package let kind: UserKind
  package var invitedBy: InvitedBy
  /// A language tag such as `pt-PT`. Empty when none is set.
  package var locale = ""
  /// Whether the account has no name and no password of its own yet.
  package var isGuest = false
  package let registeredAt: Timestamp
  /// The time at which the account ends, unless somebody takes that back. Nil when it does not end.
  package var endsAt: Timestamp?
  /// The person who owns the bot; nil for people, and for bots that have no owner.
  package var owner: UserID?

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

/// A person or bot in a category or group. Members who left stay, without a role, so that what they did keeps its name.
package struct Member: Equatable, Sendable {
  package let id: UserID
  package var username: String
  package var name: String
  package let kind: UserKind
  /// Whether the member is a guest, as in `Profile`.
  package var isGuest = false
  package var grants: Grants
  /// The event that let this person in for the last time. A cursor before it is not served (`rejoined`).
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

  /// The member's role. Nil when this person has left.
  package var role: Role? { grants.role }
}

/// The completion of a post: when, by whom, and the number of its event (for "newest first").
package struct Completion: Equatable, Sendable {
  package let at: Timestamp
  package let by: UserID
  package let seq: Int64
  package init(at: Timestamp, by: UserID, seq: Int64) {
    self.at = at
    self.by = by
    self.seq = seq
  }

  /// The completion without its event. One that an undo takes back and a redo brings back has the same stamp.
  var stamp: Stamp { Stamp(at: at, by: by) }
}

/// A post (alias task).
package struct Post: Equatable, Sendable {
  package let id: PostID
  /// The number, such as #12. Numbers count per category from 1 and are never used again.
  package internal(set) var number: Int
  /// The title. Empty where the text was erased; nobody can write an empty one.
  package var title: String
  package var notes: String
  /// The steps in their order. A completed post has no open one.
  package var steps: [Step]
  package let addedBy: UserID
  package let createdAt: Timestamp
  package var updatedAt: Timestamp
  /// The version: 1 when added, one more with every change.
  package var version: Int
  package var completed: Completion?
  package var removed: Stamp?
  /// The stamp of the erasing of its text. Nil again once somebody has written another.
  package var erased: Stamp?

  package var priority: Priority?
  /// The colour. Nil is `Color.standard`, which is never set.
  package var color: Color?
  package var due: Due?
  /// The deadline at which the log says that the post became overdue. A new due takes it away; completing or removing
  /// the post does not. While the post is completed or removed it means nothing, and it counts again when the post is
  /// open again.
  package var overdue: Timestamp?
  package var location: Location?
  /// The repetition. Only a post with a due has one.
  package var repeats: Repetition? {
    didSet { lastOccurrence = max(lastOccurrence, occurrence?.number ?? 0) }
  }
  /// The highest number that an occurrence of the post was given, 0 when it never came again. An undo does not set it
  /// back.
  package var lastOccurrence = 0

  /// The tags, ascending, each once. An id that is no tag of the category any more has no effect.
  package var tags: [TagID] = []
  /// The assignments by user, each user once. Some may be of people who are no members any more (`Member.holds`).
  package var assignees: [Assignment] = []
  /// The source of a post that came from another program.
  package var source: Source?
  /// The claim. Only an open post that is not removed has one.
  package var claim: PostClaim?
  /// The runs. They lie in a box, because few posts have any and posts are copied often.
  private var runs: PostRuns?
  /// The stamp of the person who says that this occurrence is done, when an admin has to confirm it (`Submissions`).
  package var submitted: Stamp?
  /// The mode. Nil: one person completes the post for all.
  package var mode: PostMode? {
    didSet { if mode == nil { modeRole = nil } }
  }
  /// The role whose members have a part while the post is nobody's work. Nil: everybody who may complete. Only a post
  /// with a mode has one; in any other it stays nil.
  package var modeRole: Role? {
    didSet { if mode == nil { modeRole = nil } }
  }
  /// The completed parts by user, each user once. Only a post with a mode has them. Some may be of people who are no
  /// members any more (`Member.holds`).
  package var parts: [PostPart] = []
  /// The contest. It lies in a box, because few posts have one (Model/Contest.swift).
  var contesting: PostContest?

  /// The place that somebody gave the post among the others. Nil while it stands where its number says (`place`).
  package var position: Position?

  /// The event of this list that brought the post from another one. Nil for a post that was added here.
  package var came: Int64?
  /// The event that took the post to another list. Then it counts as removed here, and has no text (`Transfers`).
  package var moved: Int64?
  /// The time at which the post left the bin for good. Then it is removed, and has no text (`Decide/Bin.swift`).
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

extension Post {
  /// Ends what holds only while somebody is at work on the post: the claim, and the run.
  mutating func endWork() {
    claim = nil
    run = nil
  }

  /// The run that goes on. Only an open post that is not removed has one.
  package var run: PostRun? {
    get { runs?.live }
    set { runs = PostRuns(live: newValue, last: lastRun) }
  }

  /// The run that ended last with an outcome.
  package var lastRun: EndedRun? {
    get { runs?.last }
    set { runs = PostRuns(live: run, last: newValue) }
  }
}

/// A pending invitation, the same in the stream that it invites to and in the invited person's `u:`. When it is
/// answered or revoked, it leaves the state.
package struct Invitation: Equatable, Sendable {
  package let id: InvitationID
  /// The category or group: `c:` or `g:`.
  package let stream: StreamID
  /// The name of the category or group when the invitation was sent: the invited person cannot read it there.
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
  /// The place of a category among the person's others (`ListOrder`). Nil in ops that say only a role, and for people
  /// who came in before lists had an order.
  package var position: Position?
  package init(stream: StreamID, role: Role, position: Position? = nil) {
    self.position = position
    self.stream = stream
    self.role = role
  }
}

/// The point up to which the user has read a stream. It only moves forward.
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
    // These are named as in `ReminderKind`.
    case reminder
    case planned
    case snoozed
    case dueSoon = "due_soon"
    case overdue
    /// There is something to tell of a day, which the op names.
    case digest
    /// A webhook of a bot does not get through.
    case webhookPaused = "webhook_paused"
  }

  package let kind: Kind
  /// The event of this `u:` stream that it comes from, and the op's place in it, from 0.
  package let seq: Int64
  package let opIndex: Int
  package let at: Timestamp
  package let by: UserID?
  /// The category or group that it is about; for a digest the `u:` itself, for a webhook that of the bot.
  package let stream: StreamID
  /// The post that is assigned, or that a reminder is about.
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
