import Testing

@testable import Domain

@Suite("protocol §5.21: a race, in which everybody has a part and a place") struct RaceTests {
  private static let over = "This race is over."
  private static let outside = "You are not in this race. Join it first."

  @Test("A race is for each in the same edit, and nobody has done anything yet")
  func begins() {
    let scene = Scene.race()
    #expect(scene.contested?.contest == .race && scene.contested?.mode == .each)
    #expect(scene.contested?.goal == Goal(amount: 300, unit: "pages"))
    #expect(scene.contested?.entries == [] && scene.contested?.shares == [])
    let fields = PostEdit(contest: .set(.race), goal: .set(Goal(amount: 5, unit: "km")))
    var other = Scene.house()
    let new = NewPost(title: "Run", fields: fields)
    other.must(.post(.add(PostAddress(category: 1, post: 9), new)), by: "a")
    #expect(other.post(9, in: 1)?.contest == .race && other.post(9, in: 1)?.mode == .each)
    #expect(other.post(9, in: 1)?.goal == Goal(amount: 5, unit: "km"))
  }

  @Test("A person who joins is in, once, and the post stays the same version")
  func join() throws {
    var scene = Scene.race()
    let before = try #require(scene.contested)
    #expect(scene.conflict(of: .reach(.init(20)), by: "b") == Self.outside)
    #expect(scene.play(.join, by: "b") == [.post(.contest(1, .joined("b")))])
    let seq = scene.head
    var after = before
    after.entries = [ContestEntry(user: "b", seq: seq, amount: 0, isIn: true)]
    #expect(scene.contested == after)
    #expect(scene.alters(.join, by: "b") == false && scene.alters(.join, by: "c") == false)
    scene.reach(20, by: "b")
    #expect(scene.amount("b") == 20 && scene.contested?.version == before.version)
    #expect(scene.contested?.updatedAt == before.updatedAt)
  }

  @Test("A person who withdraws is out, whoever assigned them, and may join again")
  func withdraw() {
    var scene = Scene.race()
    #expect(scene.play(.withdraw, by: "d") == [.post(.contest(1, .withdrew("d")))])
    #expect(scene.alters(.withdraw, by: "d") == false, "out already")
    #expect(scene.alters(.withdraw, by: "b") == false, "never in")
    #expect(scene.conflict(of: .reach(.init(20)), by: "d") == Self.outside)
    scene.play(.join, by: "d")
    scene.reach(20, by: "d")
    #expect(scene.amount("d") == 20)
  }

  @Test("The race is over when the last one who had not finished withdraws")
  func lastWithdraws() {
    var scene = Scene.race()
    scene.reach(300, by: "c")
    let ops = scene.play(.withdraw, by: "d")
    #expect(scene.isOver && scene.finishers == ["c"])
    #expect(ops.contains(.post(.contest(1, .withdrew("d")))) && ops.count == 2)
    var empty = Scene.race()
    empty.play(.withdraw, by: "c")
    empty.play(.withdraw, by: "d")
    #expect(!empty.isOver, "nobody has finished")
    var open = Scene.race(["b", "c", "d"])
    open.reach(300, by: "c")
    open.play(.withdraw, by: "d")
    #expect(!open.isOver, "b is still at it")
  }

  @Test("A finisher withdraws only after opening their part")
  func finisherWithdraws() {
    var scene = Scene.race()
    scene.reach(300, by: "c")
    let sentence = "You have finished. Reopen your part before you withdraw."
    #expect(scene.conflict(of: .withdraw, by: "c") == sentence)
    scene.must(.reopenPost(1, 1, ifVersion: nil), by: "c")
    scene.play(.withdraw, by: "c")
    #expect(scene.finishers == [])
  }

