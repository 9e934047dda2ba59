// What the ledger, the readers and the operator's commands ask of a store (DESIGN §7).
//
// Two conformers: `SQLiteStore` and `MemoryStore`. One value is one connection, used by one thread at a
// time. Exactly one connection of a database writes: the ledger's. Every other one only reads; calls of
// the writing half on it are a mistake of ours.
//
// The rules that both keep, tested by one contract suite (Tests/StoreTests):
//  - a transaction is written whole or not at all, and when `commit` returns it is on stable storage (P1);
//  - events of a stream are numbered 1, 2, 3 … without holes (P4): an event that does not follow the
//    stream's head is refused before anything is written;
//  - a reading connection sees committed transactions only, whole ones, in the order of their commits;
//    inside one `read` it sees one moment;
//  - what comes out in several is in an order written at the method; no order of a dictionary gets out.
//
// Bodies are bytes: the store never re-encodes an event or an object, so the stored event is the
// broadcast event and a snapshot is stored bytes joined (DESIGN §4, §7).

package import Domain

/// One connection to the stored streams, accounts and sessions.
package protocol EventStore: AnyObject {
  /// The identity of this store; made once, when the store was new.
  var identity: StoreIdentity { get }

  // Writing: the ledger's connection.

  /// Answers what the ledger needs to know, one answer for each need, in the order of the needs.
  func load(_ needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded]

  /// Writes everything of the transaction, durably, or nothing.
  ///
  /// What it erases is read by nobody from then on, and soon in none of the store's files.
  ///
  /// Throws `.notCommitted` when nothing was written and nothing will be, `.outcomeUnknown` when the
  /// commit itself failed: it may still turn out to be written after a crash, so whatever the caller
  /// remembers of the touched streams must be read again (protocol §11, `unknown_outcome`).
  func commit(_ transaction: LedgerTransaction) throws(StoreError)

  /// House-keeping that must not delay an answer (moving the log into the main file, a step of what is
  /// left to erase or to write anew); called between batches, and cheap when there is nothing to do. True when it
  /// should be called again soon. A failure harms nothing that is written.
  @discardableResult
  func tidy() throws(StoreError) -> Bool

  /// One step of forgetting events that are older than this, oldest first, the newest of each stream never;
  /// with them goes the key row of every command older than what is left. As short as a batch. The state at
  /// the horizon is kept, so that `verify` can go on from it.
  func trim(before time: Timestamp) throws(StoreError) -> TrimStep

  /// How this machine's time zones are called, as deadlines are computed from now on: any text that is another one
  /// with other rules. When it was another one before, all open posts are to be looked at again (`dueCheck`). Whether
  /// any are.
  func zonesAre(_ version: String) throws(StoreError) -> Bool
  /// The operator says that the wall clock is right.
  func confirmClock(_ confirmation: ClockConfirmation) throws(StoreError)
  /// All that the time decides is left to be looked at again: what was past is to come once more.
  func lookAtAllAgain() throws(StoreError)
  /// Posts that are in the bin by then count from then (`Bin`): the wall clock can be trusted, or, with the
  /// greatest moment there is, it cannot.
  func countBin(from time: Timestamp) throws(StoreError)
  /// The moment that `countBin` was told the last time; nil when it was never told.
  func binCountsFrom() throws(StoreError) -> Timestamp?
  /// The last time; nil when it was never said.
  func confirmedClock() throws(StoreError) -> ClockConfirmation?

  // Reading: any connection. Outside `read`, each call sees the newest committed moment.

  /// Runs the body with all reads in it at one moment. The body must not write, nest or block.
  func read<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value

  /// The session whose token has this SHA-256; nil when there is none.
  func session(tokenHash: [UInt8]) throws(StoreError) -> SessionRecord?
  /// The user's open sessions, oldest first.
  func sessions(of user: UserID) throws(StoreError) -> [SessionRecord]
  func account(_ user: UserID) throws(StoreError) -> Account?
  func account(username: String) throws(StoreError) -> Account?
  /// How many accounts without a password have a session that was used since then: guests who can come back. Looks at
  /// every account.
  func guestCount(usedSince time: Timestamp) throws(StoreError) -> Int
  /// Whether somebody has registered with this code.
  func isSpent(code: String) throws(StoreError) -> Bool
  /// The result of the command with this key; the row lives as long as the stream's log.
  func key(_ address: KeyAddress) throws(StoreError) -> KeyRecord?

  /// Every stream that the user may read, the own `u:` included, in stream order; one query.
  func streams(of user: UserID) throws(StoreError) -> [StreamAccess]
  /// Nil when the user is no member or the stream does not exist.
  func access(of user: UserID, to stream: StreamID) throws(StoreError) -> StreamAccess?
  /// Nil when the stream does not exist.
  func head(of stream: StreamID) throws(StoreError) -> StreamHead?
  /// The transaction that wrote this event; nil when there is no such event.
  func transaction(at position: StreamPosition) throws(StoreError) -> TransactionID?

  /// How much is stored of the stream, and of all that its payer answers for; nil when there is no such stream. Costs a
  /// look at each stream of the payer.
  func storage(of stream: StreamID) throws(StoreError) -> StoredBytes?

  /// The events after `after` up to and including `through`, in order, as many as fit into `bytesMax`
  /// bytes of bodies, at least one when there is one.
  func events(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredEvent]

  /// The same events with what was before each; `bytesMax` counts both.
  func past(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredPast]

  /// How many bytes the objects of the stream's state have together; nil when the stream does not exist. Costs a row.
  func stateBytes(of stream: StreamID) throws(StoreError) -> Int64?
  /// The outline of the stream's state, without the objects themselves, in the order of a snapshot.
  func outline(of stream: StreamID) throws(StoreError) -> StoredOutline?
  /// The stream's state and the head that it is the state at; nil when the stream does not exist.
  func snapshot(of stream: StreamID) throws(StoreError) -> StoredSnapshot?
  /// The body of one object, in the state or not; nil when there is none.
  func object(_ key: ObjectKey, in stream: StreamID) throws(StoreError) -> [UInt8]?
  /// The bodies of the objects of one kind in the state, ordered as in a snapshot.
  func objects(_ kind: ObjectKind, in stream: StreamID) throws(StoreError) -> [[UInt8]]

  /// A page of posts, newest number first: those numbered below `before`, all when nil.
  func posts(
    in category: CategoryID, on shelf: PostShelf, before: Int?, limit: Int
  ) throws(StoreError) -> [[UInt8]]
  /// Open posts that may be this person's to do, by number behind this one, at most so many: all that name them as
  /// whose work they are and all that are for each are among them, and perhaps others. Costs a look at every open
  /// post.
  func openWork(
    of user: UserID, in category: CategoryID, after number: Int, limit: Int
  ) throws(StoreError) -> [[UInt8]]
  /// The heads of the removed categories that the user owns and may restore, in stream order.
  func removedCategories(of user: UserID) throws(StoreError) -> [[UInt8]]
  /// How many of the category's posts each person added and completed, in the order of the ids;
  /// removed posts are not counted, and who has neither added nor completed one is left out.
  func tallies(of category: CategoryID) throws(StoreError) -> [MemberTally]

  /// The categories that the user may read and that are not removed, in stream order.
  func searchedLists(of user: UserID) throws(StoreError) -> [SearchedList]
  /// The posts that are searched for, in the order of their places; those that do not exist any more, and
  /// categories that do not exist, are not found. Costs a look at the words of every post of the categories.
  func found(_ search: PostSearch) throws(StoreError) -> [FoundPost]
  /// The posts of the list whose words begin with the title's, the newest number first, at most
  /// `TwinTitle.lookedAtMax`; removed ones not. Costs a look at the words of every post of the list.
  func posts(beginning title: TwinTitle, in category: CategoryID) throws(StoreError) -> [Post]

  /// The posts that came to their deadlines by then and the log does not say so, the earliest first, at most so
  /// many; equal ones list by list, in the order of their numbers.
  func untoldDues(through time: Timestamp, limit: Int) throws(StoreError) -> [DuePost]
  /// The claims whose time was over by then, the earliest first, at most so many; equal ones list by list.
  func endedClaims(through time: Timestamp, limit: Int) throws(StoreError) -> [EndedClaim]
  /// Posts that have been in the bin since then or before, at most so many, those first that came there first;
  /// of one moment list by list.
  func binnedPosts(through time: Timestamp, limit: Int) throws(StoreError) -> [BinnedPost]
  /// When the event that was written last is stamped; nil in an empty store.
  func newestEventTime() throws(StoreError) -> Timestamp?
  /// The rest to look at again, at most so many open posts of it, those with a due; nil when there is nothing.
  func dueCheck(limit: Int) throws(StoreError) -> DueCheckPart?
  /// Whom something may have to be told by then, the earliest first, at most so many.
  func dueReminders(through time: Timestamp, limit: Int) throws(StoreError) -> [ReminderRow]
  /// The rest to look at again but about these, at most so many rows of it, the oldest notes first.
  func reminderChecks(
    limit: Int, butAbout others: Set<ReminderSubject>
  ) throws(StoreError) -> [ReminderCheckPart]
  /// At most so many accounts whose end has come by then, those that came first.
  func endingAccounts(through time: Timestamp, limit: Int) throws(StoreError) -> [EndingAccount]
  /// At most so many persons whose name is to be told in more lists, in the order of their ids.
  func untoldNames(limit: Int) throws(StoreError) -> [UntoldName]
  /// Looks for the next stream that names a person, from this place on, and through so much of the log at most as takes
  /// some milliseconds.
  func naming(_ user: UserID, from place: NamingPlace) throws(StoreError) -> NamingStep
  /// The posts of a view behind its place, in the order of their places. Deadlines of a list whose zone was changed
  /// are those of before until all its rows have been looked at again.
  func viewed(_ view: PostView) throws(StoreError) -> ViewedPage
  /// Deadlines of open posts, as far as those rows go.
  func dues(_ range: DueRange) throws(StoreError) -> DueMarks
}

