import Domain
import Testing

@testable import WhattodoTerminal

@Suite("RFC 5870: geo links") struct GeoPointTests {
  static let rows: [(String, Int, Int, String)] = [
    ("geo:38.7071,-9.13549", 38_707_100, -9_135_490, "geo:38.7071,-9.13549"),
    ("geo:0,0", 0, 0, "geo:0,0"), ("geo:-0.000001,180", -1, 180_000_000, "geo:-0.000001,180"),
    ("GEO:90.0,-180.000000", 90_000_000, -180_000_000, "geo:90,-180"),
    ("geo:1.23456789,2,300;u=10", 1_234_567, 2_000_000, "geo:1.234567,2"),
    ("geo:1,2;crs=WGS84;u=3", 1_000_000, 2_000_000, "geo:1,2"),
  ]

  @Test("become points, and points become links", arguments: rows)
  func read(link: String, latitude: Int, longitude: Int, again: String) {
    let point = GeoPoint(latitude: latitude, longitude: longitude)
    #expect(GeoPoint(link: link) == point)
    #expect(point.link == again)
    #expect(GeoPoint(link: again) == point)
  }

  @Test(
    "any other links are no points",
    arguments: [
      "", "geo:", "geo:1", "geo:1,", "geo:90.000001,0", "geo:0,180.000001", "geo:1,2,3,4",
      "geo:1.,2", "geo:.5,2", "geo:--1,2", "geo:+1,2", "geo:1e1,2", "geo:1,2;crs=nad27", "1,2",
      "geo:999999999,0", "geo:٣٨,9",
    ])
  func refused(link: String) {
    #expect(GeoPoint(link: link) == nil)
  }
}
