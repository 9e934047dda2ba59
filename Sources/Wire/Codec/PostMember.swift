import Domain

// The members of a post that an edit may set or clear. Each has one spelling, in the post itself, in the op that edits
// it and in a request. A new one needs a row in `PostMember.all`, one in `PostField.all`, and a value that can be
// written and read.

/// A value that is spelled alike wherever it stands, its members sorted by name (protocol §10.2).
protocol MemberValue: Equatable, Sendable {
  func write(to writer: inout JSONWriter)

  /// Reads a value that a server wrote or a store kept.
  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Self

  /// Reads a value of a request. Nil for the default value.
  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Self?

  /// The schema and the example of `Shape`, for the values of a request.
  static var schema: String { get }
  static var example: String { get }
}

/// One of those members.
struct PostMember: Sendable {
  let name: String
  /// Writes the member of a post, or nothing where the post has none.
  let writePost: @Sendable (Post, inout JSONWriter) -> Void
  let readPost: @Sendable (StoredFields, inout Post) throws(WireError) -> Void
  /// Writes the member of an edit: nothing where the value stays, null where it goes.
  let writeEdit: @Sendable (PostEdit, inout JSONWriter) -> Void
  let addSorted: @Sendable (PostEdit, inout SortedFields) -> Void
  let readEdit: @Sendable (StoredFields, inout PostEdit) throws(WireError) -> Void
  /// Reads the member of a request. `takesNull` says whether null may take the value away, which it may not for a new
  /// post.
  let ask: @Sendable (Params, _ takesNull: Bool, inout PostEdit) throws(Refusal) -> Void

  /// The members in the order of the specification.
  static let all = [
    PostMember(.priority, .priority), PostMember(.color, .color), PostMember(.due, .due),
    PostMember(.location, .location), PostMember(.recurrence, .repeats), PostMember(.mode, .mode),
    PostMember(.modeRole, .modeRole), PostMember(.contest, .contest), PostMember(.goal, .goal),
  ]

  private init<Value: MemberValue>(
    _ parameter: Parameter<MemberShape<Value>>, _ value: PostValue<Value>
  ) {
    let name = parameter.name
    self.name = name
    writePost = { post, writer in
      guard let value = value.get(post) else { return }
      writer.key(name)
      value.write(to: &writer)
    }
    readPost = { fields, post throws(WireError) in
      if fields.has(name) { value.set(&post, try Value.stored(fields, name)) }
    }
    writeEdit = { edit, writer in writer.member(name, value.change(edit)) }
    addSorted = { edit, fields in fields.add(parameter, change: value.change(edit)) }
    readEdit = { fields, edit throws(WireError) in
      value.setChange(&edit, try fields.change(name))
    }
    ask = { params, takesNull, edit throws(Refusal) in
      value.setChange(&edit, try params.change(parameter, takesNull: takesNull))
    }
  }
}

extension JSONWriter {
  /// Writes a change: nothing where the value stays, null where it goes.
  mutating func member<Value: MemberValue>(_ name: String, _ change: FieldChange<Value>) {
    switch change {
    case .keep: break
    case .clear:
      key(name)
      null()
    case .set(let value):
      key(name)
      value.write(to: &self)
    }
  }
}

extension StoredFields {
  func change<Value: MemberValue>(_ name: String) throws(WireError) -> FieldChange<Value> {
    guard let node = optionalNode(name) else { return .keep }
    return node.isNull ? .clear : .set(try Value.stored(self, name))
  }
}

extension Parameter where S == MemberShape<Priority> {
  static var priority: Self { Self("priority", S(), "how urgent the post is") }
}

extension Parameter where S == MemberShape<Color> {
  static var color: Self { .color("how the post looks") }

  /// A color. Blue is what a thing has that was given none.
  static func color(_ meaning: String) -> Self { Self("color", S(), meaning) }
}

extension Parameter where S == MemberShape<Due> {
  static var due: Self { Self("due", S(), "when the post is due") }

  static var occurrenceDue: Self {
    Self("occurrenceDue", S(), "the due of that occurrence by the rule, as the sender sees it")
  }
}

extension Parameter where S == MemberShape<Location> {
  static var location: Self { Self("location", S(), "where the post is done") }
}

extension Parameter where S == MemberShape<Repetition> {
  static var recurrence: Self { Self("recurrence", S(), "how the post comes again") }
}

extension Parameter where S == MemberShape<PostMode> {
  static var mode: Self { Self("mode", S(), "`each`: everybody has a part of the post (§3.6)") }
}

