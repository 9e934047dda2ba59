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
    self.init(
      day: try params.day("day"), zone: try params.has("zone") ? params.zone() : nil)
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("day", day.description)
    writer.member("zone", ifPresent: zone)
  }
}
