extension Op {
  /// The part that the op has in an undo. An undo tells that an unknown op stays.
  private var role: UndoRole { family?.undo ?? .left }

  /// Whether an undo takes the op back. An undo never changes who belongs where, what somebody may do, what one was
  /// asked, what a person says of themselves and what a stream began with (DESIGN §4): these have commands of their
  /// own, which ask the people concerned. An erased text cannot come back.
  package var isUndone: Bool { role == .takenBack }

  /// Whether the op brings a post from another list or takes one there.
  package var movesBetweenLists: Bool { role == .movedBack }

  /// Whether an undo of this event, alone or with others, has anything to take back in the op.
  package var isTakenBack: Bool { isUndone || movesBetweenLists }

  /// Whether an undo that leaves the op alone tells of it for the list.
  var isMissedByUndo: Bool { role == .left }
}
