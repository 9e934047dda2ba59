package import Domain

// Reads and writes a filter: as an object, and in the op that saves it (protocol §6, §7). Its criteria are spelled as
// in `post.query`. Members with their default value are left out.

extension Filter {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("name", name)
    if criteria != PostWhere() { writer.member("where", criteria) }
    if let days { writer.member("days", days) }
    writer.member("streams", ifPresent: categories)
    if sort != .created { writer.member("sort", sort.rawValue) }
  }

  init(id: FilterID, _ fields: StoredFields) throws(WireError) {
    let criteria = try fields.optionalFields("where").map { (it) throws(WireError) in
      try PostWhere(it)
    }
    let days = try fields.optionalFields("days")
    self.init(
      id: id, name: try fields.string("name"), criteria ?? PostWhere(),
      days: try days.map { (days) throws(WireError) in
        DayWindow(from: try days.optionalInt("from"), until: try days.optionalInt("until"))
      },
      in: try fields.optionalCategories("streams"),
      sort: try fields.optionalWord("sort", ViewSort.init(rawValue:)) ?? .created)
  }
}

extension FilterOp {
  package enum Kind: String, CaseIterable, Sendable {
    case saved = "filter.saved"
    case removed = "filter.removed"
  }

  package var kind: Kind {
    switch self {
    case .saved: .saved
    case .removed: .removed
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let id = FilterID(try op.id())
    switch kind {
    case .saved: self = .saved(try Filter(id: id, op.f()))
    case .removed: self = .removed(id)
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .saved(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .removed(let id): writer.member("id", id.uuid)
    }
  }
}

// A stored filter is read like everything stored: members that this version does not know are skipped, and values that
// a request may not have any more keep their meaning.
extension PostWhere {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      state: try fields.optionalWord("state", PostState.init(rawValue:)) ?? .open,
      by: try fields.optionalWord("by", WantedPerson.init(word:)),
      assignee: try fields.optionalWord("assignee", WantedPerson.init(word:)),
      tag: try fields.optionalUUID("tag").map(TagID.init),
      priority: try fields.optionalWord("priority", Priority.init(rawValue:)),
      due: try fields.optionalFields("due").map { (due) throws(WireError) in
        DueWindow(from: try due.optionalBound("from"), until: try due.optionalBound("until"))
      })
  }
}

extension WantedPerson {
  fileprivate init?(word: String) {
    if word == "me" {
      self = .me
    } else {
      guard let id = UUID(word) else { return nil }
      self = .user(UserID(id))
    }
  }
}

extension StoredFields {
  fileprivate func optionalBound(_ name: String) throws(WireError) -> DueBound? {
    guard let node = optionalNode(name) else { return nil }
    guard let text = node.string else { return .moment(try time(name)) }
    guard let day = Day(text) else { throw .malformed(name) }
    return .day(day)
  }

  fileprivate func optionalCategories(_ name: String) throws(WireError) -> [CategoryID]? {
    guard has(name) else { return nil }
    var categories: [CategoryID] = []
    for element in try elements(name) {
      guard case .category(let category)? = element.string.flatMap({ StreamID($0) }) else {
        throw .malformed(name)
      }
      categories.append(category)
    }
    return categories
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, ifPresent categories: [CategoryID]?) {
    guard let categories else { return }
    key(name)
    CategoriesShape().write(categories, to: &self)
  }

  fileprivate mutating func member(_ name: String, _ criteria: PostWhere) {
    key(name)
    criteria.write(to: &self)
  }

  fileprivate mutating func member(_ name: String, _ days: DayWindow) {
    key(name)
    beginObject()
    member("from", ifPresent: days.from)
    member("until", ifPresent: days.until)
    endObject()
  }
}
