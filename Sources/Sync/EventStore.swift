// The questions that the ledger, the readers and the operator's commands ask of a store (DESIGN §7).
//
// Two types conform: `SQLiteStore` and `MemoryStore`. One value is one connection, used by one thread at a time.
// Exactly one connection of a database writes: the ledger's. Every other one only reads; to call the writing half on it
// is our bug.
//
// Both keep these rules, tested by one contract suite (Tests/StoreTests):
//  - a transaction is written whole or not at all, and when `commit` returns it is on stable storage (P1);
//  - events of a stream are numbered 1, 2, 3 … without holes (P4): an event that does not follow the stream's head is
//    refused before anything is written;
//  - a reading connection sees committed transactions only, whole ones, in the order of their commits; inside one
//    `read` it sees one moment;
//  - several results are in the order that the method states; the order of a dictionary never gets out.
//
// Bodies are bytes. The store never encodes an event or an object again, so the stored event is the broadcast event,
// and a snapshot is stored bytes joined (DESIGN §4, §7).

package import Domain

/// One connection to the stored streams, accounts and sessions.
package protocol EventStore: AnyObject {
  /// The identity of this store; made once, when the store was new.
  var identity: StoreIdentity { get }

  // Writing: the ledger's connection.

  /// Returns what the ledger needs to know, one answer for each need, in the order of the needs.
  func load(_ needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded]

  /// Writes everything of the transaction durably, or nothing.
  ///
  /// From then on nobody reads what it erases, and soon none of the store's files contains it.
  ///
  /// Throws `.notCommitted` when nothing was written and nothing will be. Throws `.outcomeUnknown` when the commit
  /// itself failed: it may still turn out to be written after a crash, so whatever the caller remembers of the touched
  /// streams must be read again (protocol §11, `unknown_outcome`).
  func commit(_ transaction: LedgerTransaction) throws(StoreError)

  /// Does housekeeping that must not delay an answer: it moves the log into the main file, or takes a step of what is
  /// left to erase or to write again. Call it between batches; it is cheap when there is nothing to do. Returns true
  /// when it should be called again soon. A failure harms nothing that is written.
  @discardableResult
  func tidy() throws(StoreError) -> Bool

  /// Takes one step of forgetting events that are older than `time`, oldest first, but never the newest event of a
  /// stream. The key row of every command older than what is left goes with them. A step is as short as a batch. The
  /// state at the horizon is kept, so that `verify` can go on from it.
  func trim(before time: Timestamp) throws(StoreError) -> TrimStep

  /// Takes the version of this machine's time zones, by which deadlines are computed from now on: any text that differs
  /// when the rules differ. When the version was another one before, all open posts are to be checked again
  /// (`dueCheck`). Answers whether any are.
  func zonesAre(_ version: String) throws(StoreError) -> Bool
  /// Keeps the operator's statement that the wall clock is right.
  func confirmClock(_ confirmation: ClockConfirmation) throws(StoreError)
  /// Leaves everything that depends on the time to be checked again, because what counted as past is to come once more.
  func lookAtAllAgain() throws(StoreError)
  /// Makes posts that are in the bin at this moment count from it (`Bin`), because the wall clock can be trusted. The
  /// greatest moment means that it cannot.
  func countBin(from time: Timestamp) throws(StoreError)
  /// Returns the moment that `countBin` was given last; nil when it was never called.
  func binCountsFrom() throws(StoreError) -> Timestamp?
  /// Returns the operator's last statement that the clock is right; nil when there is none.
  func confirmedClock() throws(StoreError) -> ClockConfirmation?

  // Reading: any connection. Outside `read`, each call sees the newest committed moment.

  /// Runs the body so that all its reads see one moment. The body must not write, nest or block.
  func read<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value

  /// Returns the session whose token has this SHA-256; nil when there is none.
  func session(tokenHash: [UInt8]) throws(StoreError) -> SessionRecord?
  /// Returns the bots that this person owns, by username.
  func bots(of owner: UserID) throws(StoreError) -> [Account]
  /// Returns the webhooks of a bot, those first that were added first.
  func webhooks(of bot: UserID) throws(StoreError) -> [Webhook]
  /// Returns all webhooks, bot by bot.
  func webhooks() throws(StoreError) -> [Webhook]
  /// Returns the user's open sessions, oldest first.
  func sessions(of user: UserID) throws(StoreError) -> [SessionRecord]
  func account(_ user: UserID) throws(StoreError) -> Account?
  func account(username: String) throws(StoreError) -> Account?
  /// Returns how many accounts without a password have a session that was used since then: guests who can come back.
  /// Costs a look at every account.
  func guestCount(usedSince time: Timestamp) throws(StoreError) -> Int
  /// Answers whether somebody has registered with this code.
  func isSpent(code: String) throws(StoreError) -> Bool
  /// Returns the result of the command with this key; nil when there is none. The row lives as long as the stream's
  /// log.
  func key(_ address: KeyAddress) throws(StoreError) -> KeyRecord?

  /// Returns every stream that the user may read, their own `u:` included, in stream order. Costs one query.
  func streams(of user: UserID) throws(StoreError) -> [StreamAccess]
  /// Returns the user's access to a stream; nil when the user is no member or the stream does not exist.
  func access(of user: UserID, to stream: StreamID) throws(StoreError) -> StreamAccess?
  /// Returns the head of a stream; nil when the stream does not exist.
  func head(of stream: StreamID) throws(StoreError) -> StreamHead?
  /// Returns the transaction that wrote this event; nil when there is no such event.
  func transaction(at position: StreamPosition) throws(StoreError) -> TransactionID?

  /// Returns how much is stored of the stream, and of all that its payer answers for; nil when there is no such stream.
  /// Costs a look at each stream of the payer.
  func storage(of stream: StreamID) throws(StoreError) -> StoredBytes?

  /// Returns the events after `after` up to and including `through`, in order: as many as fit into `bytesMax` bytes of
  /// bodies, but at least one when there is one.
  func events(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredEvent]

  /// Returns the same events, each with what was there before it; `bytesMax` counts both.
  func past(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredPast]

  /// Returns the bytes of all objects of the stream's state; nil when the stream does not exist. Costs one row.
  func stateBytes(of stream: StreamID) throws(StoreError) -> Int64?
  /// Returns the outline of the stream's state, without the objects themselves, in the order of a snapshot.
  func outline(of stream: StreamID) throws(StoreError) -> StoredOutline?
  /// Returns the stream's state and the head to which it belongs; nil when the stream does not exist.
  func snapshot(of stream: StreamID) throws(StoreError) -> StoredSnapshot?
  /// Returns the body of one object, in the state or not; nil when there is none.
  func object(_ key: ObjectKey, in stream: StreamID) throws(StoreError) -> [UInt8]?
  /// Returns the body of an object of the state; nil when the state has no such object.
  func stateObject(_ key: ObjectKey, in stream: StreamID) throws(StoreError) -> [UInt8]?
  /// Returns the number of the oldest line of talk in the state; nil when it has none. Costs one row.
  func oldestLine(in stream: StreamID) throws(StoreError) -> Int64?
  /// Returns the bodies of the objects of one kind in the state, ordered as in a snapshot.
  func objects(_ kind: ObjectKind, in stream: StreamID) throws(StoreError) -> [[UInt8]]

  /// Returns a page of posts, newest number first: those numbered below `before`, or all when it is nil.
  func posts(
    in category: CategoryID, on shelf: PostShelf, before: Int?, limit: Int
  ) throws(StoreError) -> [[UInt8]]
  /// Returns at most `limit` open posts that may be this person's work, by number behind `number`. All that are
  /// assigned to the person and all that each person completes are among them, and perhaps others. Costs a look at
  /// every open post.
  func openWork(
    of user: UserID, in category: CategoryID, after number: Int, limit: Int
  ) throws(StoreError) -> [[UInt8]]
  /// Returns the heads of the removed categories that the user owns and may restore, in stream order.
  func removedCategories(of user: UserID) throws(StoreError) -> [[UInt8]]
  /// Returns how many of the category's posts each person added and completed, in the order of the ids. Removed posts
  /// are not counted, and people who have neither added nor completed one are left out.
  func tallies(of category: CategoryID) throws(StoreError) -> [MemberTally]

  /// Returns the categories that the user may read and that are not removed, in stream order.
  func searchedLists(of user: UserID) throws(StoreError) -> [SearchedList]
  /// Returns the posts that are searched for, in the order of their places. Posts and categories that do not exist any
  /// more are not found. Costs a look at the words of every post of the categories.
  func found(_ search: PostSearch) throws(StoreError) -> [FoundPost]
  /// Returns the posts of the list whose words begin with the title's, the newest number first, at most
  /// `TwinTitle.lookedAtMax`, without removed ones. Costs a look at the words of every post of the list.
  func posts(beginning title: TwinTitle, in category: CategoryID) throws(StoreError) -> [Post]

  /// Returns at most `limit` posts that came to their deadlines by then while the log does not say so, the earliest
  /// first; posts of the same moment list by list, in the order of their numbers.
  func untoldDues(through time: Timestamp, limit: Int) throws(StoreError) -> [DuePost]
  /// Returns at most `limit` claims whose time was over by then, the earliest first; those of the same moment list by
  /// list.
  func endedClaims(through time: Timestamp, limit: Int) throws(StoreError) -> [EndedClaim]
  /// Returns all runs that go on, list by list.
  func liveRuns() throws(StoreError) -> [LiveRun]
  /// Returns at most `limit` posts that have been in the bin since then or longer, those first that came there first;
  /// those of the same moment list by list.
  func binnedPosts(through time: Timestamp, limit: Int) throws(StoreError) -> [BinnedPost]
  /// Returns the time of the event that was written last; nil in an empty store.
  func newestEventTime() throws(StoreError) -> Timestamp?
  /// Returns the next part to check, with at most `limit` open posts that have a due; nil when there is nothing to
  /// check.
  func dueCheck(limit: Int) throws(StoreError) -> DueCheckPart?
  /// Returns at most `limit` rows of people to whom something may have to be told by then, the earliest first.
  func dueReminders(through time: Timestamp, limit: Int) throws(StoreError) -> [ReminderRow]
  /// Returns parts of the notes to check, the oldest notes first, at most `limit` rows together, but none about
  /// `others`.
  func reminderChecks(
    limit: Int, butAbout others: Set<ReminderSubject>
  ) throws(StoreError) -> [ReminderCheckPart]
  /// Returns at most `limit` accounts whose end has come by then, those first that came first.
  func endingAccounts(through time: Timestamp, limit: Int) throws(StoreError) -> [EndingAccount]
  /// Returns at most `limit` persons whose name is to be told in more lists, in the order of their ids.
  func untoldNames(limit: Int) throws(StoreError) -> [UntoldName]
  /// Looks for the next stream that names a person, from this place on. One call searches only as much of the log as
  /// takes some milliseconds.
  func naming(_ user: UserID, from place: NamingPlace) throws(StoreError) -> NamingStep
  /// Returns the posts of a view behind its place, in the order of their places. After a list's zone was changed, its
  /// deadlines are the former ones until all its rows have been checked.
  func viewed(_ view: PostView) throws(StoreError) -> ViewedPage
  /// Returns deadlines of open posts, as far as those rows are up to date.
  func dues(_ range: DueRange) throws(StoreError) -> DueMarks
  /// Returns at most `span.limit` rows of achievement of a list, in no order. Costs a look at all rows of the list.
  func achievements(
    in category: CategoryID, _ span: AchievementSpan
  ) throws(StoreError) -> [AchievementRow]
}

