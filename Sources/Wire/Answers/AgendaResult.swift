package import Domain

/// The answer to `agenda.get` (protocol §8).
package struct AgendaResult: Equatable, Sendable {
  /// The days in their order. Days on which nothing is due are left out.
  package let days: [AgendaDay]
  /// The number of open posts that are overdue, whenever they were due.
  package let overdue: Int
  /// The number of lists that were not looked through, because there was too much before them.
  package let omitted: Int

  package init(days: [AgendaDay], overdue: Int, omitted: Int) {
    self.days = days
    self.overdue = overdue
    self.omitted = omitted
  }
}

/// The counts of posts that are due on a day.
package struct AgendaDay: Equatable, Sendable {
  package let day: Day
  /// The number of open posts, at least 1.
  package let open: Int
  /// The number of the open posts that are overdue.
  package let overdue: Int

  package init(day: Day, open: Int, overdue: Int) {
    self.day = day
    self.open = open
    self.overdue = overdue
  }
}

extension AgendaResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var days: [AgendaDay] = []
    for element in try fields.elements("days") {
      let line = try StoredFields(element)
      guard let day = Day(try line.string("day")) else { throw .malformed("day") }
      days.append(
        AgendaDay(
          day: day, open: try line.int("open"), overdue: try line.optionalInt("overdue") ?? 0))
    }
    self.init(
      days: days, overdue: try fields.optionalInt("overdue") ?? 0,
      omitted: try fields.omitted())
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.members("days", days) { line, writer in
      writer.member("day", line.day.description)
      writer.member("open", line.open)
      if line.overdue > 0 { writer.member("overdue", line.overdue) }
    }
    if overdue > 0 { writer.member("overdue", overdue) }
    writer.member(omitted: omitted)
  }
}
