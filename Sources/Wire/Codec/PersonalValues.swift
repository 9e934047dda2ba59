import Domain

// Reads and writes the values of personal things, and the lists in settings.

extension Reminder {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .at(let time): writer.member("at", time)
    case .before(let minutes): writer.member("before", minutes)
    }
    writer.endObject()
  }
}

extension StoredFields {
  func reminders() throws(WireError) -> [Reminder] {
    var reminders: [Reminder] = []
    for element in try elements("reminders") {
      let fields = try StoredFields(element)
      reminders.append(
        fields.has("at")
          ? .at(try fields.time("at")) : .before(minutes: try fields.int("before")))
    }
    return reminders
  }
}

extension Plan: MemberValue {
  static var schema: String { Schema.common("plan") }
  static var example: String { #"{"minutes":30}"# }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let time, let localTime = time.localTime, let zone = time.zone {
      writer.member("at", localTime)
      writer.member("minutes", ifPresent: minutes)
      writer.member("zone", zone)
    } else {
      writer.member("minutes", ifPresent: minutes)
    }
    writer.endObject()
  }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Plan {
    let plan = try fields.fields(name)
    var time: Due?
    if plan.has("at") {
      time = Due(localTime: try plan.string("at"), zone: try plan.string("zone"))
    }
    guard let read = Plan(at: time, minutes: try plan.optionalInt("minutes")) else {
      throw .malformed(name)
    }
    return read
  }

  /// Reads a plan from a request. The server checks whether its zone exists.
  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Plan? {
    let plan = try params.object(name)
    let time = try plan.has("at") ? Due.asked(params, name) : nil
    let minutes =
      try plan.has("minutes") ? Int(plan.int("minutes", 1...Int64(Limits.planMinutesMax))) : nil
    guard let read = Plan(at: time, minutes: minutes) else {
      throw plan.invalid("at", "or minutes must be there")
    }
    return read
  }
}

extension MyDay: MemberValue {
  static var schema: String { Schema.common("myDay") }
  static var example: String { #"{"date":"2026-12-24"}"# }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("date", day.description)
    writer.member("order", ifPresent: order)
    writer.endObject()
  }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> MyDay {
    let it = try fields.fields(name)
    guard let day = Day(try it.string("date")) else { throw .malformed(name) }
    return MyDay(day: day, order: try it.optionalInt("order"))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> MyDay? {
    let it = try params.object(name)
    guard let day = Day(try it.string("date")), Due.days.contains(day) else {
      throw it.invalid("date", "must be a day such as 2026-11-24, of the years 1971 to 9997")
    }
    let order = try it.has("order") ? Int(it.int("order", 0...1_000_000)) : nil
    return MyDay(day: day, order: order)
  }
}

extension Timestamp: MemberValue {
  static var schema: String { Schema.common("time") }
  static var example: String { "1795000000000" }

  func write(to writer: inout JSONWriter) { writer.int(milliseconds) }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Timestamp {
    try fields.time(name)
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Timestamp? {
    try params.time(name)
  }
}

extension Int: MemberValue {
  static var schema: String { Schema.integer(1...Int64(Limits.dueSoonHoursMax)) }
  static var example: String { "24" }

  func write(to writer: inout JSONWriter) { writer.int(self) }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> Int {
    try fields.int(name)
  }

  /// Reads the hours of `dueSoonHours`.
  static func asked(_ params: Params, _ name: String) throws(Refusal) -> Int? {
    Int(try params.int(name, 1...Int64(Limits.dueSoonHoursMax)))
  }
}

extension DefaultDue: MemberValue {
  static var schema: String { Schema.words(allCases.map(\.rawValue)) }
  static var example: String { Schema.quoted("today") }

  func write(to writer: inout JSONWriter) { writer.string(rawValue) }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> DefaultDue {
    try fields.word(name, DefaultDue.init(rawValue:))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> DefaultDue? {
    try params.word(name, of: DefaultDue.allCases.map(\.rawValue), DefaultDue.init(rawValue:))
  }
}

extension ClockTime: MemberValue {
  static var schema: String { Schema.common("clockTime") }
  static var example: String { Schema.quoted("18:00") }

