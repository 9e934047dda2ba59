extension Op {
  /// Whether an undo takes the op back. An undo never changes who belongs where, what somebody may do, what one was
  /// asked, what a person says of themselves and what a stream began with (DESIGN §4): these have commands of their
  /// own, which ask the people concerned. An erased text cannot come back.
  package var isUndone: Bool {
    switch self {
    case .categoryEdited(let edit): edit != CategoryEdit(history: edit.history)
    case .categoryRemoved, .categoryRestored, .postAdded, .postEdited, .postCompleted,
      .postReopened, .postRemoved, .postRestored, .step, .postMarked, .postOccurred, .tag(.edited),
      .tag(.removed),
      .tag(.restored):
      true
    case .postMoved: true
    case .categoryArchived, .categoryUnarchived: true
    case .postImported: true
    // Others may have the tag on their posts by now.
    case .tag(.added): false
    // It follows from the due.
    case .postOverdue: false
    // A claim holds for a while and has an end of its own: `post.release`.
    case .claim: false
    case .postErased, .postPurged, .categoryAdded, .group, .member, .code, .person, .invitation,
      .link, .account, .membership, .assignmentAdded, .readMarked, .declinesCounted, .block,
      .filter, .personal, .unknown:
      false
    case .postMovedOut, .postMovedIn: false
    }
  }

  /// Whether the op brings a post from another list or takes one there.
  package var movesBetweenLists: Bool {
    switch self {
    case .postMovedOut, .postMovedIn: true
    default: false
    }
  }

  /// Whether an undo of this event, alone or with others, has anything to take back in the op.
  package var isTakenBack: Bool { isUndone || movesBetweenLists }

  /// Whether an undo that leaves the op alone tells of it for the list. It does not tell of a new tag, which is in
  /// nobody's way, nor of a post that became overdue or a claim whose time was over, which nobody has done. It tells of
  /// moves between lists for each post.
  var isMissedByUndo: Bool {
    switch self {
    case .tag(.added), .postOverdue, .claim(_, .ended): false
    default: !isUndone && !movesBetweenLists
    }
  }
}
