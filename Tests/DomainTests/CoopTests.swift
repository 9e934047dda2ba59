import Testing

@testable import Domain

@Suite("protocol §5.21: a coop, in which all reach one goal and share the steps") struct CoopTests {
  private static let taken = "Somebody else has this step."
  private static let others = "a doer gives back only what they claimed themselves"

  private static func share(_ step: StepID, _ user: UserID, _ seq: Int64) -> StepShare {
    StepShare(step: step, user: user, seq: seq)
  }

  @Test("A coop has no mode, and takes one away in the same edit")
  func begins() {
    var scene = Scene.withPlayers()
    scene.amend(PostEdit(mode: .set(.each), modeRole: .set(.doer)))
    scene.amend(PostEdit(contest: .set(.coop), goal: .set(Goal(amount: 10, unit: "km"))))
    #expect(scene.contested?.contest == .coop && scene.contested?.goal?.unit == "km")
    #expect(scene.contested?.mode == nil && scene.contested?.modeRole == nil)
  }

  @Test("Amounts are one sum, and the one that brings it to the goal completes the post")
  func sum() {
    var scene = Scene.coop()
    let version = scene.contested?.version
    #expect(
      scene.reach(100, by: "c") == [.post(.contest(1, .reached("c", amount: 100, was: 0)))])
    scene.reach(199, by: "d")
    #expect(scene.contested?.contestTotal == 299 && !scene.isOver)
    #expect(scene.contested?.version == version)
    let ops = scene.reach(101, by: "c")
    #expect(ops.first == .post(.contest(1, .reached("c", amount: 101, was: 100))))
    #expect(scene.isOver && scene.contested?.completed?.by == "c")
    #expect(scene.contested?.contestTotal == 300 && scene.finishers == [])
  }

  @Test("A correction that brings the sum below the goal opens the post again")
  func corrected() {
    var scene = Scene.coop()
    scene.reach(200, by: "c")
    scene.reach(150, by: "d")
    #expect(scene.isOver)
    let sentence = "The amount is 150 already. Send correction: true to set less."
    #expect(scene.conflict(of: .reach(.init(100)), by: "d") == sentence)
    scene.reach(100, by: "d", correcting: true)
    #expect(scene.isOver, "that is just enough")
    scene.reach(99, by: "d", correcting: true)
    #expect(!scene.isOver && scene.contested?.contestTotal == 299)
    scene.reach(100, by: "d")
    #expect(scene.isOver)
  }

  @Test("A correction opens no post that was completed below its goal")
  func completedBelow() {
    var scene = Scene.coop()
    scene.reach(20, by: "c")
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
    #expect(scene.amount("a") == 0, "nobody reached anything by that")
    scene.reach(10, by: "c", correcting: true)
    #expect(scene.isOver && scene.amount("c") == 10)
  }

  @Test("The sum holds what people who left have done")
  func left() {
    var scene = Scene.coop()
    scene.reach(200, by: "c")
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    #expect(scene.contested?.contestTotal == 200)
    scene.reach(100, by: "d")
    #expect(scene.isOver)
  }

  @Test("A bot adds for its owner in a coop, too")
  func bot() {
    var scene = Scene.coop()
    scene.play(.reach(.init(30, user: "b")), by: "x")
    #expect(scene.amount("b") == 30 && scene.amount("x") == 0)
    #expect(scene.isForbidden(.reach(.init(30, user: "a")), by: "x"))
  }

  @Test("A step is claimed by one person, who gives it back")
  func claims() {
    var scene = Scene.coop()
    let version = scene.contested?.version
    #expect(scene.play(.claim(2), by: "c") == [.post(.contest(1, .claimed(2, "c")))])
    let seq = scene.head
    #expect(scene.contested?.shares == [Self.share(2, "c", seq)])
    #expect(scene.alters(.claim(2), by: "c") == false, "their own")
    #expect(scene.conflict(of: .claim(2), by: "d") == Self.taken)
    #expect(scene.conflict(of: .claim(2), by: "a") == Self.taken)
    scene.play(.claim(1), by: "d")
    #expect(scene.contested?.shares.map(\.step) == [1, 2])
    #expect(scene.play(.release(2), by: "c") == [.post(.contest(1, .released(2)))])
    #expect(scene.alters(.release(2), by: "c") == false)
    #expect(scene.contested?.shares.map(\.user) == ["d"])
    #expect(scene.contested?.version == version)
    scene.play(.claim(2), by: "d")
    #expect(scene.contested?.shares.map(\.user) == ["d", "d"])
  }

  @Test("An editor gives back what others claimed, and a doer only their own")
  func release() {
    var scene = Scene.coop()
    scene.play(.claim(1), by: "c")
    #expect(scene.refusal(of: .inContest(.release(1)), by: "d") == .forbidden(Self.others))
    scene.play(.release(1), by: "b")
    #expect(scene.contested?.shares == [])
  }

  @Test("A step that is not there or done is nobody's to claim")
  func noStep() {
    var scene = Scene.coop()
    #expect(scene.refusal(of: .inContest(.claim(9)), by: "c") == .notFound("step"))
    scene.must(.changeStep(1, 1, 3, .complete), by: "d")
    #expect(scene.conflict(of: .claim(3), by: "c") == "This step is done.")
  }

  @Test("A step of somebody who left, or who came in anew, is free again")
  func freed() {
    for returns in [false, true] {
      var scene = Scene.coop()
      scene.play(.claim(1), by: "c")
      if returns {
        scene.comeInAnew("c", number: 985)
        #expect(scene.alters(.claim(1), by: "c") == true, "it is not theirs any more")
      } else {
        scene.must(.member(.remove(.category(1), "c")), by: "a")
      }
      scene.play(.claim(1), by: "d")
      #expect(scene.contested?.shares.map(\.user) == ["d"])
    }
    var scene = Scene.coop()
    scene.play(.claim(1), by: "c")
    scene.must(.member(.setRole(.category(1), "c", .viewer)), by: "a")
    scene.play(.claim(1), by: "d")
    #expect(scene.contested?.shares.map(\.user) == ["d"], "a viewer does nothing")
  }

  @Test("A removed step takes its claim along")
  func removedStep() {
    var scene = Scene.coop()
    scene.play(.claim(1), by: "c")
    scene.play(.claim(2), by: "c")
    scene.must(.changeStep(1, 1, 1, .remove), by: "a")
    #expect(scene.contested?.shares.map(\.step) == [2])
  }

  @Test("Each occurrence begins with no amount and no claim")
  func recurring() throws {
    var scene = Scene.coop(goal: nil)
    let first = try scene.repeatDaily()
    scene.amend(PostEdit(goal: .set(Goal(amount: 300, unit: "pages"))))
    scene.play(.claim(1), by: "c")
    scene.must(.changeOccurrence(1, 1, first, .reach(.init(299))), by: "c")
    scene.must(.changeOccurrence(1, 1, first, .reach(.init(1))), by: "d")
    #expect(scene.contested?.occurrence?.number == first + 1 && !scene.isOver)
    #expect(scene.contested?.entries == [] && scene.contested?.shares == [])
    #expect(scene.contested?.contest == .coop && scene.contested?.goal?.amount == 300)
  }

  @Test("A copy has the steps and the goal, and nobody's amount or claim")
  func copied() {
    var scene = Scene.coop()
    scene.reach(20, by: "c")
    scene.play(.claim(1), by: "c")
    let address = PostAddress(category: 1, post: 1)
    scene.must(.post(.change(address, .copy(as: 8, to: 1), ifVersion: nil)), by: "a")
    let copy = scene.post(8, in: 1)
    #expect(copy?.contest == .coop && copy?.goal?.amount == 300 && copy?.steps.count == 3)
    #expect(copy?.entries == [] && copy?.shares == [])
  }

  @Test("An undo takes an amount back, and with it the completion that it brought")
  func undone() {
    var scene = Scene.coop()
    scene.reach(200, by: "c")
    scene.reach(100, by: "d")
    let last = scene.head
    #expect(scene.isOver)
    #expect(scene.takeBack(last, by: "d").skipped ?? [] == [])
    #expect(!scene.isOver && scene.amount("d") == 0 && scene.contested?.contestTotal == 200)
  }

  @Test("An undo of an earlier amount opens the post that all amounts completed")
  func undoneEarlier() {
    var scene = Scene.coop()
    scene.reach(200, by: "b")
    let first = scene.head
    scene.reach(100, by: "d")
    scene.takeBack(first, by: "b")
    #expect(!scene.isOver && scene.contested?.contestTotal == 100)
  }

  @Test("An undo of a goal leaves it where people have said amounts since")
  func goalWithWork() {
    var scene = Scene.coop(goal: nil)
    scene.amend(PostEdit(goal: .set(Goal(amount: 300, unit: "pages"))))
    let set = scene.head
    scene.reach(120, by: "c")
    #expect(scene.takeBack(set, by: "a").drafts == [])
    #expect(scene.contested?.goal?.amount == 300 && scene.amount("c") == 120)
  }

  @Test("A restart of a coop that is done opens it")
  func restarted() {
    var scene = Scene.coop()
    scene.reach(300, by: "c")
    scene.amend(PostEdit(goal: .set(Goal(amount: 200, unit: "pages")), restart: true))
    #expect(!scene.isOver && scene.contested?.contestTotal == 0)
    scene.reach(200, by: "c")
    #expect(scene.isOver)
  }

  @Test("An undo of an amount that was said afterwards leaves the post completed")
  func undoneAfterwards() {
    var scene = Scene.coop()
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
    scene.reach(300, by: "c")
    scene.takeBack(scene.head, by: "c")
    #expect(scene.isOver && scene.amount("c") == 0)
  }

  @Test("An undo leaves what was claimed and given back")
  func undoneClaim() {
    var scene = Scene.coop()
    scene.play(.claim(1), by: "c")
    guard case .forbidden = scene.refusal(of: .takingBack(scene.head), by: "c") else {
      Issue.record("a claim alone")
      return
    }
    scene.must(
      .batch([.inContest(.release(1)), .amending(PostEdit(title: "New"))]), by: "b")
    #expect(scene.takeBack(scene.head, by: "b").skipped?.map(\.reason) == [.never])
    #expect(scene.contested?.shares == [] && scene.contested?.title == "Post 1")
  }
}
