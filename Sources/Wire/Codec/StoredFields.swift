import Domain

/// The members of an object that a server wrote or a store kept. A member that is missing or not as promised is a
/// `WireError` with its name. Unknown members are skipped.
struct StoredFields {
  private let node: JSONNode

  init(_ node: JSONNode) throws(WireError) {
    guard node.kind == .object else { throw .malformed("") }
    self.node = node
  }

  func has(_ name: String) -> Bool { node[name] != nil }

  func node(_ name: String) throws(WireError) -> JSONNode {
    guard let value = node[name] else { throw .missing(name) }
    return value
  }

  func optionalNode(_ name: String) -> JSONNode? { node[name] }

  func fields(_ name: String) throws(WireError) -> StoredFields {
    let value = try node(name)
    guard value.kind == .object else { throw .malformed(name) }
    return try StoredFields(value)
  }

  func optionalFields(_ name: String) throws(WireError) -> StoredFields? {
    has(name) ? try fields(name) : nil
  }

  func dayTotal(_ name: String) throws(WireError) -> DayTotal {
    let total = try fields(name)
    return DayTotal(done: try total.int("done"), of: try total.int("of"))
  }

  func elements(_ name: String) throws(WireError) -> JSONElements {
    guard let elements = try node(name).elements else { throw .malformed(name) }
    return elements
  }

  func string(_ name: String) throws(WireError) -> String {
    guard let value = try node(name).string else { throw .malformed(name) }
    return value
  }

  func uuids(_ name: String) throws(WireError) -> [UUID] {
    var found: [UUID] = []
    for element in try elements(name) {
      guard let uuid = element.string.flatMap(UUID.init) else { throw .malformed(name) }
      found.append(uuid)
    }
    return found
  }

  func optionalString(_ name: String) throws(WireError) -> String? {
    has(name) ? try string(name) : nil
  }

  func int64(_ name: String) throws(WireError) -> Int64 {
    guard let value = try node(name).int64 else { throw .malformed(name) }
    return value
  }

  func int(_ name: String) throws(WireError) -> Int { Int(try int64(name)) }

  func optionalInt(_ name: String) throws(WireError) -> Int? {
    has(name) ? try int(name) : nil
  }

  func optionalInt64(_ name: String) throws(WireError) -> Int64? {
    has(name) ? try int64(name) : nil
  }

  func bool(_ name: String) throws(WireError) -> Bool {
    guard let value = try node(name).bool else { throw .malformed(name) }
    return value
  }

  func uuid(_ name: String) throws(WireError) -> UUID {
    guard let value = try node(name).uuid else { throw .malformed(name) }
    return value
  }

  func optionalUUID(_ name: String) throws(WireError) -> UUID? {
    has(name) ? try uuid(name) : nil
  }

  func stream(_ name: String) throws(WireError) -> StreamID {
    guard let value = StreamID(try string(name)) else { throw .malformed(name) }
    return value
  }

  func time(_ name: String) throws(WireError) -> Timestamp {
    Timestamp(milliseconds: try int64(name))
  }

  /// Reads a word of a closed list, such as a role.
  func word<Value>(_ name: String, _ read: (String) -> Value?) throws(WireError) -> Value {
    guard let value = read(try string(name)) else { throw .malformed(name) }
    return value
  }

  func optionalWord<Value>(_ name: String, _ read: (String) -> Value?) throws(WireError) -> Value? {
    has(name) ? try word(name, read) : nil
  }
}

// MARK: - Parts that several objects share

extension StoredFields {
  func stamp(_ name: String) throws(WireError) -> Stamp {
    let fields = try fields(name)
    return Stamp(at: try fields.time("at"), by: UserID(try fields.uuid("by")))
  }

  func optionalStamp(_ name: String) throws(WireError) -> Stamp? {
    has(name) ? try stamp(name) : nil
  }

  func optionalHistory() throws(WireError) -> CategoryHistory? {
    try optionalWord("history", CategoryHistory.init(rawValue:))
  }

  func optionalTalk() throws(WireError) -> TalkSetting? {
    try optionalWord("talk", TalkSetting.init(rawValue:))
  }

  func position() throws(WireError) -> Position {
    guard let position = try optionalPosition() else { throw .malformed("position") }
    return position
  }

  /// Reads a position. Nil for a post that stands where its number says.
  func optionalPosition() throws(WireError) -> Position? {
    try optionalWord("position") { Position($0) }
  }

  func counters(_ name: String) throws(WireError) -> Counters {
    let fields = try fields(name)
    return Counters(
      open: try fields.int("open"), done: try fields.int("done"),
      overdue: try fields.optionalInt("overdue") ?? 0)
  }

  func grants(_ name: String) throws(WireError) -> Grants {
    let fields = try fields(name)
    return Grants(
      direct: try fields.optionalWord("direct", Role.init(word:)),
      viaGroup: try fields.optionalWord("viaGroup", Role.init(word:)),
      raised: try fields.optionalWord("raised", Role.init(word:)))
  }
}
