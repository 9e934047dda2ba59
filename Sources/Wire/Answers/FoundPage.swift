package import Domain

/// The answer to `search` and to `post.query` (protocol §8): a page of posts of several lists.
package struct FoundPage<Line: PostLine>: Equatable, Sendable {
  package let found: [Line]
  /// The value for `after` in the next question. Nil when this was the last page.
  package let after: String?
  /// The number of lists that were not looked through, because there was too much before them.
  package let omitted: Int

  package init(found: [Line], after: String?, omitted: Int) {
    self.found = found
    self.after = after
    self.omitted = omitted
  }
}

/// A post, the list that it is in, and what an answer says of it.
package protocol PostLine: Equatable, Sendable {
  var category: CategoryID { get }
  var post: Post { get }

  init(decoding node: JSONNode) throws(WireError)
  func writeFields(to writer: inout JSONWriter)
}

extension FoundPage {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var found: [Line] = []
    for element in try fields.elements("found") { found.append(try Line(decoding: element)) }
    self.init(
      found: found, after: try fields.optionalString("after"), omitted: try fields.omitted())
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.members("found", found) { $0.writeFields(to: &$1) }
    writer.member("after", ifPresent: after)
    writer.member(omitted: omitted)
  }
}

// MARK: - Parts that such answers share

extension StoredFields {
  func omitted() throws(WireError) -> Int { try optionalInt("omitted") ?? 0 }

  /// Reads the post of a line and its list.
  func foundPost() throws(WireError) -> (category: CategoryID, post: Post) {
    guard case .category(let category) = try stream("stream"),
      case .post(let post) = try ObjectCodec.decode(node("post"))
    else { throw .malformed("found") }
    return (category, post)
  }
}

extension JSONWriter {
  mutating func member(omitted count: Int) {
    if count > 0 { member("omitted", count) }
  }

  mutating func foundPost(_ post: Post, in category: CategoryID) {
    member("stream", .category(category))
    key("post")
    ObjectCodec.write(.post(post), to: &self)
  }
}
