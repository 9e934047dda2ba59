import Domain
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("terminal: work that is handed over")
struct HandOverTests {
  /// Returns a situation in which so many posts of the groceries are the author's work.
  private func situation(_ numbers: ClosedRange<Int>) -> Situation {
    var situation = Demo.situation()
    for number in numbers {
      let post = Demo.post(number, "job \(number)")
      var ops: [Op] = [.post(.marked(post.id, version: 2, .assigned(Demo.author)))]
      if number > 3 { ops.insert(.post(.added(post, Counters(open: number))), at: 0) }
      _ = Demo.applied(ops, by: Demo.editor, &situation)
    }
    return situation
  }

  private func batches(_ line: String, _ situation: Situation) throws -> [[Command]] {
    guard case .action(let action) = Input(command: line),
      case .send(let requests) = try Planner(situation: situation).plan(action)
    else { return [] }
    return requests.compactMap {
      guard case .command(.batch(let commands), _, _) = $0.request else { return nil }
      return commands
    }
  }

  @Test("Each open post of one person becomes the other's, in one command")
  func posts() throws {
    let situation = situation(1...2)
    let expected = [1, 2].map { Demo.post($0, "").id }.flatMap { post -> [Command] in
      [
        .post(.change(Demo.groceries, post, .assign(Demo.editor))),
        .post(.change(Demo.groceries, post, .unassign(Demo.author))),
      ]
    }
    for line in ["handover @author to @editor", "handover author to editor in #groceries"] {
      #expect(try batches(line, situation) == [expected])
    }
  }

  @Test("More posts than fit into a batch go in several, none of which parts a post")
  func several() throws {
    let batches = try batches("handover author to editor", situation(4...64))
    #expect(batches.map(\.count) == [100, 22])
  }

  @Test("Nothing is handed over that is not there, or to whom it cannot be given")
  func refusals() {
    let rows = [
      ("handover editor to author", "no open post is @editor's work in your lists"),
      ("handover editor to author in #groceries", "no open post is @editor's work in #groceries"),
      ("handover author to author", "@author has it already"),
      (
        "handover author to stranger",
        "nobody in your lists is @stranger: /who shows who is there"
      ),
    ]
    for (line, problem) in rows {
      #expect(throws: Problem("\(problem)")) { try batches(line, situation(1...2)) }
    }
    var apart = situation(1...2)
    _ = Demo.applied(.member(.removed(Demo.editor, .left)), by: Demo.editor, &apart)
    #expect(throws: Problem("@editor is not in #groceries: nothing is handed over")) {
      try batches("handover author to editor", apart)
    }
  }
}
