// The names of places in a refusal, for people who have to do something there first.

extension World {
  /// The number of places that a refusal names.
  private static let placesNamed = 5

  /// Returns the names of the first of these places, with their ids.
  mutating func names(of places: [StreamID]) throws(Halt) -> String {
    let first = places.prefix(Self.placesNamed)
    try require(first.map { .object($0, $0.headKey) })
    var names: [String] = []
    for place in first { names.append("\(try name(of: place)) (\(place))") }
    if places.count > first.count { names.append("others") }
    return names.joined(separator: ", ")
  }

  private mutating func name(of place: StreamID) throws(Halt) -> String {
    switch place {
    case .category(let id): try category(id)?.name ?? ""
    case .group(let id): try group(id)?.name ?? ""
    case .user: ""
    }
  }
}
