import Testing

@testable import Domain

/// Scenes with post 9 of category 1, which comes every day; post 8 is a time of it that became a post of its own.
extension Scene {
  /// Returns the commands that make a post of its own of the present time.
  fileprivate func apart(_ own: PostID) -> [Command] {
    [
      .post(.change(PostAddress(category: 1, post: 9), .copy(as: own, to: 1), ifVersion: nil)),
      .editPost(1, own, PostEdit(title: "Once", repeats: .clear), ifVersion: nil),
      .changeOccurrence(1, 9, number, .skip),
    ]
  }

  fileprivate static func apart() -> Scene {
    var scene = daily()
    scene.must(.batch(scene.apart(8)), by: "a")
    return scene
  }

  /// The number of posts on which the first time stands that may be done.
  fileprivate var timesDue: Int {
    let posts = [post(8, in: 1), post(9, in: 1)].compactMap(\.self)
    return posts.count { $0.completed == nil && $0.due == .day(Day(number: 1_000)) }
  }
}

@Suite("protocol §8 `undo`: one time apart goes back as a whole or not at all")
struct TimesApartTests {
  @Test("back, apart again, and back")
  func thereAndBack() {
    var scene = Scene.apart()
    let first = scene.number - 1
    for isApart in [false, true, false] {
      #expect(scene.undoLast().skipped == [])
      #expect((scene.post(8, in: 1) != nil) == isApart)
      #expect(scene.number == (isApart ? first + 1 : first))
      #expect(scene.timesDue == 1)
    }
  }

  @Test("A run of the time ends when it becomes a post of its own, and no undo brings it back")
  func run() {
    var scene = Scene.daily()
    let run = RunID(UUID(high: 0xA, low: 1))
    scene.must(.changeRun(1, 9, run, .start(lease: 60_000, phase: "tests")), by: "a")
    scene.must(.batch(scene.apart(8)), by: "a")
    for post in [scene.post(8, in: 1), scene.post(9, in: 1)] {
      #expect(post?.completed == nil && post?.run == nil && post?.lastRun == nil)
    }
    guard
      case .notFound("run") = scene.refusal(
        of: .changeRun(1, 9, run, .end(.ok, text: nil)), by: "a")
    else {
      Issue.record("a run that is over ends again")
      return
    }
    #expect(scene.undoLast().skipped == [])
    #expect(scene.post(8, in: 1) == nil && scene.timesDue == 1)
    #expect(scene.post(9, in: 1)?.run == nil && scene.post(9, in: 1)?.lastRun == nil)
  }

  /// The commands that happen to it, and whether the time then goes back.
  static let rows: [(what: String, commands: [Command], goes: Bool)] = [
    ("nothing", [], true),
    ("the new post is edited", [.editPost(1, 8, PostEdit(notes: "n"), ifVersion: nil)], false),
    ("the new post is done", [.completePost(1, 8, ifVersion: nil)], false),
    ("the new post is removed", [.removePost(1, 8, ifVersion: nil)], true),
    ("the new post is elsewhere", [.movePost(1, 8, to: 3)], false),
    ("the series goes on", [.changeOccurrence(1, 9, 0, .complete)], false),
    (
      "the series comes no more", [.editPost(1, 9, PostEdit(repeats: .clear), ifVersion: nil)],
      false
    ),
    ("the series is removed", [.removePost(1, 9, ifVersion: nil)], false),
    ("the series is elsewhere", [.movePost(1, 9, to: 3)], false),
    (
      "the series has another title", [.editPost(1, 9, PostEdit(title: "Other"), ifVersion: nil)],
      true
    ),
  ]

  /// Runs commands. They name the present occurrence by 0.
  private func run(_ commands: [Command], _ scene: inout Scene) {
    for command in commands {
      if case .post(.change(let post, .occurrence(0, let change), _)) = command {
        scene.must(.changeOccurrence(post.category, post.post, scene.number, change), by: "a")
      } else {
        scene.must(command, by: "a")
      }
    }
  }

  @Test("when something has happened since", arguments: rows.indices)
  func undo(index: Int) {
    let row = Self.rows[index]
    var scene = Scene.apart()
    let (event, over) = (scene.head, scene.number)
    run(row.commands, &scene)
    let before = scene.rows[.category(1)]
    let decision = scene.must(
      .undo(UndoTarget(stream: .category(1), events: [event], seen: nil)), by: "a")
    #expect(decision.changed == row.goes, "\(row.what)")
    if row.goes {
      #expect(decision.skipped == [] && scene.number == over - 1 && scene.timesDue == 1)
    } else {
      #expect(decision.skipped?.isEmpty == false && scene.rows[.category(1)] == before)
    }
  }

