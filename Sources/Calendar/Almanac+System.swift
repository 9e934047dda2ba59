package import Domain

extension Almanac {
  /// An almanac with the system's time zones, through libical. Any thread may use it.
  package static let system = Almanac(
    visitDays: { rule, start, after, visit in
      RuleDays(rule, start: start, after: after).visit(visit)
    },
    startOfDay: { Zones.startOfDay($0, zone: $1) },
    moment: { Zones.moment(of: $0, minute: $1, zone: $2) },
    day: {
      Zones.localTime(of: $0, zone: $1).flatMap { Day(year: $0.year, month: $0.month, day: $0.day) }
    })
}
