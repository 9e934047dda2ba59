package import Domain

/// One line of `link.list`: a link with its code.
package struct LinkLine: Equatable, Sendable {
  package let link: GuestLink
  /// The code as people read it. It is a secret.
  package let code: String

  package init(link: GuestLink, code: String) {
    self.link = link
    self.code = code
  }
}

/// The link that the answer to `hello` names to a connection by a link.
package struct LinkTold: Equatable, Sendable {
  package let category: CategoryID
  package let endsAt: Timestamp

  package init(category: CategoryID, endsAt: Timestamp) {
    self.category = category
    self.endsAt = endsAt
  }
}

extension LinkLine {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("id", link.id.uuid)
    link.writeFields(to: &writer)
    writer.member("code", code)
  }

  /// Reads the result of `link.list`.
  package static func decodeListResult(_ node: JSONNode) throws(WireError) -> [LinkLine] {
    var lines: [LinkLine] = []
    for element in try StoredFields(node).elements("links") {
      let fields = try StoredFields(element)
      let link = try GuestLink(id: LinkID(try fields.uuid("id")), fields)
      lines.append(LinkLine(link: link, code: try fields.string("code")))
    }
    return lines
  }
}

extension LinkTold {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("category", category.uuid)
    writer.member("endsAt", endsAt)
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      category: CategoryID(try fields.uuid("category")), endsAt: try fields.time("endsAt"))
  }
}
