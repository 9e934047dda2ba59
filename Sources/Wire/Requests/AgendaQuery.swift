package import Domain

/// The request `agenda.get` (protocol §8): on which days how many open posts are due.
package struct AgendaQuery: Equatable, Sendable {
  /// The first and the last day. Both count; at most `Limits.agendaDaysMax` days.
  package let from: Day
  package let to: Day
  /// The lists, ascending, each once. Nil: all lists of the person who asks.
  package let categories: [CategoryID]?
  /// The zone of the days. Nil: that of the asker's profile.
  package let zone: String?

  package init(
    from: Day, to: Day, in categories: [CategoryID]? = nil, zone: String? = nil
  ) {
    self.from = from
    self.to = to
    self.categories = categories.map { Set($0).sorted() }
    self.zone = zone
  }
}

extension AgendaQuery {
  init(_ params: Params) throws(Refusal) {
    let (from, to) = try params.days(to: .agendaEnd, max: Limits.agendaDaysMax)
    self.init(
      from: from, to: to, in: try params.optional(.categories), zone: try params.optional(.dayZone))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.firstDay, from)
    fields.add(.agendaEnd, to)
    fields.add(.categories, categories)
    fields.add(.dayZone, zone)
  }
}

extension Parameter where S == DayShape {
  fileprivate static var agendaEnd: Self {
    .lastDay("the last day; at most `agendaDays` of them, both included (§13)")
  }
}
