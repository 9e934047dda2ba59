// The words of an undo (protocol §8): what is asked for, what it does, what it leaves alone.

/// The events that shall be taken back.
package struct UndoTarget: Equatable, Sendable {
  /// `c:` or `g:`.
  package let stream: StreamID
  /// Numbers of events of that stream, ascending, each once, at least one. A single one stands for the
  /// whole command that wrote it, in every stream that the command wrote to.
  package let events: [Int64]
  /// The digest that the preview answered with; nil when there was none.
  package let seen: String?

  package init(stream: StreamID, events: [Int64], seen: String?) {
    self.stream = stream
    self.events = events
    self.seen = seen
  }
}

/// The change by an undo of a post or, without one, of the category itself.
package struct UndoStep: Equatable, Sendable {
  package enum Word: String, CaseIterable, Sendable {
    case edit
    case complete
    case reopen
    case remove
    case restore
    /// From one list to another.
    case move
  }

  package let stream: StreamID
  package let post: PostID?
  package let number: Int?
  /// In the order of the ops.
  package let does: [Word]

  package init(stream: StreamID, post: PostID?, number: Int?, does: [Word]) {
    self.stream = stream
    self.post = post
    self.number = number
    self.does = does
  }
}

/// A thing that an undo leaves as it is: a post, or without one the category itself or, for `never`, whatever
/// was done there that no undo takes back.
package struct UndoSkip: Equatable, Sendable {
  package enum Reason: String, CaseIterable, Sendable {
    /// Changed by somebody since, in what the undo would set.
    case later
    /// Removed since: only a restore brings it back.
    case removed
    /// The role does not allow it.
    case forbidden
    case never
  }

  package let stream: StreamID
  package let post: PostID?
  package let number: Int?
  package let reason: Reason

  package init(stream: StreamID, post: PostID?, number: Int?, reason: Reason) {
    self.stream = stream
    self.post = post
    self.number = number
    self.reason = reason
  }
}

/// The whole effect of an undo on what there is now.
package struct UndoPlan: Equatable, Sendable {
  /// In stream order, each stream once; none when nothing is left to take back.
  package internal(set) var drafts: [Draft] = []
  package internal(set) var steps: [UndoStep] = []
  package internal(set) var skipped: [UndoSkip] = []
  /// Streams that the caller does not see: no answer names an event of theirs.
  package internal(set) var unseen: Set<StreamID> = []
  /// All events are the caller's own.
  package internal(set) var isOwn = true
  /// Equal for equal plans on equal objects. Not a secret: it says that somebody has looked.
  package internal(set) var seen = ""
}
