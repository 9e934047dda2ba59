package import Domain

/// Everything that one transaction of the store writes: all or nothing.
package struct LedgerTransaction: Equatable, Sendable {
  /// In the order in which they took effect; `seq` of each stream without holes.
  package var events: [EventRecord]
  /// Each object once, as it is after the batch.
  package var objects: [ObjectRecord]
  /// In order: a later one of the same stream and user replaces an earlier one.
  package var access: [AccessChange]
  package var keys: [KeyRecord]
  /// In order.
  package var accounts: [AccountChange]
  /// Texts to take out of what was written before; each stream and post once for each erasing event.
  package var erasures: [Erasure]
  /// What posts are found by; in order: a later one of the same post replaces an earlier one.
  package var words: [PostWords]
  /// When posts are due; in order: a later one of the same post replaces an earlier one.
  package var dues: [PostDue]
  /// In order: a later one of the same category replaces an earlier one.
  package var dueChecks: [DueCheck]
  /// In order: a later one of the same person and post replaces an earlier one.
  package var reminders: [ReminderWrite]
  /// In order: a later one of the same subject replaces an earlier one, but for the earlier of their times.
  package var reminderChecks: [ReminderCheck]

  package init(
    events: [EventRecord] = [], objects: [ObjectRecord] = [], access: [AccessChange] = [],
    keys: [KeyRecord] = [], accounts: [AccountChange] = [], erasures: [Erasure] = [],
    words: [PostWords] = [], dues: [PostDue] = [], dueChecks: [DueCheck] = [],
    reminders: [ReminderWrite] = [], reminderChecks: [ReminderCheck] = []
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
    self.reminders = reminders
    self.reminderChecks = reminderChecks
  }

  package var isEmpty: Bool {
    events.isEmpty && objects.isEmpty && access.isEmpty && keys.isEmpty && accounts.isEmpty
      && erasures.isEmpty && words.isEmpty && dues.isEmpty && dueChecks.isEmpty
      && reminders.isEmpty && reminderChecks.isEmpty
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

  package init(
    stream: StreamID, epoch: Epoch, seq: Int64, at: Timestamp, by: UserID?,
    transaction: TransactionID, body: [UInt8], was: [UInt8]
  ) {
    self.stream = stream
    self.epoch = epoch
    self.seq = seq
    self.at = at
    self.by = by
    self.transaction = transaction
    self.body = body
    self.was = was
  }
}

/// What becomes of an object's row.
package struct ObjectRecord: Equatable, Sendable {
  package enum Change: Equatable, Sendable {
    /// Insert or replace.
    case put(ObjectRow)
    /// The row stays as it is, but snapshots do not have it any more (an older completed post or
    /// notice): queries find it.
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

/// Who may read a stream from now on. A user's own `u:` is granted with role owner at registration.
package enum AccessChange: Equatable, Sendable {
  case granted(StreamID, UserID, Role, joinedSeq: Int64)
  case revoked(StreamID, UserID)
}

/// Finds the answer to a command: its home stream, who sent it, and the key.
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

/// A command that was answered with a result (also `changed: false`); refusals leave none.
package struct KeyRecord: Equatable, Sendable {
  package let address: KeyAddress
  /// SHA-256 of the canonical command. Empty when a text of it was erased: from the hash of a short text
  /// the text could be guessed. Whatever comes with that key is then taken for the same.
  package let hash: [UInt8]
  package let result: CommandResult

  package init(address: KeyAddress, hash: [UInt8], result: CommandResult) {
    self.address = address
    self.hash = hash
    self.result = result
  }

  /// Whether a command with this hash is the one that was answered.
  package func isOf(_ hash: [UInt8]) -> Bool { self.hash.isEmpty || self.hash == hash }

  /// The same without the hash.
  package var withoutHash: KeyRecord { KeyRecord(address: address, hash: [], result: result) }
}