/// The outcome of a step of forgetting.
package struct TrimStep: Equatable, Sendable {
  /// The event of a stream up to which its events are gone; nil when none went.
  package let horizon: StreamPosition?
  /// Whether no stream has events left that are so old.
  package let isDone: Bool

  package init(horizon: StreamPosition?, isDone: Bool) {
    self.horizon = horizon
    self.isDone = isDone
  }
}

/// The identity of a store, made when it is new and kept as long as it lives, backups included.
package struct StoreIdentity: Equatable, Sendable {
  /// The first part of every stream's epoch; changes when the store is restored from a backup.
  package let epoch: String
  /// At least 16 random bytes by which the store finds keys: without them nobody can look for two keys that collide. No
  /// code is derived from them. They are never in an event, an answer or a log line.
  package let secret: [UInt8]

  package init(epoch: String, secret: [UInt8]) {
    self.epoch = epoch
    self.secret = secret
  }
}

/// A stream as one user sees it; it is enough to answer `hello` without reading the stream.
package struct StreamAccess: Equatable, Sendable {
  package let stream: StreamID
  package let role: Role
  /// The event that let the user in the last time.
  package let joinedSeq: Int64
  package let head: StreamHead

  package init(stream: StreamID, role: Role, joinedSeq: Int64, head: StreamHead) {
    self.stream = stream
    self.role = role
    self.joinedSeq = joinedSeq
    self.head = head
  }
}

