import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

/// Own events in groceries, by number: done things as nil, undos as what they take back.
private func trail(_ undoes: [Int64?]) -> [Event] {
  undoes.enumerated().map { index, target in
    Event(
      seq: Int64(index + 1), transaction: TransactionID(UUID(high: 7, low: 1)), at: Demo.start,
      by: Demo.author, key: nil, undoes: target.map { [$0] } ?? [],
      ops: [.post(.edited(Demo.post(1, "").id, version: 2, PostEdit(title: "milk \(index)")))])
  }.reversed()
}

private func page(_ events: [Event], before: Int64? = nil) -> HistoryPage {
  Demo.page(events, before: before)
}

@Suite("undo, redo and history, as the terminal means them")
struct HistoryCommandTests {
  static let rows: [(did: [Int64?], undo: Int64?, redo: Int64?)] = [
    ([], nil, nil),
    ([nil], 1, nil),
    ([nil, nil], 2, nil),
    // Undone: the one before is next, and the undo can be taken back.
    ([nil, nil, 2], 1, 3),
    ([nil, nil, 2, 1], nil, 4),
    // Redone: it counts again, as what the redo did.
    ([nil, nil, 2, 3], 4, nil),
    ([nil, nil, 2, 1, 4], 5, 3),
    ([nil, nil, 2, 1, 4, 3], 6, nil),
    // And undone again, by its first number or by the redo's.
    ([nil, nil, 2, 3, 4], 1, 5),
    ([nil, nil, 2, 3, 2], 1, 5),
    ([nil, nil, 2, 3, 4, 5], 6, nil),
    // Something new in between.
    ([nil, 1, nil], 3, 2),
    ([nil, 1, 2, 3], nil, 4),
  ]

  @Test("the last one that counts", arguments: rows)
  func last(did: [Int64?], undo: Int64?, redo: Int64?) {
    let found = UndoTrail(trail(did))
    #expect(found.undo == undo && found.redo == redo)
  }

  @Test("An undo that was not possible is passed over the next time, with what it took back")
  func stuck() {
    #expect(UndoTrail(trail([nil, nil]), stuck: [2]).undo == 1)
    // An undo that cannot be taken back: what it undid stays undone.
    let redone = UndoTrail(trail([nil, nil, 2, 1]), stuck: [4])
    #expect(redone.undo == nil && redone.redo == 3)
  }

  @Test("Changes that are never undone are passed over")
  func never() {
    let joined = Event(
      seq: 9, transaction: TransactionID(UUID(high: 7, low: 1)), at: Demo.start, by: Demo.author,
      key: nil, ops: [.member(.removed(Demo.editor, .left))])
    #expect(UndoTrail([joined] + trail([nil])).undo == 1)
  }

  @Test("a post that went to another list, or came from one, goes back before what was older")
  func moves() {
    let stamp = Stamp(at: Demo.start, by: Demo.author)
    let post = Demo.post(1, "milk")
    for op in [
      Op.post(.movedOut(post.id, version: 2, stamp, Counters())), .post(.movedIn(post, Counters())),
    ] {
      let moved = Event(
        seq: 9, transaction: TransactionID(UUID(high: 7, low: 1)), at: Demo.start,
        by: Demo.author, key: nil, ops: [op])
      #expect(UndoTrail([moved] + trail([nil])).undo == 9)
    }
  }

