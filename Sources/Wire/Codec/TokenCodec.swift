package import Domain

// The limits of a token, as `bot.list` tells them and as a store keeps them.

extension Token {
  /// Writes the members without the id.
  func writeFields(to writer: inout JSONWriter) {
    if let lists {
      writer.key("lists")
      writer.array(lists.sorted()) { $1.uuid($0.uuid) }
    }
    if let methods {
      writer.key("methods")
      writer.array(methods.map(\.name).sorted()) { $1.string($0) }
    }
    writer.member("endsAt", endsAt)
  }

  /// Reads the members. A method that this version does not know is left out.
  init(id: TokenID, _ fields: StoredFields) throws(WireError) {
    self.init(
      id: id,
      lists: try fields.has("lists") ? Set(fields.uuids("lists").map(CategoryID.init)) : nil,
      methods: try fields.has("methods") ? fields.methods("methods") : nil,
      endsAt: try fields.time("endsAt"))
  }
}

extension StoredFields {
  fileprivate func methods(_ name: String) throws(WireError) -> Set<Method> {
    var found: Set<Method> = []
    for element in try elements(name) {
      guard let word = element.string else { throw .malformed(name) }
      if let method = Method(named: word) { found.insert(method) }
    }
    return found
  }
}

/// The limits of a token as a text, for a store.
package enum TokenCodec {
  package static func encode(_ token: Token) -> String {
    JSONWriter.text { writer in
      writer.member("id", token.id.uuid)
      token.writeFields(to: &writer)
    }
  }

  package static func decode(_ text: String) throws(WireError) -> Token {
    let fields = try StoredFields(text: text)
    return try Token(id: TokenID(try fields.uuid("id")), fields)
  }
}
