package import Domain

/// The request `stats.get` (protocol §8): what people have completed in a list or a group.
package struct StatsQuery: Equatable, Sendable {
  /// The category or group: `c:` or `g:`.
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
    let stream = try params.stream("stream", "cg")
    let from = try params.day("from")
    let to = try params.day("to")
    guard from <= to else { throw params.invalid("to", "must not be before from") }
    guard to.number - from.number < Limits.statsDaysMax else {
      throw params.invalid("to", "must be one of \(Limits.statsDaysMax) days from from on")
    }
    self.init(stream, from: from, to: to, zone: try params.has("zone") ? params.zone() : nil)
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("from", from.description)
    writer.member("stream", stream)
    writer.member("to", to.description)
    writer.member("zone", ifPresent: zone)
  }
}
