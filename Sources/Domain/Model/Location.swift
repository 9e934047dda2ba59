/// The place where a post is to be done: words, a point, or both.
package struct Location: Equatable, Sendable {
  /// The words, in one line. Empty when there is only a point.
  package let text: String
  package let point: GeoPoint?

  package init(text: String, point: GeoPoint? = nil) {
    self.text = text
    self.point = point
  }
}

/// A point on the Earth (WGS 84), in millionths of a degree: a millionth is 11 cm, and the numbers are equal on every
/// machine.
package struct GeoPoint: Equatable, Sendable {
  /// The latitude, north of the equator: −90 000 000 … 90 000 000.
  package let latitude: Int
  /// The longitude, east of Greenwich: −180 000 000 … 180 000 000.
  package let longitude: Int

  package static let latitudes: ClosedRange<Int64> = -90_000_000...90_000_000
  package static let longitudes: ClosedRange<Int64> = -180_000_000...180_000_000

  package init(latitude: Int, longitude: Int) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
