import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("terminal: the news of one list or of all, and that they are read")
struct NewsTests {
  private static let groceries = StreamID.category(Demo.groceries)
  private static let bigShop = StreamID.category(Demo.bigShop)
  private static let home = StreamID.group(Demo.home)
  private static let own = StreamID.user(Demo.author)

  /// Returns a situation in which each copy has a head of its own.
  private func situation() -> Situation {
    var situation = Demo.situation()
    situation.heads = [Self.groceries: 20, Self.bigShop: 30, Self.home: 40, Self.own: 50]
    return situation
  }

  private func note(_ seq: Int64, in stream: StreamID) -> Domain.Notification {
    Notification(
      kind: .added, stream: stream, seq: seq, opIndex: 0, at: Demo.start, by: Demo.editor,
      about: stream, post: Demo.post(1, "").id)
  }

  private func unread(
    _ stream: StreamID, _ count: Int, more: Bool = false, told: Int = 1
  ) -> UnreadList {
    UnreadList(
      stream: stream, name: "name", unread: Unread(count: count, more: more),
      notifications: (0..<told).map { note(Int64(9 - $0), in: stream) })
  }

  private func result(
    _ lists: [UnreadList], directed: [Domain.Notification] = [], more: Bool = false
  ) -> NotificationsResult {
    NotificationsResult(
      lists: lists, directed: directed, today: DayTotal(done: 1, of: 2), more: more)
  }

  private func plan(_ line: String, _ situation: Situation) throws -> PlannedRequest {
    guard case .action(let action) = Input(command: line),
      case .send(let requests) = try Planner(situation: situation).plan(action)
    else { throw Problem("nothing is sent") }
    return try #require(requests.first)
  }

  /// Returns the commands that a line leads to when the server says what is new.
  private func commands(
    _ line: String, _ result: NotificationsResult, _ situation: Situation
  ) throws -> [Command] {
    let first = try plan(line, situation)
    #expect(first.request == .query(.notifications(limit: 1)))
    let planner = Planner(situation: situation)
    let marks = try planner.followUp(first.report, .notifications(result)) ?? []
    return marks.compactMap {
      guard case .command(let command, key: _, base: _) = $0.request else { return nil }
      return command
    }
  }

