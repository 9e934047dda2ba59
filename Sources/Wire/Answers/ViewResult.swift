package import Domain

/// The answer to `post.query` (protocol §8).
package struct ViewResult: Equatable, Sendable {
  package let found: [ViewLine]
  /// Ask again with this `after`; nil when this was the last page.
  package let after: String?
  /// Lists that were not looked through, because there was too much before them.
  package let omitted: Int

  package init(found: [ViewLine], after: String?, omitted: Int) {
    self.found = found
    self.after = after
    self.omitted = omitted
  }
}

/// A post, and the list that it is in.
package struct ViewLine: Equatable, Sendable {
  package let category: CategoryID
  package let post: Post

  package init(category: CategoryID, post: Post) {
    self.category = category
    self.post = post
  }
}

extension ViewResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var found: [ViewLine] = []
    for element in try fields.elements("found") {
      let line = try StoredFields(element)
      guard case .category(let category) = try line.stream("stream"),
        case .post(let post) = try ObjectCodec.decode(line.node("post"))
      else { throw .malformed("found") }
      found.append(ViewLine(category: category, post: post))
    }
    self.init(
      found: found, after: try fields.optionalString("after"),
      omitted: try fields.optionalInt("omitted") ?? 0)
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.members("found", found) { line, writer in
      writer.member("stream", .category(line.category))
      writer.key("post")
      ObjectCodec.write(.post(line.post), to: &writer)
    }
    writer.member("after", ifPresent: after)
    if omitted > 0 { writer.member("omitted", omitted) }
  }
}
