package import Domain

/// The request `digest.get` (protocol §8): what happened on a day in the lists of the person who asks.
package struct DigestQuery: Equatable, Sendable {
  package let day: Day
  /// The zone whose midnights bound the day. Nil: that of the asker's profile.
  package let zone: String?

  package init(day: Day, zone: String? = nil) {
    self.day = day
    self.zone = zone
  }
}

extension DigestQuery {
  init(_ params: Params) throws(Refusal) {
    self.init(day: try params.read(.digestDay), zone: try params.optional(.dayZone))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.digestDay, day)
    fields.add(.dayZone, zone)
  }
}

extension Parameter where S == DayShape {
  fileprivate static var digestDay: Self { Self("day", S(), "the day that is told of") }
}
