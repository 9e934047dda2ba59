import Testing

@testable import Domain

/// Scenes in category 1 of a, the owner; b is an editor of it, c a doer. Post 1 is for each; post 9 comes every day.
extension Scene {
  fileprivate static func people() -> Scene {
    var scene = Scene.daily()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 901)
    scene.admit("c", to: .category(1), as: .doer, by: "a", number: 902)
    scene.must(.editPost(1, 1, PostEdit(mode: .set(.each)), ifVersion: nil), by: "a")
    return scene
  }

  fileprivate func undo(_ events: Int64...) -> Command {
    .undo(UndoTarget(stream: .category(1), events: events, seen: nil))
  }

  fileprivate mutating func setRole(of user: UserID, to role: Role) {
    must(.member(.setRole(.category(1), user, role)), by: "a")
  }

  fileprivate mutating func complete(by users: UserID...) {
    for user in users { must(.completePost(1, 1, ifVersion: nil), by: user) }
  }

  fileprivate mutating func reopen(by user: UserID) {
    must(.reopenPost(1, 1, ifVersion: nil), by: user)
  }

  fileprivate mutating func over(_ change: OccurrenceChange = .complete, by user: UserID) {
    must(.changeOccurrence(1, 9, number, change), by: user)
  }

  fileprivate func parts(of id: PostID) -> [UserID] { post(id, in: 1)?.parts.map(\.user) ?? [] }

  /// The text that says whether post 1 is completed, and whose parts are.
  fileprivate var told: String {
    let letters = parts(of: 1).compactMap { UInt32($0.uuid.low) }.compactMap(Unicode.Scalar.init)
    return letters.map { String(Character($0)) }.joined()
      + (post(1, in: 1)?.completed == nil ? "" : " done")
  }
}

private func skip(_ post: PostID, _ reason: UndoSkip.Reason) -> UndoSkip {
  UndoSkip(
    stream: .category(1), post: post, number: post == 8 ? 5 : post == 9 ? 4 : 1, reason: reason)
}

@Suite("protocol §8 `undo`: who may complete by an undo what") struct UndoRightsTests {
  /// The things that others do between an undo and its redo, and post 1 after them.
  static let between: [(what: String, commands: [(UserID, Command)], told: String)] = [
    ("nothing", [], "abc done"),
    ("one opened theirs", [("a", .reopenPost(1, 1, ifVersion: nil))], "bc"),
    (
      "two opened theirs",
      [("a", .reopenPost(1, 1, ifVersion: nil)), ("b", .reopenPost(1, 1, ifVersion: nil))], "c"
    ),
    (
      "somebody is given it",
      [("a", .post(.change(1, 1, .assign("c")))), ("a", .post(.change(1, 1, .assign("d"))))], "abc"
    ),
    (
      "it is only theirs now",
      [("a", .post(.change(1, 1, .assign("c")))), ("a", .reopenPost(1, 1, ifVersion: nil))],
      "bc done"
    ),
    ("it is others' work now", [("a", .post(.change(1, 1, .assign("b"))))], "ab"),
  ]

  @Test("whoever does an own part again completes no more than that", arguments: between.indices)
  func ownPart(index: Int) {
    let row = Self.between[index]
    var scene = Scene.people()
    scene.admit("d", to: .category(1), as: .viewer, by: "a", number: 903)
    scene.complete(by: "a", "b", "c")
    #expect(scene.told == "abc done")
    #expect(scene.undoLast(by: "c").skipped == [])
    let undo = scene.head
    #expect(scene.told == "ab")
    for (user, command) in row.commands { scene.must(command, by: user) }
    let redo = scene.must(scene.undo(undo), by: "c")
    #expect(scene.told == row.told, "\(row.what)")
    let isWhole = row.told.hasSuffix("done")
    #expect((redo.skipped == []) == isWhole, "\(row.what)")
  }

