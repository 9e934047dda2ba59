import Calendar
import Testing

@testable import Domain

extension Scene {
  /// Returns a scene with post 9 of category 1, daily from a day of 1972 on, which an admin confirms: a is the owner, b
  /// an editor, c a doer.
  fileprivate static func confirmed(
    _ basis: Recurrence.Basis = .due, _ rotation: Rotation? = nil, end: String = "", steps: Int = 0
  ) throws -> Scene {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 901)
    scene.admit("c", to: .category(1), as: .doer, by: "a", number: 902)
    let rule = try RecurrenceRule("FREQ=DAILY" + end)
    let wish = Repetition(rule, basis: basis, missed: .kept, rotation: rotation, confirms: true)
    let fields = PostEdit(due: .set(.day(Day(number: 1_000))), repeats: .set(wish))
    scene.must(
      .post(.add(PostAddress(category: 1, post: 9), NewPost(title: "Dishes", fields: fields))),
      by: "a"
    )
    for step in 0..<steps {
      scene.must(.changeStep(1, 9, StepID(step + 1), .add(content: "s")), by: "a")
    }
    return scene
  }

  fileprivate var it: Post { post(9, in: 1) ?? Post.nothing }
  @discardableResult
  fileprivate mutating func complete(by user: UserID) -> Decision {
    must(.changeOccurrence(1, 9, number, .complete), by: user)
  }

  @discardableResult
  fileprivate mutating func undo(back: Int64 = 0, by user: UserID) -> Decision {
    let seq = (heads[.category(1)]?.seq ?? 0) - back
    return must(.undo(UndoTarget(stream: .category(1), events: [seq], seen: nil)), by: user)
  }

  /// Returns whether an undo of the last event would change something; nil when it is refused.
  fileprivate func undoes(by user: UserID) -> Bool? {
    let seq = heads[.category(1)]?.seq ?? 0
    return changes(
      .undo(UndoTarget(stream: .category(1), events: [seq], seen: nil)), by: user)
  }
}

extension Post {
  fileprivate static let nothing = Post(
    id: 0, number: 0, title: "", notes: "", addedBy: "a", createdAt: Timestamp(milliseconds: 0),
    updatedAt: Timestamp(milliseconds: 0), version: 0)
}

@Suite("DESIGN §3: occurrences that an admin confirms") struct SubmissionTests {
  @Test("whoever has to be confirmed neither takes that away nor the post elsewhere")
  func kept() throws {
    var scene = try Scene.confirmed()
    scene.must(.category(.add(5, name: "own", group: nil)), by: "b")
    let refusal = Refusal.forbidden(
      "an admin confirms this post, and only admins move it or change how it comes again")
    let other = Repetition(try RecurrenceRule("FREQ=DAILY"))
    for edit in [
      PostEdit(repeats: .clear), PostEdit(due: .clear), PostEdit(repeats: .set(other)),
    ] {
      #expect(scene.refusal(of: .editPost(1, 9, edit, ifVersion: nil), by: "b") == refusal)
    }
    #expect(scene.refusal(of: .movePost(1, 9, to: 5), by: "b") == refusal)
    scene.must(.editPost(1, 9, PostEdit(title: "Plates"), ifVersion: nil), by: "b")
    scene.must(.editPost(1, 9, PostEdit(repeats: .set(other)), ifVersion: nil), by: "a")
    scene.must(.movePost(1, 9, to: 5), by: "b")
  }

  @Test("who is no admin submits it, and it is over when one completes it, by whoever submitted it")
  func confirmed() throws {
    for user: UserID in ["b", "c"] {
      var scene = try Scene.confirmed()
      let submitted = scene.complete(by: user)
      let stamp = Stamp(at: scene.now, by: user)
      #expect(submitted.drafts.map(\.ops) == [[.post(.marked(9, version: 2, .submitted(stamp)))]])
      #expect(scene.it.submitted == stamp && scene.number == 1 && scene.it.completed == nil)
      // Said once.
      for other: UserID in ["b", "c"] {
        #expect(scene.changes(.changeOccurrence(1, 9, 1, .complete), by: other) == false)
      }
      scene.now = Timestamp(milliseconds: scene.now.milliseconds + 3 * 86_400_000)
      let decision = scene.complete(by: "a")
      guard case .post(.occurred(9, 3, let news, _))? = decision.drafts[0].ops.first else {
        Issue.record("\(decision)")
        return
      }
      #expect(news.reason == .completed(stamp) && news.next.last == stamp && news.next.number == 2)
      #expect(scene.it.submitted == nil && scene.it.due == .day(Day(number: 1_001)))
    }
  }

  @Test("A completion by an admin counts at once; without the option anybody's does")
  func atOnce() throws {
    var scene = try Scene.confirmed()
    scene.complete(by: "a")
    #expect(scene.number == 2 && scene.it.submitted == nil)
    scene.must(.member(.setRole(.category(1), "b", .admin)), by: "a")
    scene.complete(by: "b")
    #expect(scene.number == 3)
    let rule = try RecurrenceRule("FREQ=DAILY")
    scene.must(
      .editPost(1, 9, PostEdit(repeats: .set(Repetition(rule))), ifVersion: nil), by: "a")
    let first = scene.number
    scene.complete(by: "c")
    #expect(scene.number == first + 1)
  }