  @Test("apart again when something has happened since it was back")
  func redo() {
    let rows: [(commands: [Command], goes: Bool)] = [
      ([], true), ([.changeOccurrence(1, 9, 0, .complete)], false),
      ([.removePost(1, 9, ifVersion: nil)], false),
      ([.restorePost(1, 8, ifVersion: nil)], true),
      (
        [
          .restorePost(1, 8, ifVersion: nil),
          .editPost(1, 8, PostEdit(title: "Other"), ifVersion: nil),
        ], true
      ),
    ]
    for row in rows {
      var scene = Scene.apart()
      #expect(scene.undoLast().skipped == [])
      let event = scene.head
      run(row.commands, &scene)
      let decision = scene.must(
        .undo(UndoTarget(stream: .category(1), events: [event], seen: nil)), by: "a")
      #expect(decision.changed == row.goes, "\(row.commands)")
      #expect(scene.timesDue <= 1, "\(row.commands)")
    }
  }

  @Test("Nothing goes back when somebody has worked on the new post or left the time out")
  func chains() {
    let done: [(what: String, command: Command)] = [
      ("edited", .editPost(1, 8, PostEdit(title: "Other"), ifVersion: nil)),
      ("done", .completePost(1, 8, ifVersion: nil)),
    ]
    for (what, command) in done {
      var scene = Scene.apart()
      #expect(scene.undoLast().skipped == [] && scene.undoLast().skipped == [])
      let event = scene.head
      scene.must(command, by: "a")
      let decision = scene.must(
        .undo(UndoTarget(stream: .category(1), events: [event], seen: nil)), by: "a")
      #expect(!decision.changed && Set(decision.skipped?.map(\.post) ?? []) == [8, 9], "\(what)")
    }
    var scene = Scene.apart()
    #expect(scene.undoLast().skipped == [])
    let event = scene.head
    scene.must(.changeOccurrence(1, 9, scene.number, .skip), by: "a")
    let decision = scene.must(
      .undo(UndoTarget(stream: .category(1), events: [event], seen: nil)), by: "a")
    #expect(!decision.changed && scene.post(8, in: 1) == nil && scene.timesDue == 0)
  }

  @Test("Nothing that was done of another time comes along", arguments: [true, false])
  func begun(isApart: Bool) {
    var scene = Scene.daily()
    scene.must(.changeStep(1, 9, 1, .add(content: "one")), by: "a")
    scene.must(.changeStep(1, 9, 2, .add(content: "two")), by: "a")
    scene.must(
      isApart ? .batch(scene.apart(8)) : .changeOccurrence(1, 9, scene.number, .skip), by: "a")
    let first = scene.head
    var finished = scene
    finished.must(.changeOccurrence(1, 9, finished.number, .finish(1)), by: "a")
    let before = finished.rows[.category(1)]
    let undo = Command.undo(UndoTarget(stream: .category(1), events: [first], seen: nil))
    #expect(finished.must(undo, by: "a").skipped?.map(\.reason).contains(.later) == true)
    #expect(finished.rows[.category(1)] == before)
    // There again, and begun: it does not go once more.
    #expect(scene.must(undo, by: "a").skipped == [])
    let back = scene.head
    scene.must(.changeOccurrence(1, 9, scene.number, .finish(1)), by: "a")
    let begun = scene.rows[.category(1)]
    let redo = Command.undo(UndoTarget(stream: .category(1), events: [back], seen: nil))
    #expect(scene.must(redo, by: "a").skipped?.map(\.reason).contains(.later) == true)
    #expect(scene.rows[.category(1)] == begun)
  }

  @Test("a completion of before does not end what comes again since")
  func completion() {
    var scene = Scene.house()
    scene.must(
      .editPost(1, 1, PostEdit(due: .set(.day(Day(number: 1_000)))), ifVersion: nil), by: "a")
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
    #expect(scene.undoLast().skipped == [])
    let event = scene.head
    scene.must(.everyDay(1, 1), by: "a")
    let redo = Command.undo(UndoTarget(stream: .category(1), events: [event], seen: nil))
    let decision = scene.must(redo, by: "a")
    #expect(!decision.changed && decision.skipped?.map(\.reason) == [.later])
  }

