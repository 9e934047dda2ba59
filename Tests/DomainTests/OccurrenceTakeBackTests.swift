import Calendar
import Testing

@testable import Domain

extension Scene {
  /// Returns a scene with post 9 of category 1, daily from a day of 1972 on: a is the owner, b an editor, c and d are
  /// doers.
  fileprivate static func shared(
    _ mode: PostMode? = nil, steps: Int = 0, rotation: Rotation? = nil, confirms: Bool = false
  ) throws -> Scene {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 901)
    scene.admit("c", to: .category(1), as: .doer, by: "a", number: 902)
    scene.admit("d", to: .category(1), as: .doer, by: "a", number: 903)
    let wish = Repetition(
      try RecurrenceRule("FREQ=DAILY"), missed: .kept, rotation: rotation, confirms: confirms)
    let fields = PostEdit(
      due: .set(.day(Day(number: 1_000))), repeats: .set(wish),
      mode: mode.map { .set($0) } ?? .keep)
    scene.must(
      .post(.add(PostAddress(category: 1, post: 9), NewPost(title: "Dishes", fields: fields))),
      by: "a"
    )
    for step in 0..<steps {
      scene.must(.changeStep(1, 9, StepID(step + 1), .add(content: "s")), by: "a")
    }
    for user: UserID in rotation == nil ? [] : ["b", "c", "d"] {
      scene.must(.post(.change(1, 9, .assign(user))), by: "a")
    }
    return scene
  }

  fileprivate var it: Post? { post(9, in: 1) }

  fileprivate mutating func complete(_ step: StepID? = nil, by user: UserID) {
    must(.changeOccurrence(1, 9, number, step.map { .finish($0) } ?? .complete), by: user)
  }

  fileprivate func takeBack(_ event: Int64) -> Command {
    .post(.change(1, 9, .takeBack(event: event)))
  }

  fileprivate var counters: Counters? {
    guard case .category(let it)? = states[.category(1)]?.object(.category, CategoryID(1).uuid)
    else { return nil }
    return it.counters
  }
}

/// Returns everything that a person sees of a post but its version and the numbers that it has given.
private func seen(_ post: Post?) -> Post? {
  var post = post
  post?.version = 0
  post?.updatedAt = Timestamp(milliseconds: 0)
  post?.lastOccurrence = 0
  return post
}

@Suite("protocol §8 `post.take_back`: the last time that was completed is taken back")
struct OccurrenceTakeBackTests {
  /// The kinds of completing.
  enum Kind: CaseIterable {
    case whole, lastStep, lastPart, forAll, rotating, confirmed, begun
  }

  /// Returns a scene in which c completes the occurrence, or the rest of it.
  private func scene(_ kind: Kind) throws -> (Scene, complete: (inout Scene) -> Void) {
    switch kind {
    case .whole: return (try .shared(), { $0.complete(by: "c") })
    case .begun:
      var scene = try Scene.shared(steps: 2)
      scene.complete(1, by: "b")
      return (scene, { $0.complete(by: "c") })
    case .lastStep:
      var scene = try Scene.shared(steps: 2)
      scene.complete(1, by: "b")
      return (scene, { $0.complete(2, by: "c") })
    case .lastPart:
      var scene = try Scene.shared(.each)
      for user: UserID in ["a", "b", "d"] { scene.complete(by: user) }
      return (scene, { $0.complete(by: "c") })
    case .forAll:
      var scene = try Scene.shared(.each)
      scene.complete(by: "c")
      return (scene, { $0.must(.changeOccurrence(1, 9, $0.number, .completeForAll), by: "b") })
    case .rotating:
      var scene = try Scene.shared(rotation: .least)
      scene.complete(by: "b")
      return (scene, { $0.complete(by: "c") })
    case .confirmed:
      var scene = try Scene.shared(confirms: true)
      scene.complete(by: "c")
      return (scene, { $0.complete(by: "a") })
    }
  }

