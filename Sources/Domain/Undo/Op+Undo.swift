extension Op {
  /// Whether an undo takes it back. Who belongs where, what somebody may do, what one was asked, what a
  /// person says of themselves and what a stream began with is never undone (DESIGN §4): these have
  /// commands of their own, which ask the people concerned. Of an erased text there is nothing to go back to.
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
    // Others may have it on their posts by now.
    case .tag(.added): false
    // It follows from the due.
    case .postOverdue: false
    // A claim holds for a while and has an end of its own: `post.release`.
    case .claim: false
    case .postErased, .postPurged, .categoryAdded, .groupAdded, .groupEdited,
      .groupRemoved, .groupRestored, .groupCategoryAdded, .memberAdded, .memberUpdated,
      .memberGranted, .memberRemoved, .invitationSent, .invitationAccepted, .invitationDeclined,
      .invitationExpired, .invitationHeldBack, .personBlocked, .personUnblocked, .declinesCounted,
      .personal,
      .invitationRevoked, .codeMade, .codeUsed, .codeEnded, .accountRegistered, .profileEdited,
      .membershipAdded, .membershipGranted, .roleChanged, .membershipRemoved, .readMarked,
      .assignmentAdded, .upgraded, .link, .unknown:
      false
    case .postMovedOut, .postMovedIn: false
    case .filterSaved, .filterRemoved, .membershipMoved: false
    case .accountEnding, .accountKept, .personForgotten: false
    }
  }

  /// Whether a post comes from another list by it, or goes there.
  package var movesBetweenLists: Bool {
    switch self {
    case .postMovedOut, .postMovedIn: true
    default: false
    }
  }

  /// Whether there is anything for an undo in it, of this event or of it and others.
  package var isTakenBack: Bool { isUndone || movesBetweenLists }

  /// Whether an undo that leaves it as it is says so of the list: a new tag is in nobody's way, and that a post became
  /// overdue nobody has done. Of moves between lists it is said of each post.
  var isMissedByUndo: Bool {
    switch self {
    case .tag(.added), .postOverdue, .claim(_, .ended): false
    default: !isUndone && !movesBetweenLists
    }
  }
}