  func write(to writer: inout JSONWriter) { writer.string(description) }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> ClockTime {
    try fields.word(name, ClockTime.init(_:))
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> ClockTime? {
    guard let time = ClockTime(try params.string(name)) else {
      throw params.invalid(name, "must be a time such as 18:00")
    }
    return time
  }
}

/// A value in a list of settings.
protocol SettingsElement: Hashable, Sendable {
  /// The sentence for a client that sent another value.
  static var mustBe: String { get }
  /// The greatest number of values in a list.
  static var countMax: Int { get }
  /// A JSON Schema of one value.
  static var elementSchema: String { get }
  /// One value, as JSON.
  static var elementExample: String { get }
  /// Reads a value of a request. Nil for one that may not be asked for.
  static func read(_ node: JSONNode) -> Self?
  /// Reads a stored value. Nil for one that this version does not know; it is left out.
  static func readStored(_ node: JSONNode) throws(WireError) -> Self?
  /// Returns the values in their order, each once.
  static func inOrder(_ values: Set<Self>) -> [Self]
  func write(to writer: inout JSONWriter)
}

extension Array: MemberValue where Element: SettingsElement {
  static var schema: String { Schema.set(of: Element.elementSchema, max: Element.countMax) }
  static var example: String { "[\(Element.elementExample)]" }

  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }

  static func stored(_ fields: StoredFields, _ name: String) throws(WireError) -> [Element] {
    var values: [Element] = []
    for element in try fields.elements(name) {
      if let value = try Element.readStored(element) { values.append(value) }
    }
    return values
  }

  static func asked(_ params: Params, _ name: String) throws(Refusal) -> [Element]? {
    var values: Set<Element> = []
    for element in try params.elements(name) {
      guard let value = Element.read(element) else { throw params.invalid(name, Element.mustBe) }
      values.insert(value)
      guard values.count <= Element.countMax else {
        throw params.tooLarge(name, max: Element.countMax)
      }
    }
    return Element.inOrder(values)
  }
}

extension Int: SettingsElement {
  static let elementSchema = Schema.integer(0...Int64(Limits.reminderMinutesMax))
  static let elementExample = "30"
  static let mustBe = "must be minutes, 0 to \(Limits.reminderMinutesMax)"
  static let countMax = Limits.defaultRemindersMax

  static func read(_ node: JSONNode) -> Int? {
    node.int64.flatMap { (0...Int64(Limits.reminderMinutesMax)).contains($0) ? Int($0) : nil }
  }

  /// Reads minutes of any size, whatever the limit was when they were stored.
  static func readStored(_ node: JSONNode) throws(WireError) -> Int? {
    guard let value = node.int64.flatMap({ Int(exactly: $0) }) else { throw .malformed("minutes") }
    return value
  }

  static func inOrder(_ values: Set<Int>) -> [Int] { values.sorted() }
}

extension ReminderKind: SettingsElement {
  static let elementSchema = Schema.words(allCases.filter(\.canBeMuted).map(\.rawValue))
  static let elementExample = Schema.quoted(overdue.rawValue)
  static let mustBe = "must be planned, due_soon or overdue"
  static let countMax = allCases.count

  static func read(_ node: JSONNode) -> ReminderKind? {
    node.string.flatMap(ReminderKind.init(rawValue:)).flatMap { $0.canBeMuted ? $0 : nil }
  }

  static func readStored(_ node: JSONNode) throws(WireError) -> ReminderKind? {
    guard let word = node.string else { throw .malformed("muted") }
    return ReminderKind(rawValue: word)
  }

  static func inOrder(_ values: Set<ReminderKind>) -> [ReminderKind] {
    allCases.filter { values.contains($0) }
  }

  func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}
