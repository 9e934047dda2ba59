/// The one table role × method: what a member of a category or group may do there (DESIGN §3).
///
/// Reads stand in it too. A method that is about oneself (sign-in, own profile, own invitations) or
/// that makes something new is open to everybody who is signed in; its row says so. `category.add`
/// with a group is judged by the role in that group.
package enum Permission {
  /// Whether a member with this role may call this method on the stream.
  package static func allows(_ role: Role, _ method: Method) -> Bool {
    switch row(of: method) {
    case .everybody: true
    case .from(let least): role >= least
    }
  }

  /// Whether `undo` may take back what others did.
  package static func undoesOthers(_ role: Role) -> Bool { role >= .admin }

  /// Whether what they complete counts also where it has to be confirmed.
  package static func confirms(_ role: Role) -> Bool { role >= .admin }

  /// Whether a member with this role may set this completion, or end it: doers only their own.
  static func allows(_ role: Role, touching completion: Completion?, of user: UserID) -> Bool {
    role > .doer || completion == nil || completion?.by == user
  }

  /// The same of an occurrence of a post that comes again, or of what was submitted; nil: nobody completed it.
  static func allows(_ role: Role, touching turn: Stamp?, of user: UserID) -> Bool {
    role > .doer || turn == nil || turn?.by == user
  }

  /// The same of the finish of a step.
  static func allows(_ role: Role, touching finish: StepFinish?, of user: UserID) -> Bool {
    role > .doer || finish == nil || finish?.by == user
  }

  /// Whether they may complete and reopen what is others' work.
  static func completesOthersWork(_ role: Role) -> Bool { role > .doer }

  /// Whether `category.edit` may say what members read of what was.
  package static func setsHistory(_ role: Role) -> Bool { role == .owner }

  /// Who may call a method.
  enum Row: Equatable {
    /// Not judged by a role in a stream.
    case everybody
    /// Members with this role or a higher one.
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
    // To oneself.
    case .postPlan, .reminderAdd, .reminderRemove, .postSnooze, .postDay, .postNote, .postWatch:
      .from(.viewer)
    case .postTwins, .statsGet: .from(.viewer)
    // Among one's own lists.
    case .categoryMove: .from(.viewer)
    // Of editors and admins only who added the post.
    case .postErase: .from(.editor)
    // The loops, which know no roles, let every member do these.
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
    // In both lists.
    case .postMove, .postMoveTo, .postCopy: .from(.editor)
    case .invitationSend, .invitationRevoke, .memberRemove, .memberSetRole, .groupEdit:
      .from(.admin)
    case .categoryArchive, .categoryUnarchive: .from(.admin)
    case .categoryRemove, .categoryRestore, .categoryList, .groupRemove, .groupRestore:
      .from(.owner)
    }
  }
}
