// The comments on a post, counted (protocol §5.20). They are an object beside the post and no member of it, because
// guests by a link get the post and nothing of talk.

/// The comments on a post that are not removed. There is at least one.
package struct Comments: Equatable, Sendable {
  package let post: PostID
  /// The number of comments, 1 or more.
  package var count: Int
  /// The time of the last comment that was said, also when that one is removed by now.
  package var last: Timestamp
  /// The number of the event by which it was said. The comments that were said last stay in the state.
  package var seq: Int64

  package init(on post: PostID, count: Int, last: Timestamp, seq: Int64) {
    self.post = post
    self.count = count
    self.last = last
    self.seq = seq
  }

  package var key: ObjectKey { Comments.key(of: post) }

  package static func key(of post: PostID) -> ObjectKey {
    ObjectKey(kind: .comments, id: post.uuid)
  }
}
