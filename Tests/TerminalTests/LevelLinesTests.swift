import Client
import Domain
import Screen
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("terminal: how much one is told of lists, groups and people")
struct LevelLinesTests {
  private static let groceries = StreamID.category(Demo.groceries)
  private let own = StreamID.user(Demo.author)

  /// Returns a situation in which one has chosen these levels, and no list is open.
  private func situation(_ levels: [(StreamID, NotificationLevel)]) -> Situation {
    var situation = Demo.situation(open: nil)
    var edit = SettingsEdit()
    edit.levels = levels.map { .choose(LevelChoice(about: $0.0, level: $0.1)) }
    _ = Demo.applied(.personal(.settings(edit)), by: Demo.author, in: own, &situation)
    return situation
  }

  private func shows(
    _ op: Op, by user: UserID? = Demo.editor, in stream: StreamID = groceries,
    _ levels: [(StreamID, NotificationLevel)], open: CategoryID? = nil
  ) -> Bool {
    var situation = situation(levels)
    situation.open = open
    let applied = Demo.applied(op, by: user, in: stream, &situation)
    return situation.shown(applied, in: stream) != nil
  }

  /// Returns the lines of an event at the level of the groceries.
  private func lines(
    _ ops: [Op], by user: UserID? = Demo.editor, in stream: StreamID = groceries,
    at level: NotificationLevel
  ) -> [String] {
    var situation = situation([(Self.groceries, level)])
    let applied = Demo.applied(ops, by: user, in: stream, &situation)
    guard let shown = situation.shown(applied, in: stream) else { return [] }
    return EventLines(situation: situation).lines(shown, in: stream).map(\.plain)
  }

  private let added = Op.post(.added(Demo.post(9, "jam"), Counters(open: 3)))
  private let renamed = Op.post(
    .edited(Demo.post(1, "").id, version: 2, PostEdit(title: "oat milk")))

  @Test("Events of a muted list, group or person have no line")
  func muted() {
    for op in [added, renamed] {
      #expect(shows(op, []))
      for about in [Self.groceries, .group(Demo.home), .user(Demo.editor)] {
        #expect(!shows(op, [(about, .none)]))
        #expect(!shows(op, [(about, .directed)]))
        #expect(shows(op, [(about, .all)]))
        #expect(shows(op, by: Demo.author, [(about, .none)]))
      }
      #expect(shows(op, [(.group(Demo.home), .none), (Self.groceries, .all)]))
      #expect(shows(op, [(.category(Demo.bigShop), .none)]))
    }
  }

  @Test("The open list shows all that goes on, but for muted people")
  func open() {
    let quiet: [(StreamID, NotificationLevel)] = [
      (Self.groceries, .none), (.group(Demo.home), .none),
    ]
    #expect(shows(added, quiet, open: Demo.groceries))
    #expect(!shows(added, quiet, open: Demo.bigShop))
    // Another list of the group stays muted.
    let joined = Op.group(.edited(name: "house"))
    #expect(!shows(joined, in: .group(Demo.home), quiet, open: Demo.groceries))
    #expect(!shows(added, [(.user(Demo.editor), .none)], open: Demo.groceries))
  }

  @Test("A deadline that passes in a muted list has no line")
  func overdue() {
    let late = Op.post(
      .overdue(
        Demo.post(1, "").id, .became(Timestamp(milliseconds: 9)), Counters(open: 2, overdue: 1)))
    #expect(shows(late, by: nil, []))
    #expect(!shows(late, by: nil, [(Self.groceries, .directed)]))
    #expect(shows(late, by: nil, [(.user(Demo.editor), .none)]))
  }

