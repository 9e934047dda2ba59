extension Op {
  /// Whether an undo takes the op back. An undo never changes who belongs where, what somebody may do, what one was
  /// asked, what a person says of themselves and what a stream began with (DESIGN §4): these have commands of their
  /// own, which ask the people concerned. An erased text cannot come back.
  package var isUndone: Bool {
    switch self {
    case .category(let op): op.isUndone
    case .post(let op): op.isUndone
    case .step, .tag(.edited), .tag(.removed), .tag(.restored): true
    // Others may have the tag on their posts by now.
    case .tag(.added): false
    // A claim holds for a while and has an end of its own: `post.release`.
    case .claim: false
    case .group, .member, .code, .person, .invitation, .link, .account, .membership,
      .assignmentAdded, .readMarked, .declinesCounted, .block, .filter, .personal, .unknown:
      false
    }
  }

  /// Whether the op brings a post from another list or takes one there.
  package var movesBetweenLists: Bool {
    if case .post(let op) = self { op.movesBetweenLists } else { false }
  }

  /// Whether an undo of this event, alone or with others, has anything to take back in the op.
  package var isTakenBack: Bool { isUndone || movesBetweenLists }

  /// Whether an undo that leaves the op alone tells of it for the list. It does not tell of a new tag, which is in
  /// nobody's way, nor of a post that became overdue or a claim whose time was over, which nobody has done. It tells of
  /// moves between lists for each post.
  var isMissedByUndo: Bool {
    switch self {
    case .tag(.added), .post(.overdue), .claim(_, .ended): false
    default: !isUndone && !movesBetweenLists
    }
  }
}
