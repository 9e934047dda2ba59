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
    case .members(let roles): roles.contains(role)
    }
  }

  /// Whether `undo` may take back what others did.
  package static func undoesOthers(_ role: Role) -> Bool { role == .owner }

  /// Who may call a method.
  enum Row: Equatable {
    /// Not judged by a role in a stream.
    case everybody
    case members([Role])
  }

  static func row(of method: Method) -> Row {
    switch method {
    case .hello, .ping, .syncClose: .everybody
    case .accountRegister, .accountLogin, .accountRecover, .accountChangePassword, .accountLogout:
      .everybody
    case .sessionList, .sessionClose, .profileGet, .profileEdit: .everybody
    case .groupAdd, .invitationAccept, .invitationDecline, .notificationList, .batch:
      .everybody
    case .syncOpen, .categoryAdd, .categoryEdit, .postList, .memberList:
      .members([.editor, .owner])
    case .postAdd, .postEdit, .postComplete, .postReopen, .postRemove, .postRestore:
      .members([.editor, .owner])
    // Of editors only who added the post.
    case .postErase: .members([.editor, .owner])
    case .memberLeave, .notificationRead: .members([.editor, .owner])
    // The loops, which know no roles, let every member do these.
    case .presenceSet, .typingSet, .progressSet: .members([.editor, .owner])
    case .undoPreview, .undo: .members([.editor, .owner])
    case .historyGet, .historyState, .historyDiff: .members([.editor, .owner])
    case .categoryRemove, .categoryRestore, .categoryList: .members([.owner])
    case .invitationSend, .invitationRevoke, .memberRemove: .members([.owner])
    }
  }
}
