import Testing

@testable import Domain

private let one: CategoryID = 1

/// A row of one step after the other at post 1 of the house, by a: the command, and the ops that it writes.
private struct Row: CustomTestStringConvertible {
  let why: String
  var before: [Command] = []
  let command: Command
  let ops: [String]
  /// Each step and whether it is finished, then whether the post is completed.
  let after: String
  var testDescription: String { why }
}

private func step(_ id: StepID, _ change: StepChange, ifVersion: Int? = nil) -> Command {
  .changeStep(one, 1, id, change, ifVersion: ifVersion)
}

private let complete = Command.completePost(one, 1, ifVersion: nil)
private let reopen = Command.reopenPost(one, 1, ifVersion: nil)
private let two = [step(1, .add(content: "A")), step(2, .add(content: "B"))]

extension Post {
  /// The post as text, like `1✔ 2 open`.
  fileprivate var told: String {
    (steps.map { "\($0.id.uuid.low)\($0.finished == nil ? "" : $0.finished!.withPost ? "✚" : "✔")" }
      + [completed == nil ? "open" : "done"]).joined(separator: " ")
  }
}

extension Scene {
  /// Returns the house with the steps A and B at post 1, after these commands.
  fileprivate static func house(with commands: [Command], by user: UserID = "a") -> Scene {
    var scene = Scene.house()
    for command in commands { scene.must(command, by: user) }
    return scene
  }

  fileprivate var first: Post? { post(1, in: one) }
}

@Suite("DESIGN §3: steps") struct StepTests {
  private static let rows = [
    Row(
      why: "are added behind each other", before: [step(1, .add(content: "A"))],
      command: step(2, .add(content: "B")), ops: ["step.added"], after: "1 2 open"),
    Row(
      why: "adding one reopens a completed post with what its completion finished",
      before: two + [step(1, .complete), complete], command: step(3, .add(content: "C")),
      ops: ["step.added", "post.reopened"], after: "1✔ 2 3 open"),
    Row(
      why: "another text leaves all else", before: two + [step(1, .complete)],
      command: step(1, .edit(content: "C")), ops: ["step.edited"], after: "1✔ 2 open"),
    Row(
      why: "a text in a completed post leaves it completed", before: two + [complete],
      command: step(1, .edit(content: "C")), ops: ["step.edited"], after: "1✚ 2✚ done"),
    Row(
      why: "the removal of the last open one completes nothing",
      before: two + [step(1, .complete)], command: step(2, .remove), ops: ["step.removed"],
      after: "1✔ open"),
    Row(
      why: "the removal of all completes nothing", before: [step(1, .add(content: "A"))],
      command: step(1, .remove), ops: ["step.removed"], after: "open"),
    Row(
      why: "one moves to the end", before: two, command: step(1, .move(before: nil)),
      ops: ["step.moved"], after: "2 1 open"),
    Row(
      why: "one moves in front of another", before: two, command: step(2, .move(before: 1)),
      ops: ["step.moved"], after: "2 1 open"),
    Row(
      why: "one of two is finished", before: two, command: step(2, .complete),
      ops: ["step.completed"], after: "1 2✔ open"),
    Row(
      why: "the last one completes the post", before: two + [step(2, .complete)],
      command: step(1, .complete), ops: ["step.completed", "post.completed"], after: "1✔ 2✔ done"),
    Row(
      why: "the post's completion finishes the open ones", before: two + [step(2, .complete)],
      command: complete, ops: ["step.completed", "post.completed"], after: "1✚ 2✔ done"),
    Row(
      why: "a completion without open ones is alone",
      before: two + [
        step(1, .complete), step(2, .complete), reopen,
      ], command: complete, ops: ["post.completed"], after: "1✔ 2✔ done"),
    Row(
      why: "the post's reopening opens exactly those again",
      before: two + [step(2, .complete), complete], command: reopen, ops: ["post.reopened"],
      after: "1 2✔ open"),
    Row(
      why: "what was finished by hand stays so when the post is reopened",
      before: two + [step(1, .complete), step(2, .complete)], command: reopen,
      ops: ["post.reopened"], after: "1✔ 2✔ open"),
    Row(
      why: "one is reopened", before: two + [step(2, .complete)], command: step(2, .reopen),
      ops: ["step.reopened"], after: "1 2 open"),
    Row(
      why: "a reopened one reopens the post",
      before: two + [step(1, .complete), step(2, .complete)],
      command: step(2, .reopen), ops: ["step.reopened", "post.reopened"], after: "1✔ 2 open"),
    Row(
      why: "and with it what its completion finished",
      before: two + [step(1, .complete), complete],
      command: step(1, .reopen), ops: ["step.reopened", "post.reopened"], after: "1 2 open"),
  ]

