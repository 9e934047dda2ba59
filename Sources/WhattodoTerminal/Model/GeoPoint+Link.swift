import Domain

extension GeoPoint {
  /// The point as a link of RFC 5870: `geo:38.7071,-9.13549`.
  var link: String {
    "geo:\(GeoPoint.degrees(latitude)),\(GeoPoint.degrees(longitude))"
  }

  /// Reads such a link; nil for other coordinate systems and for points beyond the poles. A height, parameters behind a
  /// semicolon, and digits below a millionth of a degree are dropped.
  init?(link: String) {
    let parts = link.lowercased().split(separator: ";", omittingEmptySubsequences: false)
    guard let first = parts.first, first.hasPrefix("geo:"),
      parts.dropFirst().allSatisfy({ !$0.hasPrefix("crs=") || $0 == "crs=wgs84" })
    else { return nil }
    let numbers = first.dropFirst(4).split(separator: ",", omittingEmptySubsequences: false)
    guard (2...3).contains(numbers.count), let north = GeoPoint.millionths(numbers[0]),
      let east = GeoPoint.millionths(numbers[1]), GeoPoint.latitudes.contains(Int64(north)),
      GeoPoint.longitudes.contains(Int64(east))
    else { return nil }
    self.init(latitude: north, longitude: east)
  }

  private static func degrees(_ millionths: Int) -> String {
    // The leading 1 keeps the zeros with which a fraction begins.
    var fraction = String(1_000_000 + abs(millionths) % 1_000_000).dropFirst()
    while fraction.hasSuffix("0") { fraction.removeLast() }
    let whole = "\(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000)"
    return fraction.isEmpty ? whole : "\(whole).\(fraction)"
  }

  private static func millionths(_ text: Substring) -> Int? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(
      separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts[0].utf8.count <= 3, parts.allSatisfy(isDigits),
      let whole = Int(parts[0]),
      let fraction = Int(((parts.dropFirst().first ?? "0") + "00000").prefix(6))
    else { return nil }
    let value = whole * 1_000_000 + fraction
    return isNegative ? -value : value
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
  }
}
