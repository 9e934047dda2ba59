import Domain

extension OpCodec {
  /// Reads one op. A kind that this version does not know is `.unknown`, and so is a reminder of something that it does
  /// not know; a known kind without what it needs is an error.
  static func decode(_ node: JSONNode) throws(WireError) -> Op {
    let op = try StoredFields(node)
    let word = try op.string("t")
    guard let kind = OpKind(rawValue: word) else { return node.unknown(word) }
    switch kind {
    case .categoryAdded: return .categoryAdded(try Category(id: CategoryID(op.id()), op.f()))
    case .categoryEdited: return .categoryEdited(try CategoryEdit(op.f()))
    case .categoryRemoved: return .categoryRemoved(try op.f().stamp("removed"))
    case .categoryRestored: return .categoryRestored
    case .categoryArchived: return .categoryArchived(try op.f().stamp("archived"))
    case .categoryUnarchived: return .categoryUnarchived
    case .postAdded, .postReopened, .postRestored, .postEdited, .postCompleted, .postRemoved,
      .postErased, .postPurged, .postTagged, .postUntagged, .postAssigned, .postUnassigned,
      .postOccurred,
      .postBecameOverdue, .postOverdueAgain, .postNotOverdue, .postMovedOut, .postMovedIn,
      .postImported, .postSubmitted, .postReturned, .postPartCompleted, .postPartReopened:
      return try decodePostOp(kind, op)
    case .stepAdded, .stepEdited, .stepRemoved, .stepMoved, .stepCompleted, .stepReopened,
      .stepsSet:
      return .step(PostID(try op.id()), version: try op.int("v"), try StepOp(kind, op.f()))
    case .postMoved:
      return .postMoved(
        PostID(try op.id()), version: try op.int("v"), try op.f().optionalPosition())
    case .tagAdded, .tagEdited, .tagRemoved, .tagRestored: return .tag(try decodeTagOp(kind, op))
    case .postClaimed: return .claim(PostID(try op.id()), try ClaimOp(taken: op))
    case .postReleased: return .claim(PostID(try op.id()), .released(version: try op.int("v")))
    case .postClaimEnded: return .claim(PostID(try op.id()), .ended)
    case .groupAdded: return .groupAdded(try Group(id: GroupID(op.id()), op.f()))
    case .groupEdited: return .groupEdited(name: try op.f().string("name"))
    case .groupRemoved:
      return .groupRemoved(
        try op.f().stamp("removed"), with: try op.f().uuids("categories").map(CategoryID.init))
    case .groupRestored: return .groupRestored
    case .groupCategoryAdded: return .groupCategoryAdded(CategoryID(try op.id()))
    case .memberAdded: return .memberAdded(try Member(id: UserID(op.id()), op.f()))
    case .memberUpdated: return .memberUpdated(UserID(try op.id()), name: try op.f().string("name"))
    case .memberGranted: return .memberGranted(UserID(try op.id()), try op.f().grants("grants"))
    case .memberRemoved: return .memberRemoved(UserID(try op.id()), try op.f().reason())
    case .invitationSent, .invitationAccepted, .invitationDeclined, .invitationRevoked,
      .invitationExpired, .invitationHeldBack, .codeMade, .codeUsed, .codeEnded:
      return try decodeInvitationOp(kind, op)
    case .linkMade, .linkEnded: return .link(try LinkOp(kind, op))
    case .accountRegistered, .accountUpgraded, .profileEdited, .accountEnding, .accountKept,
      .personForgotten:
      return try decodeAccountOp(kind, op)
    case .membershipAdded, .membershipGranted, .roleChanged, .membershipRemoved, .membershipMoved:
      return try decodeMembershipOp(kind, op.f())
    case .assignmentAdded:
      return .assignmentAdded(try op.f().stream("stream"), PostID(try op.f().uuid("post")))
    case .readMarked: return .readMarked(try ReadMark(op.f()))
    case .declinesCounted: return .declinesCounted(try Declines(op.f()))
    case .personBlocked: return .personBlocked(try Block(user: UserID(op.id()), op.f()))
    case .personUnblocked: return .personUnblocked(UserID(try op.id()))
    case .filterSaved, .filterRemoved: return try decodeFilterOp(kind, op)
    case .personalEdited, .personalEnded, .personalMoved, .settingsEdited, .reminderFired,
      .digestReady, .reminderKept, .reminderEnded, .notificationEnded:
      return try PersonalOp(kind, op).map { .personal($0) } ?? node.unknown(word)
    }
  }

