package import Domain

/// One line of `post.twins`: a post that has the title already.
package struct TwinLine: Equatable, Sendable {
  package let id: PostID
  package let number: Int
  package let title: String
  /// The completion. Nil for an open post.
  package let completed: Stamp?

  package init(id: PostID, number: Int, title: String, completed: Stamp?) {
    self.id = id
    self.number = number
    self.title = title
    self.completed = completed
  }

  package init(_ post: Post) {
    self.init(
      id: post.id, number: post.number, title: post.title,
      completed: post.completed.map { Stamp(at: $0.at, by: $0.by) })
  }

  /// Reads the result of `post.twins`.
  package static func decodeListResult(_ node: JSONNode) throws(WireError) -> [TwinLine] {
    var lines: [TwinLine] = []
    for element in try StoredFields(node).elements("twins") {
      let fields = try StoredFields(element)
      lines.append(
        TwinLine(
          id: PostID(try fields.uuid("id")), number: try fields.int("number"),
          title: try fields.string("title"), completed: try fields.optionalStamp("completed")))
    }
    return lines
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("id", id.uuid)
    writer.member("number", number)
    writer.member("title", title)
    if let completed { writer.member("completed", completed) }
  }
}
