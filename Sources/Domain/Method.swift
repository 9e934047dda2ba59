/// Every request of the protocol by its name on the wire (protocol §8): the rows of `Permission`, of the
/// specification, of the schemas and of the vectors.
package enum Method: String, CaseIterable, Sendable {
  case hello
  case ping
  case syncOpen = "sync.open"
  case syncClose = "sync.close"

  case accountRegister = "account.register"
  case accountLogin = "account.login"
  case accountRecover = "account.recover"
  case accountChangePassword = "account.change_password"
  case accountLogout = "account.logout"
  case sessionList = "session.list"
  case sessionClose = "session.close"
  case profileGet = "profile.get"
  case profileEdit = "profile.edit"

  case categoryAdd = "category.add"
  case categoryEdit = "category.edit"
  case categoryRemove = "category.remove"
  case categoryRestore = "category.restore"
  case categoryList = "category.list"

  case postAdd = "post.add"
  case postEdit = "post.edit"
  case postComplete = "post.complete"
  case postReopen = "post.reopen"
  case postRemove = "post.remove"
  case postRestore = "post.restore"
  case postList = "post.list"

  case groupAdd = "group.add"

  case invitationSend = "invitation.send"
  case invitationAccept = "invitation.accept"
  case invitationDecline = "invitation.decline"
  case invitationRevoke = "invitation.revoke"
  case memberList = "member.list"
  case memberLeave = "member.leave"
  case memberRemove = "member.remove"

  case notificationList = "notification.list"
  case notificationRead = "notification.read"

  case batch

  case presenceSet = "presence.set"
  case typingSet = "typing.set"
  case progressSet = "progress.set"

  case undoPreview = "undo.preview"
  case undo

  case historyGet = "history.get"
  case historyState = "history.state"
  case historyDiff = "history.diff"

  case postErase = "post.erase"
  case memberSetRole = "member.set_role"
  case groupEdit = "group.edit"
  case groupRemove = "group.remove"
  case groupRestore = "group.restore"

  /// Whether its result has a token or a code: such an answer is never compressed, because its length would
  /// tell of it (protocol §2.6).
  package var answersWithSecret: Bool {
    switch self {
    case .accountRegister, .accountLogin, .accountRecover: true
    case .hello, .ping, .syncOpen, .syncClose, .accountChangePassword, .accountLogout, .sessionList,
      .sessionClose, .profileGet, .profileEdit, .categoryAdd, .categoryEdit, .categoryRemove,
      .categoryRestore, .categoryList, .postAdd, .postEdit, .postComplete, .postReopen,
      .postRemove, .postRestore, .postList, .groupAdd, .invitationSend, .invitationAccept,
      .invitationDecline, .invitationRevoke, .memberList, .memberLeave, .memberRemove,
      .notificationList, .notificationRead, .batch, .presenceSet, .typingSet,
      .progressSet, .undoPreview, .undo, .historyGet, .historyState, .historyDiff,
      .postErase,
      .memberSetRole, .groupEdit, .groupRemove, .groupRestore:
      false
    }
  }

  /// Whether a batch takes it. Not what is about one's own account: its changes are rows beside the log, or
  /// need what a batch has not (a calendar for the zone). Not erasing: the key of a batch keeps the hash of
  /// all that stands in it.
  package var standsInBatch: Bool {
    switch self {
    case .categoryAdd, .categoryEdit, .categoryRemove, .categoryRestore, .postAdd, .postEdit,
      .postComplete, .postReopen, .postRemove, .postRestore, .groupAdd, .invitationSend,
      .invitationAccept, .invitationDecline, .invitationRevoke, .memberLeave, .memberRemove,
      .memberSetRole, .notificationRead, .groupEdit, .groupRemove, .groupRestore:
      true
    case .hello, .ping, .syncOpen, .syncClose, .accountRegister, .accountLogin, .accountRecover,
      .accountChangePassword, .accountLogout, .sessionList, .sessionClose, .profileGet,
      .profileEdit, .categoryList, .postList, .memberList, .notificationList, .batch, .presenceSet,
      .typingSet, .progressSet, .undoPreview, .undo, .historyGet, .historyState, .historyDiff,
      .postErase:
      false
    }
  }
}
