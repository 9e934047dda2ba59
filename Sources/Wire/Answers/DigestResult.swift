package import Domain

/// The answer to `digest.get` (protocol §8): what happened on a day.
package struct DigestResult: Equatable, Sendable {
  package let day: Day
  /// The zone whose midnights bound the day.
  package let zone: String
  /// The lists in which something happened, in stream order.
  package let lists: [DigestList]
  /// The person's own total in all lists.
  package let today: DayTotal
  /// Whether lists were left out, or events of the day: there was more to look through than one request may.
  package let more: Bool

  package init(
    day: Day, zone: String, lists: [DigestList], today: DayTotal, more: Bool = false
  ) {
    self.day = day
    self.zone = zone
    self.lists = lists
    self.today = today
    self.more = more
  }
}

/// The counts of one list.
package struct DigestList: Equatable, Sendable {
  package let stream: StreamID
  package let name: String
  /// The numbers of different posts, by anybody, the system included.
  package let total: DigestCounts
  /// The person's own counts among these.
  package let mine: DigestCounts
  /// The other people who did something, the one who did most first. Perhaps not all are named.
  package let people: [DigestPerson]
  /// Whether some events of the day were not looked at: there is more than this.
  package let more: Bool

  package init(
    stream: StreamID, name: String, total: DigestCounts, mine: DigestCounts,
    people: [DigestPerson], more: Bool = false
  ) {
    self.stream = stream
    self.name = name
    self.total = total
    self.mine = mine
    self.people = people
    self.more = more
  }
}

package struct DigestPerson: Equatable, Sendable {
  package let id: UserID
  package let username: String
  package let counts: DigestCounts

  package init(id: UserID, username: String, counts: DigestCounts) {
    self.id = id
    self.username = username
    self.counts = counts
  }
}

extension DigestResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    guard let day = Day(try fields.string("day")) else { throw .malformed("day") }
    var lists: [DigestList] = []
    for element in try fields.elements("lists") {
      lists.append(try DigestList(StoredFields(element)))
    }
    self.init(
      day: day, zone: try fields.string("zone"), lists: lists,
      today: try fields.dayTotal("today"),
      more: try fields.has("more") ? fields.bool("more") : false)
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("day", day.description)
    writer.member("zone", zone)
    writer.members("lists", lists) { $0.writeFields(to: &$1) }
    writer.member("today", today)
    if more { writer.member("more", true) }
  }
}

extension DigestList {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    var people: [DigestPerson] = []
    for element in try fields.elements("people") {
      let person = try StoredFields(element)
      people.append(
        DigestPerson(
          id: UserID(try person.uuid("user")), username: try person.string("username"),
          counts: try DigestCounts(person)))
    }
    self.init(
      stream: try fields.stream("stream"), name: try fields.string("name"),
      total: try DigestCounts(fields), mine: try DigestCounts(fields.fields("mine")),
      people: people, more: try fields.has("more") ? fields.bool("more") : false)
  }

  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("name", name)
    total.writeFields(to: &writer)
    writer.key("mine")
    writer.beginObject()
    mine.writeFields(to: &writer)
    writer.endObject()
    writer.members("people", people) { person, writer in
      writer.member("user", person.id.uuid)
      writer.member("username", person.username)
      person.counts.writeFields(to: &writer)
    }
    if more { writer.member("more", true) }
  }
}

extension DigestCounts {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      added: try fields.int("added"), completed: try fields.int("completed"),
      reopened: try fields.optionalInt("reopened") ?? 0,
      removed: try fields.optionalInt("removed") ?? 0)
  }

  /// Writes the counts. Those of rare events are left out when they are 0.
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("added", added)
    writer.member("completed", completed)
    if reopened > 0 { writer.member("reopened", reopened) }
    if removed > 0 { writer.member("removed", removed) }
  }
}
