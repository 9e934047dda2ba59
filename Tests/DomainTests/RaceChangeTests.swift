import Testing

@testable import Domain

@Suite("protocol §5.21: people, occurrences, lists and undos of a race") struct RaceChangeTests {
  private static let outside = "You are not in this race. Join it first."

  @Test("Everybody with the role is in, and another role puts in or out without an event")
  func roles() {
    var scene = Scene.withPlayers()
    let edit = PostEdit(
      modeRole: .set(.doer), contest: .set(.race), goal: .set(Goal(amount: 300, unit: "pages")))
    scene.amend(edit)
    #expect(scene.conflict(of: .reach(.init(5)), by: "b") == Self.outside)
    scene.reach(5, by: "c")
    scene.must(.member(.setRole(.category(1), "d", .editor)), by: "a")
    #expect(scene.conflict(of: .reach(.init(5)), by: "d") == Self.outside)
    scene.play(.join, by: "d")
    scene.must(.member(.setRole(.category(1), "d", .doer)), by: "a")
    scene.reach(7, by: "d")
    scene.must(.member(.setRole(.category(1), "c", .editor)), by: "a")
    scene.reach(300, by: "d")
    #expect(scene.isOver, "c has no part any more")
  }

  @Test("A person who left and came in anew is not in, and is still where they were")
  func anew() {
    var scene = Scene.race(["d"])
    scene.play(.join, by: "c")
    scene.reach(120, by: "c")
    scene.comeInAnew("c", number: 980)
    #expect(scene.conflict(of: .reach(.init(130)), by: "c") == Self.outside)
    scene.play(.join, by: "c")
    #expect(scene.amount("c") == 120)
    scene.reach(130, by: "c")
    scene.comeInAnew("c", number: 981)
    scene.reach(300, by: "d")
    #expect(scene.isOver, "nobody else is in")
  }

  @Test("A withdrawal from before somebody came in anew does not count, whatever they do")
  func withdrewBefore() {
    var scene = Scene.race()
    scene.reach(50, by: "c")
    scene.play(.withdraw, by: "c")
    scene.comeInAnew("c", number: 982)
    scene.must(.post(.change(1, 1, .assign("c"))), by: "a")
    #expect(scene.alters(.join, by: "c") == false, "they are in it")
    scene.must(.completePost(1, 1, ifVersion: nil), by: "c")
    #expect(scene.amount("c") == 300)
    #expect(scene.alters(.join, by: "c") == false, "they are in it still")
  }

  @Test("A finish from before somebody came in anew has no place")
  func finishBefore() {
    var scene = Scene.race(["b", "c", "d"])
    scene.reach(300, by: "c")
    scene.comeInAnew("c", number: 980)
    scene.reach(300, by: "d")
    let standing = scene.standing(of: ["b", "d"])
    #expect(standing.first?.user == "d" && standing.first?.place == 1)
  }

  @Test("The places follow the order of the finishes, and the others their amounts")
  func places() {
    var scene = Scene.race(["a", "b", "c", "d"])
    scene.reach(100, by: "a")
    scene.reach(310, by: "d")
    scene.reach(300, by: "c")
    scene.reach(100, by: "b")
    let standing = scene.standing(of: ["a", "b", "c", "d"])
    #expect(standing.prefix(2).map(\.user) == ["d", "c"])
    #expect(standing.map(\.place) == [1, 2, 3, 3])
    #expect(standing.map(\.isFinished) == [true, true, false, false])
    #expect(standing.suffix(2).map(\.behind) == [200, 200], "a finisher counts as the goal")
    #expect(standing.map(\.amount) == [310, 300, 100, 100])
  }

  @Test("Two finishers of one event share a place")
  func shared() {
    var scene = Scene.race(["b", "c", "x"])
    let both: [Command] = [
      .inContest(.reach(.init(300, user: "b"))), .inContest(.reach(.init(300))),
    ]
    scene.must(.batch(both), by: "x")
    #expect(scene.finishers == ["b", "x"])
    scene.reach(300, by: "c")
    let standing = scene.standing(of: ["b", "c", "x"])
    #expect(Set(standing.prefix(2).map(\.user)) == ["b", "x"])
    #expect(standing.map(\.place) == [1, 1, 3])
  }

  @Test("Nobody but finishers has a place without a goal")
  func withoutGoal() {
    var scene = Scene.race(["b", "c", "d"], goal: nil)
    scene.must(.completePost(1, 1, ifVersion: nil), by: "d")
    let standing = scene.standing(of: ["b", "c", "d"])
    #expect(standing.map(\.place) == [1, nil, nil] && standing.first?.user == "d")
    #expect(standing.suffix(2).map(\.behind) == [nil, nil])
  }