  @Test("One's own work is told at the level directed, and with none only what one asked for")
  func directed() {
    let milk = PostAddress(category: Demo.groceries, post: Demo.post(1, "").id)
    let given = Op.personal(.assignmentAdded(Self.groceries, milk.post))
    let reminded = { (kind: ReminderKind) in
      Op.personal(.fired(Reminded(address: milk, kind: kind, at: Timestamp(milliseconds: 9))))
    }
    let rows: [(Op, UserID?, NotificationLevel, Bool)] = [
      (given, Demo.editor, .directed, true), (given, Demo.editor, .none, false),
      (reminded(.overdue), nil, .directed, true), (reminded(.overdue), nil, .none, false),
      (reminded(.reminder), nil, .none, true),
    ]
    for (op, user, level, isShown) in rows {
      #expect(shows(op, by: user, in: own, [(Self.groceries, level)]) == isShown)
    }
    let marked = Op.post(.marked(milk.post, version: 2, .assigned(Demo.author)))
    let line = ["@editor → milk is for you (in #groceries)"]
    #expect(lines([marked], at: .directed) == line && lines([marked], at: .none) == [])
    let others = Op.post(.marked(milk.post, version: 2, .assigned(Demo.editor)))
    #expect(lines([others], at: .directed) == [] && lines([others], at: .all).count == 1)
    // It is the assignment of a muted person.
    #expect(!shows(given, in: own, [(.user(Demo.editor), .none)]))
  }

  @Test("One's own role, and that one is out, is told at any level")
  func membership() {
    for op in [
      Op.member(.granted(Demo.author, Grants(direct: .viewer))),
      Op.member(.removed(Demo.author, .removed)),
    ] {
      let told = lines([op], at: .all)
      #expect(told.count == 1 && lines([op], at: .none) == told, "\(op)")
    }
    #expect(lines([.member(.granted(Demo.editor, Grants(direct: .viewer)))], at: .none) == [])
  }

  @Test("An event about several lists shows what is not muted of it, and rings for nothing else")
  func several() {
    let reminders = [(Demo.groceries, 1), (Demo.bigShop, 2)].map { list, number in
      Op.personal(
        .fired(
          Reminded(
            address: PostAddress(category: list, post: Demo.post(number, "").id), kind: .overdue,
            at: Timestamp(milliseconds: 9))))
    }
    var situation = situation([(Self.groceries, .none)])
    let applied = Demo.applied(reminders, by: nil, in: own, &situation)
    let shown = situation.shown(applied, in: own)
    #expect(shown?.event.ops == [reminders[1]] && shown?.notifications.count == 1)
    let muted = Demo.applied([reminders[0]], by: nil, in: own, &situation)
    #expect(situation.shown(muted, in: own) == nil)
  }

  @Test("The news leave out a muted notice that the copy has")
  func notices() {
    let milk = Demo.post(1, "").id
    func given(_ situation: Situation) -> Situation {
      var situation = situation
      _ = Demo.applied(
        .post(.marked(milk, version: 2, .assigned(Demo.author))), by: Demo.editor, &situation)
      _ = Demo.applied(
        .personal(.assignmentAdded(Self.groceries, milk)), by: Demo.editor, in: own, &situation)
      return situation
    }
    let result = NotificationsResult(
      lists: [], directed: [], today: DayTotal(done: 0, of: 0))
    #expect(ListLines.news(result, given(situation([(Self.groceries, .none)]))).isEmpty)
    #expect(ListLines.news(result, given(situation([]))).count == 1)
  }

  static let said: [(line: String, about: StreamID, words: String)] = [
    ("mute #groceries", groceries, "you are told nothing of #groceries"),
    (
      "mute home directed", .group(Demo.home), "of home you are told only what is meant for you"
    ),
    ("mute #groceries all", groceries, "you are told all of #groceries"),
    ("mute #groceries off", groceries, "#groceries is not muted any more"),
    ("mute @editor 2h", .user(Demo.editor), "you are told nothing of @editor until 02:00"),
    ("settings mute @Editor", .user(Demo.editor), "you are told nothing of @editor"),
  ]

