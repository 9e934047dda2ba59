import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("posts that everybody completes for themselves, as the terminal tells it")
struct PartLinesTests {
  private let milk = Demo.post(1, "").id
  private let bread = Demo.post(2, "").id

  private func situation(done: [UserID]) -> Situation {
    var situation = Demo.situation()
    for op: Op in [.post(.edited(milk, version: 2, PostEdit(mode: .set(.each))))]
      + done.map({ .post(.marked(milk, version: 3, .partCompleted($0))) })
    { _ = Demo.applied(op, by: Demo.editor, &situation) }
    return situation
  }

  @Test("how many have completed it stands behind it, and whether one has oneself")
  func chips() throws {
    for (done, shown) in [
      ([], "milk  each 0/2"), ([Demo.editor], "milk  each 1/2"),
      ([Demo.author, Demo.editor], "milk  each 2/2, yours ✔"),
    ] as [([UserID], String)] {
      let situation = situation(done: done)
      let list = try #require(situation.openList)
      let rows = ListLines.posts(of: list, done: false, situation).map(\.plain)
      #expect(rows.contains { $0.hasSuffix(shown) }, "\(rows)")
      let json = JSONOutput.view(.posts(list, done: false), situation)
      let names = done.map(Demo.person)
      #expect(json.contains(#""mode":"each","doneBy":[\#(names.joined(separator: ","))]"#))
    }
  }

  @Test("The post by itself shows by names who has done their part and who has not")
  func names() throws {
    for (done, shown) in [
      ([], ["not yet: you, @editor"]), ([Demo.editor], ["done: @editor", "not yet: you"]),
      ([Demo.author, Demo.editor], ["done: you, @editor"]),
    ] as [([UserID], [String])] {
      let situation = situation(done: done)
      let list = try #require(situation.openList)
      let post = try #require(situation.streams[.category(list.id)]?.post(milk))
      let lines = ListLines.post(post, of: list, situation).map(\.plain)
      #expect(lines.suffix(shown.count) == shown.map { "        " + $0 }[...], "\(lines)")
    }
    let bread = try #require(Demo.situation().streams[.category(Demo.groceries)]?.post(bread))
    let list = try #require(Demo.situation().openList)
    let lines = ListLines.post(bread, of: list, Demo.situation()).map(\.plain)
    #expect(!lines.contains { $0.contains("not yet:") }, "only posts that are for each have parts")
  }

  @Test("a part is told with how many are done by now")
  func lines() {
    for (user, op, line) in [
      (
        Demo.editor, .post(.marked(milk, version: 3, .partCompleted(Demo.editor))),
        "@editor ✔ milk: own part (1/2 in #groceries)"
      ),
      (
        Demo.author, .post(.marked(milk, version: 3, .partCompleted(Demo.author))),
        "✔ milk: own part (1/2 in #groceries)"
      ),
      (
        Demo.author, .post(.marked(milk, version: 3, .partCompleted(Demo.editor))),
        "✔ milk: the part of @editor (1/2 in #groceries)"
      ),
      (
        Demo.editor, .post(.marked(milk, version: 3, .partReopened(Demo.editor))),
        "@editor ↺ milk: own part (0/2 in #groceries)"
      ),
      (
        Demo.editor, .post(.edited(milk, version: 3, PostEdit(mode: .clear))),
        "@editor ✎ milk: one for all (in #groceries)"
      ),
    ] as [(UserID, Op, String)] {
      var situation = situation(done: [])
      let applied = Demo.applied(op, by: user, &situation)
      let lines = EventLines(situation: situation).lines(
        applied, in: .category(Demo.groceries))
      #expect(lines.map(\.plain) == [line])
    }
  }

  @Test("the last one is told as such, though of the next time nothing is done")
  func last() {
    var situation = situation(done: [])
    let stamp = Stamp(at: Demo.start, by: Demo.editor)
    let next = Occurrence(number: 2, due: .day(Day(number: 20_001)), start: Day(number: 20_000))
    let applied = Demo.applied(
      [
        .post(.marked(milk, version: 3, .partCompleted(Demo.editor))),
        .post(.occurred(milk, version: 4, NextOccurrence(1, .completed(stamp), next), Counters())),
      ], by: Demo.editor, &situation)
    for (isHistory, sum) in [(false, "2/2 in #groceries"), (true, "in #groceries")] {
      let lines = EventLines(situation: situation, past: isHistory ? [] : nil).lines(
        applied, in: .category(Demo.groceries))
      #expect(lines.first?.plain == "@editor ✔ milk: own part (\(sum))")
    }
  }

  @Test(
    "A role that completes nothing, and any other word, is no value",
    arguments: [
      "viewer", "viewers", "commenter", "doer editor", "doerss", "everybody",
    ])
  func wrong(word: String) {
    if case .action = Input(command: "each 1 \(word)") { Issue.record("/each takes \(word)") }
  }