  @Test("the last occurrence completes the post, by whoever submitted it")
  func last() throws {
    var scene = try Scene.confirmed(end: ";COUNT=1", steps: 1)
    scene.complete(by: "c")
    #expect(scene.it.completed == nil && scene.it.openSteps == [1])
    scene.complete(by: "a")
    #expect(scene.it.completed?.by == "c" && scene.it.openSteps == [])
    #expect(scene.it.submitted == nil && scene.category(1)?.counters.done == 2)
  }

  @Test("it is returned by whoever submitted it, and by editors")
  func returned() throws {
    var scene = try Scene.confirmed()
    scene.complete(by: "b")
    #expect(
      scene.refusal(of: .reopenPost(1, 9, ifVersion: nil), by: "c")
        == .forbidden("a doer returns only what they submitted themselves"))
    let back = scene.must(.reopenPost(1, 9, ifVersion: nil), by: "a")
    #expect(back.drafts.map(\.ops) == [[.post(.marked(9, version: 3, .returned))]])
    #expect(scene.it.submitted == nil)
    #expect(scene.changes(.reopenPost(1, 9, ifVersion: nil), by: "c") == false)
    scene.complete(by: "c")
    scene.must(.reopenPost(1, 9, ifVersion: nil), by: "c")
    #expect(scene.it.submitted == nil && scene.number == 1)
  }

  @Test("with the repetition goes what was submitted, and comes back with it")
  func undoneRepetition() throws {
    var scene = try Scene.confirmed()
    let wish = try #require(scene.it.repeats).at(nil)
    scene.must(.editPost(1, 9, PostEdit(due: .clear, repeats: .clear), ifVersion: nil), by: "a")
    let on = PostEdit(due: .set(.day(Day(number: 1_000))), repeats: .set(wish))
    scene.must(.editPost(1, 9, on, ifVersion: nil), by: "a")
    scene.complete(by: "c")
    let submitted = try #require(scene.it.submitted)
    let undone = scene.undo(back: 1, by: "a")
    #expect(scene.it.repeats == nil && scene.it.submitted == nil && undone.skipped == [])
    #expect(undone.drafts.flatMap(\.ops).count == 1)
    scene.undo(by: "a")
    #expect(scene.it.repeats?.confirms == true && scene.it.submitted == submitted)
  }

  @Test("only an admin takes the confirmation away, also by an undo")
  func undoneConfirmation() throws {
    var scene = try Scene.confirmed()
    let wish = try #require(scene.it.repeats).at(nil)
    let plain = Repetition(wish.rule, missed: .kept)
    // An editor may say that an admin confirms it, and not take that back.
    scene.must(.editPost(1, 9, PostEdit(repeats: .set(plain)), ifVersion: nil), by: "a")
    scene.must(.editPost(1, 9, PostEdit(repeats: .set(wish)), ifVersion: nil), by: "b")
    let refused = scene.undo(by: "b")
    #expect(!refused.changed && refused.skipped?.map(\.reason) == [.forbidden])
    #expect(scene.it.repeats?.confirms == true)
    scene.must(.member(.setRole(.category(1), "b", .admin)), by: "a")
    #expect(scene.undo(back: 1, by: "b").changed && scene.it.repeats?.confirms == false)
  }

  @Test("the last open step submits it, a new or an open one returns it")
  func steps() throws {
    var scene = try Scene.confirmed(steps: 2)
    scene.must(.changeOccurrence(1, 9, 1, .finish(1)), by: "c")
    #expect(scene.it.submitted == nil)
    let last = scene.must(.changeOccurrence(1, 9, 1, .finish(2)), by: "c")
    #expect(last.drafts[0].ops.count == 2 && scene.it.submitted?.by == "c" && scene.number == 1)
    let added = scene.must(.changeStep(1, 9, 3, .add(content: "more")), by: "b")
    #expect(added.drafts[0].ops.count == 2 && scene.it.submitted == nil)
    scene.must(.changeOccurrence(1, 9, 1, .finish(3)), by: "b")
    #expect(scene.it.submitted?.by == "b")
    #expect(
      scene.refusal(of: .changeStep(1, 9, 1, .reopen), by: "c")
        == .forbidden("a doer reopens only what they completed themselves"))
    scene.must(.changeStep(1, 9, 1, .reopen), by: "b")
    #expect(scene.it.submitted == nil && scene.it.openSteps == [1])
  }

  @Test("nobody claims it, and a claim ends with it")
  func claims() throws {
    var scene = try Scene.confirmed()
    let claim = Command.post(.change(1, 9, .claim(milliseconds: 60_000)))
    scene.must(claim, by: "c")
    scene.complete(by: "c")
    #expect(scene.it.claim == nil)
    #expect(scene.refusal(of: claim, by: "b") == .conflict(scene.it))
    let next = scene.must(.post(.claimNext(1, milliseconds: 60_000)), by: "b")
    #expect(next.number == 1)
    #expect(
      scene.refusal(of: .post(.claimNext(1, milliseconds: 60_000)), by: "c") == .notFound("post"))
  }

  @Test("skipping it, or another recurrence, ends what was submitted; another due does not")
  func ended() throws {
    var scene = try Scene.confirmed()
    scene.complete(by: "c")
    scene.must(
      .editPost(1, 9, PostEdit(due: .set(.day(Day(number: 1_005)))), ifVersion: nil), by: "a")
    #expect(scene.it.submitted?.by == "c")
    scene.must(.changeOccurrence(1, 9, 1, .skip), by: "a")
    #expect(scene.it.submitted == nil && scene.number == 2)
    scene.complete(by: "c")
    scene.must(.editPost(1, 9, PostEdit(repeats: .clear), ifVersion: nil), by: "a")
    #expect(scene.it.submitted == nil)
    scene.undo(by: "a")
    #expect(scene.it.submitted?.by == "c", "an undo brings it back with its recurrence")
  }

  @Test("intervals count from the day on which it was done, turns by who did it")
  func counted() throws {
    var scene = try Scene.confirmed(.completion, .least)
    for user: UserID in ["b", "c"] { scene.must(.post(.change(1, 9, .assign(user))), by: "a") }
    scene.now = Timestamp(milliseconds: 20_500 * 86_400_000)
    let done = scene.now
    scene.complete(by: "c")
    scene.now = Timestamp(milliseconds: done.milliseconds + 10 * 86_400_000)
    let decision = scene.complete(by: "a")
    let day = Day(number: Int(done.milliseconds / 86_400_000))
    #expect(scene.it.due == .day(day.adding(days: 1)))
    #expect(scene.it.occurrence?.turns.map(\.times) == [0, 1] && scene.it.occurrence?.turn == "b")
    #expect(decision.drafts.map(\.stream) == [.category(1), .user("b")])
  }

  @Test("an undo takes back what was submitted, returned and confirmed; nobody confirms by one")
  func undone() throws {
    var scene = try Scene.confirmed()
    scene.complete(by: "c")
    let submitted = scene.it.submitted
    #expect(scene.undoes(by: "b") == nil, "it is somebody else's")
    scene.undo(by: "c")
    #expect(scene.it.submitted == nil)
    scene.undo(by: "c")
    #expect(scene.it.submitted == submitted)
    scene.must(.reopenPost(1, 9, ifVersion: nil), by: "a")
    scene.undo(by: "a")
    #expect(scene.it.submitted == submitted)
    scene.complete(by: "a")
    #expect(scene.number == 2)
    scene.undo(by: "a")
    #expect(scene.number == 1 && scene.it.submitted == submitted)
    // A person who is an admin no more cannot end a time that has to be confirmed.
    scene.must(.member(.setRole(.category(1), "b", .admin)), by: "a")
    scene.complete(by: "b")
    scene.undo(by: "b")
    #expect(scene.number == 1)
    scene.must(.member(.setRole(.category(1), "b", .editor)), by: "a")
    let back = UndoTarget(
      stream: .category(1), events: [(scene.heads[.category(1)]?.seq ?? 0) - 1], seen: nil)
    #expect(scene.must(.undo(back), by: "b").skipped?.map(\.reason) == [.forbidden])
    #expect(scene.number == 1)
    // Things said of one occurrence count for no other.
    scene.complete(by: "a")
    scene.complete(by: "c")
    let seq = scene.heads[.category(1)]?.seq ?? 0
    scene.complete(by: "a")
    let late = UndoTarget(stream: .category(1), events: [seq], seen: nil)
    #expect(scene.changes(.undo(late), by: "c") == false)
  }

  @Test("others are told, and the day of whoever did it counts it")
  func told() throws {
    let stamp = Stamp(at: Timestamp(milliseconds: 5), by: "c")
    let next = Occurrence(number: 2, due: .day(Day(number: 1)), start: Day(number: 1))
    let ops: [Op] = [
      .post(.marked(9, version: 2, .submitted(stamp))),
      .post(.occurred(9, version: 3, NextOccurrence(1, .completed(stamp), next), Counters())),
    ]
    for (user, total) in [("c", 1), ("a", 0)] as [(UserID, Int)] {
      var tally = DayTally(user: user, start: Timestamp(milliseconds: 0))
      for (index, op) in ops.enumerated().reversed() {
        tally.add(
          Event(
            seq: Int64(index + 2), transaction: TransactionID(UUID(high: 1, low: 1)),
            at: Timestamp(milliseconds: 9), by: index == 0 ? "c" : "a", key: nil, ops: [op]),
          in: .category(1))
      }
      #expect(tally.total.of == total && tally.total.done == total)
    }
  }
}
