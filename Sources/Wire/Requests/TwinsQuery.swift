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
      category: try params.read(.askedCategory), title: try params.read(.askedTitle),
      besides: try params.optional(.besides))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.askedCategory, category)
    fields.add(.askedTitle, title)
    fields.add(.besides, post)
  }
}

extension Parameter where S == LineShape {
  fileprivate static var askedTitle: Self { .title("the title that is compared, one line") }
}

extension Parameter where S == IDShape<PostID> {
  fileprivate static var besides: Self { Self("post", S(), "a post that is no twin of itself") }
}
