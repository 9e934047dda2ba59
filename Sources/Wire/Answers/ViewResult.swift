package import Domain

/// The answer to `post.query` (protocol §8).
package typealias ViewResult = FoundPage<ViewLine>

/// A post, and the list that it is in.
package struct ViewLine: PostLine {
  package let category: CategoryID
  package let post: Post

  package init(category: CategoryID, post: Post) {
    self.category = category
    self.post = post
  }

  package init(decoding node: JSONNode) throws(WireError) {
    let found = try StoredFields(node).foundPost()
    self.init(category: found.category, post: found.post)
  }

  package func writeFields(to writer: inout JSONWriter) {
    writer.foundPost(post, in: category)
  }
}
