import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("steps on the screen")
struct StepLinesTests {
  private let bread = Demo.post(2, "bread").id

  @Test("stand below their post, and are counted beside it")
  func tables() throws {
    let situation = Demo.withSteps(Demo.situation())
    let list = try situation.list(nil)
    #expect(
      ListLines.posts(of: list, done: false, situation).map(\.plain).contains(
        "    #2  bread  @editor  1/2 steps"))
    let post = try situation.post(2, in: list)
    #expect(
      ListLines.post(post, of: list, situation).map(\.plain) == [
        "    #2  bread  @editor  1/2 steps", "        rye", "        or oat",
        "       2.1  ✔ flour  @editor", "       2.2  salt",
      ])
    let milk = try situation.post(1, in: list)
    #expect(
      ListLines.post(milk, of: list, situation).map(\.plain) == [
        "    #1  milk", "        no steps: /step 1 TEXT adds one",
      ])
  }

  private static let rows: [(StepOp, String?)] = [
    (
      .added(Step(id: StepID(UUID(high: 6, low: 3)), content: "yeast")),
      "+ 2.3 yeast (bread, 1/3 steps in #groceries)"
    ),
    (.edited(Demo.salt, content: "sea salt"), "✎ 2.2 sea salt (bread, 1/2 steps in #groceries)"),
    (.removed(Demo.salt), "✘ salt (bread, 1/1 step in #groceries)"),
    (.moved(Demo.salt, before: Demo.flour), "✎ 2.1 salt moved (bread, 1/2 steps in #groceries)"),
    (
      .completed([Demo.salt], StepFinish(at: Demo.start, by: Demo.editor)),
      "✔ 2.2 salt (bread, 2/2 steps in #groceries)"
    ),
    // The line about the post says it.
    (.completed([Demo.salt], StepFinish(at: Demo.start, by: Demo.editor, withPost: true)), nil),
    (.reopened(Demo.flour), "↺ 2.1 flour (bread, 0/2 steps in #groceries)"),
    (.set([]), "✎ other steps (bread in #groceries)"),
  ]

  @Test("Each thing that happens to a step is a line", arguments: rows)
  private func lines(op: StepOp, expected: String?) {
    for user in [Demo.editor, Demo.author] {
      var situation = Demo.withSteps(Demo.situation())
      let applied = Demo.applied(.step(bread, version: 9, op), by: user, &situation)
      let lines = EventLines(situation: situation).lines(applied, in: .category(Demo.groceries))
      let who = user == Demo.editor ? "@editor " : ""
      #expect(lines.map(\.plain) == (expected.map { [who + $0] } ?? []))
    }
  }

  @Test("A step that is in no copy has words too")
  func unknown() {
    var situation = Demo.situation()
    let gone = Demo.post(77, "").id
    let applied = Demo.applied(
      .step(gone, version: 2, .reopened(Demo.salt)), by: Demo.editor, &situation)
    let lines = EventLines(situation: situation).lines(applied, in: .category(Demo.groceries))
    #expect(lines.map(\.plain) == ["@editor ↺ a step (a post in #groceries)"])
  }

  @Test("numbers become steps, and what is not there is told")
  func planned() throws {
    let situation = Demo.withSteps(Demo.situation())
    func command(_ action: Action) throws -> Command? {
      guard case .send(let requests) = try Planner(situation: situation).plan(action),
        case .command(let command, _, _)? = requests.first?.request
      else { return nil }
      return command
    }
    func step(_ id: StepID, _ change: StepChange) -> Command {
      .changeStep(Demo.groceries, bread, id, change)
    }
    let (first, second) = (PostNumber(2, step: 1), PostNumber(2, step: 2))
    #expect(try command(.post(.complete(nil, [second]))) == step(Demo.salt, .complete))
    #expect(try command(.post(.reopen(nil, [first]))) == step(Demo.flour, .reopen))
    #expect(try command(.post(.remove(nil, [first]))) == step(Demo.flour, .remove))
    #expect(try command(.field(.title(nil, second, "x"))) == step(Demo.salt, .edit(content: "x")))
    #expect(
      try command(.post(.move(nil, [second], .top))) == step(Demo.salt, .move(before: Demo.flour))
    )
    #expect(
      try command(.post(.move(nil, [first], .bottom))) == step(Demo.flour, .move(before: nil)))
    #expect(
      try command(.post(.move(nil, [second], .before(first))))
        == step(Demo.salt, .move(before: Demo.flour)))
    guard
      case .post(.change(_, .step(_, .add(content: "yeast")), nil)) = try command(
        .post(.addStep(nil, 2, "yeast")))
    else {
      Issue.record("no step is added")
      return
    }
    for (action, sentence) in [
      (.post(.complete(nil, [PostNumber(2, step: 3)])), "#2 has no step 2.3"),
      (.post(.move(nil, [2], .before(3))), "there is no other open #3 in #groceries"),
      (.post(.move(nil, [first], .before(1))), "1 is no step of #2"),
    ] as [(Action, String)] {
      #expect(throws: Problem(sentence)) { try Planner(situation: situation).plan(action) }
    }
  }

  @Test("posts are moved among the open ones, and shown in that order")
  func posts() throws {
    let (milk, list) = (Demo.post(1, "milk").id, Demo.groceries)
    var situation = Demo.situation()
    func command(_ number: PostNumber, _ place: MoveTarget) throws -> Command? {
      guard
        case .send(let requests) = try Planner(situation: situation).plan(
          .post(.move(nil, [number], place))),
        case .command(let command, _, _)? = requests.first?.request
      else { return nil }
      return command
    }
    #expect(try command(2, .top) == .movePost(list, bread, after: nil, before: milk))
    #expect(try command(2, .before(1)) == .movePost(list, bread, after: nil, before: milk))
    #expect(try command(1, .bottom) == .movePost(list, milk, after: bread, before: nil))
    let moved = Demo.applied(
      .post(.moved(bread, version: 2, Position("4zzz"))), by: Demo.editor, &situation)
    let lines = EventLines(situation: situation).lines(moved, in: .category(list))
    #expect(lines.map(\.plain) == ["@editor ✎ bread moved (in #groceries)"])
    #expect(situation.streams[.category(list)]?.openPosts.map(\.number) == [2, 1])
    #expect(try command(1, .bottom) == .movePost(list, milk, after: bread, before: nil))
    #expect(throws: Problem("they are in #groceries already")) {
      try command(1, .list(Reference("#groceries")))
    }
    let stamp = Stamp(at: Demo.start, by: Demo.editor)
    let left = Demo.applied(
      .post(.movedOut(bread, version: 3, stamp, Counters(open: 1, done: 0))), by: Demo.editor,
      &situation)
    #expect(
      EventLines(situation: situation).lines(left, in: .category(list)).map(\.plain)
        == ["@editor → bread (to another list, from #groceries)"])
    #expect(situation.streams[.category(list)]?.openPosts.map(\.number) == [1])
  }

  @Test("`/show 2` is the post of the open list, and the list 2 where none is open")
  func show() throws {
    let action = Action.show(.posts(Reference("2"), done: false))
    guard case .show(.post(let post, _)) = try Planner(situation: Demo.situation()).plan(action)
    else {
      Issue.record("no post is shown")
      return
    }
    #expect(post.id == bread)
    guard
      case .show(.posts(let list, done: false)) = try Planner(
        situation: Demo.situation(open: nil)
      ).plan(action)
    else {
      Issue.record("no list is shown")
      return
    }
    #expect(list.id == Demo.groceries)
  }

  @Test("scripts read them with their post")
  func json() throws {
    let situation = Demo.withSteps(Demo.situation())
    let list = try situation.list(nil)
    let text = JSONOutput.view(.post(try situation.post(2, in: list), list), situation)
    #expect(
      text.contains(
        #""steps":[{"number":1,"id":"00000000-0000-0006-0000-000000000001","content":"flour","done":true,"#
          + #""finishedBy":\#(Demo.person(Demo.editor))},{"number":2,"#
      ))
    #expect(try JSONDocument(Array(text.utf8)).root["post"]?["number"]?.int64 == 2)
  }
}
