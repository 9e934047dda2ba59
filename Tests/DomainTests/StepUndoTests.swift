import TestRandom
import Testing

@testable import Domain

private let one: CategoryID = 1

private func step(_ id: StepID, _ change: StepChange) -> Command {
  .changeStep(one, 1, id, change)
}

private let complete = Command.completePost(one, 1, ifVersion: nil)
private let reopen = Command.reopenPost(one, 1, ifVersion: nil)

/// Returns a house with b as an editor, c as a doer, and the steps A, B, C (B finished) at post 1.
private func house() -> Scene {
  var scene = Scene.house()
  scene.admit("b", to: .category(one), as: .editor, by: "a", number: 901)
  scene.admit("c", to: .category(one), as: .doer, by: "a", number: 902)
  for (id, text) in [(1, "A"), (2, "B"), (3, "C")] {
    scene.must(step(StepID(id), .add(content: text)), by: "a")
  }
  scene.must(step(2, .complete), by: "a")
  scene.now = Timestamp(milliseconds: scene.now.milliseconds + 60_000)
  return scene
}

extension Scene {
  fileprivate var first: Post { post(1, in: one)! }

  /// The post as text: `A B✔ C open`.
  fileprivate var told: String {
    let post = first
    return
      (post.steps.map { "\($0.content)\($0.finished == nil ? "" : "✔")" }
      + [post.completed == nil ? "open" : "done"]).joined(separator: " ")
  }

  /// The post 1 with nothing but content, finishes and completion.
  fileprivate var content: Post {
    var post = first
    post.version = 0
    post.updatedAt = Timestamp(milliseconds: 0)
    post.completed = post.completed.map { Completion(at: $0.at, by: $0.by, seq: 0) }
    return post
  }

  fileprivate func undo(_ events: Int64...) -> Command {
    .undo(UndoTarget(stream: .category(one), events: events, seen: nil))
  }
}

private let later = UndoSkip(stream: .category(one), post: 1, number: 1, reason: .later)

@Suite("DESIGN §4: undo of steps") struct StepUndoTests {
  @Test(
    "An undo takes each change of a step back exactly, and does it again",
    arguments: [
      [step(4, .add(content: "D"))], [step(1, .edit(content: "X"))], [step(2, .remove)],
      [step(1, .remove)], [step(3, .remove)], [step(1, .move(before: nil))],
      [step(3, .move(before: 1))], [step(1, .complete)], [step(2, .reopen)], [complete],
      [.batch([step(1, .complete), step(3, .complete)])],
      [.batch([step(2, .remove), step(3, .move(before: 1)), step(4, .add(content: "D"))])],
      [.batch([step(1, .remove), step(2, .remove), step(3, .edit(content: "x")), complete])],
      [
        .batch([
          .editPost(one, 1, PostEdit(title: "x"), ifVersion: nil), step(1, .edit(content: "x")),
        ])
      ],
    ] as [[Command]])
  func thereAndBack(commands: [Command]) {
    var scene = house()
    let before = scene.content
    for command in commands { scene.must(command, by: "a") }
    let (done, event) = (scene.content, scene.head)
    #expect(done != before)
    let undone = scene.must(scene.undo(event), by: "a")
    #expect(undone.skipped == [])
    #expect(scene.content == before)
    #expect(scene.must(scene.undo(event + 1), by: "a").skipped == [])
    #expect(scene.content == done)
    #expect(scene.first.settled == scene.first)
  }

  @Test(
    "An undo in a completed post takes back what reopened it",
    arguments: [
      step(4, .add(content: "D")), step(1, .reopen), step(2, .reopen), reopen,
    ])
  func ofCompleted(command: Command) {
    var scene = house()
    scene.must(complete, by: "a")
    let before = scene.content
    scene.must(command, by: "a")
    #expect(scene.first.completed == nil)
    let undone = scene.must(scene.undo(scene.head), by: "a")
    #expect(undone.skipped == [])
    #expect(scene.content == before)
    #expect(scene.category(one)?.counters == Counters(open: 0, done: 2))
  }

  @Test("An undo leaves what somebody has set since: each step is a field by itself")
  func fieldByField() {
    var scene = house()
    scene.must(
      .batch([step(1, .edit(content: "A1")), step(2, .edit(content: "B1")), step(1, .complete)]),
      by: "a")
    let event = scene.head
    scene.must(step(1, .edit(content: "A2")), by: "b")
    let undone = scene.must(scene.undo(event), by: "a")
    #expect(undone.skipped == [later])
    #expect(scene.told == "A2 B✔ C open")
  }

  @Test("An undo removes an added step only if nothing has happened to it")
  func added() {
    var scene = house()
    scene.must(step(4, .add(content: "D")), by: "a")
    let event = scene.head
    scene.must(step(4, .complete), by: "b")
    #expect(scene.must(scene.undo(event), by: "a").skipped == [later])
    scene.must(step(4, .reopen), by: "b")
    #expect(scene.must(scene.undo(event), by: "a").skipped == [])
    #expect(scene.told == "A B✔ C open")
  }

  @Test("An undo brings a removed step back in its place between those of now")
  func removed() {
    var scene = house()
    scene.must(step(2, .remove), by: "a")
    let event = scene.head
    scene.must(step(4, .add(content: "D")), by: "b")
    scene.must(step(4, .move(before: 3)), by: "b")
    scene.must(step(1, .remove), by: "b")
    #expect(scene.must(scene.undo(event), by: "a").skipped == [])
    #expect(scene.told == "B✔ D C open")
  }

