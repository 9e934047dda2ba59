import Domain

// Reads and writes the completed parts of a post (protocol §6): `[{"user","at","seq"}]`.

extension JSONWriter {
  mutating func member(_ name: String, _ parts: [PostPart]) {
    members(name, parts) { part, writer in
      writer.member("user", part.user.uuid)
      writer.member("at", part.at)
      writer.member("seq", part.seq)
    }
  }
}

extension StoredFields {
  func parts() throws(WireError) -> [PostPart] {
    var parts: [PostPart] = []
    for element in try elements("parts") {
      let fields = try StoredFields(element)
      parts.append(
        PostPart(
          user: UserID(try fields.uuid("user")), at: try fields.time("at"),
          seq: try fields.int64("seq")))
    }
    return parts
  }
}