  @Test("The news of one list are told by themselves, with more lines than among others")
  func one() throws {
    let place = try Demo.situation().catalog.place(Reference("#groceries"))
    let news = result([unread(Self.groceries, 3), unread(Self.bigShop, 5)])
    let report = try plan("n #groceries", Demo.situation()).report
    #expect(report == .notifications(place))
    let lines = AnswerLines.lines(report, .notifications(news), Demo.situation(), chat: true)
    #expect(
      lines.map(\.plain) == ["#groceries  3 new, the last 1:", "  00:00 @editor + milk"])
    for other in [result([unread(Self.bigShop, 5)]), result([unread(Self.groceries, 0)])] {
      let lines = AnswerLines.lines(report, .notifications(other), Demo.situation(), chat: true)
      #expect(lines.map(\.plain) == ["nothing new in #groceries"])
    }
  }

  @Test("A script that looks at one list is told of that list alone")
  func json() throws {
    let situation = Demo.situation()
    let news = ReplicaAnswer.notifications(
      result([unread(Self.groceries, 3), unread(Self.bigShop, 5)]))
    let one = JSONOutput.answers([(try plan("n #groceries", situation).report, news)])
    #expect(
      one == #"{"ok":true,"lists":[{"kind":"list","id":"\#(Demo.groceries)","name":"name","#
        + #""unread":3,"more":false}],"today":{"done":1,"of":2}}"#)
    let all = JSONOutput.answers([(try plan("n", situation).report, news)])
    #expect(all.contains(#""unread":5"#) && all.contains(#""reminders":[]"#))
  }

  @Test("All that is new is marked as read up to the copies' heads, what is muted too")
  func all() throws {
    let news = result([unread(Self.groceries, 3), unread(Self.home, 7, told: 0)])
    #expect(
      try commands("n read", news, situation()) == [
        .batch([.markRead(Self.groceries, seq: 20), .markRead(Self.home, seq: 40)])
      ])
    #expect(
      try commands("news read", result([unread(Self.bigShop, 0, more: true)]), situation())
        == [.markRead(Self.bigShop, seq: 30)])
  }

  @Test("One list or group is marked by itself")
  func place() throws {
    let news = result(
      [unread(Self.groceries, 3), unread(Self.home, 7)], directed: [note(9, in: Self.own)])
    for (line, stream, seq) in [
      ("n #groceries read", Self.groceries, 20), ("n home read", Self.home, 40),
    ] as [(String, StreamID, Int64)] {
      #expect(try commands(line, news, situation()) == [.markRead(stream, seq: seq)])
    }
    #expect(try commands("n #big-shop read", news, situation()) == [])
    #expect(throws: Problem.self) { try plan("n #nowhere read", situation()) }
  }

  @Test("The mark of all marks what was directed at the person, by a request of its own")
  func directed() throws {
    var situation = situation()
    let news = result([unread(Self.groceries, 3)], directed: [note(9, in: Self.own)])
    #expect(
      try commands("n read", news, situation)
        == [.markRead(Self.groceries, seq: 20), .markRead(Self.own, seq: 9)])
    _ = Demo.applied(
      .personal(.readMarked(ReadMark(stream: Self.own, seq: 9))), by: Demo.author, in: Self.own,
      &situation)
    #expect(try commands("n read", result([], directed: [note(9, in: Self.own)]), situation) == [])
  }

  @Test("When the answer leaves lists out, those with events behind their marks are marked")
  func cut() throws {
    var situation = situation()
    let mark = ReadMark(stream: Self.bigShop, seq: 30)
    _ = Demo.applied(.personal(.readMarked(mark)), by: Demo.author, in: Self.own, &situation)
    #expect(
      try commands("n read", result([unread(Self.groceries, 1)], more: true), situation)
        == [.batch([.markRead(Self.groceries, seq: 20), .markRead(Self.home, seq: 40)])])
  }

  @Test("More lists than a batch takes are marked by several")
  func many() throws {
    var situation = Demo.situation()
    let lists = (0..<UInt64(Limits.batchCommandsMax + 2)).map {
      StreamID.category(CategoryID(UUID(high: 9, low: $0)))
    }
    for list in lists {
      situation.streams[list] = StreamState(stream: list, objects: [])
      situation.heads[list] = 3
    }
    let marks = try commands("n read", result(lists.map { unread($0, 1) }), situation)
    #expect(
      marks.map { command in
        if case .batch(let commands) = command { commands.count } else { 1 }
      } == [Limits.batchCommandsMax, 2])
  }

  @Test("The number of what was marked is told once, and that nothing is new too")
  func words() throws {
    let changed = ReplicaAnswer.command(CommandResult(changed: true))
    let news = result(
      [unread(Self.groceries, 3), unread(Self.home, 100, more: true)],
      directed: [note(9, in: Self.own)])
    for (line, words) in [
      ("n read", ["all is read: 103+ new"]), ("n #groceries read", ["#groceries is read: 3 new"]),
    ] {
      let report = try plan(line, situation()).report
      let marks = try #require(
        try Planner(situation: situation()).followUp(report, .notifications(news)))
      for chat in [true, false] {
        let told = marks.flatMap {
          AnswerLines.lines($0.report, changed, situation(), chat: chat)
        }
        #expect(told.map(\.plain) == words)
      }
    }
    let nothing = ReplicaAnswer.notifications(result([]))
    for (line, words) in [
      ("n read", "nothing new"), ("n #groceries read", "nothing new in #groceries"),
    ] {
      let report = try plan(line, situation()).report
      #expect(try Planner(situation: situation()).followUp(report, nothing) == nil)
      #expect(
        AnswerLines.lines(report, nothing, situation(), chat: false).map(\.plain) == [words])
      #expect(JSONOutput.answers([(report, nothing)]) == #"{"ok":true,"results":[]}"#)
    }
  }

  @Test("A mark is no change that an undo looks for")
  func undo() {
    for command in [
      Command.markRead(Self.groceries, seq: 20),
      .batch([.markRead(Self.groceries, seq: 20), .markRead(Self.home, seq: 40)]),
    ] { #expect(Reversal(of: command, in: situation()) == nil) }
  }
}
