package import Domain

/// `agenda.get` (protocol §8): on which days how many open posts are due.
package struct AgendaQuery: Equatable, Sendable {
  /// Both count as in it; at most `Limits.agendaDaysMax`.
  package let from: Day
  package let to: Day
  /// In ascending order, each once; nil: all lists of who asks.
  package let categories: [CategoryID]?
  /// Whose days they are; nil: those of the asker's profile.
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