  @Test("do what they say, and the post with them", arguments: rows)
  private func rules(row: Row) throws {
    var scene = Scene.house(with: row.before)
    let before = try #require(scene.first)
    let counters = try #require(scene.category(one)?.counters)
    let decision = scene.must(row.command, by: "a")
    let after = try #require(scene.first)
    #expect(decision.drafts.flatMap(\.ops).map(\.word) == row.ops)
    #expect(after.told == row.after)
    #expect(after.version == before.version + row.ops.count)
    #expect(decision.version == after.version && decision.number == 1)
    var expected = counters
    expected.add(before, -1)
    expected.add(after, 1)
    #expect(scene.category(one)?.counters == expected)
  }

  @Test(
    "change nothing when all is so already",
    arguments: [
      (two, step(1, .edit(content: "A"))), (two, step(2, .move(before: nil))),
      (two, step(1, .move(before: 2))), (two, step(1, .move(before: 1))), (two, step(1, .reopen)),
      (two + [step(1, .complete)], step(1, .complete)), (two + [complete], step(1, .complete)),
    ])
  func idle(before: [Command], command: Command) throws {
    var scene = Scene.house(with: before)
    let decision = try scene.decided(command, by: "a").get()
    #expect(!decision.changed)
    #expect(decision.version == scene.first?.version)
  }

  @Test(
    "are refused, each for its reason",
    arguments: [
      (step(1, .add(content: "x")), .exists(field: "step")),
      (step(9, .edit(content: "x")), .notFound("step")), (step(9, .remove), .notFound("step")),
      (step(9, .complete), .notFound("step")), (step(9, .reopen), .notFound("step")),
      (step(9, .move(before: nil)), .notFound("step")),
      (step(1, .move(before: 9)), .notFound("step")),
      (.changeStep(one, 9, 1, .complete), .notFound("post")),
      (.changeStep(one, 3, 1, .add(content: "x")), .gone("post")),
      (.changeStep(4, 1, 1, .add(content: "x")), .gone("category")),
      (.changeStep(2, 1, 1, .add(content: "x")), .notFound("category")),
    ] as [(Command, Refusal)])
  func refusals(command: Command, refusal: Refusal) {
    #expect(Scene.house(with: two).refusal(of: command, by: "a") == refusal)
  }

  @Test("are changed at the version that was seen, or not at all")
  func versions() throws {
    var scene = Scene.house(with: two)
    let post = try #require(scene.first)
    #expect(scene.refusal(of: step(1, .complete, ifVersion: 2), by: "a") == .conflict(post))
    #expect(scene.must(step(1, .complete, ifVersion: 3), by: "a").version == 4)
    // The last one takes two versions: its own, and that of the completion.
    #expect(scene.must(step(2, .complete, ifVersion: 4), by: "a").version == 6)
    #expect(scene.changes(reopen, by: "a") == true)
  }