  @Test("Who has come since gets no completion, whatever the role of whoever does it again")
  func newcomer() {
    for user: UserID in ["b", "c"] {
      var scene = Scene.people()
      scene.complete(by: "a", user == "b" ? "c" : "b", user)
      #expect(scene.undoLast(by: user).skipped == [])
      let undo = scene.head
      scene.admit("d", to: .category(1), as: .editor, by: "a", number: 903)
      #expect(scene.must(scene.undo(undo), by: user).skipped == [skip(1, .later)])
      #expect(scene.told == "abc")
      scene.complete(by: "d")
      #expect(scene.told == "abcd done")
    }
  }

  @Test("where it is closed for all meanwhile there is nothing left to do")
  func closedMeanwhile() {
    var scene = Scene.people()
    scene.complete(by: "c")
    #expect(scene.undoLast(by: "c").skipped == [])
    let undo = scene.head
    scene.must(.post(.change(1, 1, .completeForAll)), by: "b")
    let redo = scene.must(scene.undo(undo), by: "c")
    #expect(!redo.changed && redo.skipped == [skip(1, .later)] && scene.told == " done")
  }

  @Test("Editors alone close again for all")
  func forAll() {
    for hasPart in [false, true] {
      var scene = Scene.people()
      if hasPart { scene.complete(by: "b") }
      scene.must(.post(.change(1, 1, .completeForAll)), by: "b")
      #expect(scene.undoLast(by: "b").skipped == [])
      let undo = scene.head
      var doer = scene
      doer.setRole(of: "b", to: .doer)
      let decision = doer.must(doer.undo(undo), by: "b")
      #expect(!decision.changed && decision.skipped == [skip(1, .forbidden)])
      #expect(doer.told == (hasPart ? "b" : ""))
      #expect(scene.must(scene.undo(undo), by: "b").skipped == [])
      #expect(scene.told == (hasPart ? "b done" : " done"))
    }
  }

  @Test("A time that is for each is not over again for all")
  func occurrence() {
    let rows: [(what: String, commands: [(UserID, Command)], isOver: Bool)] = [
      ("nothing", [], true),
      ("somebody is given it", [("a", .post(.change(1, 9, .assign("a"))))], false),
    ]
    for row in rows {
      var scene = Scene.people()
      scene.must(.editPost(1, 9, PostEdit(mode: .set(.each)), ifVersion: nil), by: "a")
      for user: UserID in ["b", "c"] { scene.must(.post(.change(1, 9, .assign(user))), by: "a") }
      scene.over(by: "b")
      let first = scene.number
      scene.over(by: "c")
      #expect(scene.number == first + 1)
      #expect(scene.undoLast(by: "c").skipped == [])
      let undo = scene.head
      #expect(scene.number == first && scene.parts(of: 9) == ["b"])
      for (user, command) in row.commands { scene.must(command, by: user) }
      let redo = scene.must(scene.undo(undo), by: "c")
      #expect(scene.number == first + (row.isOver ? 1 : 0), "\(row.what)")
      #expect(scene.parts(of: 9) == (row.isOver ? [] : ["b", "c"]), "\(row.what)")
      #expect(redo.skipped == (row.isOver ? [] : [skip(9, .later)]))
    }
  }

  @Test("an own part that is taken back opens the post, whoever completed it")
  func opened() {
    for user: UserID in ["a", "b", "c"] {
      var scene = Scene.people()
      var events: [UserID: Int64] = [:]
      for one: UserID in ["c", "a", "b"] {
        scene.complete(by: one)
        events[one] = scene.head
      }
      let counters = scene.category(1)?.counters
      let undone = scene.must(scene.undo(events[user] ?? 0), by: user)
      #expect(undone.skipped == [] && scene.post(1, in: 1)?.completed == nil)
      #expect(!scene.parts(of: 1).contains(user) && scene.parts(of: 1).count == 2)
      #expect(scene.category(1)?.counters.done == (counters?.done ?? 0) - 1)
      #expect(scene.must(scene.undo(scene.head), by: user).skipped == [])
      #expect(scene.told == "abc done")
    }
  }

