package import Domain

/// The answer to `stats.get` (protocol §8): what people have completed in a list or a group, or what the asker has
/// completed in all their lists.
package struct StatsResult: Equatable, Sendable {
  /// The stream and the days that were asked for, with the zone whose midnights bound them.
  package let stream: StreamID
  package let from: Day
  package let to: Day
  package let zone: String
  /// The number of posts that anybody added, the system included. Nil for more than `Limits.statsAddedDaysMax` days;
  /// then it is nil for each person too.
  package let added: Int?
  package let completed: Int
  /// The counts of completions with a deadline. Nil where none had one, like `lateMedian`.
  package let punctuality: Punctuality?
  /// The median lateness in milliseconds after the deadline. Negative before it.
  package let lateMedian: Int64?
  /// The people, the one who completed most first. Perhaps not all are named.
  package let people: [StatsPerson]
  /// The days with a completion, in order.
  package let days: [DayScore]
  /// Whether some achievements or events of these days, or some lists, were left out: it was more than one request may
  /// look through.
  package let more: Bool

  /// The number of people that an answer names at most.
  package static let peopleMax = 50

  /// Makes the answer. `people` are those of `statistics` who have a name.
  package init(
    _ query: StatsQuery, zone: String, added: Int?, _ statistics: Statistics,
    people: [StatsPerson], more: Bool = false
  ) {
    self.init(
      stream: query.stream, from: query.from, to: query.to, zone: zone, added: added,
      completed: statistics.completed, punctuality: statistics.punctuality,
      lateMedian: statistics.lateMedian, people: people, days: statistics.days, more: more)
  }

  package init(
    stream: StreamID, from: Day, to: Day, zone: String, added: Int?, completed: Int,
    punctuality: Punctuality? = nil, lateMedian: Int64? = nil, people: [StatsPerson] = [],
    days: [DayScore] = [], more: Bool = false
  ) {
    self.stream = stream
    self.from = from
    self.to = to
    self.zone = zone
    self.added = added
    self.completed = completed
    self.punctuality = punctuality
    self.lateMedian = lateMedian
    self.people = people
    self.days = days
    self.more = more
  }
}

package struct StatsPerson: Equatable, Sendable {
  package let username: String
  package let score: PersonScore

  package init(username: String, score: PersonScore) {
    self.username = username
    self.score = score
  }
}

extension StatsResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var people: [StatsPerson] = []
    for element in try fields.elements("people") {
      people.append(try StatsPerson(StoredFields(element)))
    }
    var days: [DayScore] = []
    for element in try fields.elements("days") {
      days.append(try StoredFields(element).dayScore())
    }
    self.init(
      stream: try fields.stream("stream"), from: try fields.statsDay("from"),
      to: try fields.statsDay("to"), zone: try fields.string("zone"),
      added: try fields.optionalInt("added"), completed: try fields.int("completed"),
      punctuality: try fields.punctuality(),
      lateMedian: try fields.optionalInt("lateMedianMs").map { Int64($0) }, people: people,
      days: days, more: try fields.has("more") ? fields.bool("more") : false)
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("from", from.description)
    writer.member("to", to.description)
    writer.member("zone", zone)
    writer.member("added", ifPresent: added)
    writer.member("completed", completed)
    writer.punctuality(punctuality)
    if let lateMedian { writer.member("lateMedianMs", Int(lateMedian)) }
    writer.members("people", people) { $0.writeFields(to: &$1) }
    writer.members("days", days) { $1.dayScore($0) }
    if more { writer.member("more", true) }
  }
}

extension StatsPerson {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      username: try fields.string("username"),
      score: PersonScore(
        user: UserID(try fields.uuid("user")), added: try fields.optionalInt("added"),
        completed: try fields.int("completed"), punctuality: try fields.punctuality(),
        streak: try fields.optionalInt("streak") ?? 0, best: try fields.optionalInt("best") ?? 0,
        places: try fields.places(), steps: try fields.optionalInt("steps") ?? 0,
        amounts: try fields.unitAmounts(),
        record: try fields.optionalFields("record")?.dayScore()))
  }

  /// Writes the row. Numbers of 0 are left out, except the two by which everybody is compared. So is what is empty.
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("user", score.user.uuid)
    writer.member("username", username)
    writer.member("added", ifPresent: score.added)
    writer.member("completed", score.completed)
    writer.punctuality(score.punctuality)
    if score.streak > 0 { writer.member("streak", score.streak) }
    if score.best > 0 { writer.member("best", score.best) }
    if !score.places.isEmpty { writer.member("places", score.places.map { Int64($0) }) }
    if score.steps > 0 { writer.member("steps", score.steps) }
    if !score.amounts.isEmpty {
      writer.members("amounts", score.amounts) { it, writer in
        writer.member("unit", it.unit)
        writer.member("amount", it.amount)
      }
    }
    if let record = score.record {
      writer.key("record")
      writer.beginObject()
      writer.dayScore(record)
      writer.endObject()
    }
  }
}

extension JSONWriter {
  fileprivate mutating func punctuality(_ it: Punctuality?) {
    guard let it else { return }
    member("onTime", it.onTime)
    member("late", it.late)
  }

  fileprivate mutating func dayScore(_ it: DayScore) {
    member("day", it.day.description)
    member("completed", it.completed)
  }
}

extension StoredFields {
  fileprivate func punctuality() throws(WireError) -> Punctuality? {
    guard has("onTime") else { return nil }
    return Punctuality(onTime: try int("onTime"), late: try int("late"))
  }

  /// Reads how many races somebody finished first, second and third; zeros at the end are left out.
  fileprivate func places() throws(WireError) -> [Int] {
    guard has("places") else { return [] }
    var places: [Int] = []
    for element in try elements("places") {
      guard let count = element.int64 else { throw .malformed("places") }
      places.append(Int(count))
    }
    return places
  }

  fileprivate func unitAmounts() throws(WireError) -> [UnitAmount] {
    guard has("amounts") else { return [] }
    var amounts: [UnitAmount] = []
    for element in try elements("amounts") {
      let fields = try StoredFields(element)
      amounts.append(
        UnitAmount(unit: try fields.string("unit"), amount: try fields.int64("amount")))
    }
    return amounts
  }

  fileprivate func dayScore() throws(WireError) -> DayScore {
    DayScore(day: try statsDay("day"), completed: try int("completed"))
  }

  fileprivate func statsDay(_ name: String) throws(WireError) -> Day {
    guard let day = Day(try string(name)) else { throw .malformed(name) }
    return day
  }
}