  @Test("A last time does not go back when more has been done of it since")
  func lastTime() throws {
    let rows: [(confirms: Bool, mode: PostMode?, since: OccurrenceChange)] = [
      (false, nil, .finish(1)), (false, .each, .complete), (true, nil, .complete),
      (true, nil, .finish(1)),
    ]
    for row in rows {
      var scene = Scene.house()
      scene.admit("b", to: .category(1), as: .editor, by: "a", number: 901)
      let wish = Repetition(try RecurrenceRule("FREQ=DAILY;COUNT=1"), confirms: row.confirms)
      let fields = PostEdit(
        due: .set(.day(Day(number: 1_000))), repeats: .set(wish),
        mode: row.mode.map { .set($0) } ?? .keep)
      scene.must(
        .post(.add(PostAddress(category: 1, post: 9), NewPost(title: "Once", fields: fields))),
        by: "a"
      )
      for step in [1, 2] {
        scene.must(.changeStep(1, 9, StepID(step), .add(content: "s")), by: "a")
      }
      scene.must(.changeOccurrence(1, 9, 1, .completeForAll), by: "a")
      #expect(scene.post(9, in: 1)?.completed != nil)
      #expect(scene.undoLast().skipped == [])
      let event = scene.head
      scene.must(.changeOccurrence(1, 9, 1, row.since), by: "b")
      let begun = scene.post(9, in: 1)
      let redo = Command.undo(UndoTarget(stream: .category(1), events: [event], seen: nil))
      let decision = scene.must(redo, by: "a")
      #expect(!decision.changed && decision.skipped?.map(\.reason) == [.later], "\(row)")
      #expect(scene.post(9, in: 1) == begun && begun?.completed == nil)
    }
  }

  @Test("a finished step that was removed does not come back finished into another time")
  func removedStep() {
    var scene = Scene.daily()
    for step in [1, 2] { scene.must(.changeStep(1, 9, StepID(step), .add(content: "s")), by: "a") }
    scene.must(.changeOccurrence(1, 9, scene.number, .finish(1)), by: "a")
    scene.must(.changeStep(1, 9, 1, .remove), by: "a")
    let event = scene.head
    scene.must(.changeOccurrence(1, 9, scene.number, .complete), by: "a")
    scene.must(.undo(UndoTarget(stream: .category(1), events: [event], seen: nil)), by: "a")
    #expect(scene.post(9, in: 1)?.steps.allSatisfy { $0.finished == nil } == true)
    #expect(scene.post(9, in: 1)?.steps.count == 2)
  }

  @Test("Each of several in one batch goes back by itself")
  func several() {
    var scene = Scene.daily()
    var commands = scene.apart(8)
    commands += [
      .post(.change(PostAddress(category: 1, post: 9), .copy(as: 7, to: 1), ifVersion: nil)),
      .editPost(1, 7, PostEdit(repeats: .clear), ifVersion: nil),
      .changeOccurrence(1, 9, scene.number + 1, .skip),
      .post(.add(1, 6, title: "Six", notes: "")),
    ]
    scene.must(.batch(commands), by: "a")
    let event = scene.head
    let first = scene.number
    let undo = Command.undo(UndoTarget(stream: .category(1), events: [event], seen: nil))
    var whole = scene
    #expect(whole.must(undo, by: "a").skipped == [])
    #expect(whole.number == first - 2 && whole.post(8, in: 1) == nil && whole.post(7, in: 1) == nil)
    // The series has one number before and one after: with one post kept, both are; what is beside them goes.
    scene.must(.editPost(1, 7, PostEdit(notes: "n"), ifVersion: nil), by: "a")
    let decision = scene.must(undo, by: "a")
    #expect(Set((decision.skipped ?? []).compactMap(\.post)) == [7, 8, 9])
    #expect(scene.number == first && scene.post(8, in: 1) != nil && scene.post(6, in: 1) == nil)
  }

  @Test("in one undo with what came after")
  func together() {
    var scene = Scene.apart()
    let event = scene.head
    scene.must(.editPost(1, 8, PostEdit(notes: "n"), ifVersion: nil), by: "a")
    scene.must(.changeOccurrence(1, 9, scene.number, .complete), by: "a")
    let target = UndoTarget(stream: .category(1), events: [event, event + 1, event + 2], seen: nil)
    #expect(scene.must(.undo(target), by: "a").skipped == [])
    #expect(scene.post(8, in: 1) == nil && scene.timesDue == 1)
  }
}