  @Test("A post for one role says so, counts its people and names them")
  func roles() throws {
    for (role, done, chip, names) in [
      (.editor, [], "milk  for each editor 0/1", ["not yet: @editor"]),
      (.editor, [Demo.editor], "milk  for each editor 1/1", ["done: @editor"]),
      (.editor, [Demo.author], "milk  for each editor 0/1", ["not yet: @editor"]),
      (.owner, [Demo.author], "milk  for each owner 1/1, yours ✔", ["done: you"]),
      (.admin, [], "milk  for each admin 0/0", []),
    ] as [(Role, [UserID], String, [String])] {
      var situation = situation(done: done)
      let edit = PostEdit(modeRole: .set(role))
      _ = Demo.applied(.post(.edited(milk, version: 9, edit)), by: Demo.editor, &situation)
      let list = try #require(situation.openList)
      let post = try #require(situation.streams[.category(list.id)]?.post(milk))
      let lines = ListLines.post(post, of: list, situation).map(\.plain)
      #expect(lines[0].hasSuffix(chip), "\(lines)")
      #expect(lines.suffix(names.count) == names.map { "        " + $0 }[...], "\(lines)")
      let json = JSONOutput.view(.posts(list, done: false), situation)
      #expect(json.contains(#""mode":"each","modeRole":"\#(role.word)","doneBy":["#))
    }
  }

  @Test("A post for one role that was given to somebody is theirs, whatever their role")
  func assigned() throws {
    var situation = situation(done: [])
    for op: Op in [
      .post(.edited(milk, version: 3, PostEdit(modeRole: .set(.editor)))),
      .post(.marked(milk, version: 4, .assigned(Demo.author))),
    ] { _ = Demo.applied(op, by: Demo.editor, &situation) }
    let list = try #require(situation.openList)
    let post = try #require(situation.streams[.category(list.id)]?.post(milk))
    let lines = ListLines.post(post, of: list, situation).map(\.plain)
    #expect(lines[0].contains("  each 0/1") && lines.last == "        not yet: you", "\(lines)")
  }

  @Test("An edit says whom the post is for now")
  func words() {
    for (edit, words) in [
      (PostEdit(mode: .set(.each), modeRole: .set(.doer)), "for each doer"),
      (PostEdit(modeRole: .set(.owner)), "for each owner"),
      (PostEdit(modeRole: .clear), "each for themselves"),
      (PostEdit(mode: .set(.each)), "each for themselves"),
      (PostEdit(mode: .clear, modeRole: .clear), "one for all"), (PostEdit(), nil),
    ] as [(PostEdit, Phrase?)] {
      #expect(PostChips.whom(edit) == words)
    }
  }

  @Test("/each sets it, /done is about one's own part")
  func commands() throws {
    for (line, edit) in [
      ("each 1 all", PostEdit(mode: .set(.each), modeRole: .clear)),
      ("each #groceries 1 off", PostEdit(mode: .clear)),
      ("each 1 doer", PostEdit(mode: .set(.each), modeRole: .set(.doer))),
      ("each 1 doers", PostEdit(mode: .set(.each), modeRole: .set(.doer))),
      ("each #groceries #1 Editors", PostEdit(mode: .set(.each), modeRole: .set(.editor))),
      ("each 1 admin", PostEdit(mode: .set(.each), modeRole: .set(.admin))),
      ("each 1 owners", PostEdit(mode: .set(.each), modeRole: .set(.owner))),
    ] {
      guard case .action(let action) = Input(command: line),
        case .send(let requests) = try Planner(situation: Demo.situation()).plan(action),
        case .command(let command, _, _) = requests[0].request
      else { throw Problem("\(line)") }
      #expect(command == .editPost(Demo.groceries, milk, edit, ifVersion: nil))
    }
    let situation = situation(done: [])
    guard
      case .send(let requests) = try Planner(situation: situation).plan(.post(.complete(nil, [1])))
    else { throw Problem("no request") }
    let answer = ReplicaAnswer.command(CommandResult(changed: true))
    #expect(
      AnswerLines.lines(requests[0].report, answer, situation, chat: false).map(\.plain)
        == ["✔ #1 milk: your part"])
  }

  @Test("A person without a part is told that /done completes it for all")
  func withoutPart() throws {
    var situation = situation(done: [])
    let edit = PostEdit(modeRole: .set(.editor))
    _ = Demo.applied(.post(.edited(milk, version: 3, edit)), by: Demo.editor, &situation)
    guard
      case .send(let requests) = try Planner(situation: situation).plan(.post(.complete(nil, [1])))
    else { throw Problem("no request") }
    let answer = ReplicaAnswer.command(CommandResult(changed: true))
    #expect(
      AnswerLines.lines(requests[0].report, answer, situation, chat: false).map(\.plain)
        == ["✔ #1 milk: for all"])
  }
}
