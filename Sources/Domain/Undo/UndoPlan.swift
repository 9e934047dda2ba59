// The words of an undo (protocol §8): what is asked for, what it does, what it leaves alone.

/// The events that shall be taken back.
package struct UndoTarget: Equatable, Sendable {
  /// The category or group: `c:` or `g:`.
  package let stream: StreamID
  /// The numbers of events of that stream, ascending, each once, at least one. A single number stands for the whole
  /// command that wrote the event, in every stream that the command wrote to.
  package let events: [Int64]
  /// The digest from the answer to the preview. Nil when there was no preview.
  package let seen: String?

  package init(stream: StreamID, events: [Int64], seen: String?) {
    self.stream = stream
    self.events = events
    self.seen = seen
  }
}

/// The change that an undo makes to a post or, without one, to the category itself.
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
  /// The words in the order of the ops.
  package let does: [Word]

  package init(stream: StreamID, post: PostID?, number: Int?, does: [Word]) {
    self.stream = stream
    self.post = post
    self.number = number
    self.does = does
  }
}

/// A thing that an undo leaves as it is: a post, or without one the category itself. For `never` it stands for
/// everything done there that no undo takes back.
package struct UndoSkip: Equatable, Sendable {
  package enum Reason: String, CaseIterable, Sendable {
    /// Somebody has changed since what the undo would set.
    case later
    /// It was removed since, and only a restore brings it back.
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

/// The whole effect of an undo on the present state.
package struct UndoPlan: Equatable, Sendable {
  /// The drafts in the order of streams, each stream once. Empty when nothing is left to take back.
  package internal(set) var drafts: [Draft] = []
  package internal(set) var steps: [UndoStep] = []
  package internal(set) var skipped: [UndoSkip] = []
  /// The streams that the caller does not see: no answer names an event in them.
  package internal(set) var unseen: Set<StreamID> = []
  /// Whether all events are the caller's own.
  package internal(set) var isOwn = true
  /// A digest, equal for equal plans on equal objects. It is no secret: it says that somebody has looked.
  package internal(set) var seen = ""
}
