import Testing

@testable import Domain

extension FilterID: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int) { self.init(UUID(high: 0xF, low: UInt64(number))) }
}

@Suite("protocol §8: filters of a person") struct FilterTests {
  private static func filters(of user: UserID, in scene: Scene) -> [Filter] {
    (scene.states[.user(user)]?.objects ?? [:]).values.compactMap { object -> Filter? in
      if case .filter(let it) = object { it } else { nil }
    }.sorted { $0.id < $1.id }
  }

  @Test("one that is saved again is another one, and what is so already changes nothing")
  func save() {
    var scene = Scene.house()
    let first = Filter(id: 1, name: "Mine", PostWhere(by: .me))
    let other = Filter(id: 1, name: "Soon", days: DayWindow(until: 2), in: [3, 1, 3], sort: .due)
    scene.must(.filter(.save(first)), by: "a")
    #expect(Self.filters(of: "a", in: scene) == [first])
    #expect(scene.changes(.filter(.save(first)), by: "a") == false)
    scene.must(.filter(.save(other)), by: "a")
    #expect(Self.filters(of: "a", in: scene) == [other])
    #expect(other.categories == [1, 3])
    #expect(Self.filters(of: "b", in: scene) == [])
    scene.must(.filter(.remove(1)), by: "a")
    #expect(Self.filters(of: "a", in: scene) == [])
    #expect(scene.changes(.filter(.remove(1)), by: "a") == false)
  }

  @Test("no two have one name, and there are so many")
  func refused() {
    var scene = Scene.house()
    scene.must(.filter(.save(Filter(id: 1, name: "Mine"))), by: "a")
    #expect(
      scene.refusal(of: .filter(.save(Filter(id: 2, name: "MINE"))), by: "a")
        == .exists(field: "name")
    )
    #expect(scene.changes(.filter(.save(Filter(id: 1, name: "MINE"))), by: "a") == true)
    #expect(scene.changes(.filter(.save(Filter(id: 2, name: "Mine"))), by: "b") == true)
    for number in 2...Limits.filtersMax {
      let id = FilterID(UUID(high: 0xF, low: UInt64(number)))
      scene.must(.filter(.save(Filter(id: id, name: "\(number)"))), by: "a")
    }
    #expect(
      scene.refusal(of: .filter(.save(Filter(id: 999, name: "more"))), by: "a")
        == .quota(limit: "filters", max: Limits.filtersMax))
    #expect(scene.changes(.filter(.save(Filter(id: 1, name: "other"))), by: "a") == true)
  }

  @Test("days are counted from the one on which somebody looks")
  func days() {
    let today = Day(number: 20_000)
    let rows: [(DayWindow?, DueWindow?)] = [
      (nil, nil), (DayWindow(until: -1), DueWindow(until: .day(Day(number: 19_999)))),
      (
        DayWindow(from: 0, until: 6),
        DueWindow(from: .day(today), until: .day(Day(number: 20_006)))
      ),
    ]
    for (days, due) in rows {
      let filter = Filter(id: 1, name: "x", PostWhere(by: .me), days: days)
      #expect(filter.criteria(on: today) == PostWhere(by: .me, due: due))
    }
  }
}
