import Testing

@testable import Domain

extension Scene {
  /// Returns a scene in which post 1 of category 1 is for each: a is the owner, b an editor, c a doer.
  fileprivate static func forEach(_ assigned: [UserID] = [], steps: Int = 0) -> Scene {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 901)
    scene.admit("c", to: .category(1), as: .doer, by: "a", number: 902)
    for user in assigned { scene.must(.post(.change(1, 1, .assign(user))), by: "a") }
    for step in 0..<steps {
      scene.must(.changeStep(1, 1, StepID(step + 1), .add(content: "s")), by: "a")
    }
    scene.must(.editPost(1, 1, PostEdit(mode: .set(.each)), ifVersion: nil), by: "a")
    return scene
  }

  fileprivate func it(in category: CategoryID = 1) -> Post? { post(1, in: category) }
  fileprivate var done: [UserID] { it()?.parts.map(\.user) ?? [] }
  fileprivate var seq: Int64 { heads[.category(1)]?.seq ?? 0 }

  @discardableResult
  fileprivate mutating func complete(by user: UserID) -> [Op] {
    must(.completePost(1, 1, ifVersion: nil), by: user).drafts.first?.ops ?? []
  }

  @discardableResult
  fileprivate mutating func reopen(by user: UserID) -> [Op] {
    must(.reopenPost(1, 1, ifVersion: nil), by: user).drafts.first?.ops ?? []
  }

  fileprivate func undo(_ seq: Int64) -> Command {
    .undo(UndoTarget(stream: .category(1), events: [seq], seen: nil))
  }
}

