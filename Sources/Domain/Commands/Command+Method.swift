extension Command {
  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .account(let command): command.method
    case .addCategory: .categoryAdd
    case .editCategory: .categoryEdit
    case .removeCategory: .categoryRemove
    case .restoreCategory: .categoryRestore
    case .archiveCategory: .categoryArchive
    case .unarchiveCategory: .categoryUnarchive
    case .moveCategory: .categoryMove
    case .addPost: .postAdd
    case .changePost(_, let change, ifVersion: _): change.method
    case .claimNext: .postClaimNext
    case .importPost: .importUpsert
    case .changeTag(_, _, let change): change.method
    case .addGroup: .groupAdd
    case .editGroup: .groupEdit
    case .removeGroup: .groupRemove
    case .restoreGroup: .groupRestore
    case .sendInvitation: .invitationSend
    case .acceptInvitation: .invitationAccept
    case .declineInvitation: .invitationDecline
    case .revokeInvitation: .invitationRevoke
    case .makeCode: .invitationMakeCode
    case .redeemCode: .invitationRedeem
    case .link(let command): command.method
    case .blockPerson: .personBlock
    case .unblockPerson: .personUnblock
    case .changePersonal(_, let change): change.method
    case .editSettings: .settingsEdit
    case .leave: .memberLeave
    case .removeMember: .memberRemove
    case .setRole: .memberSetRole
    case .markRead: .notificationRead
    case .saveFilter: .filterSave
    case .removeFilter: .filterRemove
    case .batch: .batch
    case .undo: .undo
    }
  }
}
