import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("posts that say the same, as the terminal tells it")
struct TwinLinesTests {
  /// Under an added post of the list that has `milk` and `bread`, open, and `tea`, done.
  private func lines(_ title: String, open: CategoryID? = World.groceries) -> [String] {
    TwinLines.lines(
      title, in: World.groceries, besides: World.post(9, "").id, World.situation(open: open)
    ).map(\.plain)
  }

  @Test("an open one is pointed out, one that was done can be taken up again")
  func pointed() {
    #expect(lines("Milk!") == ["also open: #1 milk"])
    #expect(lines("tea") == ["done before: #3 (/undo, then /reopen 3 goes on with that one)"])
    #expect(
      lines("tea", open: nil)
        == ["done before: #3 (/undo #groceries, then /reopen #groceries 3 goes on with that one)"])
    #expect(lines("milk and bread") == [])
    #expect(lines("?!") == [])
    // The post that was added is in the list already.
    #expect(
      TwinLines.lines(
        "milk", in: World.groceries, besides: World.post(1, "").id, World.situation()) == [])
  }

  @Test("several open ones: the newest by its title, the others by their numbers")
  func several() {
    var situation = World.situation()
    let op = Op.post(.added(World.post(4, "MILK"), Counters(open: 3, done: 1)))
    _ = World.happening(op, by: World.editor, &situation)
    let lines = TwinLines.lines(
      "milk", in: World.groceries, besides: World.post(9, "").id, situation)
    #expect(lines.map(\.plain) == ["also open: #4 MILK, #1"])
  }

  @Test("it stands under the line, in the chat and in a script")
  func added() {
    let report = Report.addedPost(
      PostAddress(category: World.groceries, post: World.post(9, "").id), title: "milk",
      list: "#groceries")
    let answer = ReplicaAnswer.command(CommandResult(changed: true, number: 9, version: 1))
    #expect(
      AnswerLines.lines(report, answer, World.situation(), chat: true).map(\.plain)
        == ["also open: #1 milk"])
    #expect(
      AnswerLines.lines(report, answer, World.situation(), chat: false).map(\.plain)
        == ["+ #9 milk (in #groceries)", "also open: #1 milk"])
  }

  @Test("a server tells which of its posts have a title")
  func asked() throws {
    let action = try #require(Input(command: "twins #groceries oat milk").action)
    guard case .send(let requests) = try Planner(situation: World.situation()).plan(action) else {
      throw Problem("\(action)")
    }
    #expect(
      requests.map(\.request)
        == [.query(.twins(TwinsQuery(category: World.groceries, title: "oat milk")))])
    let answer = ReplicaAnswer.twins([
      TwinLine(World.post(4, "Oat milk")), TwinLine(World.post(3, "oat milk", done: true)),
    ])
    #expect(
      AnswerLines.lines(requests[0].report, answer, World.situation(), chat: true).map(\.plain)
        == ["#4  Oat milk", "#3  ✔ oat milk"])
    #expect(
      AnswerLines.lines(requests[0].report, .twins([]), World.situation(), chat: true).map(\.plain)
        == ["nothing in #groceries is called that"])
  }
}

extension Input {
  fileprivate var action: Action? { if case .action(let it) = self { it } else { nil } }
}
