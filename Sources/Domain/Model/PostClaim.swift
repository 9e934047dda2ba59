/// Who is on a post, until when, and the event that says so ("I'm on it").
///
/// It is a lease, no lock: it keeps others from claiming the post, not from completing it. It goes with the post's
/// completion, removal and way to another list, with the end of its occurrence, and by itself when its time is over
/// (`endClaims`); so a post comes back when the program that had it is gone. It ends with the access of the person as
/// an `Assignment` does: it counts only while they are a member who may claim, and have not come in anew since.
package struct PostClaim: Equatable, Sendable {
  package let user: UserID
  package let seq: Int64
  package let until: Timestamp

  package init(user: UserID, seq: Int64, until: Timestamp) {
    self.user = user
    self.seq = seq
    self.until = until
  }
}

extension Member {
  /// Whether it counts. Of this person's claims.
  package func holds(_ claim: PostClaim) -> Bool {
    guard let role, Permission.allows(role, .postClaim) else { return false }
    return joinedSeq <= claim.seq
  }
}

/// A claim whose time is over, as a store finds it.
package struct EndedClaim: Hashable, Sendable {
  package let category: CategoryID
  package let post: PostID
  package let until: Timestamp

  package init(category: CategoryID, post: PostID, until: Timestamp) {
    self.category = category
    self.post = post
    self.until = until
  }
}
