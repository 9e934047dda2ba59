/// Every request of the protocol by its name on the wire (protocol §8). The rows of `Method.facts`, of `Permission`, of
/// the specification, of the schemas and of the vectors follow from these.
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

  case stepAdd = "step.add"
  case stepEdit = "step.edit"
  case stepRemove = "step.remove"
  case stepMove = "step.move"
  case stepComplete = "step.complete"
  case stepReopen = "step.reopen"

  case search

  case invitationMakeCode = "invitation.make_code"
  case invitationCodes = "invitation.codes"
  case invitationRedeem = "invitation.redeem"
  case tagAdd = "tag.add"
  case tagEdit = "tag.edit"
  case tagRemove = "tag.remove"
  case postTag = "post.tag"
  case postUntag = "post.untag"
  case postAssign = "post.assign"
  case postUnassign = "post.unassign"
  case personBlock = "person.block"
  case personUnblock = "person.unblock"

  case serverAbout = "server.about"
  case postSkip = "post.skip"
  case postMove = "post.move"
  case postMoveTo = "post.move_to"
  case postCopy = "post.copy"

  case postQuery = "post.query"
  case agendaGet = "agenda.get"
  case categoryArchive = "category.archive"
  case categoryUnarchive = "category.unarchive"
  case filterSave = "filter.save"
  case filterRemove = "filter.remove"

  case postClaim = "post.claim"
  case postRelease = "post.release"
  case postClaimNext = "post.claim_next"

  case sessionPair = "session.pair"
  case accountPair = "account.pair"
  case accountGuest = "account.guest"
  case accountUpgrade = "account.upgrade"

  case postPlan = "post.plan"
  case reminderAdd = "reminder.add"
  case reminderRemove = "reminder.remove"
  case postSnooze = "post.snooze"
  case postDay = "post.day"
  case postNote = "post.note"
  case postWatch = "post.watch"
  case settingsEdit = "settings.edit"

  case importUpsert = "import.upsert"
  case linkMake = "link.make"
  case linkRevoke = "link.revoke"
  case linkList = "link.list"

  case accountDelete = "account.delete"
  case accountKeep = "account.keep"
  case accountExport = "account.export"

  case postTwins = "post.twins"

  case categoryMove = "category.move"

  case digestGet = "digest.get"

  case statsGet = "stats.get"

  case postTakeBack = "post.take_back"
}