  private static func decodeFilterOp(
    _ kind: OpKind, _ op: StoredFields
  ) throws(WireError) -> Op {
    let id = FilterID(try op.id())
    return kind == .filterRemoved ? .filterRemoved(id) : .filterSaved(try Filter(id: id, op.f()))
  }

  private static func decodeAccountOp(
    _ kind: OpKind, _ op: StoredFields
  ) throws(WireError) -> Op {
    switch kind {
    case .accountRegistered: .accountRegistered(try Profile(id: UserID(op.id()), op.f()))
    case .accountUpgraded: try decodeUpgrade(op)
    case .profileEdited: .profileEdited(try ProfileEdit(op.f()))
    case .accountEnding: .accountEnding(try op.f().time("endsAt"))
    case .accountKept: .accountKept
    case .personForgotten: .personForgotten(UserID(try op.id()))
    default: preconditionFailure("\(kind) is about no account")
    }
  }

  private static func decodeUpgrade(_ op: StoredFields) throws(WireError) -> Op {
    .upgraded(
      UserID(try op.id()), username: try op.f().string("username"),
      name: try op.f().string("name"))
  }

  private static func decodeMembershipOp(
    _ kind: OpKind, _ fields: StoredFields
  ) throws(WireError) -> Op {
    switch kind {
    case .membershipAdded: .membershipAdded(try Membership(fields))
    case .membershipGranted: .membershipGranted(try Membership(fields))
    case .roleChanged: .roleChanged(try Membership(fields))
    case .membershipRemoved: .membershipRemoved(try fields.stream("stream"), try fields.reason())
    case .membershipMoved: .membershipMoved(try fields.stream("stream"), try fields.position())
    default: preconditionFailure("\(kind) is about no membership")
    }
  }

  private static func decodeInvitationOp(
    _ kind: OpKind, _ op: StoredFields
  ) throws(WireError) -> Op {
    let id = InvitationID(try op.id())
    return switch kind {
    case .invitationSent: .invitationSent(try Invitation(id: id, op.f()))
    case .invitationAccepted: .invitationAccepted(id)
    case .invitationDeclined: .invitationDeclined(id)
    case .invitationRevoked: .invitationRevoked(id)
    case .invitationExpired: .invitationExpired(id)
    case .invitationHeldBack: .invitationHeldBack(id)
    case .codeMade: .codeMade(try InvitationCode(id: id, op.f()))
    case .codeUsed: .codeUsed(id, used: try op.f().int("used"))
    case .codeEnded: .codeEnded(id)
    default: preconditionFailure("\(kind) is about no invitation")
    }
  }

