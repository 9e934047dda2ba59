import Calendar
import Testing

@testable import Domain

extension Scene {
  /// Returns a scene with post 9 of category 1, daily from a day of 1972 on. It is a's, b's (a doer) and c's, given to
  /// them in this order: c, a, b.
  fileprivate static func rotating(_ rotation: Rotation) -> Scene {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .doer, by: "a", number: 901)
    scene.admit("c", to: .category(1), as: .editor, by: "a", number: 902)
    scene.must(.daily(1, 9), by: "a")
    for user: UserID in ["c", "a", "b"] { scene.must(.post(.change(1, 9, .assign(user))), by: "a") }
    scene.rotate(rotation)
    return scene
  }

  fileprivate mutating func rotate(_ rotation: Rotation?) {
    guard let it = it.repeats else {
      Issue.record("it does not come again")
      return
    }
    let wish = Repetition(it.rule, basis: it.basis, missed: .kept, rotation: rotation)
    must(.editPost(1, 9, PostEdit(repeats: .set(wish)), ifVersion: nil), by: "a")
  }

  fileprivate var it: Post {
    guard let post = post(9, in: 1) else { fatalError("there is a post") }
    return post
  }

  fileprivate func turn(in category: CategoryID = 1) -> UserID? {
    post(9, in: category)?.whoseTurn {
      member($0.user, of: .category(category))?.holds($0) == true
    }
  }

  @discardableResult
  fileprivate mutating func complete(by user: UserID) -> Decision {
    must(.changeOccurrence(1, 9, it.occurrence?.number ?? 0, .complete), by: user)
  }
}

@Suite("DESIGN §3: assignees take turns") struct RotationTests {
  @Test("another due of all that come passes nobody over", arguments: Rotation.allCases)
  func anotherDue(rotation: Rotation) throws {
    var scene = Scene.rotating(rotation)
    scene.complete(by: "c")
    let before = try #require(scene.it.occurrence)
    let wish = try #require(scene.it.repeats).wishFromHere
    let due = try #require(scene.it.due).moved(to: before.due.day.adding(days: 3))
    scene.must(
      .editPost(1, 9, PostEdit(due: .set(due), repeats: .set(wish)), ifVersion: nil), by: "a")
    let after = try #require(scene.it.occurrence)
    #expect(after.number > before.number && after.due == due)
    #expect(scene.turn() == "a" && after.turns == before.turns)
    scene.rotate(rotation == .turn ? .least : .turn)
    #expect(scene.it.occurrence?.turn == nil && scene.it.occurrence?.turns == [])
  }

  @Test("in the order in which they were given it, whoever does it")
  func turn() {
    var scene = Scene.rotating(.turn)
    #expect(scene.turn() == "c")
    for (by, next) in [("c", "a"), ("a", "b"), ("c", "c"), ("a", "a")] as [(UserID, UserID)] {
      scene.complete(by: by)
      #expect(scene.turn() == next)
      #expect(scene.it.assignees.map(\.user) == ["a", "b", "c"], "they all stay")
      #expect(scene.it.occurrence?.turns == [])
    }
  }

