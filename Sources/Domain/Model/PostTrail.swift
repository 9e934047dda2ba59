/// The other lists in which a post has been, or to which it has gone. It is kept beside the event that says that the
/// post came or went. It is never sent, because people in one of these lists may not be in the others.
package struct PostTrail: Equatable, Sendable {
  package let post: PostID
  /// For a post that came: every other list where it has been, each once, and last the one from which it came. For a
  /// post that went: the list to which it went.
  package let lists: [CategoryID]

  package init(post: PostID, lists: [CategoryID]) {
    self.post = post
    self.lists = lists
  }
}

extension [PostTrail] {
  /// Returns the lists of a post in the trails of one event. The last trail of the post counts.
  package func lists(of post: PostID) -> [CategoryID] { last { $0.post == post }?.lists ?? [] }
}
