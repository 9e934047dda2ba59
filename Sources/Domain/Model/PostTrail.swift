/// In which other lists a post that went from one to another has been, or has gone to: kept beside the event that says
/// that it came or went, and never sent, since who is in one of these lists may not be in the others.
package struct PostTrail: Equatable, Sendable {
  package let post: PostID
  /// Of a post that came: every other list where it has been, each once, last the one from which it came. Of one that
  /// went: where to.
  package let lists: [CategoryID]

  package init(post: PostID, lists: [CategoryID]) {
    self.post = post
    self.lists = lists
  }
}

extension [PostTrail] {
  /// Of one event: the last that it says of the post.
  package func lists(of post: PostID) -> [CategoryID] { last { $0.post == post }?.lists ?? [] }
}