extension Parameter where S == MemberShape<Role> {
  static var modeRole: Self {
    Self("modeRole", S(), "with `mode`: only people with exactly this role have a part (§3.6)")
  }
}

// MARK: - The values

extension Priority: MemberValue {
  static var schema: String { Schema.common("priority") }
  static var example: String { Schema.quoted("high") }

  func write(to writer: inout JSONWriter) { writer.string(rawValue) }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Priority {
    try fields.word(name, Priority.init(rawValue:))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Priority? {
    try params.word(name, of: Priority.allCases.map(\.rawValue), Priority.init(rawValue:))
  }
}

extension PostMode: MemberValue {
  static var schema: String { Schema.common("mode") }
  static var example: String { Schema.quoted("each") }

  func write(to writer: inout JSONWriter) { writer.string(rawValue) }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> PostMode {
    try fields.word(name, PostMode.init(rawValue:))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> PostMode? {
    try params.word(name, of: PostMode.allCases.map(\.rawValue), PostMode.init(rawValue:))
  }
}

/// The role for which a post is: one that may complete posts.
extension Role: MemberValue {
  static var schema: String { Schema.common("modeRole") }
  static var example: String { Schema.quoted(Role.doer.word) }

  func write(to writer: inout JSONWriter) { writer.string(word) }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Role {
    try fields.word(name) { word in withParts.first { $0.word == word } }
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Role? {
    try params.word(name, of: withParts.map(\.word)) { word in withParts.first { $0.word == word } }
  }
}

extension Color: MemberValue {
  static var schema: String { Schema.common("color") }
  static var example: String { Schema.quoted("red") }

  func write(to writer: inout JSONWriter) { writer.string(rawValue) }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Color {
    try fields.word(name, Color.init(rawValue:))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Color? {
    let color = try params.word(name, of: Color.allCases.map(\.rawValue), Color.init(rawValue:))
    return color == .standard ? nil : color
  }
}

extension Due: MemberValue {
  static var schema: String { Schema.common("due") }
  static var example: String { #"{"date":"2026-12-24"}"# }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let localTime, let zone {
      writer.member("at", localTime)
      writer.member("zone", zone)
    } else {
      writer.member("date", day.description)
    }
    writer.endObject()
  }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Due {
    let due = try fields.fields(name)
    guard due.has("at") else {
      guard let day = Day(try due.string("date")) else { throw .malformed(name) }
      return .day(day)
    }
    guard let time = Due(localTime: try due.string("at"), zone: try due.string("zone")) else {
      throw .malformed(name)
    }
    return time
  }

  /// Reads a due from a request. `at` counts when both are there. The server checks whether its zone exists.
  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Due? {
    let due = try params.object(name)
    guard due.has("at") else {
      guard due.has("date") else { throw due.invalid("date", "or at must be there") }
      guard let day = Day(try due.string("date")), days.contains(day) else {
        throw due.invalid("date", "must be a day such as 2026-11-24, of the years 1971 to 9997")
      }
      return .day(day)
    }
    let text = try due.string("at")
    guard let time = Due(localTime: text, zone: ""), days.contains(time.day) else {
      throw due.invalid(
        "at", "must be a local time such as 2026-11-24T18:00, of the years 1971 to 9997")
    }
    return Due(localTime: text, zone: try due.zone())
  }
}

extension Location: MemberValue {
  static var schema: String { Schema.common("where") }
  static var example: String { #"{"text":"market"}"# }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let point {
      writer.member("lat", point.latitude)
      writer.member("lon", point.longitude)
    }
    writer.member("text", unlessEmpty: text)
    writer.endObject()
  }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Location {
    let place = try fields.fields(name)
    let point = GeoPoint(
      latitude: try place.optionalInt("lat") ?? 0, longitude: try place.optionalInt("lon") ?? 0)
    return Location(
      text: try place.optionalString("text") ?? "", point: place.has("lat") ? point : nil)
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Location? {
    let place = try params.object(name)
    let text =
      try place.has("text") ? place.line("text", 0...Limits.locationScalarsMax) : ""
    guard place.has("lat") || place.has("lon") else {
      guard !text.isEmpty else { throw place.invalid("text", "or lat and lon must be there") }
      return Location(text: text)
    }
    let point = GeoPoint(
      latitude: Int(try place.int("lat", GeoPoint.latitudes)),
      longitude: Int(try place.int("lon", GeoPoint.longitudes)))
    return Location(text: text, point: point)
  }
}