  @Test("A redo returns what was submitted with it")
  func returned() throws {
    var scene = Scene.people()
    let wish = Repetition(try RecurrenceRule("FREQ=DAILY"), confirms: true)
    scene.must(
      .editPost(1, 9, PostEdit(repeats: .set(wish), mode: .set(.each)), ifVersion: nil), by: "a")
    for user: UserID in ["b", "c"] { scene.must(.post(.change(1, 9, .assign(user))), by: "a") }
    scene.over(by: "c")
    let event = scene.head
    scene.over(by: "b")
    #expect(scene.post(9, in: 1)?.submitted?.by == "b")
    #expect(scene.must(scene.undo(event), by: "c").skipped == [])
    #expect(scene.post(9, in: 1)?.submitted == nil && scene.parts(of: 9) == ["b"])
    // Submitted is what all have done.
    scene.over(by: "c")
    let last = scene.head
    #expect(scene.post(9, in: 1)?.submitted?.by == "c")
    #expect(scene.must(scene.undo(last), by: "c").skipped == [])
    let undo = scene.head
    scene.must(.reopenPost(1, 9, ifVersion: nil), by: "b")
    #expect(scene.must(scene.undo(undo), by: "c").skipped == [skip(9, .later)])
    #expect(scene.post(9, in: 1)?.submitted == nil && scene.parts(of: 9) == ["c"])
  }

  @Test("a part of who has come in anew is none of theirs")
  func rejoined() {
    var scene = Scene.people()
    scene.complete(by: "c")
    let event = scene.head
    scene.must(.undo(UndoTarget(stream: .category(1), events: [event], seen: nil)), by: "c")
    let undo = scene.head
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    scene.admit("c", to: .category(1), as: .doer, by: "a", number: 903)
    let decision = scene.must(scene.undo(undo), by: "c")
    #expect(decision.skipped == [skip(1, .later)] && scene.told == "")
    scene.complete(by: "a", "b")
    #expect(scene.told == "ab")
  }

  @Test("done anew it is taken back, and the one from before is none")
  func doneAnew() {
    var scene = Scene.people()
    for user: UserID in ["a", "c"] { scene.must(.post(.change(1, 1, .assign(user))), by: "a") }
    scene.complete(by: "c")
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    scene.admit("c", to: .category(1), as: .doer, by: "a", number: 903)
    scene.must(.post(.change(1, 1, .assign("c"))), by: "a")
    scene.complete(by: "a")
    #expect(scene.post(1, in: 1)?.completed == nil && scene.parts(of: 1) == ["a", "c"])
    scene.complete(by: "c")
    for isDone in [false, true, false] {
      #expect(scene.undoLast(by: "c").skipped == [])
      #expect(scene.parts(of: 1) == (isDone ? ["a", "c"] : ["a"]))
      #expect(scene.post(1, in: 1)?.completed?.by == (isDone ? "c" : nil))
    }
  }

  @Test("A redo opens nothing that others have completed")
  func rejoinedReopens() {
    var scene = Scene.people()
    scene.complete(by: "c")
    let event = scene.head
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    scene.complete(by: "a", "b")
    #expect(scene.told == "abc done")
    scene.admit("c", to: .category(1), as: .doer, by: "a", number: 903)
    #expect(
      scene.refusal(of: .reopenPost(1, 1, ifVersion: nil), by: "c")
        == .forbidden("a doer reopens only what they completed themselves"))
    scene.must(scene.undo(event), by: "c")
    #expect(scene.told == "ab done")
  }
}

