import Calendar
import Testing

@testable import Domain

private let day = Day(number: 20_781)
private let over = Timestamp(milliseconds: Int64(day.number + 1) * 86_400_000)

extension Timestamp {
  fileprivate func adding(hours: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds + hours * 3_600_000)
  }
}

extension Scene {
  /// Returns the house with post 1 due on the day.
  fileprivate static func due() -> Scene {
    var scene = Scene.house()
    scene.must(.editPost(1, 1, PostEdit(due: .set(.day(day))), ifVersion: nil), by: "a")
    scene.now = over
    return scene
  }

  /// Writes as the system does; nil when there is nothing to write.
  @discardableResult
  fileprivate mutating func tell(
    _ post: PostID = 1, _ deadline: Timestamp = over, wasTold: Bool = false
  ) -> [Op]? {
    let now = now
    let draft = answered { world throws(Halt) in
      try becomeOverdue(
        [Deadline(post: post, at: deadline, wasTold: wasTold)], in: 1, at: now, .system,
        in: &world)
    }
    return carryOut(draft)
  }

  @discardableResult
  fileprivate mutating func takeBack(_ post: PostID = 1) -> [Op]? {
    carryOut(
      answered { world throws(Halt) in
        try takeBackOverdue([post], in: 1, .system, in: &world)
      })
  }

  private mutating func carryOut(_ draft: Result<Draft?, Refusal>) -> [Op]? {
    guard case .success(let draft?) = draft else { return nil }
    carryOut(Decision(drafts: [draft]), by: "a")
    return draft.ops
  }

  fileprivate var counters: Counters? { category(1)?.counters }
}

@Suite("protocol §5.8: posts become overdue at their deadlines") struct OverdueTests {
  @Test("a post becomes overdue at its deadline, and no version comes of it")
  func becomes() {
    var scene = Scene.due()
    let before = scene.post(1, in: 1)
    scene.now = Timestamp(milliseconds: over.milliseconds - 1)
    let answer1 = scene.tell()
    #expect(answer1 == nil, "too early")
    scene.now = over
    let answer2 = scene.tell()
    #expect(answer2 == [.post(.overdue(1, .became(over), Counters(open: 1, done: 1, overdue: 1)))])
    var after = before
    after?.overdue = over
    #expect(scene.post(1, in: 1) == after)
    #expect(scene.counters == Counters(open: 1, done: 1, overdue: 1))
    let answer3 = scene.tell()
    #expect(answer3 == nil, "told already")
    scene.must(.editPost(1, 1, PostEdit(title: "x"), ifVersion: before?.version), by: "a")
  }

  @Test("Deadlines that are over are not told")
  func overtaken() {
    let rows: [(Command, String)] = [
      (.completePost(1, 1, ifVersion: nil), "completed"),
      (.removePost(1, 1, ifVersion: nil), "removed"),
      (.editPost(1, 1, PostEdit(due: .clear), ifVersion: nil), "cleared"),
      (.editPost(1, 1, PostEdit(due: .set(.day(day.adding(days: -1)))), ifVersion: nil), "earlier"),
      (.category(.edit(1, CategoryEdit(zone: "Etc/GMT-1"))), "another zone"),
      (.category(.remove(1)), "the list is removed"),
      (.category(.archive(1)), "the list is archived"),
    ]
    for (command, row) in rows {
      var scene = Scene.due()
      scene.must(command, by: "a")
      let answer4 = scene.tell()
      #expect(answer4 == nil, "\(row)")
      #expect(scene.counters?.overdue == 0, "\(row)")
    }
  }

