package import Domain

/// The answer to `post.list`, newest number first.
package struct PostsResult: Equatable, Sendable {
  package let posts: [Post]
  /// The value for `before` in the next question. Nil when this was the last page.
  package let before: Int?
  package init(posts: [Post], before: Int?) {
    self.posts = posts
    self.before = before
  }
}

/// One line of `member.list`: a present or former member, with the counts of what they did.
package struct MemberLine: Equatable, Sendable {
  package let id: UserID
  package let username: String
  package let name: String
  package let kind: UserKind
  /// The role. Nil for a member who left.
  package let role: Role?
  /// The number of posts that the member added and that are not removed. It is counted in categories; in a group it is
  /// 0.
  package let added: Int
  /// The number of posts that the member completed and that still are completed and not removed.
  package let completed: Int
  package let joinedSeq: Int64
  package let isGuest: Bool

  package init(
    id: UserID, username: String, name: String, kind: UserKind, role: Role?, added: Int,
    completed: Int, joinedSeq: Int64, isGuest: Bool = false
  ) {
    self.isGuest = isGuest
    self.id = id
    self.username = username
    self.name = name
    self.kind = kind
    self.role = role
    self.added = added
    self.completed = completed
    self.joinedSeq = joinedSeq
  }
}

/// One line of `invitation.codes`: an invitation with its code.
package struct CodeLine: Equatable, Sendable {
  package let invitation: InvitationCode
  /// The code as people read it. It is a secret.
  package let code: String

  package init(invitation: InvitationCode, code: String) {
    self.invitation = invitation
    self.code = code
  }
}