  @Test("due, steps, parts, turns, counters and scores are as before", arguments: Kind.allCases)
  func asBefore(kind: Kind) throws {
    var (scene, complete) = try scene(kind)
    let (before, counters, scores) = (scene.it, scene.counters, scene.scores)
    let given = before?.lastOccurrence ?? 0
    complete(&scene)
    #expect(seen(scene.it) != seen(before) && scene.number > given)
    let ended = scene.head
    let decision = scene.must(scene.takeBack(ended), by: "b")
    #expect(seen(scene.it) == seen(before))
    #expect(scene.counters == counters && scene.scores == scores)
    #expect(decision.drafts.map(\.undoes) == [[ended]])
    #expect(decision.version == scene.it?.version)
    // Once more, it is so already; and the next completion has a number of its own.
    #expect(scene.changes(scene.takeBack(ended), by: "b") == false)
    complete(&scene)
    #expect(scene.number > given + 1)
    #expect(scene.scores.values.reduce(0, +) == scores.values.reduce(0, +) + 1)
  }

  @Test("editors take back anybody's, doers what they completed or submitted, others nothing")
  func rights() throws {
    var scene = try Scene.shared()
    scene.complete(by: "c")
    let ended = scene.head
    for user: UserID in ["a", "b", "c"] {
      #expect(scene.changes(scene.takeBack(ended), by: user) == true)
    }
    #expect(
      scene.refusal(of: scene.takeBack(ended), by: "d")
        == .forbidden("a doer takes back only what they completed themselves"))
    // It has become somebody else's work.
    scene.must(.post(.change(1, 9, .assign("d"))), by: "a")
    guard case .forbidden? = scene.refusal(of: scene.takeBack(ended), by: "c") else {
      Issue.record("a doer takes back what is others' work")
      return
    }
    scene.must(.member(.setRole(.category(1), "c", .commenter)), by: "a")
    guard case .forbidden? = scene.refusal(of: scene.takeBack(ended), by: "c") else {
      Issue.record("a commenter takes back")
      return
    }
    var confirmed = try Scene.shared(confirms: true)
    confirmed.complete(by: "c")
    confirmed.complete(by: "a")
    #expect(confirmed.changes(confirmed.takeBack(confirmed.head), by: "c") == true)
    #expect(confirmed.changes(confirmed.takeBack(confirmed.head), by: "d") == nil)
  }

  static let changes: [(what: String, [Command], field: String)] = [
    (
      "moved for this once",
      [.editPost(1, 9, PostEdit(due: .set(.day(Day(number: 2_000)))), ifVersion: nil)], "due"
    ),
    ("another was left out", [.changeOccurrence(1, 9, 2, .skip)], "recurrence"),
    ("another was completed", [.changeOccurrence(1, 9, 2, .complete)], "recurrence"),
    ("it comes in another way", [.everyDay(1, 9)], "recurrence"),
    (
      "it comes no more", [.editPost(1, 9, PostEdit(repeats: .clear), ifVersion: nil)], "recurrence"
    ),
    ("a step was done", [.changeOccurrence(1, 9, 2, .finish(1))], "steps"),
    ("a step is gone", [.changeStep(1, 9, 1, .remove)], "steps"),
  ]

  @Test("The answer says what was changed since, and nothing goes back", arguments: changes)
  func overlap(what: String, commands: [Command], field: String) throws {
    var scene = try Scene.shared(steps: 2)
    scene.complete(1, by: "c")
    scene.complete(2, by: "c")
    let ended = scene.head
    #expect(scene.number == 2)
    for command in commands { scene.must(command, by: "a") }
    guard case .overlap(let post, let found)? = scene.refusal(of: scene.takeBack(ended), by: "a")
    else {
      Issue.record("\(what): nothing is refused")
      return
    }
    #expect(found == field && post == scene.it)
  }

  @Test("a part that was done since, and what was done for good, is said")
  func partsAndEnd() throws {
    var scene = try Scene.shared(.each)
    for user: UserID in ["a", "b", "c", "d"] { scene.complete(by: user) }
    let ended = scene.head
    scene.complete(by: "b")
    #expect(scene.overlap(ended) == "parts")
    var last = try Scene.shared()
    let twice = Repetition(try RecurrenceRule("FREQ=DAILY;COUNT=2"), missed: .kept)
    last.must(.editPost(1, 9, PostEdit(repeats: .set(twice)), ifVersion: nil), by: "a")
    last.complete(by: "c")
    let first = last.head
    last.complete(by: "c")
    #expect(last.overlap(first) == "completed")
    // Reopened, it is at its last time again, and the one before it can go back as well.
    last.must(.reopenPost(1, 9, ifVersion: nil), by: "c")
    #expect(last.changes(last.takeBack(first), by: "c") == true)
  }

  @Test("whatever else people have set meanwhile stays")
  func besides() throws {
    var scene = try Scene.shared(steps: 2)
    scene.complete(by: "c")
    let ended = scene.head
    scene.must(
      .editPost(1, 9, PostEdit(title: "Plates", priority: .set(.high)), ifVersion: nil), by: "b")
    scene.must(.changeStep(1, 9, 3, .add(content: "new")), by: "b")
    scene.must(.post(.change(1, 9, .assign("d"))), by: "a")
    scene.must(scene.takeBack(ended), by: "b")
    #expect(scene.it?.title == "Plates" && scene.it?.priority == .high)
    #expect(scene.it?.steps.map(\.id) == [1, 2, 3])
    #expect(scene.it?.assignees.map(\.user) == ["d"])
    #expect(scene.it?.due == .day(Day(number: 1_000)))
  }

  @Test("Only this occurrence of a batch goes back, and its event takes back nothing else")
  func batch() throws {
    var scene = try Scene.shared(steps: 1)
    let commands: [Command] = [
      .editPost(1, 9, PostEdit(title: "Plates"), ifVersion: nil),
      .changeOccurrence(1, 9, scene.number, .finish(1)),
      .completePost(1, 1, ifVersion: nil),
    ]
    scene.must(.batch(commands), by: "b")
    let ended = scene.head
    let decision = scene.must(scene.takeBack(ended), by: "a")
    #expect(decision.drafts.map(\.undoes) == [[]])
    #expect(scene.it?.title == "Plates" && scene.it?.openSteps == [1])
    #expect(scene.it?.due == .day(Day(number: 1_000)))
    #expect(scene.post(1, in: 1)?.completed != nil)
  }

  @Test("an event that completed nothing of this post is none that there is")
  func unknown() throws {
    var scene = try Scene.shared()
    scene.must(.changeOccurrence(1, 9, scene.number, .skip), by: "a")
    for event in [1, scene.head - 1, scene.head, scene.head + 1] {
      #expect(scene.refusal(of: scene.takeBack(event), by: "a") == .notFound("event"))
    }
    scene.complete(by: "c")
    let other = Command.post(.change(1, 1, .takeBack(event: scene.head)))
    #expect(scene.refusal(of: other, by: "a") == .notFound("event"))
  }

  @Test("an undo of it does it again, for whoever completed it then")
  func redo() throws {
    var scene = try Scene.shared()
    scene.complete(by: "c")
    let (done, scores) = (scene.it, scene.scores)
    scene.must(scene.takeBack(scene.head), by: "c")
    scene.undoLast(by: "c")
    #expect(scene.it?.due == done?.due && scene.it?.occurrence?.last?.by == "c")
    #expect(scene.scores == scores)
  }
}

extension Scene {
  fileprivate func overlap(_ event: Int64) -> String? {
    guard case .overlap(_, let field)? = refusal(of: takeBack(event), by: "a") else { return nil }
    return field
  }
}