  @Test("An amount grows, and gets less only by a correction")
  func amounts() {
    var scene = Scene.race()
    #expect(
      scene.reach(50, by: "c") == [.post(.contest(1, .reached("c", amount: 50, was: 0)))])
    #expect(
      scene.reach(120, by: "c") == [.post(.contest(1, .reached("c", amount: 120, was: 50)))])
    #expect(scene.alters(.reach(.init(120)), by: "c") == false)
    let sentence = "The amount is 120 already. Send correction: true to set less."
    #expect(scene.conflict(of: .reach(.init(119)), by: "c") == sentence)
    scene.reach(119, by: "c", correcting: true)
    #expect(scene.amount("c") == 119 && scene.amount("d") == 0)
    scene.reach(130, by: "c", correcting: true)
    #expect(scene.amount("c") == 130, "a correction may also say more")
  }

  @Test("An entry without an amount and without a word about who is in goes")
  func emptyEntry() {
    var scene = Scene.race()
    scene.reach(50, by: "c")
    scene.reach(0, by: "c", correcting: true)
    #expect(scene.contested?.entries == [])
  }

  @Test("The goal completes the own part, and the last part the race")
  func finishing() {
    var scene = Scene.race()
    scene.reach(299, by: "c")
    #expect(scene.finishers == [])
    let first = scene.reach(300, by: "c")
    #expect(first.first == .post(.contest(1, .reached("c", amount: 300, was: 299))))
    #expect(scene.finishers == ["c"] && first.count == 2 && !scene.isOver)
    scene.reach(400, by: "d")
    #expect(scene.finishers == ["c", "d"] && scene.contested?.completed?.by == "d")
    #expect(scene.amount("d") == 400)
  }

  @Test("A correction of a finish opens the part and the race again")
  func correctedFinish() {
    var scene = Scene.race()
    scene.reach(300, by: "c")
    scene.reach(310, by: "d")
    #expect(scene.isOver)
    scene.reach(305, by: "d", correcting: true)
    #expect(scene.isOver && scene.finishers == ["c", "d"], "that is still enough")
    scene.reach(299, by: "d", correcting: true)
    #expect(!scene.isOver && scene.finishers == ["c"] && scene.amount("d") == 299)
    scene.reach(300, by: "d")
    #expect(scene.isOver && scene.finishers == ["c", "d"])
  }

  @Test("A goal that was reached before is a finish when it is said again")
  func sameAmount() {
    var scene = Scene.race()
    scene.reach(300, by: "c")
    scene.must(.reopenPost(1, 1, ifVersion: nil), by: "c")
    #expect(scene.finishers == [] && scene.amount("c") == 300)
    scene.reach(300, by: "c")
    #expect(scene.finishers == ["c"] && scene.alters(.reach(.init(300)), by: "c") == false)
  }

  @Test("A race that is over takes nobody in, and no amount of those who had not finished")
  func late() {
    var scene = Scene.race()
    scene.reach(300, by: "c")
    scene.must(.post(.change(1, 1, .completeForAll)), by: "b")
    #expect(scene.conflict(of: .join, by: "b") == Self.over)
    #expect(scene.conflict(of: .reach(.init(20)), by: "d") == Self.over)
    #expect(scene.conflict(of: .reach(.init(300)), by: "d") == Self.over)
  }

  @Test("A completed part says that the goal is reached")
  func completing() {
    var scene = Scene.race()
    let version = scene.contested?.version ?? 0
    scene.reach(120, by: "c")
    let ops = scene.must(.completePost(1, 1, ifVersion: nil), by: "c").drafts.flatMap(\.ops)
    let done = Op.post(.marked(1, version: version + 1, .partCompleted("c")))
    #expect(ops == [.post(.contest(1, .reached("c", amount: 300, was: 120))), done])
    scene.reach(350, by: "c")
    scene.must(.reopenPost(1, 1, ifVersion: nil), by: "c")
    #expect(scene.must(.completePost(1, 1, ifVersion: nil), by: "c").drafts[0].ops.count == 1)
    #expect(scene.amount("c") == 350, "more than the goal stays")
    var free = Scene.race(goal: nil)
    let plain = free.must(.completePost(1, 1, ifVersion: nil), by: "c").drafts.flatMap(\.ops)
    #expect(plain == [.post(.marked(1, version: version + 1, .partCompleted("c")))])
    #expect(free.amount("c") == 0)
  }

  @Test("A doer completes and sets only what is their own")
  func ownPart() {
    var scene = Scene.race(["b", "c"])
    guard case .forbidden = scene.refusal(of: .completePost(1, 1, ifVersion: nil), by: "d") else {
      Issue.record("d has no part")
      return
    }
    #expect(scene.isForbidden(.reach(.init(5, user: "c")), by: "d"))
    #expect(scene.isForbidden(.reach(.init(5, user: "c")), by: "a"), "not even the owner")
    scene.reach(300, by: "c")
    #expect(scene.finishers == ["c"] && scene.amount("b") == 0)
  }

  @Test("A bot speaks for its owner and for itself, and for nobody else")
  func bot() {
    var scene = Scene.race(["b", "c", "x"])
    scene.play(.reach(.init(40, user: "b")), by: "x")
    scene.play(.reach(.init(15)), by: "x")
    #expect(scene.amount("b") == 40 && scene.amount("x") == 15)
    #expect(scene.isForbidden(.reach(.init(50, user: "c")), by: "x"))
    scene.play(.reach(.init(300, user: "b")), by: "x")
    #expect(scene.finishers == ["b"])
  }

  @Test("A viewer does nothing in a contest")
  func viewer() {
    for scene in [Scene.race(), .coop()] {
      let all: [ContestChange] = [.join, .withdraw, .reach(.init(1)), .claim(1), .release(1)]
      for change in all { #expect(scene.isForbidden(change, by: "v"), "\(change)") }
    }
  }

  @Test("A post that is no race has nobody to join, and one without a goal no amount")
  func noRace() {
    let none = "This post is no race."
    for scene in [Scene.withPlayers(), .coop()] {
      #expect(scene.conflict(of: .join, by: "c") == none)
      #expect(scene.conflict(of: .withdraw, by: "c") == none)
    }
    for scene in [Scene.withPlayers(), .coop(goal: nil), .race(goal: nil)] {
      #expect(scene.conflict(of: .reach(.init(1)), by: "c") == "This post has no goal.")
    }
    for scene in [Scene.withPlayers(), .race()] {
      #expect(scene.conflict(of: .claim(1), by: "c") == "Steps are claimed only in a coop.")
    }
  }

  @Test("A post in the bin and one in an archived list take nothing")
  func closed() {
    var scene = Scene.race()
    let archived = Refusal.forbidden("the category is archived")
    scene.must(.category(.archive(1)), by: "a")
    for change in [ContestChange.join, .withdraw, .reach(.init(1))] {
      #expect(scene.refusal(of: .inContest(change), by: "c") == archived, "\(change)")
    }
    scene.must(.category(.unarchive(1)), by: "a")
    scene.must(.removePost(1, 1, ifVersion: nil), by: "a")
    for change in [ContestChange.join, .withdraw, .reach(.init(1))] {
      #expect(scene.refusal(of: .inContest(change), by: "c") == .gone("post"), "\(change)")
    }
  }
}
