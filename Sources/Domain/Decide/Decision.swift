/// The ops of one command in one stream. They become one event.
package struct Draft: Equatable, Sendable {
  package let stream: StreamID
  package var ops: [Op]
  /// The events of the stream that this takes back.
  package var undoes: [Int64]
  /// The trails of posts that come or go by it.
  package var trails: [PostTrail]
  package init(
    stream: StreamID, ops: [Op], undoes: [Int64] = [], trails: [PostTrail] = []
  ) {
    self.trails = trails
    self.stream = stream
    self.ops = ops
    self.undoes = undoes
  }
}

/// The whole effect of a command. When `drafts` and `accounts` are empty, everything was already so.
package struct Decision: Equatable, Sendable {
  /// The drafts in the order of streams, each stream once.
  package var drafts: [Draft]
  package var accounts: [AccountChange]
  /// The number and the version of a post after the command, also when nothing changed.
  package var number: Int?
  package var version: Int?
  /// The number of the recovery code that counts now for a registered or recovered account.
  package var generation: Int?
  /// The effect of each command of a batch.
  package var parts: [CommandPart]
  /// The changes that an undo leaves as they are.
  package var skipped: [UndoSkip]?
  /// The outcome of an import.
  package var imported: ImportOutcome?
  /// The streams that the caller does not see: their events are in no answer.
  package var unseen: Set<StreamID> = []
  /// The streams of which nothing stays when an account ends.
  package var dropped: [StreamID] = []

  package init(
    drafts: [Draft] = [], accounts: [AccountChange] = [], number: Int? = nil, version: Int? = nil,
    generation: Int? = nil, parts: [CommandPart] = [], skipped: [UndoSkip]? = nil,
    dropped: [StreamID] = []
  ) {
    self.dropped = dropped
    self.drafts = drafts
    self.accounts = accounts
    self.number = number
    self.version = version
    self.generation = generation
    self.parts = parts
    self.skipped = skipped
  }

  package var changed: Bool { !drafts.isEmpty || !accounts.isEmpty }
}

/// The reason why a decision stopped.
package enum Halt: Error, Equatable, Sendable {
  /// These must be provided first; then the decision is made again.
  case needs([Need])
  case refused(Refusal)
}
