/// What happened to the claim of a post (protocol §7).
package enum ClaimOp: Equatable, Sendable {
  /// By this person, or anew, until then at most. A version of the post, so that whoever had it before and names the
  /// version they saw is refused.
  case taken(UserID, until: Timestamp, version: Int)
  case released(version: Int)
  /// Its time was over: said by the system, and no version of the post.
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

extension StreamState {
  mutating func apply(
    _ op: ClaimOp, to id: PostID, of event: Event, into changes: inout [ObjectChange]
  ) {
    guard case .post(var post) = object(.post, id.uuid) else { return }
    post.apply(op, of: event)
    replace(post, into: &changes)
  }
}
