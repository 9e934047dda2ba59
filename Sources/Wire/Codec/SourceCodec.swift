import Domain

// Reads and writes the source of a post, and the outcome of an import.

extension JSONWriter {
  mutating func member(_ name: String, _ source: Source) {
    key(name)
    beginObject()
    member("name", source.name)
    member("id", source.id)
    member("url", ifPresent: source.url)
    if !source.edited.isEmpty { fields("edited", source.edited) }
    endObject()
  }

  mutating func fields(_ name: String, _ fields: [Source.Field]) {
    key(name)
    beginArray()
    for field in fields { string(field.rawValue) }
    endArray()
  }

  mutating func members(of outcome: ImportOutcome) {
    member("imported", outcome.kind.rawValue)
    if !outcome.left.isEmpty { fields("left", outcome.left) }
  }
}

extension Source {
  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      name: try fields.string("name"), id: try fields.string("id"),
      url: try fields.optionalString("url"), edited: try fields.sourceFields("edited"))
  }
}

extension StoredFields {
  /// Reads fields. Those that this version does not know are left out.
  func sourceFields(_ name: String) throws(WireError) -> [Source.Field] {
    guard has(name) else { return [] }
    var fields: [Source.Field] = []
    for element in try elements(name) {
      if let word = element.string, let field = Source.Field(rawValue: word) {
        fields.append(field)
      }
    }
    return fields
  }

  /// Reads the outcome of an import. Nil when there is none, or one of a kind that this version does not know.
  func outcome() throws(WireError) -> ImportOutcome? {
    guard let word = try optionalString("imported"), let kind = ImportOutcome.Kind(rawValue: word)
    else { return nil }
    return ImportOutcome(kind, left: try sourceFields("left"))
  }
}
