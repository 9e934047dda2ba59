/// What is to be known of a method and is no role's matter: one row for each. Who may call it is in
/// `Permission`.
package struct MethodFacts: Equatable, Sendable {
  package enum Kind: Sendable {
    /// About the connection itself.
    case session
    /// About an account or a sign-in, with a secret in the request or the answer, or the end of it.
    case account
    /// Changes nothing.
    case query
    /// Holds for a moment and is stored nowhere (protocol §5.5).
    case moment
    /// A command with a key, decided by the ledger. Some of an account are that too, but are read and
    /// written for themselves, because they carry secrets.
    case change
  }

  package let kind: Kind
  /// Whether a batch takes it. Not what is about one's own account: its changes are rows beside the log, or
  /// need what a batch has not (a calendar for the zone). Not erasing: the key of a batch keeps the hash of
  /// all that stands in it. Not what has or makes a code: the one is seen to before a command is decided,
  /// the other after it.
  package var standsInBatch = false
  /// Whether its result has a token or a code: such an answer is never compressed, because its length would
  /// tell of it (protocol §2.6).
  package var answersWithSecret = false
  /// Ends or finishes something, which people must always be able to, however full the disk is.
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
    // It reads the log, as an undo does.
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
