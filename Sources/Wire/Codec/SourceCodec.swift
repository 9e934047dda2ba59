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

extension ImportedPost {
  init(_ params: Params) throws(Refusal) {
    let source = try params.object("source")
    let name = try source.line("name", 1...Limits.sourceNameScalarsMax)
    let id = try source.line("id", 1...Limits.sourceIDScalarsMax)
    var url: String?
    if source.has("url") {
      let text = try source.line("url", 1...Limits.sourceURLScalarsMax)
      guard text.hasPrefix("https://") || text.hasPrefix("http://"),
        !text.utf8.contains(UInt8(ascii: " "))
      else { throw source.invalid("url", "must begin with https:// or http://, without spaces") }
      url = text
    }
    var fields = PostEdit(
      title: try params.line("title", 1...Limits.titleScalarsMax),
      notes: try params.has("notes") ? params.notes("notes") : nil)
    for member in PostMember.all where Source.Field(rawValue: member.name) != nil {
      try member.ask(params, true, &fields)
    }
    self.init(source: SourceKey(name: name, id: id), url: url, fields: fields)
  }

  func add(to fields: inout SortedFields) {
    fields.add("source") { [source, url] writer in
      writer.key("source")
      writer.beginObject()
      writer.member("id", source.id)
      writer.member("name", source.name)
      writer.member("url", ifPresent: url)
      writer.endObject()
    }
    fields.add("title", self.fields.title)
    fields.add("notes", self.fields.notes)
    for member in PostMember.all { member.addSorted(self.fields, &fields) }
  }
}