  @Test("are finished by whom and when, of which the post's completion tells")
  func finishes() throws {
    var scene = Scene.house(with: two)
    scene.admit("b", to: .category(one), as: .doer, by: "a", number: 901)
    scene.now = Timestamp(milliseconds: 2_000_000)
    scene.must(step(1, .complete), by: "b")
    scene.now = Timestamp(milliseconds: 3_000_000)
    scene.must(complete, by: "a")
    #expect(
      scene.first?.steps.map(\.finished) == [
        StepFinish(at: Timestamp(milliseconds: 2_000_000), by: "b"),
        StepFinish(at: Timestamp(milliseconds: 3_000_000), by: "a", withPost: true),
      ])
    #expect(scene.first?.completed?.at == Timestamp(milliseconds: 3_000_000))
  }

  @Test("doers finish what is open and reopen what they finished, and never edit")
  func doers() {
    var scene = Scene.house(with: two)
    scene.admit("b", to: .category(one), as: .doer, by: "a", number: 901)
    let never = Refusal.forbidden("a doer reopens only what they completed themselves")
    scene.must(step(1, .complete), by: "a")
    #expect(scene.refusal(of: step(1, .reopen), by: "b") == never)
    scene.must(step(2, .complete), by: "b")
    #expect(scene.first?.told == "1✔ 2✔ done")
    #expect(scene.changes(step(2, .reopen), by: "b") == true)
    // A person cannot take back another's completion, not even for their own step.
    scene.must(step(2, .reopen), by: "b")
    scene.must(step(1, .reopen), by: "a")
    scene.must(step(1, .complete), by: "b")
    scene.must(complete, by: "a")
    #expect(scene.refusal(of: step(1, .reopen), by: "b") == never)
    for change: StepChange in [
      .add(content: "x"), .edit(content: "x"), .remove, .move(before: nil),
    ] {
      guard case .forbidden = scene.refusal(of: step(3, change), by: "b") else {
        Issue.record("a doer may \(change)")
        continue
      }
    }
  }

  @Test("are limited in number")
  func many() {
    var scene = Scene.house()
    for id in 1...Limits.stepsPerPostMax {
      scene.must(step(StepID(id), .add(content: "x")), by: "a")
    }
    #expect(
      scene.refusal(of: step(9_999, .add(content: "x")), by: "a")
        == .quota(limit: "steps", max: Limits.stepsPerPostMax))
    scene.must(step(1, .remove), by: "a")
    #expect(scene.changes(step(9_999, .add(content: "x")), by: "a") == true)
  }

  @Test("are limited in what they say together")
  func long() {
    var scene = Scene.house()
    let line = String(repeating: "é", count: Limits.stepScalarsMax)
    let full = Limits.stepsScalarsMax / Limits.stepScalarsMax
    let rest = Limits.stepsScalarsMax % Limits.stepScalarsMax
    for id in 1...full { scene.must(step(StepID(id), .add(content: line)), by: "a") }
    let refusal = Refusal.quota(limit: "stepsScalars", max: Limits.stepsScalarsMax)
    let over = String(repeating: "é", count: rest + 1)
    #expect(scene.refusal(of: step(500, .add(content: over)), by: "a") == refusal)
    scene.must(step(500, .add(content: String(over.dropLast()))), by: "a")
    #expect(scene.refusal(of: step(500, .edit(content: over)), by: "a") == refusal)
    // Edits that make it shorter, or no longer, need no room.
    #expect(scene.changes(step(1, .edit(content: "short")), by: "a") == true)
    #expect(scene.changes(step(1, .edit(content: String(line.dropLast()) + "x")), by: "a") == true)
  }

  @Test("reopen a post only where there is room for one more")
  func room() {
    var scene = Scene.house(with: two + [complete])
    let max = Limits.postsOpenPerCategoryMax
    scene.setCounters(of: one, to: Counters(open: max, done: 1))
    let full = Refusal.quota(limit: "postsOpen", max: max)
    #expect(scene.refusal(of: step(1, .reopen), by: "a") == full)
    #expect(scene.refusal(of: step(3, .add(content: "x")), by: "a") == full)
    #expect(scene.changes(step(1, .edit(content: "x")), by: "a") == true)
  }

  @Test("say nothing any more when the post's text is erased, until somebody writes again")
  func erased() {
    var scene = Scene.house(with: two + [step(1, .complete), .erasePost(one, 1)])
    #expect(scene.first?.steps.map(\.content) == ["", ""])
    #expect(scene.first?.told == "1✔ 2 open")
    scene.must(step(2, .complete), by: "a")
    #expect(scene.first?.erased != nil)
    scene.must(step(3, .add(content: "new")), by: "a")
    #expect(scene.first?.erased == nil && scene.first?.title == "")
    scene.must(.erasePost(one, 1), by: "a")
    #expect(scene.first?.steps.map(\.content) == ["", "", ""])
  }
}

extension StepID: ExpressibleByIntegerLiteral {
  package init(_ number: Int) { self.init(UUID(high: 0x57, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}
