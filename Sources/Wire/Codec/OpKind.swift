package import Domain

/// Every kind of op by its word on the wire, member `t` (protocol §7).
package enum OpKind: String, CaseIterable, Sendable {
  case categoryAdded = "category.added"
  case categoryEdited = "category.edited"
  case categoryRemoved = "category.removed"
  case categoryRestored = "category.restored"
  case categoryArchived = "category.archived"
  case categoryUnarchived = "category.unarchived"
  case postAdded = "post.added"
  case postEdited = "post.edited"
  case postCompleted = "post.completed"
  case postReopened = "post.reopened"
  case postRemoved = "post.removed"
  case postRestored = "post.restored"
  case postErased = "post.erased"
  case postPurged = "post.purged"
  case stepAdded = "step.added"
  case stepEdited = "step.edited"
  case stepRemoved = "step.removed"
  case stepMoved = "step.moved"
  case stepCompleted = "step.completed"
  case stepReopened = "step.reopened"
  case stepsSet = "steps.set"
  case postTagged = "post.tagged"
  case postUntagged = "post.untagged"
  case postAssigned = "post.assigned"
  case postUnassigned = "post.unassigned"
  case postSubmitted = "post.submitted"
  case postReturned = "post.returned"
  case postPartCompleted = "post.part_completed"
  case postPartReopened = "post.part_reopened"
  case postOccurred = "post.occurred"
  case postBecameOverdue = "post.became_overdue"
  case postOverdueAgain = "post.overdue_again"
  case postNotOverdue = "post.not_overdue"
  case postMoved = "post.moved"
  case postMovedOut = "post.moved_out"
  case postMovedIn = "post.moved_in"
  case postClaimed = "post.claimed"
  case postReleased = "post.released"
  case postClaimEnded = "post.claim_ended"
  case postImported = "post.imported"
  case tagAdded = "tag.added"
  case tagEdited = "tag.edited"
  case tagRemoved = "tag.removed"
  case tagRestored = "tag.restored"
  case groupAdded = "group.added"
  case groupEdited = "group.edited"
  case groupRemoved = "group.removed"
  case groupRestored = "group.restored"
  case groupCategoryAdded = "group.category_added"
  case memberAdded = "member.added"
  case memberUpdated = "member.updated"
  case memberGranted = "member.granted"
  case memberRemoved = "member.removed"
  case personForgotten = "person.forgotten"
  case invitationSent = "invitation.sent"
  case invitationAccepted = "invitation.accepted"
  case invitationDeclined = "invitation.declined"
  case invitationRevoked = "invitation.revoked"
  case invitationExpired = "invitation.expired"
  case codeMade = "code.made"
  case codeUsed = "code.used"
  case codeEnded = "code.ended"
  case linkMade = "link.made"
  case linkEnded = "link.ended"
  case accountUpgraded = "account.upgraded"
  case accountRegistered = "account.registered"
  case profileEdited = "profile.edited"
  case accountEnding = "account.ending"
  case accountKept = "account.kept"
  case membershipAdded = "membership.added"
  case membershipGranted = "membership.granted"
  case roleChanged = "role.changed"
  case membershipRemoved = "membership.removed"
  case membershipMoved = "membership.moved"
  case assignmentAdded = "assignment.added"
  case readMarked = "read.marked"
  case declinesCounted = "declines.counted"
  case personBlocked = "person.blocked"
  case personUnblocked = "person.unblocked"
  case filterSaved = "filter.saved"
  case filterRemoved = "filter.removed"
  case personalEdited = "personal.edited"
  case personalEnded = "personal.ended"
  case personalMoved = "personal.moved"
  case settingsEdited = "settings.edited"
  case reminderFired = "reminder.fired"
  case reminderKept = "reminder.kept"
  case reminderEnded = "reminder.ended"
  case notificationEnded = "notification.ended"
  case digestReady = "digest.ready"
  case invitationHeldBack = "invitation.held_back"

  /// Nil for an op of a kind that this version does not know.
  package init?(_ op: Op) {
    switch op {
    case .categoryAdded: self = .categoryAdded
    case .categoryEdited: self = .categoryEdited
    case .categoryRemoved: self = .categoryRemoved
    case .categoryRestored: self = .categoryRestored
    case .categoryArchived: self = .categoryArchived
    case .categoryUnarchived: self = .categoryUnarchived
    case .postAdded: self = .postAdded
    case .postEdited: self = .postEdited
    case .postCompleted: self = .postCompleted
    case .postReopened: self = .postReopened
    case .postRemoved: self = .postRemoved
    case .postRestored: self = .postRestored
    case .postErased: self = .postErased
    case .postPurged: self = .postPurged
    case .step(_, _, let op): self.init(op)
    case .postMarked(_, _, let mark): self.init(mark)
    case .postOccurred: self = .postOccurred
    case .postOverdue(_, let mark, _): self.init(mark)
    case .postMoved: self = .postMoved
    case .postMovedOut: self = .postMovedOut
    case .postMovedIn: self = .postMovedIn
    case .claim(_, let op): self.init(op)
    case .postImported: self = .postImported
    case .tag(let op): self.init(op)
    case .groupAdded, .groupEdited, .groupRemoved, .groupRestored, .groupCategoryAdded:
      self.init(ofGroup: op)
    case .memberAdded: self = .memberAdded
    case .memberUpdated: self = .memberUpdated
    case .memberGranted: self = .memberGranted
    case .memberRemoved: self = .memberRemoved
    case .invitationSent: self = .invitationSent
    case .invitationAccepted: self = .invitationAccepted
    case .invitationDeclined: self = .invitationDeclined
    case .invitationRevoked: self = .invitationRevoked
    case .invitationExpired: self = .invitationExpired
    case .codeMade: self = .codeMade
    case .codeUsed: self = .codeUsed
    case .codeEnded: self = .codeEnded
    case .link(let op): self.init(op)
    case .accountRegistered, .upgraded, .profileEdited, .accountEnding, .accountKept,
      .personForgotten:
      self.init(ofAccount: op)
    case .membershipAdded: self = .membershipAdded
    case .membershipGranted: self = .membershipGranted
    case .roleChanged: self = .roleChanged
    case .membershipRemoved: self = .membershipRemoved
    case .membershipMoved: self = .membershipMoved
    case .assignmentAdded: self = .assignmentAdded
    case .readMarked: self = .readMarked
    case .declinesCounted: self = .declinesCounted
    case .personBlocked: self = .personBlocked
    case .personUnblocked: self = .personUnblocked
    case .filterSaved, .filterRemoved: self.init(ofFilter: op)
    case .personal(let op): self.init(op)
    case .invitationHeldBack: self = .invitationHeldBack
    case .unknown: return nil
    }
  }

  private init(ofFilter op: Op) {
    if case .filterSaved = op { self = .filterSaved } else { self = .filterRemoved }
  }

  private init(ofGroup op: Op) {
    switch op {
    case .groupAdded: self = .groupAdded
    case .groupEdited: self = .groupEdited
    case .groupRemoved: self = .groupRemoved
    case .groupRestored: self = .groupRestored
    case .groupCategoryAdded: self = .groupCategoryAdded
    default: preconditionFailure("an op about a group")
    }
  }

  private init(ofAccount op: Op) {
    switch op {
    case .accountRegistered: self = .accountRegistered
    case .upgraded: self = .accountUpgraded
    case .profileEdited: self = .profileEdited
    case .accountEnding: self = .accountEnding
    case .accountKept: self = .accountKept
    case .personForgotten: self = .personForgotten
    default: preconditionFailure("an op about an account")
    }
  }

  private init(_ op: ClaimOp) {
    switch op {
    case .taken: self = .postClaimed
    case .released: self = .postReleased
    case .ended: self = .postClaimEnded
    }
  }

  private init(_ op: TagOp) {
    switch op {
    case .added: self = .tagAdded
    case .edited: self = .tagEdited
    case .removed: self = .tagRemoved
    case .restored: self = .tagRestored
    }
  }

  private init(_ op: PersonalOp) {
    switch op {
    case .edited: self = .personalEdited
    case .ended: self = .personalEnded
    case .moved: self = .personalMoved
    case .settings: self = .settingsEdited
    case .fired: self = .reminderFired
    case .digestReady: self = .digestReady
    case .kept: self = .reminderKept
    case .keptEnded: self = .reminderEnded
    case .noticeEnded: self = .notificationEnded
    }
  }

  private init(_ mark: PostMark) {
    switch mark {
    case .tagged: self = .postTagged
    case .untagged: self = .postUntagged
    case .assigned: self = .postAssigned
    case .unassigned: self = .postUnassigned
    case .submitted: self = .postSubmitted
    case .returned: self = .postReturned
    case .partCompleted: self = .postPartCompleted
    case .partReopened: self = .postPartReopened
    }
  }

  private init(_ mark: OverdueMark) {
    switch mark {
    case .became: self = .postBecameOverdue
    case .again: self = .postOverdueAgain
    case .taken: self = .postNotOverdue
    }
  }
}