  @Test("an undo asks for one's own doings and takes the last of them back")
  func undo() throws {
    let planner = Planner(situation: Demo.situation())
    guard case .send(let asked) = try planner.plan(.undo(nil)), let first = asked.first,
      case .query(.history(.events(let query))) = first.request
    else {
      Issue.record("nothing is asked")
      return
    }
    #expect(query.person == Demo.author && query.stream == .category(Demo.groceries))
    let answer = ReplicaAnswer.history(.events(page(trail([nil, nil]))))
    let requests = try #require(try planner.followUp(first.report, answer))
    guard case .command(.undo(let target), _, _)? = requests.first?.request else {
      Issue.record("nothing is undone")
      return
    }
    #expect(target == UndoTarget(stream: .category(Demo.groceries), events: [2], seen: nil))
    let stuck: Set = [StreamPosition(stream: .category(Demo.groceries), seq: 2)]
    let next = try Planner(situation: Demo.situation(), stuck: stuck)
      .followUp(first.report, answer)
    guard case .command(.undo(let older), _, _)? = next?.first?.request else {
      Issue.record("nothing is undone")
      return
    }
    #expect(older.events == [1])
    #expect(throws: Problem.self) {
      try planner.followUp(first.report, .history(.events(page([]))))
    }
    #expect(throws: Problem.self) {
      try planner.followUp(
        .redo(Demo.category(Demo.groceries, "groceries")), .history(.events(page(trail([nil])))))
    }
  }

  @Test("The past is told with the names of today, the newest at the bottom")
  func history() throws {
    let situation = Demo.situation()
    let list = try situation.list(nil)
    var events = trail([nil, 1])
    events[0] = Event(
      seq: 2, transaction: events[0].transaction, at: Demo.start, by: Demo.editor, key: nil,
      undoes: [1],
      ops: [
        .post(
          .completed(
            Demo.post(1, "").id, version: 3, Stamp(at: Demo.start, by: Demo.editor),
            Counters(open: 1, done: 2)))
      ])
    let lines = try HistoryLines.lines(page(events, before: 1), of: .list(list), situation).map(
      \.plain)
    #expect(lines.count == 3)
    #expect(lines[0] == "… there is more before")
    #expect(lines[1].hasSuffix("✎ milk 0 (in #groceries)"))
    #expect(lines[2].hasSuffix("@editor ✔ oat milk (2/3 in #groceries) (undo)"))
    #expect(
      try HistoryLines.lines(page([]), of: .list(list), situation).map(\.plain)
        == ["nothing happened in #groceries that you may read"])
  }

  @Test("A script gets each event with its time, who did it, and the words of the chat")
  func json() throws {
    let situation = Demo.situation()
    let event = Event(
      seq: 2, transaction: TransactionID(UUID(high: 7, low: 1)), at: Timestamp(milliseconds: 60),
      by: Demo.editor, key: nil, ops: [.post(.claim(Demo.post(1, "").id, .released(version: 3)))])
    let answer = ReplicaAnswer.history(.events(page([event], before: 2)))
    let report = Report.history(.list(try situation.list(nil)), nil)
    let json = JSONOutput.answers([(report, answer)], in: situation)
    let words = "@editor ◂ not on it any more: oat milk (#1 in #groceries)"
    let body = String(decoding: EventCodec.encode(event), as: UTF8.self)
    #expect(
      json == #"{"ok":true,"history":[{"seq":2,"at":60,"by":\#(Demo.person(Demo.editor)),"#
        + #""words":["\#(words)"],"#
        + #""event":\#(body)}],"before":2}"#)
  }

  /// An event in which the editor completed twenty posts.
  private static var twentyDone: Event {
    let stamp = Stamp(at: Demo.start, by: Demo.editor)
    let ops = (1...20).map { number in
      Op.post(.completed(Demo.post(number, "").id, version: 2, stamp, Counters(done: number)))
    }
    return Event(
      seq: 1, transaction: TransactionID(UUID(high: 7, low: 1)), at: Demo.start,
      by: Demo.editor, key: nil, ops: ops)
  }

  @Test("The history of a post tells its own part of many things done at once")
  func ofPost() throws {
    let situation = Demo.situation()
    let one = try Demo.told("history 2", [Self.twentyDone], situation)
    #expect(one.map { $0.dropFirst("00:00 ".count) } == ["@editor ✔ a post (2/2 in #groceries)"])
    #expect(try Demo.told("history", [Self.twentyDone], situation).count == 6)
  }

  @Test("A script that asks for the history of a post gets the words about this post only")
  func jsonOfPost() throws {
    let situation = Demo.situation()
    let report = Report.history(.list(try situation.list(nil)), Demo.post(2, "").id)
    let answer = ReplicaAnswer.history(.events(page([Self.twentyDone])))
    let json = JSONOutput.answers([(report, answer)], in: situation)
    #expect(json.contains(#""words":["@editor ✔ a post (2/2 in #groceries)"]"#))
  }

  @Test("The history of a group tells its lists too, each of which tells it when it happens")
  func ofGroup() throws {
    let situation = Demo.situation()
    let place = try situation.place(Reference("home"))
    var event = trail([nil])[0]
    event = Event(
      seq: 1, transaction: event.transaction, at: Demo.start, by: Demo.editor, key: nil,
      ops: [.group(.categoryAdded(Demo.groceries))])
    let lines = try HistoryLines.lines(page([event]), of: place, situation).map(\.plain)
    #expect(lines.count == 1 && lines[0].hasSuffix("@editor + new list #groceries in home"))
    let applied = AppliedEvent(event: event, changes: [], notifications: [])
    #expect(EventLines(situation: situation).lines(applied, in: place.stream) == [])
    guard
      case .send(let requests) = try Planner(situation: situation).plan(
        .ask(.history(Reference("home"), nil))),
      case .query(.history(.events(let query)))? = requests.first?.request
    else {
      Issue.record("nothing is asked")
      return
    }
    #expect(query.stream == .group(Demo.home) && query.post == nil)
  }

  @Test("a script is told whether it was undone or done again")
  func scripts() throws {
    let situation = Demo.situation()
    let planner = Planner(situation: situation)
    for (line, events, told) in [
      ("undo", [nil], "undone"), ("redo", [nil, 1], "done again"),
      ("undo", [nil, 1, 2], "undone"),
    ] as [(String, [Int64?], String)] {
      guard case .action(let action) = Input(command: line),
        case .send(let asked) = try planner.plan(action), let first = asked.first
      else { throw Problem("nothing is asked") }
      let answer = ReplicaAnswer.history(.events(page(trail(events))))
      let report = try #require(try planner.followUp(first.report, answer)?.first?.report)
      let lines = AnswerLines.lines(
        report, .command(CommandResult(changed: true)), situation, chat: false)
      #expect(lines.map(\.plain) == [told])
    }
  }

  private static let undone = Report.undone(
    StreamPosition(stream: .category(Demo.groceries), seq: 2))
  private static let more = "once more: the one before it"

  static let left: [(UndoSkip.Reason, String)] = [
    (.later, "left as it is: #3 was changed since"), (.removed, "left as it is: #3 is removed"),
    (.forbidden, "left as it is: #3 is not yours to change back"),
  ]

  @Test("The terminal tells what an undo left as it was", arguments: left)
  func skipped(reason: UndoSkip.Reason, text: String) {
    let skip = UndoSkip(
      stream: .category(Demo.groceries), post: Demo.post(3, "").id, number: 3, reason: reason)
    for isChanged in [true, false] {
      let result = CommandResult(changed: isChanged, skipped: [skip])
      let told = AnswerLines.lines(Self.undone, .command(result), Demo.situation(), chat: true)
      #expect(told.map(\.plain) == [text] + (isChanged ? [] : [Self.more]))
    }
    let same = AnswerLines.lines(
      Self.undone, .command(CommandResult(changed: false, skipped: [])), Demo.situation(),
      chat: true)
    #expect(same.map(\.plain) == ["all was so already", Self.more])
  }
}
