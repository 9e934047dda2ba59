import Client
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("the view of talk: where a plain line goes")
struct TalkViewTests {
  private let list = StreamID.category(Demo.groceries)
  private let home = StreamID.group(Demo.home)
  private let milk = Demo.post(1, "milk")

  private func world(_ view: TalkView?, open: CategoryID? = Demo.groceries) -> Situation {
    var situation = Demo.situation(open: open)
    situation.talking = view
    return situation
  }

  private func command(_ line: String, _ situation: Situation) throws -> Command? {
    guard
      case .action(let action) = Input(chat: line, talking: situation.talking != nil),
      case .send(let requests) = try Planner(situation: situation).plan(action),
      case .command(let command, _, _)? = requests.first?.request
    else { return nil }
    return command
  }

  @Test("The prompt says whether a plain line is said, and where a post goes")
  func prompts() {
    let rows: [(TalkView?, CategoryID?, String)] = [
      (nil, Demo.groceries, "#groceries"), (nil, nil, ""),
      (TalkView(stream: list), Demo.groceries, "talk #groceries"),
      (TalkView(stream: list, post: milk.id), Demo.groceries, "talk #groceries #1"),
      (TalkView(stream: home), Demo.groceries, "talk home, posts in #groceries"),
      (TalkView(stream: home), nil, "talk home"),
    ]
    for (view, open, prompt) in rows {
      #expect(world(view, open: open).placeAtPrompt.plain == prompt)
    }
  }