  @Test("who did it least, of several the next of them")
  func least() {
    var scene = Scene.rotating(.least)
    let rows: [(UserID, UserID, [Int])] = [
      // Each row has the one who did it, the one whose turn it is then, and the counts of a, b and c.
      ("c", "a", [0, 0, 1]), ("c", "b", [0, 0, 2]), ("c", "a", [0, 0, 3]), ("a", "b", [1, 0, 3]),
      ("b", "a", [1, 1, 3]), ("b", "a", [1, 2, 3]),
    ]
    for (by, next, times) in rows {
      scene.complete(by: by)
      #expect(scene.turn() == next)
      #expect(scene.it.occurrence?.turns.map(\.times) == times)
    }
    // A new person begins with the lowest count of the others. A person who goes is forgotten.
    scene.admit("d", to: .category(1), as: .doer, by: "a", number: 903)
    scene.must(.post(.change(1, 9, .assign("d"))), by: "a")
    scene.must(.post(.change(1, 9, .unassign("b"))), by: "a")
    scene.complete(by: "a")
    #expect(scene.turn() == "d")
    #expect(
      scene.it.occurrence?.turns == [
        TurnCount(user: "a", times: 2), TurnCount(user: "c", times: 3),
        TurnCount(user: "d", times: 1),
      ])
  }

  @Test("whoever's turn it becomes is told, but not who did it, nor twice")
  func told() {
    var scene = Scene.rotating(.turn)
    let first = scene.complete(by: "c")
    #expect(first.drafts.map(\.stream) == [.category(1), .user("a")])
    #expect(first.drafts[1].ops == [.personal(.assignmentAdded(.category(1), 9))])
    // b's turn comes by who does a's; then by b itself.
    #expect(scene.complete(by: "b").drafts.map(\.stream) == [.category(1)])
    #expect(scene.turn() == "b")
    scene.must(.post(.change(1, 9, .unassign("a"))), by: "a")
    scene.must(.post(.change(1, 9, .unassign("c"))), by: "a")
    #expect(scene.complete(by: "a").drafts.map(\.stream) == [.category(1)], "b's it was already")
    let skipped = scene.must(
      .changeOccurrence(1, 9, scene.it.occurrence?.number ?? 0, .skip), by: "a")
    #expect(skipped.drafts.map(\.stream) == [.category(1)])
    #expect(scene.turn() == "b", "nobody has done it")
  }

  @Test("somebody who left takes none; with nobody's work it is nobody's turn")
  func gone() {
    var scene = Scene.rotating(.turn)
    scene.complete(by: "c")
    scene.complete(by: "a")
    #expect(scene.turn() == "b")
    scene.must(.member(.remove(.category(1), "b")), by: "a")
    #expect(scene.turn() == "c", "the first one's, until it is done")
    scene.complete(by: "c")
    #expect(scene.turn() == "a")
    for user: UserID in ["a", "c"] { scene.must(.post(.change(1, 9, .unassign(user))), by: "a") }
    #expect(scene.turn() == nil)
    scene.complete(by: "c")
    #expect(scene.it.occurrence?.turn == nil)
  }

  @Test("an undo brings back whose turn it was, and how often each has done it")
  func undone() {
    var scene = Scene.rotating(.least)
    scene.complete(by: "c")
    let before = scene.it
    scene.complete(by: "a")
    let after = scene.it
    for wanted in [before, after, before] {
      let seq = scene.heads[.category(1)]?.seq ?? 0
      let undo = UndoTarget(stream: .category(1), events: [seq], seen: nil)
      #expect(scene.must(.undo(undo), by: "a").drafts.map(\.stream) == [.category(1)])
      #expect(scene.it.occurrence == wanted.occurrence)
    }
  }

  @Test("asked again it begins nothing anew; another way does")
  func again() {
    var scene = Scene.rotating(.least)
    scene.complete(by: "c")
    let occurrence = scene.it.occurrence
    let head = scene.heads[.category(1)]?.seq
    scene.rotate(.least)
    #expect(scene.heads[.category(1)]?.seq == head && scene.it.occurrence == occurrence)
    scene.rotate(nil)
    #expect(scene.it.occurrence?.turns == [] && scene.turn() == nil)
    #expect(scene.it.occurrence?.number ?? 0 > occurrence?.number ?? 0)
  }

  @Test("in another list only its members take turns; a copy is nobody's")
  func elsewhere() {
    var scene = Scene.rotating(.least)
    scene.must(.category(.add(7, name: "There", group: nil)), by: "a")
    scene.admit("c", to: .category(7), as: .editor, by: "a", number: 904)
    scene.complete(by: "c")
    scene.must(
      .post(.change(PostAddress(category: 1, post: 9), .copy(as: 8, to: 7), ifVersion: nil)),
      by: "a")
    let copy = scene.post(8, in: 7)
    #expect(copy?.repeats?.rotation == .least && copy?.occurrence?.turn == nil)
    #expect(copy?.occurrence?.turns == [] && copy?.assignees == [])
    scene.complete(by: "a")
    #expect(scene.turn() == "b")
    scene.must(.movePost(1, 9, to: 7), by: "a")
    let moved = scene.post(9, in: 7)
    #expect(moved?.occurrence?.turn == nil && scene.turn(in: 7) == "a")
    #expect(moved?.occurrence?.turns.map(\.user) == ["a", "c"])
  }
}
