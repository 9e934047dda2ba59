/// An open post and its place in its list.
package struct QueuedPost: Comparable, Sendable {
  package let id: PostID
  private let number: Int
  private let place: Position

  package init(_ id: PostID, number: Int, _ position: Position?) {
    self.id = id
    self.number = number
    place = position ?? .of(number: number)
  }

  package init(_ post: Post) { self.init(post.id, number: post.number, post.position) }

  package static func < (left: QueuedPost, right: QueuedPost) -> Bool {
    left.place == right.place ? left.number < right.number : left.place < right.place
  }
}