  @Test("A plain line is said in the view, about its post if it has one, and never a post")
  func said() throws {
    #expect(
      try command("yes", world(TalkView(stream: list))) == .line(.say(list, text: "yes")))
    #expect(
      try command("done 1", world(TalkView(stream: list, post: milk.id)))
        == .line(.say(list, text: "done 1", post: milk.id)))
    #expect(
      try command("'hi", world(TalkView(stream: home))) == .line(.say(home, text: "hi")))
    let added = try command("+ jam", world(TalkView(stream: list)))
    guard case .post(.add(let address, let new))? = added else {
      Issue.record("\(String(describing: added))")
      return
    }
    #expect(address.category == Demo.groceries && new.title == "jam")
  }

  @Test("A line of a view that is closed by now is said nowhere")
  func closed() {
    let planner = Planner(situation: world(nil))
    #expect(throws: Problem("no view of talk is open; nothing was said")) {
      try planner.plan(.talk(.sayHere("hi")))
    }
    var gone = world(TalkView(stream: home))
    gone.streams[home] = nil
    #expect(throws: Problem.self) {
      try Planner(situation: gone).plan(.talk(.sayHere("hi")))
    }
  }

  @Test("Commands of talk without a place mean that of the view")
  func places() throws {
    let inHome = world(TalkView(stream: home))
    #expect(try command("/say hi", inHome) == .line(.say(home, text: "hi")))
    #expect(
      try command("/say #groceries hi", inHome) == .line(.say(list, text: "hi")))
    #expect(throws: Problem("there is no line 5 in home; /talk shows the numbers")) {
      try command("/unsay 5", inHome)
    }
    // The posts are still those of the open list.
    #expect(
      try command("/comment 1 which?", inHome)
        == .line(.say(list, text: "which?", post: milk.id)))
    let shown = try Planner(situation: inHome).plan(.show(.talk(nil)))
    guard case .show(.talk(let place, about: nil)) = shown else {
      Issue.record("no talk is shown")
      return
    }
    #expect(place.stream == home)
  }

  @Test("A view holds as long as one may talk there and its post is there")
  func holds() {
    let (view, comments) = (TalkView(stream: list), TalkView(stream: list, post: milk.id))
    func changed(_ ops: Op...) -> [Bool] {
      var situation = Demo.situation()
      for op in ops { _ = Demo.applied(op, by: Demo.editor, in: list, &situation) }
      return [situation.holds(view), situation.holds(comments)]
    }
    let stamp = Stamp(at: Demo.start, by: Demo.editor)
    #expect(changed() == [true, true])
    #expect(
      changed(.member(.granted(Demo.author, Grants(direct: .commenter)))) == [true, true])
    #expect(changed(.member(.granted(Demo.author, Grants(direct: .viewer)))) == [false, false])
    #expect(changed(.member(.removed(Demo.author, .removed))) == [false, false])
    #expect(changed(.category(.archived(stamp))) == [false, false])
    #expect(changed(.category(.edited(CategoryEdit(talk: .off)))) == [false, false])
    #expect(
      changed(.post(.removed(milk.id, version: 2, stamp, Counters()))) == [true, false])
    #expect(
      !Demo.situation().holds(TalkView(stream: .category(CategoryID(UUID(high: 9, low: 9))))))
    var silent = Demo.situation()
    _ = Demo.applied(.group(.edited(GroupEdit(talk: .off))), by: Demo.author, in: home, &silent)
    #expect(!silent.holds(view) && !silent.holds(TalkView(stream: home)))
  }

  // MARK: Older lines

  private func said(
    _ seq: Int64, _ text: String, post: PostID? = nil, by user: UserID = Demo.editor
  ) -> Event {
    event(seq, .said(SaidLine(line: seq, text: text, post: post)), by: user)
  }

  private func event(_ seq: Int64, _ op: LineOp, by user: UserID = Demo.editor) -> Event {
    Event(
      seq: seq, transaction: TransactionID(UUID(high: 7, low: UInt64(seq))), at: Demo.start,
      by: user, key: nil, ops: [.line(op)])
  }

  private func query(_ planned: PlannedRequest?) throws -> HistoryEventsQuery {
    guard case .query(.history(.events(let query)))? = planned?.request else {
      throw Problem("nothing is asked of the log")
    }
    return query
  }

  private func ask(_ line: String, _ situation: Situation) throws -> PlannedRequest {
    guard
      case .action(let action) = Input(chat: line, talking: situation.talking != nil),
      case .send(let requests) = try Planner(situation: situation).plan(action)
    else { throw Problem("nothing is asked") }
    return try #require(requests.first)
  }

  private func next(
    _ planned: PlannedRequest, _ page: HistoryPage, _ situation: Situation
  ) throws -> PlannedRequest? {
    try Planner(situation: situation).followUp(
      planned.report, .history(.events(page)))?.first
  }

  /// Returns the newest changes, empty, and then the page with these events.
  private func older(
    _ line: String, changes: [Event] = [], _ events: [Event], before: Int64? = nil,
    _ situation: inout Situation
  ) throws -> [String] {
    let first = try ask(line, situation)
    #expect(try query(first).kinds == [.line(.edited)])
    let second = try #require(try next(first, Demo.page(changes), situation))
    let page = Demo.page(events, before: before)
    #expect(try next(second, page, situation) == nil)
    let answer = ReplicaAnswer.history(.events(page))
    let lines = AnswerLines.lines(second.report, answer, situation, chat: true)
    situation.shown.note(second.report, answer, situation)
    return lines.map(\.plain)
  }

  /// A world whose copy begins with line 50.
  private var late: Situation {
    var situation = Demo.situation()
    let line = TalkLine(event: 50, said: Stamp(at: Demo.start, by: Demo.editor), text: "late")
    let objects = situation.streams[list].map { Array($0.objects.values) } ?? []
    situation.streams[list] = StreamState(stream: list, objects: objects + [.line(line)])
    return situation
  }

  @Test("Older lines are those before the copy's, page by page")
  func pages() throws {
    var situation = late
    let first = try ask("/talk older", situation)
    let second = try query(try next(first, Demo.page([]), situation))
    #expect(second.before == 50 && second.stream == list && second.post == nil)
    #expect(second.kinds == [.line(.said), .line(.edited), .line(.removed)])
    #expect(
      try older(
        "/talk older", [said(48, "b"), said(40, "a", post: milk.id)], before: 40, &situation)
        == [
          "… there is more before: /talk #groceries older", "  40  00:00 @editor on #1 milk: a",
          "  48  00:00 @editor: b",
        ])
    // The next page begins where this one ended, until the talk is shown anew.
    let third = try query(
      try next(try ask("/talk older", situation), Demo.page([]), situation))
    #expect(third.before == 40)
    let place = try situation.place(nil)
    situation.shown.note(.talk(place, about: nil), situation)
    let again = try query(
      try next(try ask("/talk older", situation), Demo.page([]), situation))
    #expect(again.before == 50)
    let named = try query(
      try next(try ask("/talk older 7", situation), Demo.page([]), situation))
    #expect(named.before == 7)
  }

  @Test("Nothing older is told, also where nobody has ever said anything")
  func nothing() throws {
    var situation = late
    let none = "nothing older was said in #groceries that you may read"
    #expect(try older("/talk older", [], &situation) == [none])
    // Without a line there is no later change to ask for.
    let asked = try ask("/talk older", Demo.situation())
    #expect(try query(asked).kinds == [.line(.said), .line(.edited), .line(.removed)])
    #expect(try query(asked).before == nil)
    let answer = ReplicaAnswer.history(.events(Demo.page([])))
    #expect(
      AnswerLines.lines(asked.report, answer, Demo.situation(), chat: false).map(\.plain)
        == [none])
    #expect(throws: Problem.self) { try ask("/talk 9 older", situation) }
  }

  @Test("A line that was removed is not shown, and one that was changed shows its last text")
  func merged() throws {
    var situation = late
    let author = Mention(Demo.author, at: 3, length: 4)
    let lines = try older(
      "/talk older",
      changes: [event(60, .edited(line: 41, text: "hi @bob", mentions: [author]))],
      [
        event(47, .removed(line: 44)), event(46, .edited(line: 42, text: "two")),
        event(45, .edited(line: 41, text: "one")), said(44, ""), said(42, "tow"), said(41, "oen"),
        event(39, .edited(line: 3, text: "of an older page")),
      ], &situation)
    #expect(
      lines == [
        "  41  00:00 @editor: hi @author (edited)", "  42  00:00 @editor: two (edited)",
      ])
  }

  @Test("Changes that are newer than the page are read to their end, and a page of nothing too")
  func steps() throws {
    let situation = late
    let first = try ask("/talk older", situation)
    let change = event(90, .edited(line: 41, text: "new"))
    let more = try #require(try next(first, Demo.page([change], before: 80), situation))
    #expect(try query(more).before == 80)
    #expect(try query(more).kinds == [.line(.edited)])
    // From here on they belong to the page itself.
    let lines = try #require(
      try next(more, Demo.page([event(30, .edited(line: 2, text: "x"))], before: 30), situation))
    #expect(try query(lines).before == 50)
    let empty = try #require(try next(lines, Demo.page([], before: 45), situation))
    #expect(try query(empty).before == 45)
    let page = Demo.page([said(41, "old")], before: 41)
    #expect(try next(empty, page, situation) == nil)
    let told = AnswerLines.lines(
      empty.report, .history(.events(page)), situation, chat: true)
    #expect(told.last?.plain == "  41  00:00 @editor: new (edited)")
  }

  @Test("In the view of a post's comments older ones are asked for, also by their post")
  func comments() throws {
    var situation = late
    situation.talking = TalkView(stream: list, post: milk.id)
    #expect(try query(ask("/talk older", situation)).post == milk.id)
    #expect(try query(ask("/talk 1 older", late)).post == milk.id)
    #expect(try query(ask("/talk #groceries older", situation)).post == nil)
    #expect(try query(ask("/talk home older", situation)).stream == home)
  }

  @Test("A script gets older lines as those of the copy, and where the next page begins")
  func scripts() throws {
    let situation = late
    let first = try ask("/talk older", situation)
    let second = try #require(try next(first, Demo.page([]), situation))
    let page = Demo.page([said(41, "a")], before: 41)
    let place = #"{"kind":"list","id":"\#(Demo.groceries)","name":"groceries"}"#
    let line = #"{"number":41,"at":0,"by":\#(Demo.person(Demo.editor)),"text":"a"}"#
    #expect(
      JSONOutput.answers([(second.report, .history(.events(page)))], in: situation)
        == #"{"ok":true,"place":\#(place),"lines":[\#(line)],"before":41}"#)
  }
}
