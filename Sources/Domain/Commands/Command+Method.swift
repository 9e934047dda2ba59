extension Command {
  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .registerAccount: .accountRegister
    case .recoverAccount: .accountRecover
    case .changePassword: .accountChangePassword
    case .upgradeAccount: .accountUpgrade
    case .deleteAccount: .accountDelete
    case .keepAccount: .accountKeep
    case .closeSession: .sessionClose
    case .editProfile: .profileEdit
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
    case .makeLink: .linkMake
    case .revokeLink: .linkRevoke
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
