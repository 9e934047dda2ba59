/// The person who is on a post ("I'm on it"), until when, and the event that says so.
///
/// A claim is a lease and no lock: it keeps others from claiming the post, not from completing it. It ends when the
/// post is completed, removed or moved to another list, when its occurrence is over, and by itself when its time is
/// over (`endClaims`). So a post is free again when the program that had it is gone. It ends with the person's access,
/// as an `Assignment` does: it counts only while they are a member who may claim, and have not come in anew since.
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
  /// Answers whether this claim of the member counts.
  package func holds(_ claim: PostClaim) -> Bool {
    guard let role, Permission.allows(role, .post(.claim)) else { return false }
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