@Suite("protocol §8 `undo`: times that come and go by an undo") struct UndoTimesTests {
  @Test("a time that was left out is brought back by editors alone, whatever goes back with it")
  func leftOut() {
    let rows: [[OccurrenceChange]] = [
      [.skip, .complete], [.complete, .skip], [.skip, .complete, .complete],
    ]
    for changes in rows {
      for isBatch in [false, true] {
        var scene = Scene.people()
        let (first, head) = (scene.number, scene.head)
        if isBatch {
          scene.must(
            .batch(
              changes.enumerated().map { .changeOccurrence(1, 9, first + $0.offset, $0.element) }),
            by: "b")
        } else {
          for change in changes { scene.over(change, by: "b") }
        }
        let last = scene.number
        let undo = Command.undo(
          UndoTarget(stream: .category(1), events: Array(head + 1...scene.head), seen: nil))
        var doer = scene
        doer.setRole(of: "b", to: .doer)
        #expect(doer.must(undo, by: "b").skipped == [skip(9, .forbidden)])
        #expect(doer.number == last)
        #expect(scene.must(undo, by: "b").skipped == [] && scene.number == first)
        var again = scene
        again.setRole(of: "b", to: .doer)
        #expect(again.must(again.undo(scene.head), by: "b").skipped == [skip(9, .forbidden)])
        #expect(scene.must(scene.undo(scene.head), by: "b").skipped == [] && scene.number == last)
      }
    }
  }

  /// Makes post 8 one time of post 9, which an admin confirms.
  private func apart(by user: UserID) throws -> Scene {
    var scene = Scene.people()
    let wish = Repetition(try RecurrenceRule("FREQ=DAILY"), confirms: true)
    scene.must(.editPost(1, 9, PostEdit(repeats: .set(wish)), ifVersion: nil), by: "a")
    let fields = PostEdit(due: .set(.day(Day(number: 1_000))))
    scene.must(
      .batch([
        .post(.add(PostAddress(category: 1, post: 8), NewPost(title: "Once", fields: fields))),
        .changeOccurrence(1, 9, scene.number, .skip),
      ]), by: user)
    return scene
  }

  @Test("who may leave a time out may do so again, also where an admin confirms what is done")
  func apartAgain() throws {
    var scene = try apart(by: "b")
    let next = scene.number
    for isApart in [false, true, false] {
      #expect(scene.undoLast(by: "b").skipped == [])
      #expect((scene.post(8, in: 1) != nil) == isApart)
      #expect(scene.number == (isApart ? next : next - 1))
    }
  }

  @Test("where the time may not be over again, the post that it became stays away with it")
  func torn() throws {
    var scene = try apart(by: "a")
    let event = scene.head
    scene.over(by: "a")
    let target = UndoTarget(stream: .category(1), events: [event, event + 1], seen: nil)
    #expect(scene.must(.undo(target), by: "a").skipped == [])
    #expect(scene.post(8, in: 1) == nil)
    let undo = scene.head
    scene.admit("d", to: .category(1), as: .owner, by: "a", number: 903)
    scene.must(.member(.setRole(.category(1), "a", .editor)), by: "d")
    let before = scene.rows[.category(1)]
    let redo = scene.must(scene.undo(undo), by: "a")
    #expect(!redo.changed && scene.rows[.category(1)] == before)
    #expect(redo.skipped == [skip(9, .forbidden), skip(8, .forbidden)])
  }

