import Testing

@testable import Domain

@Suite("protocol §8 post.edit: contest, goal, and what was done before") struct ContestEditTests {
  private static let goal = Goal(amount: 10, unit: "km")
  private static let sentence =
    "There is work in this post. Send restart: true to take it back."

  /// Works that people may have done in a race and in a coop.
  private static var works: [(Scene, (inout Scene) -> Void)] {
    [
      (.race(), { $0.reach(20, by: "c") }),
      (.race(goal: nil), { $0.must(.completePost(1, 1, ifVersion: nil), by: "c") }),
      (.coop(), { $0.reach(20, by: "c") }),
      (.coop(), { $0.play(.claim(1), by: "c") }),
    ]
  }

  private static func restarting(_ edit: PostEdit) -> PostEdit {
    var edit = edit
    edit.restart = true
    return edit
  }

  @Test("A race stays for each, and a coop without a mode")
  func modes() {
    let each = Refusal.invalid(field: "mode", reason: "must be each in a race")
    let none = Refusal.invalid(field: "mode", reason: "must not be set in a coop")
    let rows: [(Scene, PostEdit, Refusal)] = [
      (.race(), PostEdit(mode: .clear), each),
      (.withPlayers(), PostEdit(mode: .clear, contest: .set(.race)), each),
      (.coop(), PostEdit(mode: .set(.each)), none),
      (.withPlayers(), PostEdit(mode: .set(.each), contest: .set(.coop)), none),
    ]
    for (scene, edit, refusal) in rows {
      #expect(scene.refusal(of: .amending(edit), by: "a") == refusal, "\(edit)")
    }
  }

  @Test("A goal needs a contest, in an edit and in a new post")
  func goals() {
    var scene = Scene.withPlayers()
    let edit = PostEdit(goal: .set(Self.goal))
    let refusal = Refusal.invalid(field: "goal", reason: "needs a contest")
    #expect(scene.refusal(of: .amending(edit), by: "a") == refusal)
    let new = NewPost(title: "T", fields: edit)
    let adding = Command.post(.add(PostAddress(category: 1, post: 9), new))
    #expect(scene.refusal(of: adding, by: "a") == refusal)
    #expect(scene.changes(.amending(PostEdit(goal: .clear)), by: "a") == false)
    scene.amend(PostEdit(contest: .set(.coop)))
    scene.amend(edit)
    #expect(scene.contested?.goal == Self.goal)
    #expect(scene.changes(.amending(edit), by: "a") == false)
    let off = PostEdit(contest: .clear, goal: .set(Self.goal))
    #expect(scene.refusal(of: .amending(off), by: "a") == refusal)
  }

  @Test("A post that is no contest any more has no goal, and no mode that came with the race")
  func cleared() {
    for var scene in [Scene.race(), .coop()] {
      scene.amend(PostEdit(contest: .clear))
      #expect(scene.contested?.contest == nil && scene.contested?.goal == nil)
      #expect(scene.contested?.mode == nil)
      #expect(scene.contested?.entries == [] && scene.contested?.shares == [])
    }
    var scene = Scene.race()
    scene.amend(PostEdit(mode: .set(.each), contest: .clear))
    #expect(scene.contested?.mode == .each && scene.contested?.contest == nil)
  }

  @Test("A contest in which somebody has done something changes only with a restart")
  func restart() {
    let edits = [
      PostEdit(contest: .clear), PostEdit(goal: .set(Self.goal)),
    ]
    for (index, (scene, work)) in Self.works.enumerated() {
      for edit in edits {
        var fresh = scene
        #expect(fresh.conflict(of: .amending(edit), by: "a") == nil, "nothing is done yet")
        work(&fresh)
        let row = "\(index): \(edit)"
        #expect(fresh.conflict(of: .amending(edit), by: "a") == Self.sentence, "\(row)")
        fresh.amend(PostEdit(title: "T"))
        fresh.amend(Self.restarting(edit))
        #expect(fresh.contested?.parts == [], "\(row)")
        #expect(fresh.contested?.contestTotal == 0, "\(row)")
      }
    }
  }

  @Test("An edit that says what is there already is no change and needs no restart")
  func same() {
    var scene = Scene.race()
    scene.reach(20, by: "c")
    let edit = PostEdit(contest: .set(.race), goal: .set(Goal(amount: 300, unit: "pages")))
    #expect(scene.changes(.amending(edit), by: "a") == false)
    #expect(scene.amount("c") == 20)
  }

  @Test("A restart by another goal keeps who is in and what is claimed")
  func restartByGoal() {
    var race = Scene.race()
    race.play(.join, by: "b")
    race.play(.withdraw, by: "d")
    race.reach(20, by: "b")
    race.reach(300, by: "c")
    race.amend(Self.restarting(PostEdit(goal: .set(Self.goal))))
    #expect(race.contested?.goal == Self.goal && race.finishers == [])
    #expect(race.contested?.entries.map(\.user) == ["b", "d"])
    #expect(race.contested?.entries.map(\.isIn) == [true, false])
    #expect(race.contested?.entries.map(\.amount) == [0, 0])
    var coop = Scene.coop()
    coop.play(.claim(2), by: "c")
    coop.reach(20, by: "c")
    coop.amend(Self.restarting(PostEdit(goal: .clear)))
    #expect(coop.contested?.shares.map(\.step) == [2] && coop.contested?.contestTotal == 0)
  }

  @Test("A restart by another contest takes all of it back")
  func restartByContest() {
    var race = Scene.race()
    race.play(.join, by: "b")
    race.reach(300, by: "c")
    race.amend(Self.restarting(PostEdit(contest: .set(.coop))))
    #expect(race.contested?.contest == .coop && race.contested?.mode == nil)
    #expect(race.contested?.entries == [] && race.finishers == [])
    var coop = Scene.coop()
    coop.play(.claim(2), by: "c")
    coop.reach(20, by: "c")
    coop.amend(Self.restarting(PostEdit(contest: .set(.race))))
    #expect(coop.contested?.contest == .race && coop.contested?.mode == .each)
    #expect(coop.contested?.entries == [] && coop.contested?.shares == [])
  }

  @Test("An erased post keeps its amounts and loses the unit")
  func erased() {
    var scene = Scene.race()
    scene.reach(20, by: "c")
    scene.must(.erasePost(1, 1), by: "a")
    #expect(scene.contested?.goal == Goal(amount: 300, unit: "") && scene.amount("c") == 20)
    let edited = Op.post(.edited(1, version: 2, PostEdit(goal: .set(Self.goal))))
    let without = Op.post(.edited(1, version: 2, PostEdit(goal: .set(Goal(amount: 10, unit: "")))))
    #expect(edited.without(.post(1)) == without)
  }
}