  /// Each row comes on top of those before it. The post is overdue at the beginning. A removed post is in no state.
  @Test("the badge counts what is open and overdue")
  func badge() {
    var scene = Scene.due()
    scene.tell()
    let tomorrow = PostEdit(due: .set(.day(day.adding(days: 5))))
    let rows: [(Command, Counters, Timestamp?)] = [
      (
        .editPost(1, 1, PostEdit(title: "t"), ifVersion: nil),
        Counters(open: 1, done: 1, overdue: 1), over
      ),
      (.completePost(1, 1, ifVersion: nil), Counters(done: 2), over),
      (.reopenPost(1, 1, ifVersion: nil), Counters(open: 1, done: 1, overdue: 1), over),
      (.removePost(1, 1, ifVersion: nil), Counters(done: 1), nil),
      (.restorePost(1, 1, ifVersion: nil), Counters(open: 1, done: 1, overdue: 1), over),
      (.changeStep(1, 1, 1, .add(content: "s")), Counters(open: 1, done: 1, overdue: 1), over),
      (.changeStep(1, 1, 1, .complete), Counters(done: 2), over),
      (.changeStep(1, 1, 1, .reopen), Counters(open: 1, done: 1, overdue: 1), over),
      (.editPost(1, 1, tomorrow, ifVersion: nil), Counters(open: 1, done: 1), nil),
    ]
    for (command, counters, overdue) in rows {
      scene.must(command, by: "a")
      #expect(scene.counters == counters, "\(command)")
      #expect(scene.post(1, in: 1)?.overdue == overdue, "\(command)")
    }
    let back = PostEdit(due: .set(.day(day)))
    scene.must(.editPost(1, 1, back, ifVersion: nil), by: "a")
    let answer5 = scene.tell(wasTold: true)
    #expect(
      answer5 == [
        .post(.overdue(1, .again(over), Counters(open: 1, done: 1, overdue: 1)))
      ])
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
    scene.must(.editPost(1, 1, PostEdit(due: .clear), ifVersion: nil), by: "a")
    #expect(scene.counters == Counters(done: 2))
    #expect(scene.post(1, in: 1)?.overdue == nil)
  }

  @Test("another zone takes back what is not so, and tells anew what is")
  func zones() {
    var scene = Scene.due()
    scene.tell()
    let answer6 = scene.takeBack()
    #expect(answer6 == nil, "nothing has changed")
    scene.must(.category(.edit(1, CategoryEdit(zone: "Etc/GMT+2"))), by: "a")
    scene.must(.category(.archive(1)), by: "a")
    let archived = scene.takeBack()
    #expect(archived == nil, "in an archived list nothing changes")
    scene.must(.category(.unarchive(1)), by: "a")
    let answer7 = scene.takeBack()
    #expect(answer7 == [.post(.overdue(1, .taken, Counters(open: 1, done: 1)))])
    let answer8 = scene.takeBack()
    #expect(answer8 == nil)
    let later = over.adding(hours: 2)
    let answer9 = scene.tell(1, later)
    #expect(answer9 == nil, "not yet")
    scene.now = later
    let answer10 = scene.tell(1, over)
    #expect(answer10 == nil, "the old deadline")
    let answer11 = scene.tell(1, later)
    #expect(answer11 != nil)
  }

  @Test("an undo takes back the due with what came of it, and fires nothing")
  func undo() {
    var scene = Scene.due()
    scene.tell()
    let content = scene.post(1, in: 1)
    scene.must(
      .editPost(1, 1, PostEdit(title: "x", due: .set(.day(day.adding(days: 3)))), ifVersion: nil),
      by: "a")
    let edited = Int64(scene.events[.category(1)]?.count ?? 0)
    scene.must(.undo(UndoTarget(stream: .category(1), events: [edited], seen: nil)), by: "a")
    #expect(scene.post(1, in: 1)?.due == content?.due)
    #expect(scene.post(1, in: 1)?.overdue == nil, "that is told again, as `again`")
    #expect(scene.counters == Counters(open: 1, done: 1))
    scene.tell(wasTold: true)
    let told = Int64(scene.events[.category(1)]?.count ?? 0)
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
    scene.must(.undo(UndoTarget(stream: .category(1), events: [told + 1], seen: nil)), by: "a")
    #expect(scene.counters == Counters(open: 1, done: 1, overdue: 1))
    #expect(scene.post(1, in: 1)?.overdue == over)
    // The due itself goes back, and with it that it is over.
    let set = Int64((scene.events[.category(1)] ?? []).first { $0.sets(due: .day(day)) }?.seq ?? 0)
    scene.must(.undo(UndoTarget(stream: .category(1), events: [set], seen: nil)), by: "a")
    #expect(scene.post(1, in: 1)?.due == nil)
    #expect(scene.counters == Counters(open: 1, done: 1))
  }
}

extension Event {
  fileprivate func sets(due: Due) -> Bool {
    ops.contains { op in
      guard case .post(.edited(_, _, let edit)) = op else { return false }
      return edit.due == .set(due)
    }
  }
}
