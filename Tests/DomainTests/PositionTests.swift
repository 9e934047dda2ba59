import Testing

@testable import Domain

@Suite("DESIGN §3: the order of posts") struct PositionTests {
  private func position(_ text: String) throws -> Position { try #require(Position(text)) }

  @Test("a post that nobody has moved stands where its number says")
  func numbers() {
    #expect(Position.of(number: 12).text == "50000000012i")
    #expect((1..<300).allSatisfy { Position.of(number: $0) < Position.of(number: $0 + 1) })
    #expect(Position.of(number: 999_999_999) < Position.of(number: 1_000_000_000))
  }

  @Test("texts are digits and small letters, not 0 at the end, and not too long")
  func texts() {
    let max = Limits.positionCharactersMax
    for text in ["1", "z", "0i", String(repeating: "1", count: max)] {
      #expect(Position(text) != nil, "\(text)")
    }
    for text in ["", "0", "10", "A", "-", "1 ", "é", String(repeating: "1", count: max + 1)] {
      #expect(Position(text) == nil, "\(text)")
    }
  }

  @Test(
    "between two there is another",
    arguments: [
      ("50000000001i", "50000000002i", "50000000002"), ("1", "2", "1i"), ("1", "3", "2"),
      ("1", "1i", "19"), ("1", "101", "100i"), ("z", "zi", "z9"), ("1z", "2", "1zi"),
      ("5000000001", "50000000010i", "500000000109"), ("1", "11", "10i"),
    ])
  func between(lower: String, upper: String, expected: String) throws {
    #expect(try Position.between(position(lower), position(upper))?.text == expected)
    #expect(try Position.between(position(upper), position(lower)) == nil)
    #expect(try Position.between(position(lower), position(lower)) == nil)
  }

  @Test("a random list is moved about and stays in the order that was asked for", arguments: 1...16)
  func random(seed: UInt64) throws {
    var state = seed
    func below(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    var list = (1...20).map { ($0, Position.of(number: $0)) }
    for _ in 0..<300 {
      let (moved, _) = list.remove(at: below(list.count))
      let place = below(list.count + 1)
      let made: Position? =
        switch place {
        case 0: Position.before(list[0].1)
        case list.count: Position.behind(list[place - 1].1, coming: .of(number: 21))
        default: Position.between(list[place - 1].1, list[place].1)
        }
      list.insert((moved, try #require(made, "seed \(seed)")), at: place)
      #expect(zip(list, list.dropFirst()).allSatisfy { $0.1 < $1.1 }, "seed \(seed)")
      #expect(list.allSatisfy { $0.1 < .of(number: 21) }, "seed \(seed)")
    }
    #expect(list.map(\.1.text.utf8.count).max() ?? 99 < 30, "seed \(seed)")
  }

  @Test("at both ends thousands of moves take a few digits more")
  func ends() throws {
    var (first, last) = (Position.of(number: 1), Position.of(number: 2))
    for _ in 0..<1_000 {
      let (up, down) = (
        try #require(Position.before(first)),
        try #require(Position.behind(last, coming: .of(number: 3)))
      )
      #expect(up < first && down > last && down < .of(number: 3))
      (first, last) = (up, down)
    }
    #expect(first.text.utf8.count <= 5)
    #expect(last.text.utf8.count <= 45)
  }

  @Test("one gap has room for more than anybody moves into it, then there is none")
  func gap() throws {
    let lower = Position.of(number: 1)
    var upper = Position.of(number: 2)
    var count = 0
    while let next = Position.between(lower, upper) {
      #expect(lower < next && next < upper)
      upper = next
      count += 1
    }
    #expect(count > 200)
  }
}