  @Test("A line chooses the level of one thing, and says so", arguments: said)
  func choosing(line: String, about: StreamID, words: String) throws {
    guard case .action(let action) = Input(command: line),
      case .send(let requests) = try Planner(situation: Demo.situation()).plan(action),
      let planned = requests.first,
      case .command(.account(.editSettings(let edit)), _, _) = planned.request
    else {
      Issue.record("\(line) is no change of the settings")
      return
    }
    #expect(edit.levels.map(\.about) == [about])
    let script = AnswerLines.lines(
      planned.report, .command(CommandResult(changed: true)), Demo.situation(), chat: false)
    #expect(script.map(\.plain) == [words])
  }

  @Test("Nothing is sent for oneself, strangers and what is over")
  func refusals() {
    var situation = Demo.situation()
    situation.clock = Clock(
      zone: "Europe/Lisbon", now: Timestamp(milliseconds: 1_795_348_800_000))
    for (line, problem) in [
      ("mute @author", "you are told nothing of yourself"),
      ("mute @stranger", "nobody in your lists is @stranger: /who shows who is there"),
      ("mute @editor 22.11.2026", "00:00 is over"),
    ] {
      #expect(throws: Problem("\(problem)")) {
        guard case .action(let action) = Input(command: line) else { return }
        _ = try Planner(situation: situation).plan(action)
      }
    }
  }

  @Test("Chosen levels are listed by name, and those that are over are not")
  func listing() {
    #expect(
      LevelLines.all(Demo.situation()).map(\.plain)
        == ["nothing is muted: /mute #LIST, GROUP or @PERSON does it"])
    var situation = situation([(Self.groceries, .none), (.user(Demo.editor), .directed)])
    var edit = SettingsEdit()
    edit.levels = [
      .choose(
        LevelChoice(about: .group(Demo.home), level: .none, until: situation.clock.now))
    ]
    _ = Demo.applied(.personal(.settings(edit)), by: Demo.author, in: own, &situation)
    #expect(
      LevelLines.all(situation).map(\.plain) == [
        "  1  #groceries              muted",
        "  2  @editor                 only what is meant for you is told",
      ])
    situation.streams[Self.groceries] = nil
    #expect(LevelLines.all(situation).first?.plain == "  1  (gone)                  muted")
    guard case .action(let action) = Input(command: "mute 1 off"),
      case .send(let requests)? = try? Planner(situation: situation).plan(action),
      case .command(.account(.editSettings(let back)), _, _)? = requests.first?.request
    else {
      Issue.record("what is gone keeps its level")
      return
    }
    #expect(back.levels == [.clear(Self.groceries)])
    var writer = JSONWriter()
    writer.beginObject()
    JSONOutput.levels(situation, &writer)
    writer.endObject()
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text.contains(#""kind":"list""#) && !text.contains("groceries"))
    #expect(text.contains(#""kind":"user""#) && text.contains(#""username":"editor""#))
    #expect(text.contains(#""level":"directed""#) && !text.contains("until"))
  }

  /// Returns the situation with so many members in the groceries, of whom one more has left.
  private func withMembers(_ count: Int, _ situation: Situation) -> Situation {
    var situation = situation
    for number in 3...count + 1 {
      let id = UserID(UUID(high: 1, low: UInt64(100 + number)))
      let role: Role? = number <= count ? .editor : nil
      _ = Demo.applied(
        .member(.added(Demo.member(id, "guest\(number)", role))), by: Demo.editor, &situation)
    }
    return situation
  }

  @Test("A list with eleven members shows only what is meant for a person, unless they choose")
  func large() {
    func shows(
      _ op: Op, of count: Int, _ levels: [(StreamID, NotificationLevel)] = [],
      open: CategoryID? = nil
    ) -> Bool {
      var situation = withMembers(count, situation(levels))
      situation.open = open
      let applied = Demo.applied(op, by: Demo.editor, &situation)
      return situation.shown(applied, in: Self.groceries) != nil
    }
    for op in [added, renamed] {
      #expect(shows(op, of: 10) && !shows(op, of: 11))
      #expect(shows(op, of: 11, open: Demo.groceries))
      #expect(!shows(op, of: 11, open: Demo.bigShop))
      for about in [Self.groceries, .group(Demo.home)] {
        #expect(shows(op, of: 11, [(about, .all)]))
      }
      #expect(!shows(op, of: 11, [(.user(Demo.editor), .all)]))
    }
    let mine = Op.post(.marked(Demo.post(1, "").id, version: 2, .assigned(Demo.author)))
    #expect(shows(mine, of: 11))
  }

  @Test("A list of which one is told less for its size is named among the levels")
  func largeListing() {
    let nothing = "nothing is muted: /mute #LIST, GROUP or @PERSON does it"
    #expect(LevelLines.all(withMembers(10, Demo.situation())).map(\.plain) == [nothing])
    let large = "     #groceries              only what is meant for you is told (11 members)"
    let lines = LevelLines.all(withMembers(11, Demo.situation()))
    #expect(lines.map(\.plain) == [nothing, large])
    #expect(lines[1].width < 80)
    func back(_ count: Int) -> String {
      Line(withMembers(count, Demo.situation()).words(of: .clear(Self.groceries))).plain
    }
    #expect(back(10) == "#groceries is not muted any more")
    #expect(
      back(11) == "of #groceries you are told only what is meant for you: it has 11 members")
    let list = Demo.category(Demo.groceries, "groceries")
    func why(_ count: Int) -> Phrase? {
      withMembers(count, Demo.situation()).reasons(toTellOf: Demo.post(2, "bread"), in: list).last
    }
    #expect(why(10).map { Line($0).plain } == "you are told all of #groceries")
    #expect(why(11).map { Line($0).plain } == back(11))
    let chosen = withMembers(11, situation([(Self.groceries, .none)]))
    #expect(LevelLines.all(chosen).map(\.plain) == ["  1  #groceries              muted"])
  }

  @Test("A list of which one is told less says so in the news")
  func news() {
    let situation = situation([(Self.groceries, .none)])
    let list = UnreadList(
      stream: Self.groceries, name: "groceries", unread: Unread(count: 7, more: false),
      notifications: [])
    let result = NotificationsResult(
      lists: [list], directed: [], today: DayTotal(done: 0, of: 0))
    #expect(ListLines.news(result, situation).map(\.plain) == ["#groceries  7 new, muted"])
    let one = Domain.Notification(
      kind: .added, stream: Self.groceries, seq: 9, opIndex: 0, at: Demo.start, by: Demo.editor,
      about: Self.groceries, post: Demo.post(1, "").id)
    let some = NotificationsResult(
      lists: [
        UnreadList(
          stream: Self.groceries, name: "groceries", unread: Unread(count: 7, more: false),
          notifications: [one])
      ], directed: [], today: DayTotal(done: 0, of: 0))
    func head(_ levels: [(StreamID, NotificationLevel)]) -> String? {
      ListLines.news(some, self.situation(levels)).first?.plain
    }
    #expect(head([]) == "#groceries  7 new, the last 1:")
    #expect(head([(Self.groceries, .directed)]) == "#groceries  7 new, 1 for you:")
    #expect(head([(.user(Demo.editor), .directed)]) == "#groceries  7 new, 1 of them:")
  }

  @Test("An undo gives back the level of before")
  func undo() {
    let situation = situation([(Self.groceries, .directed)])
    var edit = SettingsEdit()
    edit.levels = [
      .choose(LevelChoice(about: Self.groceries, level: .none)),
      .choose(LevelChoice(about: .user(Demo.editor), level: .none)),
    ]
    guard
      case .set(.account(.editSettings(let back)), _, _)? = Reversal(
        of: .account(.editSettings(edit)), in: situation)
    else {
      Issue.record("nothing takes it back")
      return
    }
    #expect(
      back.levels == [
        .choose(LevelChoice(about: Self.groceries, level: .directed)), .clear(.user(Demo.editor)),
      ])
  }
}
