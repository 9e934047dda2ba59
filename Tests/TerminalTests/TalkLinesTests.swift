import Client
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("protocol §5.20: talk, on the screen") struct TalkLinesTests {
  let list = StreamID.category(Demo.groceries)
  let milk = Demo.post(1, "milk")

  static func minutes(_ day: Int, _ minute: Int) -> Timestamp {
    Timestamp(milliseconds: Int64(day * 1_440 + minute) * 60_000)
  }

  /// A question about milk of two days ago, its answer of yesterday, and thanks of today.
  var said: [TalkLine] {
    [
      TalkLine(
        event: 7, said: Stamp(at: Self.minutes(0, 842), by: Demo.editor), text: "which milk?",
        post: milk.id),
      TalkLine(
        event: 21, said: Stamp(at: Self.minutes(1, 570), by: Demo.author),
        text: "oat\nthe blue one", post: milk.id, answers: 7, edited: Self.minutes(1, 571)),
      TalkLine(
        event: 57, said: Stamp(at: Self.minutes(2, 60), by: Demo.editor), text: "thanks!"),
    ]
  }

  func world(_ lines: [TalkLine]) -> Situation {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Self.minutes(2, 120))
    let objects = situation.streams[list].map { Array($0.objects.values) } ?? []
    situation.streams[list] = StreamState(
      stream: list, objects: objects + lines.map { Object.line($0) })
    return situation
  }

  func shown(_ line: String, _ situation: Situation) throws -> [String] {
    guard case .action(let action) = Input(command: line),
      case .show(let view) = try Planner(situation: situation).plan(action)
    else { throw Problem("nothing is shown") }
    return view.lines(situation).map(\.plain)
  }

  func command(_ line: String, _ situation: Situation) throws -> Command? {
    guard case .action(let action) = Input(chat: line),
      case .send(let requests) = try Planner(situation: situation).plan(action),
      case .command(let command, _, _)? = requests.first?.request
    else { return nil }
    return command
  }

  /// Returns the rows of one line of the editor, as `/talk` shows them.
  func row(
    _ text: String, _ mentions: [Mention] = [], _ reactions: [LineReaction] = [],
    in situation: Situation = Demo.situation()
  ) -> [Line] {
    let line = TalkLine(
      event: 57, said: Stamp(at: Demo.start, by: Demo.editor), text: text, mentions: mentions,
      reactions: reactions)
    return TalkLines.line(line, in: list, situation)
  }

  @Test("The talk of a list has a line for each day, and a number for each line")
  func view() throws {
    let world = world(said)
    #expect(
      try shown("talk", world) == [
        "── 01-01 ──", "   7  14:02 @editor on #1 milk: which milk?",
        "── yesterday ──", "  21  09:30 you answer 7 on #1 milk: oat",
        "            the blue one (edited)",
        "── today ──", "  57  01:00 @editor: thanks!",
      ])
    #expect(
      try shown("talk 1", world) == [
        "── 01-01 ──", "   7  c1  14:02 @editor: which milk?",
        "── yesterday ──", "  21  c2  09:30 you answer 7: oat",
        "                the blue one (edited)",
      ])
    #expect(try shown("talk 2", world) == ["nobody has said anything about #2 bread"])
    #expect(try shown("talk home", world) == ["nobody has said anything in home"])
    #expect(
      try shown("talk", self.world([said[2]])) == ["  57  01:00 @editor: thanks!"])
  }

  @Test("A line that is not confirmed has no number, because another one may get it")
  func pending() throws {
    var world = world(said)
    world.pending = [list: [TalkLine.key(of: 57)]]
    #expect(try shown("talk", world).last == "   …  01:00 @editor: thanks!  … not sent yet")
    #expect(throws: Problem.self) { try command("/unsay 57", world) }
  }

  @Test("A line is answered, changed and taken back by its number")
  func numbers() throws {
    let world = world(said)
    #expect(try command("'thanks!", world) == .line(.say(list, text: "thanks!")))
    #expect(
      try command("/answer 57 you are welcome", world)
        == .line(.say(list, text: "you are welcome", answers: 57)))
    #expect(
      try command("/answer 7 oat", world)
        == .line(.say(list, text: "oat", post: milk.id, answers: 7)))
    #expect(
      try command("/resay 21 the red one", world)
        == .line(.edit(list, line: 21, text: "the red one")))
    #expect(try command("/unsay 21", world) == .line(.remove(list, line: 21)))
    // Only the log can have it: the copy holds the newest lines.
    #expect(try command("/unsay 3", world) == .line(.remove(list, line: 3)))
    for unknown in ["/unsay 22", "/resay 99 x", "/answer 8 x", "/unsay in home: 1"] {
      #expect(throws: Problem.self, "\(unknown)") { try command(unknown, world) }
    }
    #expect(
      throws: Problem("there is no line 22 in #groceries; /talk shows the numbers")
    ) { try command("/unsay 22", world) }
    // A text that begins with "in" is not said in a group whose name only begins so, nor in a list by its number.
    for text in ["ho", "1", "grocer"] {
      #expect(
        throws: Problem("no group is called \(text); in the open list 'TEXT says any text")
      ) { try command("/say in \(text): hello", world) }
    }
  }

  func told(
    _ op: LineOp, by user: UserID, past: [Event]? = nil, _ before: Situation
  ) -> [String] {
    var situation = before
    let applied = Demo.applied(.line(op), by: user, in: list, &situation)
    return EventLines(situation: situation, past: past).lines(applied, in: list).map(\.plain)
  }

  @Test("A line shows at once in the open list, and elsewhere with its place")
  func events() {
    let open = Demo.situation()
    let closed = Demo.situation(open: nil)
    let thanks = LineOp.said(SaidLine(line: 20, text: "thanks!\n\nbye"))
    #expect(told(thanks, by: Demo.editor, open) == ["@editor: thanks! / bye"])
    #expect(
      told(thanks, by: Demo.editor, closed) == ["@editor: thanks! / bye (in #groceries)"])
    #expect(told(thanks, by: Demo.author, open) == ["you: thanks! / bye"])
    let which = LineOp.said(SaidLine(line: 20, text: "which?", post: milk.id))
    #expect(told(which, by: Demo.editor, open) == ["@editor on #1 milk: which?"])
    let answer = LineOp.said(SaidLine(line: 20, text: "yes", answers: 7))
    #expect(told(answer, by: Demo.editor, open) == ["@editor answers 7: yes"])
    let edit = LineOp.edited(line: 20, text: "no")
    #expect(told(edit, by: Demo.editor, open) == ["@editor changed a line: no"])
  }

  @Test("A line that is taken back says whose it was, where somebody else does it")
  func removals() {
    let rows: [(UserID, UserID, String)] = [
      (Demo.editor, Demo.editor, "@editor removed a line"),
      (Demo.author, Demo.editor, "@editor removed a line of yours"),
      (Demo.editor, Demo.author, "you removed a line of @editor"),
    ]
    for (speaker, remover, line) in rows {
      var open = Demo.situation()
      _ = Demo.applied(.line(.said(SaidLine(line: 20, text: "x"))), by: speaker, in: list, &open)
      #expect(told(.removed(line: 20), by: remover, open) == [line])
      _ = Demo.applied(.line(.removed(line: 20)), by: remover, in: list, &open)
      #expect(open.streams[list]?.talk == [])
    }
  }

  @Test("A history names the place, and what was removed has no text there")
  func history() {
    let open = Demo.situation()
    #expect(
      told(.said(SaidLine(line: 20, text: "")), by: Demo.editor, past: [], open)
        == ["@editor: (removed) (in #groceries)"])
    let past = Event(
      seq: 9, transaction: TransactionID(UUID(high: 7, low: 9)), at: Demo.start, by: Demo.editor,
      key: nil, ops: [.line(.said(SaidLine(line: 9, text: "")))])
    #expect(
      told(.removed(line: 9), by: Demo.author, past: [past], open)
        == ["you removed a line of @editor (in #groceries)"])
  }

  @Test("Missed lines are told by how many one person said, whoever spoke in between")
  func summary() {
    var situation = Demo.situation()
    let robot = Member(
      id: UserID(UUID(high: 1, low: 7)), username: "robot", name: "robot", kind: .person,
      grants: Grants(direct: .editor), joinedSeq: 1)
    _ = Demo.applied(.member(.added(robot)), by: Demo.author, in: list, &situation)
    let missed = [Demo.editor, robot.id, Demo.editor, Demo.author].map {
      Demo.applied(.line(.said(SaidLine(line: 20, text: "x"))), by: $0, in: list, &situation)
    }
    let lines = EventLines(situation: situation).summary(missed).map(\.plain)
    #expect(lines == ["00:00 @robot: x (in #groceries)", "00:00 2 lines of @editor in #groceries"])
  }

  static let hostile = [
    "\u{1B}[2Jboo", "a\u{07}b\u{9B}31m", "x\u{202E}evil\u{2066}", "\u{0301}\u{0301}climbs",
    "one\u{2028}two\u{85}three",
  ]

  @Test("Nothing that others say steers the terminal", arguments: hostile)
  func cleaned(text: String) throws {
    let line = TalkLine(
      event: 57, said: Stamp(at: Self.minutes(2, 60), by: Demo.editor), text: text)
    let situation = world([line])
    var lines = try shown("talk", situation)
    lines += told(.said(SaidLine(line: 20, text: text)), by: Demo.editor, situation)
    lines += told(.edited(line: 57, text: text), by: Demo.editor, situation)
    lines += told(.reacted(line: 57, to: Demo.author, sign: text), by: Demo.editor, situation)
    lines += row(text, [Mention(Demo.editor, at: 0, length: 1)]).map(\.plain)
    lines.append(Line(situation.quote(57, in: list) ?? "").plain)
    for scalar in lines.joined().unicodeScalars {
      #expect(!scalar.properties.generalCategory.steers, "\(scalar.value)")
    }
  }

  @Test("A text from right to left does not move what stands beside it")
  func isolated() {
    var situation = Demo.situation(open: nil)
    let op = Op.line(.said(SaidLine(line: 20, text: "שלום")))
    let applied = Demo.applied(op, by: Demo.editor, in: list, &situation)
    let line = EventLines(situation: situation).lines(applied, in: list).first
    #expect(line?.shown.contains("\u{2068}שלום\u{2069}") == true)
  }

  // MARK: Undo

  @Test("Undo removes what was just said, by the number that the log has")
  func unsaid() throws {
    let world = world(said)
    let say = Command.line(.say(list, text: "x"))
    #expect(Reversal(of: say, in: world) == .unsay(list))
    let key = try #require(CommandKey("a"))
    let change = DoneChange(
      key: key, what: ChangeWords.of(say, world), reversal: .unsay(list))
    #expect(change.what == "what you said in #groceries")
    let event = Event(
      seq: 60, transaction: TransactionID(UUID(high: 7, low: 9)), at: Demo.start, by: Demo.author,
      key: key, ops: [.line(.said(SaidLine(line: 60, text: "x")))])
    let planner = Planner(situation: world, trail: ChangeTrail(change.line))
    let planned = try planner.takeBack(change, Demo.page([event]))
    guard case .command(let back, _, _) = planned.request else {
      Issue.record("no command")
      return
    }
    #expect(back == .line(.remove(list, line: 60)))
    #expect(planned.report == .takenBack(change))
  }

  @Test("Undo of a change of a line says that it cannot, and keeps no words")
  func unchanged() {
    let edit = Command.line(.edit(list, line: 57, text: "thank you"))
    #expect(
      Reversal(of: edit, in: world(said))
        == .never("the earlier words are not kept; /resay changes them again"))
  }

  @Test("A script gets the lines with their numbers, people and times")
  func scripts() throws {
    let world = world([said[1]])
    let list = try world.list(nil)
    let json = JSONOutput.view(.talk(.list(list), about: milk), world)
    let post = #"{"number":1,"id":"\#(milk.id)","title":"milk"}"#
    let place = #"{"kind":"list","id":"\#(list.id)","name":"groceries"}"#
    let line =
      #"{"number":21,"at":120600000,"by":\#(Demo.person(Demo.author)),"text":"oat\nthe blue one","#
      + #""post":\#(post),"answers":7,"edited":120660000}"#
    #expect(json == #"{"ok":true,"place":\#(place),"post":\#(post),"lines":[\#(line)]}"#)
  }
}

extension Unicode.GeneralCategory {
  /// Whether a terminal may take such a scalar as an order.
  fileprivate var steers: Bool {
    switch self {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
