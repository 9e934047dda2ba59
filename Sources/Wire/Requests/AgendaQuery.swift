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
    let from = try params.day("from")
    let to = try params.day("to")
    guard from <= to else { throw params.invalid("to", "must not be before from") }
    guard to.number - from.number < Limits.agendaDaysMax else {
      throw params.invalid("to", "must be one of \(Limits.agendaDaysMax) days from from on")
    }
    self.init(
      from: from, to: to, in: try params.has("streams") ? params.categories("streams") : nil,
      zone: try params.has("zone") ? params.zone() : nil)
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("from", from.description)
    writer.member("streams", ifPresent: categories)
    writer.member("to", to.description)
    writer.member("zone", ifPresent: zone)
  }
}