/// An event as it is pushed.
package struct StoredEvent: Equatable, Sendable {
  package let seq: Int64
  package let body: [UInt8]

  package init(seq: Int64, body: [UInt8]) {
    self.seq = seq
    self.body = body
  }
}

/// An event with what was there before it.
package struct StoredPast: Equatable, Sendable {
  package let seq: Int64
  package let body: [UInt8]
  package let was: [UInt8]

  package init(seq: Int64, body: [UInt8], was: [UInt8]) {
    self.seq = seq
    self.body = body
    self.was = was
  }
}

/// The whole state of a stream: the effect of the events 1…`head.seq` (P6).
package struct StoredSnapshot: Equatable, Sendable {
  package let head: StreamHead
  /// The stream's own object (category, group, profile), then members, a group's categories, posts, invitations,
  /// memberships, read marks, notices; within a kind by number, then by id.
  package let objects: [[UInt8]]

  package init(head: StreamHead, objects: [[UInt8]]) {
    self.head = head
    self.objects = objects
  }
}

/// The keys and sizes of the objects that a snapshot would hold.
package struct StoredOutline: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let key: ObjectKey
    /// The number of a post, as in `ObjectRow`.
    package let number: Int?
    package let bytes: Int

    package init(key: ObjectKey, number: Int?, bytes: Int) {
      self.key = key
      self.number = number
      self.bytes = bytes
    }
  }

  package let head: StreamHead
  package let objects: [Entry]

  package init(head: StreamHead, objects: [Entry]) {
    self.head = head
    self.objects = objects
  }
}

/// The place in which posts are looked for.
package enum PostShelf: String, CaseIterable, Sendable {
  case open
  /// Completed posts, those included that have left the state.
  case done
  /// Posts in the bin.
  case removed
}

/// The posts that one person added and completed in a category.
package struct MemberTally: Equatable, Sendable {
  package let user: UserID
  package let added: Int
  package let completed: Int

  package init(user: UserID, added: Int, completed: Int) {
    self.user = user
    self.added = added
    self.completed = completed
  }
}
