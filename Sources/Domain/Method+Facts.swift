/// The facts about a method that do not depend on a role, one row for each. `Permission` says who may call it.
package struct MethodFacts: Equatable, Sendable {
  package enum Kind: Sendable {
    /// Concerns the connection itself.
    case session
    /// Concerns an account or a sign-in and carries a secret in the request or the answer, or ends an account.
    case account
    /// Changes nothing.
    case query
    /// Sets something that holds for a moment and is stored nowhere (protocol §5.5).
    case moment
    /// A command with a key, which the ledger decides. Some methods of an account are commands too, but they are read
    /// and written separately, because they carry secrets.
    case change
  }

  package let kind: Kind
  /// Whether a batch takes the method. A batch takes nothing about the caller's own account: its changes are rows
  /// beside the log, or need what a batch lacks (a calendar for the zone). It takes no erasing: the key of a batch
  /// keeps the hash of all that stands in it. It takes no method that has or makes a code: a code that is brought is
  /// looked up before a command is decided, and one that is made is added after it.
  package var standsInBatch = false
  /// Whether the result has a token or a code. Such an answer is never compressed, because its length would tell
  /// something of it (protocol §2.6).
  package var answersWithSecret = false
  /// Whether the method ends or finishes something. People must always be able to do that, however full the disk is.
  package var makesRoom = false

  fileprivate static let session = MethodFacts(kind: .session)
  fileprivate static let account = MethodFacts(kind: .account)
  fileprivate static let query = MethodFacts(kind: .query)
  fileprivate static let moment = MethodFacts(kind: .moment)
  fileprivate static let lone = MethodFacts(kind: .change)
  fileprivate static let change = MethodFacts(kind: .change, standsInBatch: true)
  fileprivate static let ending = MethodFacts(
    kind: .change, standsInBatch: true, makesRoom: true)
}

extension Method {
  package var facts: MethodFacts {
    switch self {
    case .hello, .ping, .syncOpen, .syncClose, .serverAbout: .session
    case .accountRegister, .accountLogin: MethodFacts(kind: .account, answersWithSecret: true)
    case .sessionPair, .accountPair: MethodFacts(kind: .account, answersWithSecret: true)
    case .accountGuest, .accountUpgrade: MethodFacts(kind: .account, answersWithSecret: true)
    case .accountRecover: MethodFacts(kind: .account, answersWithSecret: true, makesRoom: true)
    case .accountChangePassword: MethodFacts(kind: .account, makesRoom: true)
    case .accountLogout: .account
    case .accountDelete: MethodFacts(kind: .account, makesRoom: true)
    case .accountKeep: .lone
    case .accountExport: .query
    case .sessionList, .profileGet, .categoryList, .postList, .memberList, .notificationList: .query
    case .undoPreview, .historyGet, .historyState, .historyDiff, .search: .query
    case .postQuery, .agendaGet: .query
    case .postTwins, .digestGet, .statsGet: .query
    case .presenceSet, .typingSet, .progressSet: .moment
    case .sessionClose, .postErase: MethodFacts(kind: .change, makesRoom: true)
    case .profileEdit, .batch, .undo: .lone
    case .categoryAdd, .categoryEdit, .categoryRestore: .change
    case .postAdd, .postEdit, .postRestore: .change
    case .stepAdd, .stepEdit, .stepMove: .change
    case .tagAdd, .tagEdit, .tagRemove, .postTag, .postUntag: .change
    case .postAssign, .postUnassign: .change
    case .postSkip: .ending
    // This reads the log, as an undo does.
    case .postTakeBack: MethodFacts(kind: .change, makesRoom: true)
    case .postMove, .postMoveTo, .postCopy: .change
    case .postClaim, .postClaimNext: .change
    case .importUpsert: .change
    case .postRelease: .ending
    case .groupAdd, .groupEdit, .groupRestore: .change
    case .invitationSend, .invitationAccept, .memberSetRole, .notificationRead: .change
    case .categoryUnarchive, .categoryMove: .change
    case .categoryArchive: .ending
    case .categoryRemove, .postComplete, .postReopen, .postRemove, .groupRemove: .ending
    case .stepRemove, .stepComplete, .stepReopen: .ending
    case .invitationDecline, .invitationRevoke, .memberLeave, .memberRemove: .ending
    case .postPlan, .reminderAdd, .postSnooze, .postDay, .postNote, .postWatch: .change
    case .reminderRemove: .ending
    case .settingsEdit: .change
    case .invitationMakeCode: MethodFacts(kind: .change, answersWithSecret: true)
    case .invitationCodes: MethodFacts(kind: .query, answersWithSecret: true)
    case .linkMake: MethodFacts(kind: .change, answersWithSecret: true)
    case .linkRevoke: MethodFacts(kind: .change, makesRoom: true)
    case .linkList: MethodFacts(kind: .query, answersWithSecret: true)
    case .invitationRedeem, .personBlock, .personUnblock: .lone
    case .filterSave, .filterRemove: .lone
    }
  }
}
