/// One change of the claim of a post, in the past tense (protocol §7).
package enum ClaimOp: Equatable, Sendable {
  /// This person has claimed the post, or claimed it anew, until this time at the latest. It makes a new version of the
  /// post, so that a person who had it before and names the version that they saw is refused.
  case taken(UserID, until: Timestamp, version: Int)
  case released(version: Int)
  /// The time of the claim is over. The system says so, and it makes no version of the post.
  case ended
}

extension Post {
  mutating func apply(_ op: ClaimOp, of event: Event) {
    switch op {
    case .taken(let user, let until, let version):
      claim = PostClaim(user: user, seq: event.seq, until: until)
      touch(version, event)
    case .released(let version):
      claim = nil
      touch(version, event)
    case .ended: claim = nil
    }
  }

  private mutating func touch(_ version: Int, _ event: Event) {
    self.version = version
    updatedAt = event.at
  }
}

extension ClaimOp {
  /// A claim holds for a while and has an end of its own: `post.release`. Nobody has ended one whose time was over.
  var undo: UndoRole {
    switch self {
    case .taken, .released: .left
    case .ended: .passedOver
    }
  }
}