  @Test("Each occurrence is a race of its own, and an amount names its occurrence")
  func recurring() throws {
    var scene = Scene.race(goal: nil)
    let first = try scene.repeatDaily()
    scene.amend(PostEdit(goal: .set(Goal(amount: 300, unit: "pages"))))
    let missing = Refusal.invalid(field: "occurrence", reason: "is missing; the post comes again")
    #expect(scene.refusal(of: .inContest(.reach(.init(5))), by: "c") == missing)
    scene.play(.join, by: "b")
    scene.must(.changeOccurrence(1, 1, first, .reach(.init(120))), by: "c")
    #expect(scene.amount("c") == 120)
    for user: UserID in ["b", "c", "d"] {
      scene.must(.changeOccurrence(1, 1, first, .reach(.init(300))), by: user)
    }
    #expect(scene.contested?.occurrence?.number == first + 1 && !scene.isOver)
    #expect(scene.contested?.entries == [] && scene.finishers == [])
    #expect(scene.contested?.contest == .race && scene.contested?.goal?.amount == 300)
    let late = Command.changeOccurrence(1, 1, first, .reach(.init(10)))
    #expect(scene.refusal(of: late, by: "c") != nil, "that occurrence is over")
  }

  @Test("A copy is the same race from the beginning, and a post that moves goes on with it")
  func elsewhere() {
    var scene = Scene.race()
    scene.must(.category(.add(7, name: "There", group: nil)), by: "a")
    scene.admit("c", to: .category(7), as: .doer, by: "a", number: 982)
    scene.reach(120, by: "c")
    let address = PostAddress(category: 1, post: 1)
    scene.must(.post(.change(address, .copy(as: 8, to: 7), ifVersion: nil)), by: "a")
    let copy = scene.post(8, in: 7)
    #expect(copy?.contest == .race && copy?.goal == scene.contested?.goal)
    #expect(copy?.mode == .each && copy?.entries == [])
    scene.reach(60, by: "d")
    scene.must(.movePost(1, 1, to: 7), by: "a")
    let moved = scene.post(1, in: 7)
    #expect(moved?.contest == .race && moved?.goal?.amount == 300)
    #expect(moved?.amount(of: "c") == 120, "c is there, too")
  }

  @Test("An undo takes an amount back as long as nobody has set it since")
  func undone() {
    var scene = Scene.race()
    scene.reach(50, by: "c")
    scene.reach(120, by: "c")
    let growth = scene.head
    let decision = scene.takeBack(growth, by: "c")
    #expect(
      decision.drafts.flatMap(\.ops)
        == [.post(.contest(1, .reached("c", amount: 50, was: 120)))])
    #expect(decision.skipped ?? [] == [] && scene.amount("c") == 50)
    scene.reach(70, by: "c")
    let older = scene.head
    scene.reach(80, by: "c")
    #expect(scene.takeBack(older, by: "c").skipped?.map(\.reason) == [.later])
    #expect(scene.amount("c") == 80)
  }

  @Test("An undo of the amount that finished the race opens the part and the race")
  func undoneFinish() {
    var scene = Scene.race()
    scene.reach(300, by: "c")
    scene.reach(40, by: "d")
    scene.reach(300, by: "d")
    let finish = scene.head
    #expect(scene.isOver)
    #expect(scene.takeBack(finish, by: "d").skipped ?? [] == [])
    #expect(!scene.isOver && scene.finishers == ["c"] && scene.amount("d") == 40)
    #expect(scene.takeBack(scene.head, by: "d").skipped ?? [] == [])
    #expect(scene.isOver && scene.amount("d") == 300, "and a redo finishes it again")
  }

  @Test("An undo leaves who joined and who withdrew, and says so")
  func undoneJoin() {
    for change in [ContestChange.join, .withdraw] {
      var scene = Scene.race(["b", "d"])
      let user: UserID = change == .join ? "a" : "b"
      scene.play(change, by: user)
      guard case .forbidden = scene.refusal(of: .takingBack(scene.head), by: user) else {
        Issue.record("\(change) alone")
        continue
      }
      scene = .race(["b", "d"])
      let edit = Command.amending(PostEdit(title: "New"))
      scene.must(.batch([.inContest(change), edit]), by: user)
      let entries = scene.contested?.entries
      #expect(scene.takeBack(scene.head, by: user).skipped?.map(\.reason) == [.never])
      #expect(scene.contested?.entries == entries && scene.contested?.title == "Post 1")
    }
  }

  @Test("Growth is told as progress, and a finish as a finish")
  func news() {
    var scene = Scene.race()
    scene.reach(50, by: "c")
    #expect(scene.told("b") == ["reached c"] && scene.told("c") == [])
    scene.reach(20, by: "c", correcting: true)
    #expect(scene.told("b") == [], "less is no news")
    scene.reach(300, by: "c")
    #expect(scene.told("b") == ["partCompleted c"])
    scene.play(.join, by: "b")
    #expect(scene.told("a") == [])
    scene.play(.withdraw, by: "b")
    scene.reach(300, by: "d")
    #expect(scene.told("b") == ["completed -"])
  }
}

extension Scene {
  /// Returns what the newest event tells a member, each with whom it is about.
  fileprivate func told(_ user: UserID) -> [String] {
    guard let event = events[.category(1)]?.last else { return [] }
    let names: [UserID: String] = ["c": "c", "d": "d", "b": "b"]
    return notify(event, in: .category(1), viewer: Viewer(user: user, joinedSeq: 1)).map {
      "\($0.kind) \($0.user.flatMap { names[$0] } ?? "-")"
    }
  }
}