  @Test("Each of several completions is done again, by whoever did it")
  func replayed() throws {
    for isForEach in [false, true] {
      for end in ["", ";COUNT=3"] {
        var scene = Scene.people()
        let mode: FieldChange<PostMode> = isForEach ? .set(.each) : .keep
        let wish = Repetition(try RecurrenceRule("FREQ=DAILY" + end))
        scene.must(
          .editPost(1, 9, PostEdit(repeats: .set(wish), mode: mode), ifVersion: nil), by: "a")
        for user: UserID in isForEach ? ["b", "c"] : [] {
          scene.must(.post(.change(1, 9, .assign(user))), by: "a")
        }
        let (first, head) = (scene.number, scene.head)
        let doers: [UserID] = isForEach ? ["b", "c", "c", "b", "b", "c"] : ["b", "c", "b"]
        for user in doers { scene.over(by: user) }
        let (scores, done) = (scene.scores, scene.post(9, in: 1))
        #expect(scores["b"] == (isForEach ? 3 : 2))
        let events = Array(head + 1...scene.head)
        let target = UndoTarget(stream: .category(1), events: events, seen: nil)
        let plan = try scene.plan(target, by: "a").get()
        scene.must(
          .undo(UndoTarget(stream: .category(1), events: events, seen: plan.seen)), by: "a")
        #expect(scene.number == first && scene.scores["b"] == nil && scene.scores["c"] == nil)
        let redo = scene.undoLast()
        #expect(redo.skipped == [] && scene.scores == scores, "\(isForEach) \(end)")
        #expect(scene.number == done?.occurrence?.number)
        #expect(scene.post(9, in: 1)?.completed?.by == done?.completed?.by)
        #expect(scene.post(9, in: 1)?.occurrence == done?.occurrence)
        let event = scene.events[.category(1)]?.last
        let told = event.map {
          notify($0, in: .category(1), viewer: Viewer(user: "d", joinedSeq: 1))
        }
        #expect(told?.map(\.kind) == [.completed, .completed, .completed])
        // This goes back, and forth again.
        #expect(scene.undoLast().skipped == [] && scene.number == first)
        #expect(scene.undoLast().skipped == [] && scene.scores == scores)
      }
    }
  }

  @Test("a time does not come back under a later one that is done for good")
  func underCompletion() throws {
    var scene = Scene.people()
    let wish = Repetition(try RecurrenceRule("FREQ=DAILY;COUNT=2"))
    scene.must(.editPost(1, 9, PostEdit(repeats: .set(wish)), ifVersion: nil), by: "a")
    scene.over(by: "c")
    let event = scene.head
    scene.over(by: "b")
    let (done, scores) = (scene.post(9, in: 1), scene.scores)
    #expect(done?.completed?.by == "b")
    let undone = scene.must(scene.undo(event), by: "c")
    #expect(!undone.changed && undone.skipped == [skip(9, .later)])
    #expect(scene.post(9, in: 1) == done && scene.scores == scores)
    // With the later one it does.
    let target = UndoTarget(stream: .category(1), events: [event, event + 1], seen: nil)
    let plan = try scene.plan(target, by: "a").get()
    scene.must(
      .undo(UndoTarget(stream: .category(1), events: [event, event + 1], seen: plan.seen)), by: "a")
    #expect(scene.post(9, in: 1)?.completed == nil && scene.scores["b"] == nil)
  }

  @Test("Who may complete for others does again what they have done of the next time")
  func progressOfOthers() {
    for isStep in [false, true] {
      var scene = Scene.people()
      if isStep {
        scene.must(.changeStep(1, 9, 1, .add(content: "s")), by: "a")
        scene.must(.changeStep(1, 9, 2, .add(content: "t")), by: "a")
      } else {
        scene.must(.editPost(1, 9, PostEdit(mode: .set(.each)), ifVersion: nil), by: "a")
        for user: UserID in ["a", "c"] { scene.must(.post(.change(1, 9, .assign(user))), by: "a") }
        scene.over(by: "c")
      }
      let head = scene.head
      scene.over(by: "a")
      scene.over(isStep ? .finish(1) : .complete, by: "c")
      let events = Array(head + 1...scene.head)
      let target = UndoTarget(stream: .category(1), events: events, seen: nil)
      let seen = try? scene.plan(target, by: "a").get().seen
      scene.must(.undo(UndoTarget(stream: .category(1), events: events, seen: seen)), by: "a")
      let (undo, number) = (scene.head, scene.number)
      var admin = scene
      #expect(admin.must(admin.undo(undo), by: "a").skipped == [])
      #expect(admin.number == number + 1)
      scene.admit("d", to: .category(1), as: .owner, by: "a", number: 903)
      scene.must(.member(.setRole(.category(1), "a", .doer)), by: "d")
      #expect(scene.must(scene.undo(undo), by: "a").skipped == [skip(9, .forbidden)])
      #expect(scene.number == number)
    }
  }

