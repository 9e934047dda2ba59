import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("posts that say the same, as the terminal tells it")
struct TwinLinesTests {
  /// Under an added post of the list that has `milk` and `bread`, open, and `tea`, done.
  private func lines(_ title: String, open: CategoryID? = Demo.groceries) -> [String] {
    TwinLines.lines(
      title, in: Demo.groceries, besides: Demo.post(9, "").id, Demo.situation(open: open)
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
        "milk", in: Demo.groceries, besides: Demo.post(1, "").id, Demo.situation()) == [])
  }

  @Test("several open ones: the newest by its title, the others by their numbers")
  func several() {
    var situation = Demo.situation()
    let op = Op.post(.added(Demo.post(4, "MILK"), Counters(open: 3, done: 1)))
    _ = Demo.applied(op, by: Demo.editor, &situation)
    let lines = TwinLines.lines(
      "milk", in: Demo.groceries, besides: Demo.post(9, "").id, situation)
    #expect(lines.map(\.plain) == ["also open: #4 MILK, #1"])
  }

  @Test("it stands under the line, in the chat and in a script")
  func added() {
    let report = Report.addedPost(
      PostAddress(category: Demo.groceries, post: Demo.post(9, "").id), title: "milk",
      list: "#groceries")
    let answer = ReplicaAnswer.command(CommandResult(changed: true, number: 9, version: 1))
    #expect(
      AnswerLines.lines(report, answer, Demo.situation(), chat: true).map(\.plain)
        == ["also open: #1 milk"])
    #expect(
      AnswerLines.lines(report, answer, Demo.situation(), chat: false).map(\.plain)
        == ["+ #9 milk (in #groceries)", "also open: #1 milk"])
  }

  @Test("a server tells which of its posts have a title")
  func asked() throws {
    let action = try #require(Input(command: "twins #groceries oat milk").action)
    guard case .send(let requests) = try Planner(situation: Demo.situation()).plan(action) else {
      throw Problem("\(action)")
    }
    #expect(
      requests.map(\.request)
        == [.query(.twins(TwinsQuery(category: Demo.groceries, title: "oat milk")))])
    let answer = ReplicaAnswer.twins([
      TwinLine(Demo.post(4, "Oat milk")), TwinLine(Demo.post(3, "oat milk", done: true)),
    ])
    #expect(
      AnswerLines.lines(requests[0].report, answer, Demo.situation(), chat: true).map(\.plain)
        == ["#4  Oat milk", "#3  ✔ oat milk"])
    #expect(
      AnswerLines.lines(requests[0].report, .twins([]), Demo.situation(), chat: true).map(\.plain)
        == ["nothing in #groceries is called that"])
  }
}

extension Input {
  fileprivate var action: Action? { if case .action(let it) = self { it } else { nil } }
}