  @Test("An undo leaves an order that somebody has changed since")
  func order() {
    var scene = house()
    scene.must(step(1, .move(before: nil)), by: "a")
    let event = scene.head
    scene.must(step(4, .add(content: "D")), by: "b")
    var same = scene
    same.must(same.undo(event), by: "a")
    #expect(same.told == "A B✔ C D open")
    scene.must(step(3, .move(before: 2)), by: "b")
    #expect(scene.must(scene.undo(event), by: "a").skipped == [later])
    #expect(scene.told == "C B✔ A D open")
  }

  @Test("An undo of a finish reopens the post that others have completed since")
  func reopens() {
    var scene = house()
    scene.must(step(1, .complete), by: "a")
    let event = scene.head
    scene.must(complete, by: "b")
    #expect(scene.told == "A✔ B✔ C✔ done")
    let undone = scene.must(scene.undo(event), by: "a")
    #expect(undone.skipped == [])
    #expect(scene.told == "A B✔ C open")
    #expect(scene.category(one)?.counters == Counters(open: 1, done: 1))
  }

  @Test("An undo completes no post in which a step is open now, and says so")
  func staysOpen() {
    var scene = house()
    scene.must(complete, by: "a")
    scene.must(reopen, by: "a")
    let event = scene.head
    scene.must(step(4, .add(content: "D")), by: "b")
    let undone = scene.must(scene.undo(event), by: "a")
    #expect(!undone.changed && undone.skipped == [later])
    #expect(scene.told == "A B✔ C D open")
  }

  @Test("An undo brings no erased text back")
  func erased() {
    var scene = house()
    scene.must(step(1, .remove), by: "a")
    let removal = scene.head
    scene.must(step(2, .edit(content: "B1")), by: "a")
    let edit = scene.head
    scene.must(.erasePost(one, 1), by: "a")
    // This does to the past what the store does.
    var wiped = scene
    wiped.wipe(1, in: one)
    #expect(wiped.must(wiped.undo(removal), by: "a").skipped == [])
    #expect(wiped.first.steps.map(\.id) == [2, 3])
    wiped.must(step(2, .edit(content: "new")), by: "a")
    wiped.must(wiped.undo(edit), by: "a")
    #expect(wiped.first.step(2)?.content == "new")
  }

  @Test("is judged by the role: a doer takes back what they finished, and nothing else")
  func doers() {
    var scene = house()
    scene.must(step(1, .complete), by: "c")
    let own = scene.head
    #expect(scene.changes(scene.undo(own), by: "c") == true)
    scene.must(step(1, .reopen), by: "a")
    scene.must(step(1, .complete), by: "a")
    #expect(scene.must(scene.undo(own), by: "c").skipped == [later])
    scene.must(step(3, .complete), by: "c")
    let last = scene.head
    #expect(scene.told == "A✔ B✔ C✔ done")
    scene.must(scene.undo(last), by: "c")
    #expect(scene.told == "A✔ B✔ C open")
  }

  @Test("finds room for what comes back, or is refused")
  func room() {
    var scene = house()
    scene.must(step(1, .remove), by: "a")
    let removal = scene.head
    for id in 10..<(10 + Limits.stepsPerPostMax - 2) {
      scene.must(step(StepID(id), .add(content: "x")), by: "a")
    }
    #expect(
      scene.refusal(of: scene.undo(removal), by: "a")
        == .quota(limit: "steps", max: Limits.stepsPerPostMax))
  }

  @Test("Undos of a random day leave nothing of it", arguments: 0..<24)
  func randomDays(seed: UInt64) {
    var scene = house()
    let (before, first) = (scene.content, scene.head + 1)
    var random = SeededRandom(seed: seed)
    var next = 10
    for _ in 0..<30 {
      let known = scene.first.steps.map(\.id)
      let id = known.randomElement(using: &random) ?? 1
      let change: StepChange
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1: change = .add(content: "s\(next)")
      case 2: change = .edit(content: "t\(Int.random(in: 0..<3, using: &random))")
      case 3: change = .remove
      case 4: change = .move(before: known.randomElement(using: &random))
      case 5, 6: change = .complete
      case 7: change = .reopen
      default:
        _ = scene.run(Bool.random(using: &random) ? complete : reopen, by: "a")
        continue
      }
      next += 1
      if case .add = change {
        _ = scene.run(step(StepID(next), change), by: "a")
      } else {
        _ = scene.run(step(id, change), by: "a")
      }
      #expect(scene.first.completed == nil || scene.first.openSteps.isEmpty, "seed \(seed)")
    }
    guard scene.head >= first else { return }
    let events = Array(first...scene.head)
    let all = UndoTarget(stream: .category(one), events: events, seen: nil)
    #expect(scene.must(.undo(all), by: "a").skipped == [], "seed \(seed)")
    #expect(scene.content == before, "seed \(seed)")
    scene.expectSame()
  }
}

extension Scene {
  /// Expects that the events of category 1, applied to nothing, make its state (P6).
  fileprivate func expectSame() {
    var state = StreamState(stream: .category(one))
    for event in events[.category(one)] ?? [] { _ = state.apply(event) }
    #expect(state == states[.category(one)])
  }
}
