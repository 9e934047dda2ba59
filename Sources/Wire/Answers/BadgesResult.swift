package import Domain

/// The answer to `category.list` with `mine` (protocol §8).
package struct BadgesResult: Equatable, Sendable {
  /// The groups and lists in stream order: a group is followed by those of its lists that the person sees. A list of no
  /// such group stands by itself.
  package let badges: [Badge]
  /// The last group or list in the answer, when there are more. It is sent with the next question.
  package let after: StreamID?

  package init(badges: [Badge], after: StreamID?) {
    self.badges = badges
    self.after = after
  }
}

/// The counts of one list or group for one person.
package struct Badge: Equatable, Sendable {
  package let stream: StreamID
  package let name: String
  /// The group that owns a list.
  package let group: GroupID?
  /// The color of a list. Nil is `Color.standard`.
  package let color: Color?
  package let role: Role
  /// Whether the list is archived. Then nobody counts new events or work in it.
  package let isArchived: Bool
  /// The counters. For a group they are those of its lists together that the person sees and that are not archived.
  package let counters: Counters
  /// The unread notifications. Nil for an archived list; for a group only its own.
  package let unread: Unread?
  /// The person's work. Nil for an archived list; for a group that of its lists together.
  package let mine: WorkCount?

  package init(
    stream: StreamID, name: String, group: GroupID? = nil, color: Color? = nil, role: Role,
    isArchived: Bool = false, counters: Counters, unread: Unread?, mine: WorkCount?
  ) {
    self.stream = stream
    self.name = name
    self.group = group
    self.color = color
    self.role = role
    self.isArchived = isArchived
    self.counters = counters
    self.unread = unread
    self.mine = mine
  }
}

extension Answer {
  package static func badges(_ id: RequestID, _ result: BadgesResult) -> [UInt8] {
    envelope(id, capacity: 256 + result.badges.count * 256) { result.writeFields(to: &$0) }
  }
}

extension BadgesResult {
  func writeFields(to writer: inout JSONWriter) {
    writer.members("badges", badges) { $0.writeFields(to: &$1) }
    if let after { writer.member("after", after) }
  }

  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var badges: [Badge] = []
    for element in try fields.elements("badges") {
      badges.append(try Badge(StoredFields(element)))
    }
    self.init(badges: badges, after: fields.has("after") ? try fields.stream("after") : nil)
  }
}

extension Badge {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("name", name)
    writer.member("group", ifPresent: group?.uuid)
    writer.member("color", ifPresent: color?.rawValue)
    writer.member("role", role.word)
    if isArchived { writer.member("archived", true) }
    writer.member("counters", counters)
    if let unread { writer.member("unread", count: unread.count, more: unread.more) }
    if let mine { writer.member("mine", count: mine.count, more: mine.more) }
  }

  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      stream: try fields.stream("stream"), name: try fields.string("name"),
      group: try fields.optionalUUID("group").map { GroupID($0) },
      color: try fields.optionalWord("color", Color.init(rawValue:)),
      role: try fields.word("role", Role.init(word:)),
      isArchived: try fields.has("archived") ? fields.bool("archived") : false,
      counters: try fields.counters("counters"),
      unread: try fields.counted("unread").map { Unread(count: $0.count, more: $0.more) },
      mine: try fields.counted("mine").map { WorkCount(count: $0.count, more: $0.more) })
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, count: Int, more: Bool) {
    key(name)
    beginObject()
    member("count", count)
    member("more", more)
    endObject()
  }
}

extension StoredFields {
  fileprivate func counted(_ name: String) throws(WireError) -> (count: Int, more: Bool)? {
    guard has(name) else { return nil }
    let fields = try fields(name)
    return (try fields.int("count"), try fields.bool("more"))
  }
}
