import Domain
import Testing

@testable import Wire

private let list = CategoryID(UUID(high: 1, low: 1))
private let other = CategoryID(UUID(high: 1, low: 2))

@Suite("protocol §8: places in a view")
struct ViewPlaceTests {
  @Test("a place is what its text says, and nothing else is one")
  func text() throws {
    let place = ViewPlace(rank: 2, when: -1_790_000_000_000, category: list, number: 12)
    #expect(ViewPlace(place.text) == place)
    let position = try #require(Position("50000000007r"))
    let ordered = ViewPlace(position: position, category: list, number: 7)
    #expect(ordered.text == "p.50000000007r.7.\(list)" && ViewPlace(ordered.text) == ordered)
    let text = "0.1790000000000.12.\(list)"
    #expect(try #require(ViewPlace(text)).text == text)
    for wrong in [
      "", "0.1.2", text + ".", "0.01790000000000.12.\(list)", "+0.1790000000000.12.\(list)",
      "0.1790000000000.12.\("\(list)".uppercased())F", "0.9223372036854775808.1.\(list)",
      "0..12.\(list)", "p..12.\(list)", "p.5000X.12.\(list)", "p.50.12.\(list)", "P.5.1.\(list)",
      "p.\(String(repeating: "5", count: 65)).12.\(list)",
    ] {
      #expect(ViewPlace(wrong) == nil, "\(wrong)")
    }
  }

  @Test("priority first, then the deadline or the newest, then list and number")
  func order() {
    let now = 1_790_000_000_000 as Int64
    let places = [
      ViewPlace(rank: 0, when: now + 9, category: other, number: 1),
      ViewPlace(rank: 1, when: now, category: other, number: 1),
      ViewPlace(rank: 1, when: now + 1, category: list, number: 3),
      ViewPlace(rank: 1, when: now + 1, category: list, number: 2),
      ViewPlace(rank: 1, when: now + 1, category: other, number: 9),
      // The last deadline that there is, and the first post that was ever added.
      ViewPlace(rank: 1, when: 253_370_764_800_000, category: other, number: 9),
      ViewPlace(rank: 1, when: ViewPlace.added(now + 1), category: other, number: 1),
      ViewPlace(rank: 1, when: ViewPlace.added(now), category: list, number: 1),
    ]
    #expect(places.reversed().sorted() == places)
  }
}
