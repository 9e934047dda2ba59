import TestRandom
import Testing

@testable import Domain

/// Returns the house with lists 1, 5, 6 and 7 of a in this order, and 3 of a's group between the first two; 4 of a is
/// removed.
private func house() -> Scene {
  var scene = Scene.house()
  for id in 5...7 { scene.must(.category(.add(CategoryID(id), name: "List", group: nil)), by: "a") }
  return scene
}

private func move(_ list: CategoryID, before other: CategoryID? = nil) -> Command {
  .category(.move(list, before: other))
}

extension Scene {
  fileprivate func order(of user: UserID) -> [Int] {
    (states[.user(user)]?.listsInOrder ?? []).map { Int($0.uuid.low) }
  }

  fileprivate func place(_ list: CategoryID, of user: UserID) -> Position? {
    membership(of: user, in: .category(list))?.position
  }
}

@Suite("protocol §8: an order of one's own for lists") struct ListMovingTests {
  @Test("new lists come last, those of groups too, for whoever gets them")
  func coming() {
    var scene = house()
    #expect(scene.order(of: "a") == [1, 3, 4, 5, 6, 7])
    #expect(scene.order(of: "b") == [2, 3])
    scene.must(move(1), by: "a")
    scene.must(.category(.add(8, name: "Garden", group: 1)), by: "a")
    #expect(scene.order(of: "a") == [3, 4, 5, 6, 7, 1, 8])
    #expect(scene.order(of: "b") == [2, 3, 8])
  }

  @Test(
    "to where they shall stand",
    arguments: [
      (move(7, before: 1), [7, 1, 3, 4, 5, 6]), (move(1), [3, 4, 5, 6, 7, 1]),
      (move(1, before: 6), [3, 4, 5, 1, 6, 7]), (move(6, before: 3), [1, 6, 3, 4, 5, 7]),
      // A removed one has its place too.
      (move(4, before: 1), [4, 1, 3, 5, 6, 7]), (move(7, before: 4), [1, 3, 7, 4, 5, 6]),
    ] as [(Command, [Int])])
  func places(command: Command, order: [Int]) {
    var scene = house()
    let decision = scene.must(command, by: "a")
    #expect(scene.order(of: "a") == order)
    #expect(scene.order(of: "b") == [2, 3])
    #expect(decision.drafts.map(\.stream) == [.user("a")])
    #expect(decision.drafts.map(\.ops.count) == [1])
    #expect(scene.changes(command, by: "a") == false)
  }

  @Test("only among one's own, and never in front of itself")
  func refusals() {
    let scene = house()
    #expect(scene.refusal(of: move(2), by: "a") == .notFound("category"))
    #expect(scene.refusal(of: move(1, before: 2), by: "a") == .notFound("category"))
    #expect(scene.refusal(of: move(99), by: "a") == .notFound("category"))
    #expect(
      scene.refusal(of: move(1, before: 1), by: "a")
        == .invalid(field: "before", reason: "must be another category"))
    #expect(scene.changes(move(1), by: "c") == nil)
  }

  @Test("a place stays with another role and ends with the membership")
  func membership() {
    var scene = house()
    scene.must(.category(.add(8, name: "Other", group: nil)), by: "b")
    scene.must(move(3), by: "b")
    #expect(scene.order(of: "b") == [2, 8, 3])
    let place = scene.place(3, of: "b")
    scene.must(.member(.setRole(.category(3), "b", .admin)), by: "a")
    #expect(scene.place(3, of: "b") == place)
    scene.must(.member(.setRole(.group(1), "b", .doer)), by: "a")
    #expect(scene.place(3, of: "b") == place)
    scene.must(.member(.leave(.group(1))), by: "b")
    scene.admit("b", to: .group(1), as: .editor, by: "a", number: 901)
    #expect(scene.order(of: "b") == [2, 8, 3])
    scene.must(.category(.add(9, name: "Last", group: nil)), by: "b")
    scene.must(.member(.leave(.group(1))), by: "b")
    scene.admit("b", to: .group(1), as: .editor, by: "a", number: 902)
    #expect(scene.order(of: "b") == [2, 8, 9, 3])
  }

  @Test("lists that come together stand as they come, in one command or in a batch")
  func together() {
    var scene = Scene.house()
    let lists = [9, 8, 7].map { FirstList(id: CategoryID($0), name: "\($0)") }
    scene.must(
      .account(
        .register(
          Registration(
            id: "e", username: "user-e", name: "E", zone: "UTC", password: PasswordHash(phc: "$"),
            code: nil, lists: lists))), by: "e")
    #expect(scene.order(of: "e") == [9, 8, 7])
    scene.must(
      .batch([
        .category(.add(12, name: "x", group: nil)), .category(.add(11, name: "y", group: nil)),
        move(12), .category(.add(10, name: "z", group: nil)),
      ]), by: "e")
    #expect(scene.order(of: "e") == [9, 8, 7, 11, 12, 10])
  }

  @Test("there is always room: in a full gap, and between lists of before there was an order")
  func room() {
    var scene = house()
    for turn in 0..<400 {
      scene.must(move(turn.isMultiple(of: 2) ? 6 : 5, before: 7), by: "a")
      scene.must(move(turn.isMultiple(of: 2) ? 5 : 6, before: 7), by: "a")
    }
    #expect(scene.order(of: "a") == [1, 3, 4, 5, 6, 7])
    for turn in 0..<2_000 { scene.must(move(turn.isMultiple(of: 2) ? 1 : 3), by: "a") }
    #expect(scene.order(of: "a") == [4, 5, 6, 7, 1, 3])
    for turn in 0..<400 {
      scene.must(move(turn.isMultiple(of: 2) ? 1 : 3, before: scene.first(of: "a")), by: "a")
    }
    #expect(scene.order(of: "a") == [3, 1, 4, 5, 6, 7])
  }

  @Test(
    "from places that are equal, or none, any move leads to what it asks for", arguments: 1...40)
  func anyPlaces(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let count = Int.random(in: 2...30, using: &random)
    var lists = (1...count).map { number in
      Membership(
        stream: .category(CategoryID(number)), role: .owner,
        position: Bool.random(using: &random)
          ? nil : .of(number: Int.random(in: 0...3, using: &random)))
    }
    for turn in 1...60 {
      let own = lists.listsInOrder
      let from = Int.random(in: 0..<count, using: &random)
      var row = own
      let moved = row.remove(at: from)
      let to = Int.random(in: 0..<count, using: &random)
      guard to != from else { continue }
      let coming = Position.of(number: 100 + turn)
      for it in ListPlacing.moves(of: moved, to: to, in: row, coming: coming) {
        guard let index = lists.firstIndex(where: { $0.stream == it.stream }) else { continue }
        #expect(it.position < coming)
        lists[index].position = it.position
      }
      row.insert(moved, at: to)
      #expect(lists.listsInOrder.map(\.stream) == row.map(\.stream), "seed \(seed), turn \(turn)")
    }
  }

  @Test("Lists that are not in the order come behind, as they were")
  func others() {
    let order: [CategoryID] = [3, 1]
    #expect(order.ordering([CategoryID(5), 1, 4, 3]) { $0 } == [3, 1, 5, 4])
    #expect([CategoryID]().ordering([CategoryID(2), 1]) { $0 } == [2, 1])
  }
}

extension Scene {
  fileprivate func first(of user: UserID) -> CategoryID? {
    states[.user(user)]?.listsInOrder.first
  }
}
