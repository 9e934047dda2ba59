extension Command {
  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .account(let command): command.method
    case .addCategory: .category(.add)
    case .editCategory: .category(.edit)
    case .removeCategory: .category(.remove)
    case .restoreCategory: .category(.restore)
    case .archiveCategory: .category(.archive)
    case .unarchiveCategory: .category(.unarchive)
    case .moveCategory: .category(.move)
    case .addPost: .post(.add)
    case .changePost(_, let change, ifVersion: _): change.method
    case .claimNext: .post(.claimNext)
    case .importPost: .post(.importUpsert)
    case .changeTag(_, _, let change): change.method
    case .addGroup: .group(.add)
    case .editGroup: .group(.edit)
    case .removeGroup: .group(.remove)
    case .restoreGroup: .group(.restore)
    case .sendInvitation: .invitation(.send)
    case .acceptInvitation: .invitation(.accept)
    case .declineInvitation: .invitation(.decline)
    case .revokeInvitation: .invitation(.revoke)
    case .makeCode: .invitation(.makeCode)
    case .redeemCode: .invitation(.redeem)
    case .link(let command): command.method
    case .blockPerson: .person(.block)
    case .unblockPerson: .person(.unblock)
    case .changePersonal(_, let change): change.method
    case .editSettings: .account(.editSettings)
    case .leave: .member(.leave)
    case .removeMember: .member(.remove)
    case .setRole: .member(.setRole)
    case .markRead: .single(.markRead)
    case .saveFilter: .filter(.save)
    case .removeFilter: .filter(.remove)
    case .batch: .single(.batch)
    case .undo: .single(.undo)
    }
  }
}
