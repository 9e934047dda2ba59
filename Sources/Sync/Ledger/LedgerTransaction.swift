package import Domain

/// Everything that one transaction of the store writes: all or nothing.
package struct LedgerTransaction: Equatable, Sendable {
  /// The events in the order in which they took effect; the `seq` of each stream has no holes.
  package var events: [EventRecord]
  /// The objects as they are after the batch, each one once.
  package var objects: [ObjectRecord]
  /// The changes of access in order: a later one of the same stream and user replaces an earlier one.
  package var access: [AccessChange]
  package var keys: [KeyRecord]
  /// The changes of accounts, in order.
  package var accounts: [AccountChange]
  /// The texts to take out of what was written before; each stream and post once for each erasing event.
  package var erasures: [Erasure]
  /// The words by which posts are found, in order: a later entry of the same post replaces an earlier one.
  package var words: [PostWords]
  /// The deadlines of posts, in order: a later one of the same post replaces an earlier one.
  package var dues: [PostDue]
  /// The checks of deadlines, in order: a later one of the same category replaces an earlier one.
  package var dueChecks: [DueCheck]
  /// The changes of the rows of achievement, in order.
  package var achievements: [AchievementWrite]
  /// The reminder rows, in order: a later one of the same person and post replaces an earlier one.
  package var reminders: [ReminderWrite]
  /// The checks of reminders, in order: a later one of the same subject replaces an earlier one, but for the earlier of
  /// their times.
  package var reminderChecks: [ReminderCheck]

  package init(
    events: [EventRecord] = [], objects: [ObjectRecord] = [], access: [AccessChange] = [],
    keys: [KeyRecord] = [], accounts: [AccountChange] = [], erasures: [Erasure] = [],
    words: [PostWords] = [], dues: [PostDue] = [], dueChecks: [DueCheck] = [],
    achievements: [AchievementWrite] = [], reminders: [ReminderWrite] = [],
    reminderChecks: [ReminderCheck] = []
  ) {
    self.events = events
    self.objects = objects
    self.access = access
    self.keys = keys
    self.accounts = accounts
    self.erasures = erasures
    self.words = words
    self.dues = dues
    self.dueChecks = dueChecks
    self.achievements = achievements
    self.reminders = reminders
    self.reminderChecks = reminderChecks
  }

  package var isEmpty: Bool {
    events.isEmpty && objects.isEmpty && access.isEmpty && keys.isEmpty && accounts.isEmpty
      && erasures.isEmpty && words.isEmpty && dues.isEmpty && dueChecks.isEmpty
      && achievements.isEmpty && reminders.isEmpty && reminderChecks.isEmpty
  }
}

/// An event as it is stored and as it is sent.
package struct EventRecord: Equatable, Sendable {
  package let stream: StreamID
  /// The epoch of the stream; an event with `seq` 1 makes the stream.
  package let epoch: Epoch
  package let seq: Int64
  package let at: Timestamp
  package let by: UserID?
  package let transaction: TransactionID
  /// The JSON that everybody gets (protocol §7).
  package let body: [UInt8]
  /// A JSON array: for each op the object before it, or null. Never leaves the server as it is.
  package let was: [UInt8]
  /// Whether some of it is talk, which guests by a link do not get.
  package let hasTalk: Bool

  package init(
    stream: StreamID, epoch: Epoch, seq: Int64, at: Timestamp, by: UserID?,
    transaction: TransactionID, body: [UInt8], was: [UInt8], hasTalk: Bool = false
  ) {
    self.stream = stream
    self.epoch = epoch
    self.seq = seq
    self.at = at
    self.by = by
    self.transaction = transaction
    self.body = body
    self.was = was
    self.hasTalk = hasTalk
  }
}

/// The change of an object's row.
package struct ObjectRecord: Equatable, Sendable {
  package enum Change: Equatable, Sendable {
    /// The row is inserted or replaced.
    case put(ObjectRow)
    /// The row stays as it is, but snapshots do not have it any more (an older completed post or notice). Queries find
    /// it.
    case leftState
    case deleted
  }

  package let stream: StreamID
  package let key: ObjectKey
  package let change: Change

  package init(stream: StreamID, key: ObjectKey, change: Change) {
    self.stream = stream
    self.key = key
    self.change = change
  }
}

/// A change of who may read a stream. A user's own `u:` is granted with role owner at registration.
package enum AccessChange: Equatable, Sendable {
  case granted(StreamID, UserID, Role, joinedSeq: Int64)
  case revoked(StreamID, UserID)
}

/// The place of the answer to a command: its home stream, its sender and the key.
package struct KeyAddress: Hashable, Sendable {
  package let stream: StreamID
  package let actor: UserID
  package let key: CommandKey

  package init(stream: StreamID, actor: UserID, key: CommandKey) {
    self.stream = stream
    self.actor = actor
    self.key = key
  }
}

/// A command that was answered with a result, `changed: false` included. Refusals leave none.
package struct KeyRecord: Equatable, Sendable {
  package let address: KeyAddress
  /// SHA-256 of the canonical command. It is empty when a text of the command was erased, as a short text could be
  /// guessed from its hash. A command that comes with that key is then taken for the same.
  package let hash: [UInt8]
  package let result: CommandResult

  package init(address: KeyAddress, hash: [UInt8], result: CommandResult) {
    self.address = address
    self.hash = hash
    self.result = result
  }

  /// Answers whether a command with this hash is the one that was answered.
  package func isOf(_ hash: [UInt8]) -> Bool { self.hash.isEmpty || self.hash == hash }

  /// Returns the record without its hash.
  package var withoutHash: KeyRecord { KeyRecord(address: address, hash: [], result: result) }
}
