import Domain

// Reads and writes how much a person is told (protocol §5.16): a change in a request, changes in the op, and choices in
// the object.

extension LevelChange: MemberValue {
  static var schema: String { Schema.common("levelChange") }
  static var example: String {
    #"{"about":"c:00000000-0000-0000-0000-000000000001","level":"directed"}"#
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("about", about)
    writer.key("level")
    switch self {
    case .choose(let it):
      writer.string(it.level.rawValue)
      if let until = it.until { writer.member("until", until) }
    case .clear: writer.null()
    }
    writer.endObject()
  }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> LevelChange {
    try LevelChange(fields.fields(name))
  }

  /// Reads a stored change. A level that this version does not know is no choice.
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    let about = try fields.stream("about")
    guard let node = fields.optionalNode("level"), !node.isNull else {
      self = .clear(about)
      return
    }
    guard let level = NotificationLevel(rawValue: try fields.string("level")) else {
      self = .clear(about)
      return
    }
    self = .choose(
      LevelChoice(
        about: about, level: level, until: fields.has("until") ? try fields.time("until") : nil))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> LevelChange? {
    let it = try params.object(name)
    let about = try it.stream("about")
    let until = it.has("until") ? try it.time("until") : nil
    if try it.value("level").isNull { return .clear(about) }
    let level = try it.word(
      "level", of: NotificationLevel.allCases.map(\.rawValue), NotificationLevel.init(rawValue:))
    return .choose(LevelChoice(about: about, level: level, until: until))
  }
}

extension JSONWriter {
  /// Writes the changes; nothing when there are none.
  mutating func member(_ name: String, unlessEmpty changes: [LevelChange]) {
    guard !changes.isEmpty else { return }
    key(name)
    beginArray()
    for change in changes { change.write(to: &self) }
    endArray()
  }
}

extension StoredFields {
  func levelChanges(_ name: String) throws(WireError) -> [LevelChange] {
    guard has(name) else { return [] }
    var changes: [LevelChange] = []
    for element in try elements(name) {
      changes.append(try LevelChange(StoredFields(element)))
    }
    return changes
  }
}