  @Test(
    "Everything that an undo took back is asked for together, and no more than one undo takes back")
  func asked() throws {
    var scene = Scene.people()
    let (first, count) = (scene.head + 1, 5 * 100)
    for _ in 0..<count { scene.over(.skip, by: "a") }
    var undos: [Int64] = []
    for part in 0..<5 {
      let start = first + Int64(400 - 100 * part)
      scene.must(
        .undo(
          UndoTarget(stream: .category(1), events: Array(start..<start + 100), seen: nil)), by: "a")
      undos.append(scene.head)
    }
    let number = scene.number
    let before = scene.needsAsked.count
    var rounds = 0
    let target = UndoTarget(stream: .category(1), events: undos, seen: nil)
    let now = scene.now
    let result = scene.answered { world throws(Halt) in
      rounds += 1
      return try decide(
        .undo(target), by: Actor(user: "a", session: nil), at: now, in: &world, almanac: .system)
    }
    #expect(try result.get().changed)
    #expect(rounds < 40 && scene.needsAsked.count - before <= Limits.undoEventsMax + 40)
    scene.must(.undo(target), by: "a")
    #expect(scene.number == number + count)
  }

  @Test("times that share a post go back together, in whatever order they are looked at")
  func shared() throws {
    let daily = Repetition(try RecurrenceRule("FREQ=DAILY"))
    let fields = PostEdit(due: .set(.day(Day(number: 1_000))), repeats: .set(daily))
    // An order by ids, or by their hashes, is not the same for all of these.
    for id in 20..<36 {
      let (series, single) = (PostID(id), PostID(100 - id))
      var scene = Scene.people()
      let event = scene.head + 1
      scene.must(
        .batch([
          .post(.add(PostAddress(category: 1, post: series), NewPost(title: "C", fields: fields))),
          .changeOccurrence(1, 9, scene.number, .skip),
          .post(.add(PostAddress(category: 1, post: single), NewPost(title: "D"))),
          .changeOccurrence(1, series, 1, .skip),
        ]), by: "a")
      scene.must(.editPost(1, single, PostEdit(title: "mine"), ifVersion: nil), by: "b")
      let rows = scene.rows[.category(1)]
      let undone = scene.must(scene.undo(event), by: "a")
      #expect(!undone.changed && scene.rows[.category(1)] == rows, "\(id)")
    }
  }

  @Test("a completion that is done again is told as one, not as a post that is back from the bin")
  func completed() {
    var scene = Scene.people()
    scene.must(.editPost(1, 1, PostEdit(mode: .clear), ifVersion: nil), by: "a")
    for step in [1, 2] { scene.must(.changeStep(1, 1, StepID(step), .add(content: "s")), by: "a") }
    scene.must(.changeStep(1, 1, 1, .complete), by: "b")
    scene.complete(by: "c")
    let done = scene.post(1, in: 1)
    scene.now = Timestamp(milliseconds: scene.now.milliseconds + 86_400_000)
    #expect(scene.undoLast(by: "c").skipped == [])
    let redo = scene.undoLast(by: "c")
    #expect(redo.skipped == [] && scene.post(1, in: 1)?.steps == done?.steps)
    #expect(scene.post(1, in: 1)?.completed?.at == done?.completed?.at)
    let event = scene.events[.category(1)]?.last
    let told = event.map { notify($0, in: .category(1), viewer: Viewer(user: "a", joinedSeq: 1)) }
    #expect(told?.map(\.kind) == [.completed])
    // It counts for the day on which it was done.
    var day = DayTally(user: "c", start: scene.now)
    for event in (scene.events[.category(1)] ?? []).reversed() { day.add(event, in: .category(1)) }
    #expect(day.total == DayTotal(done: 0, of: 0))
    #expect(scene.scores["c"] == 1)
  }
}
