package import Domain

/// The request `stats.get` (protocol §8): what people have completed in a list or a group, or what the asker has
/// completed in all their lists.
package struct StatsQuery: Equatable, Sendable {
  /// The category or group, `c:` or `g:`; or the asker's own `u:`.
  package let stream: StreamID
  /// The first and the last day. Both count; at most `Limits.statsDaysMax` days.
  package let from: Day
  package let to: Day
  /// The zone whose midnights bound the days. Nil: that of the asker's profile.
  package let zone: String?

  package init(_ stream: StreamID, from: Day, to: Day, zone: String? = nil) {
    self.stream = stream
    self.from = from
    self.to = to
    self.zone = zone
  }
}

extension StatsQuery {
  init(_ params: Params) throws(Refusal) {
    let stream = try params.read(.counted)
    let (from, to) = try params.days(to: .statsEnd, max: Limits.statsDaysMax)
    self.init(stream, from: from, to: to, zone: try params.optional(.dayZone))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.counted, stream)
    fields.add(.firstDay, from)
    fields.add(.statsEnd, to)
    fields.add(.dayZone, zone)
  }
}

extension Parameter where S == StreamShape {
  fileprivate static var counted: Self {
    Self(
      "stream", S(letters: "cgu"),
      "the category or group; or the sender's own `u:`, for what they did in all their categories")
  }
}

extension Parameter where S == DayShape {
  fileprivate static var statsEnd: Self {
    .lastDay("the last day; at most `statsDays` of them, both included (§13)")
  }
}
