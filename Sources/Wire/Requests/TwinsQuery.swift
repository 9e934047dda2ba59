package import Domain

/// The request `post.twins` (protocol §8): which posts of a list have this title already.
package struct TwinsQuery: Equatable, Sendable {
  package let category: CategoryID
  package let title: String
  /// The post itself, which is no twin. Nil when the title belongs to no post yet.
  package let post: PostID?

  package init(category: CategoryID, title: String, besides post: PostID? = nil) {
    self.category = category
    self.title = title
    self.post = post
  }
}

extension TwinsQuery {
  init(_ params: Params) throws(Refusal) {
    self.init(
      category: CategoryID(try params.uuid("category")),
      title: try params.line("title", 1...Limits.titleScalarsMax),
      besides: try params.has("post") ? PostID(params.uuid("post")) : nil)
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("category", category.uuid)
    if let post { writer.member("post", post.uuid) }
    writer.member("title", title)
  }
}