@Suite("DESIGN §3: posts that everybody completes for themselves") struct PartTests {
  @Test("no queue hands one out: it would come first again for whoever has done their part")
  func queue() {
    var scene = Scene.forEach()
    #expect(
      scene.refusal(of: .post(.claimNext(1, milliseconds: 60_000)), by: "b") == .notFound("post"))
    scene.must(.editPost(1, 1, PostEdit(mode: .clear), ifVersion: nil), by: "a")
    scene.must(.post(.claimNext(1, milliseconds: 60_000)), by: "b")
  }

  @Test("with the mode go the parts, and come back with it")
  func undoneMode() {
    var scene = Scene.forEach()
    let event = scene.seq
    scene.complete(by: "c")
    let undone = scene.must(scene.undo(event), by: "a")
    #expect(scene.it()?.mode == nil && scene.done == [] && undone.skipped == [])
    #expect(undone.drafts.flatMap(\.ops).count == 1)
    scene.must(scene.undo(scene.seq), by: "a")
    #expect(scene.it()?.mode == .each && scene.done == ["c"])
  }

  @Test("everybody completes a part, the last one the post")
  func everybody() {
    var scene = Scene.forEach()
    let counters = scene.category(1)?.counters
    #expect(scene.complete(by: "c") == [.post(.marked(1, version: 3, .partCompleted("c")))])
    #expect(scene.it()?.parts == [PostPart(user: "c", at: scene.now, seq: scene.seq)])
    #expect(scene.changes(.completePost(1, 1, ifVersion: nil), by: "c") == false)
    scene.complete(by: "a")
    #expect(scene.done == ["a", "c"] && scene.it()?.completed == nil)
    #expect(scene.category(1)?.counters == counters, "it is open for all until then")
    let last = scene.complete(by: "b")
    #expect(last.count == 2 && scene.it()?.completed?.by == "b" && scene.done == ["a", "b", "c"])
    #expect(scene.category(1)?.counters.open == (counters?.open ?? 0) - 1)
  }

  @Test("those whose work it is; an editor who has no part closes it, a doer does not")
  func assigned() {
    var scene = Scene.forEach(["a", "c"])
    scene.complete(by: "c")
    scene.must(.member(.setRole(.category(1), "b", .doer)), by: "a")
    #expect(
      scene.refusal(of: .completePost(1, 1, ifVersion: nil), by: "b")
        == .forbidden("a doer completes and reopens only what is nobody's or their own"))
    scene.must(.member(.setRole(.category(1), "b", .editor)), by: "a")
    scene.complete(by: "b")
    #expect(scene.it()?.completed?.by == "b" && scene.done == ["c"])
    scene.reopen(by: "b")
    #expect(scene.it()?.completed == nil && scene.done == ["c"], "what others did stays")
    scene.complete(by: "a")
    #expect(scene.it()?.completed?.by == "a")
  }

  @Test("an editor with an own part closes it for all; a doer does not, and what others did stays")
  func forAll() {
    var scene = Scene.forEach()
    let forAll = Command.post(.change(1, 1, .completeForAll))
    scene.complete(by: "c")
    #expect(scene.refusal(of: forAll, by: "c") == .forbidden("a doer completes only an own part"))
    let ops = scene.must(forAll, by: "b").drafts.first?.ops ?? []
    #expect(ops.count == 1 && scene.it()?.completed?.by == "b" && scene.done == ["c"])
    #expect(scene.changes(forAll, by: "a") == false)
    scene.reopen(by: "b")
    #expect(scene.it()?.completed == nil && scene.done == ["c"])
    // Nobody is told anything about a post that is for all anyway.
    let off = PostEdit(mode: .clear, restart: true)
    scene.must(.editPost(1, 1, off, ifVersion: nil), by: "a")
    scene.must(forAll, by: "c")
    #expect(scene.it()?.completed?.by == "c")
  }

  @Test("an occurrence is closed for all; of one to be confirmed it is submitted for all")
  func occurrenceForAll() throws {
    for confirms in [false, true] {
      var scene = Scene.forEach(["b", "c"])
      let wish = Repetition(try RecurrenceRule("FREQ=DAILY"), confirms: confirms)
      scene.must(
        .editPost(
          1, 1, PostEdit(due: .set(.day(Day(number: 1_000))), repeats: .set(wish)), ifVersion: nil),
        by: "a")
      let first = scene.it()?.occurrence?.number ?? 0
      #expect(
        scene.refusal(of: .post(.change(1, 1, .completeForAll)), by: "b")
          == .invalid(field: "occurrence", reason: "is missing; the post comes again"))
      scene.must(.changeOccurrence(1, 1, first, .complete), by: "c")
      scene.must(.changeOccurrence(1, 1, first, .completeForAll), by: "b")
      #expect(scene.it()?.occurrence?.number == first + (confirms ? 0 : 1))
      #expect(scene.it()?.submitted?.by == (confirms ? "b" : nil))
      #expect(scene.done == (confirms ? ["c"] : []))
    }
  }

  @Test("one's own part is opened again, and the post with it")
  func reopened() {
    var scene = Scene.forEach(["b", "c"])
    scene.complete(by: "c")
    #expect(scene.changes(.reopenPost(1, 1, ifVersion: nil), by: "b") == false)
    #expect(scene.reopen(by: "c") == [.post(.marked(1, version: 6, .partReopened("c")))])
    #expect(scene.done == [])
    scene.complete(by: "c")
    scene.complete(by: "b")
    #expect(scene.it()?.completed != nil)
    // This is not the person who completed it in the end.
    let back = scene.reopen(by: "c")
    #expect(back.count == 2 && scene.done == ["b"] && scene.it()?.completed == nil)
    scene.complete(by: "c")
    #expect(scene.it()?.completed?.by == "c")
  }

  @Test("who goes or comes counts when the next part is completed")
  func people() {
    var scene = Scene.forEach()
    scene.complete(by: "a")
    scene.complete(by: "b")
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    #expect(scene.it()?.completed == nil)
    // A person whose part is completed says so once more.
    scene.complete(by: "b")
    #expect(scene.it()?.completed?.by == "b")
    scene = Scene.forEach(["b", "c"])
    scene.complete(by: "c")
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    scene.admit("c", to: .category(1), as: .doer, by: "a", number: 905)
    scene.must(.post(.change(1, 1, .assign("c"))), by: "a")
    scene.complete(by: "b")
    #expect(scene.it()?.completed == nil, "what was done before does not count")
    scene.complete(by: "c")
    #expect(scene.it()?.completed != nil)
    // A person who may not complete has no part in a post that is nobody's.
    scene = Scene.forEach()
    scene.must(.member(.setRole(.category(1), "c", .viewer)), by: "a")
    scene.complete(by: "a")
    scene.complete(by: "b")
    #expect(scene.it()?.completed?.by == "b")
  }

  @Test("steps are done once for all and complete nothing; the last part finishes them")
  func steps() {
    var scene = Scene.forEach(["b", "c"], steps: 2)
    scene.must(.changeStep(1, 1, 1, .complete), by: "b")
    scene.must(.changeStep(1, 1, 2, .complete), by: "c")
    #expect(scene.it()?.completed == nil)
    scene.must(.changeStep(1, 1, 2, .reopen), by: "c")
    scene.complete(by: "b")
    #expect(scene.it()?.openSteps == [2])
    #expect(scene.complete(by: "c").count == 3)
    #expect(scene.it()?.openSteps == [])
    scene.reopen(by: "b")
    #expect(scene.it()?.openSteps == [2])
  }

  @Test("another mode, or another recurrence, begins anew; what is said already does not")
  func anew() {
    var scene = Scene.forEach()
    scene.complete(by: "c")
    let each = Command.editPost(1, 1, PostEdit(mode: .set(.each)), ifVersion: nil)
    #expect(scene.changes(each, by: "a") == false)
    scene.must(.editPost(1, 1, PostEdit(title: "T"), ifVersion: nil), by: "a")
    #expect(scene.done == ["c"])
    let off = PostEdit(mode: .clear, restart: true)
    scene.must(.editPost(1, 1, off, ifVersion: nil), by: "a")
    #expect(scene.done == [] && scene.it()?.mode == nil)
    scene.must(scene.undo(scene.seq), by: "a")
    #expect(scene.done == ["c"] && scene.it()?.mode == .each)
    scene.must(scene.undo(scene.seq), by: "a")
    scene.complete(by: "c")
    #expect(scene.it()?.completed?.by == "c", "one for all")
  }

  @Test("Each occurrence of a post has parts of its own")
  func recurring() throws {
    var scene = Scene.forEach(["b", "c"])
    let wish = Repetition(try RecurrenceRule("FREQ=DAILY"), missed: .kept)
    scene.must(
      .editPost(
        1, 1, PostEdit(due: .set(.day(Day(number: 1_000))), repeats: .set(wish)), ifVersion: nil),
      by: "a")
    let first = scene.it()?.occurrence?.number ?? 0
    scene.must(.changeOccurrence(1, 1, first, .complete), by: "c")
    #expect(scene.done == ["c"] && scene.it()?.occurrence?.number == first)
    let last = scene.must(.changeOccurrence(1, 1, first, .complete), by: "b")
    #expect(last.drafts[0].ops.count == 2)
    #expect(scene.done == [] && scene.it()?.occurrence?.number == first + 1)
    scene.must(scene.undo(scene.seq), by: "b")
    #expect(scene.done == ["c"] && scene.it()?.occurrence?.number == first)
  }

  @Test("an undo takes one's own part back, and the post; nobody's else")
  func undone() {
    var scene = Scene.forEach(["b", "c"])
    scene.complete(by: "c")
    let mine = scene.seq
    scene.complete(by: "b")
    scene.must(scene.undo(scene.seq), by: "b")
    #expect(scene.done == ["c"] && scene.it()?.completed == nil)
    #expect(scene.changes(scene.undo(mine), by: "b") == nil, "it is somebody else's")
    scene.must(scene.undo(mine), by: "c")
    #expect(scene.done == [])
    // A doer who was the last takes both back.
    scene.complete(by: "b")
    scene.complete(by: "c")
    #expect(scene.it()?.completed?.by == "c")
    #expect(scene.must(scene.undo(scene.seq), by: "c").skipped ?? [] == [])
    #expect(scene.done == ["b"] && scene.it()?.completed == nil)
  }

  @Test("in another list the parts of who is there stay; a copy has none")
  func elsewhere() {
    var scene = Scene.forEach()
    scene.must(.category(.add(7, name: "There", group: nil)), by: "a")
    scene.admit("c", to: .category(7), as: .editor, by: "a", number: 904)
    scene.complete(by: "b")
    scene.complete(by: "c")
    scene.must(
      .post(.change(PostAddress(category: 1, post: 1), .copy(as: 8, to: 7), ifVersion: nil)),
      by: "a")
    #expect(scene.post(8, in: 7)?.mode == .each && scene.post(8, in: 7)?.parts == [])
    scene.must(.movePost(1, 1, to: 7), by: "a")
    #expect(scene.it(in: 7)?.parts.map(\.user) == ["c"])
    scene.must(.completePost(7, 1, ifVersion: nil), by: "a")
    #expect(scene.it(in: 7)?.completed?.by == "a")
  }

  @Test("a claim ends with the part of who has it, and with no other's")
  func claims() {
    var scene = Scene.forEach()
    scene.must(.post(.change(1, 1, .claim(milliseconds: 60_000))), by: "c")
    scene.complete(by: "b")
    #expect(scene.it()?.claim?.user == "c")
    scene.complete(by: "c")
    #expect(scene.it()?.claim == nil)
  }

  @Test("a part counts in the day of who completed it, once")
  func day() {
    let stamp = Stamp(at: Timestamp(milliseconds: 5), by: "c")
    let rows: [([Op], Int, Int)] = [
      ([.post(.marked(9, version: 2, .partCompleted("c")))], 1, 1),
      (
        [
          .post(.marked(9, version: 2, .partCompleted("c"))),
          .post(.completed(9, version: 3, stamp, Counters())),
        ], 1, 1
      ),
      ([.post(.marked(9, version: 2, .partCompleted("a")))], 0, 0),
    ]
    for (ops, done, of) in rows {
      var tally = DayTally(user: "c", start: Timestamp(milliseconds: 0))
      tally.add(
        Event(
          seq: 2, transaction: TransactionID(UUID(high: 1, low: 1)),
          at: Timestamp(milliseconds: 9), by: "c", key: nil, ops: ops), in: .category(1))
      #expect(tally.total == DayTotal(done: done, of: of))
    }
  }
}
