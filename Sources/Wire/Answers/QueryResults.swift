package import Domain

/// The answer to `post.list`, newest number first.
package struct PostsResult: Equatable, Sendable {
  package let posts: [Post]
  /// Ask again with this `before`; nil when this was the last page.
  package let before: Int?
  package init(posts: [Post], before: Int?) {
    self.posts = posts
    self.before = before
  }
}

/// One line of `member.list`: who is there or was, and what each did.
package struct MemberLine: Equatable, Sendable {
  package let id: UserID
  package let username: String
  package let name: String
  package let kind: UserKind
  /// Nil for somebody who left.
  package let role: Role?
  /// Posts added that are not removed; of a category only, 0 in a group.
  package let added: Int
  /// Posts completed, still so and not removed.
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
  /// As people read it. A secret.
  package let code: String

  package init(invitation: InvitationCode, code: String) {
    self.invitation = invitation
    self.code = code
  }
}
