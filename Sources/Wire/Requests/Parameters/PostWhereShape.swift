import Domain

// The criteria of a view or a filter.

struct PostWhereShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> PostWhere {
    let it = try params.object(name)
    try PostWhere.refuseUnknown(it)
    return try PostWhere(it)
  }

  func write(_ value: PostWhere, to writer: inout JSONWriter) { value.write(to: &writer) }
  var schema: String { Schema.common("criteria") }
  var example: String { #"{"assignee":"me","priority":"high"}"# }
}

extension Parameter where S == PostWhereShape {
  static var `where`: Self { Self("where", S(), "the criteria that all of the posts meet") }
}

extension PostWhere {
  init(_ params: Params) throws(Refusal) {
    self.init()
    if params.has("state") {
      state = try params.word(
        "state", of: PostState.allCases.map(\.rawValue), PostState.init(rawValue:))
    }
    by = try params.has("by") ? params.person("by") : nil
    assignee = try params.has("assignee") ? params.person("assignee") : nil
    tag = try params.has("tag") ? TagID(params.uuid("tag")) : nil
    if params.has("priority") {
      priority = try params.word(
        "priority", of: Priority.allCases.map(\.rawValue), Priority.init(rawValue:))
    }
    due = try params.has("due") ? DueWindow(params.object("due")) : nil
  }

  /// Refuses unknown members of a request: criteria must not be misread as fewer ones, or as none. Stored criteria may
  /// have members of a later version.
  static func refuseUnknown(_ params: Params) throws(Refusal) {
    try params.refuseOthers(than: ["state", "by", "assignee", "tag", "priority", "due"])
    guard params.has("due"), try params.value("due").kind == .object else { return }
    try params.object("due").refuseOthers(than: ["from", "until"])
  }

  /// Writes the members, sorted. Those with their default value are left out.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("assignee", ifPresent: assignee)
    writer.member("by", ifPresent: by)
    if let due {
      writer.key("due")
      writer.beginObject()
      writer.member("from", ifPresent: due.from)
      writer.member("until", ifPresent: due.until)
      writer.endObject()
    }
    writer.member("priority", ifPresent: priority?.rawValue)
    if state != .open { writer.member("state", state.rawValue) }
    writer.member("tag", ifPresent: tag?.uuid)
    writer.endObject()
  }
}

extension DueWindow {
  fileprivate init(_ params: Params) throws(Refusal) {
    guard params.has("from") || params.has("until") else {
      throw params.invalid("from", "or until must be there")
    }
    self.init(
      from: try params.has("from") ? params.bound("from") : nil,
      until: try params.has("until") ? params.bound("until") : nil)
    let isBackwards =
      switch (from, until) {
      case (.day(let from)?, .day(let until)?): until < from
      case (.moment(let from)?, .moment(let until)?): until < from
      default: false
      }
    if isBackwards { throw params.invalid("until", "must not be before from") }
  }
}

extension Params {
  /// Reads `me`, or the id of a user.
  fileprivate func person(_ name: String) throws(Refusal) -> WantedPerson {
    if try value(name).string == "me" { return .me }
    return .user(UserID(try uuid(name)))
  }

  /// Reads a day, or a moment.
  fileprivate func bound(_ name: String) throws(Refusal) -> DueBound {
    try value(name).kind == .string ? .day(try day(name)) : .moment(try time(name))
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, ifPresent person: WantedPerson?) {
    switch person {
    case nil: break
    case .me?: member(name, "me")
    case .user(let user)?: member(name, user.uuid)
    }
  }

  fileprivate mutating func member(_ name: String, ifPresent bound: DueBound?) {
    switch bound {
    case nil: break
    case .day(let day)?: member(name, day.description)
    case .moment(let moment)?: member(name, moment)
    }
  }
}