  private static func decodePostOp(
    _ kind: OpKind, _ op: StoredFields
  ) throws(WireError) -> Op {
    switch kind {
    case .postAdded: .postAdded(try op.post(), try op.counters("counters"))
    case .postReopened: .postReopened(try op.post(), try op.counters("counters"))
    case .postRestored: .postRestored(try op.post(), try op.counters("counters"))
    case .postEdited: .postEdited(try op.postID(), version: try op.int("v"), try PostEdit(op.f()))
    case .postCompleted:
      .postCompleted(
        try op.postID(), version: try op.int("v"), try op.f().stamp("completed"),
        try op.counters("counters"))
    case .postRemoved:
      .postRemoved(
        try op.postID(), version: try op.int("v"), try op.f().stamp("removed"),
        try op.counters("counters"))
    case .postMovedOut:
      .postMovedOut(
        try op.postID(), version: try op.int("v"), try op.f().stamp("removed"),
        try op.counters("counters"))
    case .postMovedIn: .postMovedIn(try op.post(), try op.counters("counters"))
    case .postErased:
      .postErased(try op.postID(), version: try op.int("v"), try op.f().stamp("erased"))
    case .postPurged:
      .postPurged(
        try op.postID(),
        try op.has("f") ? op.f().optionalFields("source").map(Source.init) : nil)
    case .postImported:
      .postImported(
        try op.postID(), version: try op.int("v"), try PostEdit(op.f()),
        try op.f().optionalFields("source").map(Source.init))
    case .postTagged: .postMarked(try op.postID(), version: try op.int("v"), .tagged(try op.tag()))
    case .postUntagged:
      .postMarked(try op.postID(), version: try op.int("v"), .untagged(try op.tag()))
    case .postAssigned:
      .postMarked(try op.postID(), version: try op.int("v"), .assigned(try op.user()))
    case .postUnassigned:
      .postMarked(try op.postID(), version: try op.int("v"), .unassigned(try op.user()))
    case .postSubmitted:
      .postMarked(
        try op.postID(), version: try op.int("v"), .submitted(try op.f().stamp("submitted")))
    case .postPartCompleted:
      .postMarked(try op.postID(), version: try op.int("v"), .partCompleted(try op.user()))
    case .postPartReopened:
      .postMarked(try op.postID(), version: try op.int("v"), .partReopened(try op.user()))
    case .postReturned: .postMarked(try op.postID(), version: try op.int("v"), .returned)
    case .postOccurred:
      .postOccurred(
        try op.postID(), version: try op.int("v"), try NextOccurrence(op.f()),
        try op.counters("counters"))
    case .postBecameOverdue:
      .postOverdue(try op.postID(), .became(try op.overdue()), try op.counters("counters"))
    case .postOverdueAgain:
      .postOverdue(try op.postID(), .again(try op.overdue()), try op.counters("counters"))
    case .postNotOverdue: .postOverdue(try op.postID(), .taken, try op.counters("counters"))
    default: preconditionFailure("an op about posts")
    }
  }

  private static func decodeTagOp(_ kind: OpKind, _ op: StoredFields) throws(WireError) -> TagOp {
    let id = TagID(try op.id())
    return switch kind {
    case .tagAdded: .added(try Tag(id: id, op.f()))
    case .tagRestored: .restored(try Tag(id: id, op.f()))
    case .tagEdited: .edited(id, try TagEdit(op.f()))
    case .tagRemoved: .removed(id)
    default: preconditionFailure("an op about tags")
    }
  }
}

extension JSONNode {
  fileprivate func unknown(_ kind: String) -> Op { .unknown(kind: kind, json: Array(rawBytes)) }
}

extension StoredFields {
  fileprivate func id() throws(WireError) -> UUID { try uuid("id") }

  fileprivate func tag() throws(WireError) -> TagID { TagID(try f().uuid("tag")) }

  fileprivate func overdue() throws(WireError) -> Timestamp { try f().time("overdue") }

  fileprivate func user() throws(WireError) -> UserID { UserID(try f().uuid("user")) }

  fileprivate func postID() throws(WireError) -> PostID { PostID(try id()) }

  func f() throws(WireError) -> StoredFields { try fields("f") }

  /// A whole post; its version is the op's.
  fileprivate func post() throws(WireError) -> Post {
    try Post(id: PostID(id()), version: int("v"), f())
  }

  fileprivate func reason() throws(WireError) -> LeaveReason {
    try word("reason", LeaveReason.init(rawValue:))
  }
}

extension CategoryEdit {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      name: try fields.optionalString("name"), history: try fields.optionalHistory(),
      zone: try fields.optionalString("zone"), color: try fields.change("color"))
  }
}

extension PostEdit {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      title: try fields.optionalString("title"), notes: try fields.optionalString("notes"))
    for member in PostMember.all { try member.readEdit(fields, &self) }
  }
}

extension TagEdit {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(name: try fields.optionalString("name"), color: try fields.change("color"))
  }
}

extension ProfileEdit {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      name: try fields.optionalString("name"), location: try fields.optionalString("location"),
      zone: try fields.optionalString("zone"),
      invitedBy: try fields.optionalWord("invitedBy", InvitedBy.init(rawValue:)),
      locale: try fields.optionalString("locale"))
  }
}
