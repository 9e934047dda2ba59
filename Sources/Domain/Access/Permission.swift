/// The one table role × method: what a member of a category or group may do there (DESIGN §3).
///
/// Methods that read are in it too. A method that is about the caller (sign-in, own profile, own invitations) or that
/// makes something new is open to everybody who is signed in; its row says so. `category.add` with a group is judged by
/// the role in that group.
package enum Permission {
  /// Whether a member with this role may call this method on the stream.
  package static func allows(_ role: Role, _ method: Method) -> Bool {
    switch row(of: method) {
    case .everybody: true
    case .from(let least): role >= least
    }
  }

  /// Answers whether `undo` by a member with this role may take back what others did.
  package static func undoesOthers(_ role: Role) -> Bool { role >= .admin }

  /// Answers whether a completion by a member with this role counts also where it has to be confirmed.
  package static func confirms(_ role: Role) -> Bool { role >= .admin }

  /// Answers whether a member with this role may set or end this completion. Doers may do so only with their own.
  static func allows(_ role: Role, touching completion: Completion?, of user: UserID) -> Bool {
    role > .doer || completion == nil || completion?.by == user
  }

  /// Answers the same for an occurrence of a post that comes again, and for a submission. Nil: nobody completed it.
  static func allows(_ role: Role, touching turn: Stamp?, of user: UserID) -> Bool {
    role > .doer || turn == nil || turn?.by == user
  }

  /// Answers the same for the finish of a step.
  static func allows(_ role: Role, touching finish: StepFinish?, of user: UserID) -> Bool {
    role > .doer || finish == nil || finish?.by == user
  }

  /// Answers whether a member with this role may complete and reopen posts that are others' work.
  static func completesOthersWork(_ role: Role) -> Bool { role > .doer }

  /// Answers whether `category.edit` by a member with this role may set how much of the past members may read.
  package static func setsHistory(_ role: Role) -> Bool { role == .owner }

  /// The callers that a method is open to.
  enum Row: Equatable {
    /// The method is not judged by a role in a stream.
    case everybody
    /// The method is open to members with this role or a higher one.
    case from(Role)
  }

  static func row(of method: Method) -> Row {
    switch method {
    case .hello, .ping, .syncClose, .serverAbout: .everybody
    case .accountRegister, .accountLogin, .accountRecover, .accountChangePassword, .accountLogout:
      .everybody
    case .accountDelete, .accountKeep, .accountExport: .everybody
    case .sessionList, .sessionClose, .profileGet, .profileEdit: .everybody
    case .sessionPair, .accountPair, .accountGuest, .accountUpgrade: .everybody
    case .groupAdd, .invitationAccept, .invitationDecline, .notificationList, .batch:
      .everybody
    case .invitationRedeem, .personBlock, .personUnblock: .everybody
    case .filterSave, .filterRemove: .everybody
    case .settingsEdit, .digestGet: .everybody
    case .syncOpen, .postList, .memberList, .memberLeave, .notificationRead: .from(.viewer)
    case .historyGet, .historyState, .historyDiff, .search: .from(.viewer)
    case .postQuery, .agendaGet: .from(.viewer)
    // These say something to the caller alone.
    case .postPlan, .reminderAdd, .reminderRemove, .postSnooze, .postDay, .postNote, .postWatch:
      .from(.viewer)
    case .postTwins, .statsGet: .from(.viewer)
    // This orders the caller's own lists.
    case .categoryMove: .from(.viewer)
    // Editors and admins may erase only posts that they added themselves.
    case .postErase: .from(.editor)
    // The loops let every member do these: they know no roles.
    case .presenceSet, .typingSet, .progressSet: .from(.viewer)
    case .postClaim, .postRelease, .postClaimNext: .from(.doer)
    case .postTakeBack: .from(.doer)
    case .postComplete, .postReopen, .stepComplete, .stepReopen, .undoPreview, .undo: .from(.doer)
    case .categoryAdd, .categoryEdit, .postAdd, .postEdit, .postRemove, .postRestore:
      .from(.editor)
    case .stepAdd, .stepEdit, .stepRemove, .stepMove: .from(.editor)
    case .invitationMakeCode, .invitationCodes: .from(.admin)
    case .linkMake, .linkRevoke, .linkList: .from(.admin)
    case .tagAdd, .tagEdit, .tagRemove, .postTag, .postUntag: .from(.editor)
    case .postAssign, .postUnassign: .from(.editor)
    case .postSkip: .from(.editor)
    case .importUpsert: .from(.editor)
    // The role counts in both lists.
    case .postMove, .postMoveTo, .postCopy: .from(.editor)
    case .invitationSend, .invitationRevoke, .memberRemove, .memberSetRole, .groupEdit:
      .from(.admin)
    case .categoryArchive, .categoryUnarchive: .from(.admin)
    case .categoryRemove, .categoryRestore, .categoryList, .groupRemove, .groupRestore:
      .from(.owner)
    }
  }
}
