import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("answers: a chat and a script are told what is worth telling")
struct AnswerLinesTests {
  private static let done = ReplicaAnswer.command(CommandResult(changed: true, number: 7))
  private static let same = ReplicaAnswer.command(CommandResult(changed: false))
  private static let change = Report.change(made: "made", same: "same")

  static let rows: [(Report, ReplicaAnswer, [String], [String])] = [
    (change, done, [], ["made"]), (change, same, ["same"], ["same"]),
    (
      .changes([
        ChangeReport(made: "one", same: "was one"), ChangeReport(made: "two", same: "was two"),
        ChangeReport(made: "three", same: nil),
      ]),
      .command(
        CommandResult(
          changed: true,
          parts: [
            CommandPart(changed: true), CommandPart(changed: false), CommandPart(changed: false),
          ])), ["was two"], ["one", "was two"]
    ),
    (.told(made: "made", same: "same"), done, ["made"], ["made"]),
    (.told(made: "made", same: "same"), same, ["same"], ["same"]),
    (
      .addedPost(
        PostAddress(category: Demo.bigShop, post: Demo.post(7, "").id), title: "milk",
        list: "#g"), done, [], ["+ #7 milk (in #g)"]
    ),
    (.addedList(Demo.bigShop, name: "Big Shop"), done, [], ["new list #Big-Shop"]),
    (.mark, done, [], []),
    (
      .removedLists, .categories([]), ["no list or group of yours is removed"],
      ["no list or group of yours is removed"]
    ),
    (.sessions, .sessions([]), [], []),
  ]

  @Test("a chat sees its changes as events; a script is told", arguments: rows)
  func tell(report: Report, answer: ReplicaAnswer, chat: [String], script: [String]) {
    let situation = Demo.situation()
    #expect(AnswerLines.lines(report, answer, situation, chat: true).map(\.plain) == chat)
    #expect(AnswerLines.lines(report, answer, situation, chat: false).map(\.plain) == script)
  }

  @Test("news are told per list, folded, with the day's total")
  func news() {
    let stream = StreamID.category(Demo.groceries)
    let one = { (seq: Int64, kind: Notification.Kind, number: Int) in
      Notification(
        kind: kind, stream: stream, seq: seq, opIndex: 0, at: Demo.start, by: Demo.editor,
        about: stream, post: Demo.post(number, "").id)
    }
    // Newest first, as the server sends them.
    let list = UnreadList(
      stream: stream, name: "groceries", unread: Unread(count: 3, more: false),
      notifications: [one(5, .completed, 3), one(4, .added, 2), one(3, .added, 1)])
    let result = NotificationsResult(lists: [list], directed: [], today: DayTotal(done: 5, of: 8))
    let lines = AnswerLines.lines(
      .notifications(nil), .notifications(result), Demo.situation(), chat: true)
    #expect(
      lines.map(\.plain) == [
        "#groceries  3 new", "  00:00 @editor + 2 posts: milk, bread", "  00:00 @editor ✔ tea",
        "today: 5 of 8 done",
      ])
    let many = UnreadList(
      stream: stream, name: "groceries", unread: Unread(count: 100, more: true),
      notifications: list.notifications)
    let most = NotificationsResult(lists: [many], directed: [], today: DayTotal(done: 0, of: 0))
    #expect(
      ListLines.news(most, Demo.situation()).first?.plain == "#groceries  100+ new, the last 3:")
    let nothing = NotificationsResult(lists: [], directed: [], today: DayTotal(done: 0, of: 0))
    #expect(
      AnswerLines.lines(.notifications(nil), .notifications(nothing), Demo.situation(), chat: true)
        .map(\.plain) == ["nothing new"])
  }

  @Test("a change is told with the title kept apart")
  func isolated() throws {
    var situation = Demo.situation()
    let renamed = Op.post(.edited(Demo.post(1, "").id, version: 2, PostEdit(title: "שלום 12")))
    _ = Demo.applied(renamed, by: Demo.editor, &situation)
    let done = try Planner(situation: situation).plan(.post(.complete(nil, [1])))
    guard case .send(let requests) = done else { throw Problem("\(done)") }
    let lines = AnswerLines.lines(requests[0].report, Self.done, situation, chat: false)
    #expect(lines.map(\.shown) == ["✔ #1 \u{2068}שלום 12\u{2069}\u{200E}"])
  }
}
