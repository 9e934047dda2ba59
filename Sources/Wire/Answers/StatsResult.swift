package import Domain

/// The answer to `stats.get` (protocol §8): what people have completed in a list or a group.
package struct StatsResult: Equatable, Sendable {
  /// The stream and the days that were asked for, with the zone whose midnights bound them.
  package let stream: StreamID
  package let from: Day
  package let to: Day
  package let zone: String
  /// The number of posts that anybody added, the system included.
  package let added: Int
  package let completed: Int
  /// The counts of completions with a deadline. Nil where none had one, like `lateMedian`.
  package let punctuality: Punctuality?
  /// The median lateness in milliseconds after the deadline. Negative before it.
  package let lateMedian: Int64?
  /// The people, the one who completed most first. Perhaps not all are named.
  package let people: [StatsPerson]
  /// The days with a completion, in order.
  package let days: [DayScore]
  /// Whether older events of these days, or some lists, were not looked through: it was more than one request may.
  package let more: Bool

  /// The number of people that an answer names at most.
  package static let peopleMax = 50

  /// Makes the answer. `people` are those of `statistics` who have a name.
  package init(
    _ query: StatsQuery, zone: String, added: Int, _ statistics: Statistics,
    people: [StatsPerson], more: Bool = false
  ) {
    self.init(
      stream: query.stream, from: query.from, to: query.to, zone: zone, added: added,
      completed: statistics.completed, punctuality: statistics.punctuality,
      lateMedian: statistics.lateMedian, people: people, days: statistics.days, more: more)
  }

  package init(
    stream: StreamID, from: Day, to: Day, zone: String, added: Int, completed: Int,
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
      let day = try StoredFields(element)
      days.append(DayScore(day: try day.statsDay("day"), completed: try day.int("completed")))
    }
    self.init(
      stream: try fields.stream("stream"), from: try fields.statsDay("from"),
      to: try fields.statsDay("to"), zone: try fields.string("zone"),
      added: try fields.int("added"), completed: try fields.int("completed"),
      punctuality: try fields.punctuality(),
      lateMedian: try fields.optionalInt("lateMedianMs").map { Int64($0) }, people: people,
      days: days, more: try fields.has("more") ? fields.bool("more") : false)
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("from", from.description)
    writer.member("to", to.description)
    writer.member("zone", zone)
    writer.member("added", added)
    writer.member("completed", completed)
    writer.punctuality(punctuality)
    if let lateMedian { writer.member("lateMedianMs", Int(lateMedian)) }
    writer.members("people", people) { $0.writeFields(to: &$1) }
    writer.members("days", days) { day, writer in
      writer.member("day", day.day.description)
      writer.member("completed", day.completed)
    }
    if more { writer.member("more", true) }
  }
}

extension StatsPerson {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      username: try fields.string("username"),
      score: PersonScore(
        user: UserID(try fields.uuid("user")), added: try fields.int("added"),
        completed: try fields.int("completed"), punctuality: try fields.punctuality(),
        streak: try fields.optionalInt("streak") ?? 0, best: try fields.optionalInt("best") ?? 0))
  }

  /// Writes the row. Numbers of 0 are left out, except the two by which everybody is compared.
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("user", score.user.uuid)
    writer.member("username", username)
    writer.member("added", score.added)
    writer.member("completed", score.completed)
    writer.punctuality(score.punctuality)
    if score.streak > 0 { writer.member("streak", score.streak) }
    if score.best > 0 { writer.member("best", score.best) }
  }
}

extension JSONWriter {
  fileprivate mutating func punctuality(_ it: Punctuality?) {
    guard let it else { return }
    member("onTime", it.onTime)
    member("late", it.late)
  }
}

extension StoredFields {
  fileprivate func punctuality() throws(WireError) -> Punctuality? {
    guard has("onTime") else { return nil }
    return Punctuality(onTime: try int("onTime"), late: try int("late"))
  }

  fileprivate func statsDay(_ name: String) throws(WireError) -> Day {
    guard let day = Day(try string(name)) else { throw .malformed(name) }
    return day
  }
}