/// The outcome of a step of forgetting.
package struct TrimStep: Equatable, Sendable {
  /// The events of this stream up to this one are gone; nil when none went.
  package let horizon: StreamPosition?
  /// Nothing so old is left in any stream.
  package let isDone: Bool

  package init(horizon: StreamPosition?, isDone: Bool) {
    self.horizon = horizon
    self.isDone = isDone
  }
}

/// Made when a store is new and kept as long as it lives, backups included.
package struct StoreIdentity: Equatable, Sendable {
  /// The first part of every stream's epoch; changes when the store is restored from a backup.
  package let epoch: String
  /// At least 16 random bytes, by which the store finds keys: nobody who does not know them can look for two that
  /// collide. No code is derived from them. Never in an event, an answer or a log line.
  package let secret: [UInt8]

  package init(epoch: String, secret: [UInt8]) {
    self.epoch = epoch
    self.secret = secret
  }
}

/// A stream as one user sees it: enough to answer `hello` without reading the stream.
package struct StreamAccess: Equatable, Sendable {
  package let stream: StreamID
  package let role: Role
  /// The event that let the user in, the last time.
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

/// A stream's whole state: the effect of the events 1…`head.seq` (P6).
package struct StoredSnapshot: Equatable, Sendable {
  package let head: StreamHead
  /// The stream's own object (category, group, profile), then members, a group's categories, posts,
  /// invitations, memberships, read marks, notices; within a kind by number, then by id.
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
    /// As in `ObjectRow`: a post's number.
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

/// Where a post is looked for.
package enum PostShelf: String, CaseIterable, Sendable {
  case open
  /// Completed, those that have left the state included.
  case done
  /// The bin.
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
