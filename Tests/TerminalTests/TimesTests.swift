import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("a change of a post that comes again is about this one or all")
struct TimesTests {
  private static let today = Day(number: 20_000)
  private static let milk = Demo.post(1, "milk")

  /// Milk comes every week from today on at this time, and is editor's work; it is the seventh time.
  private func situation(_ words: String = "every week", at minute: Int? = nil) throws -> Situation
  {
    var situation = Demo.situation()
    let wish = try #require(RepeatWish(words)?.repetition(today: Self.today))
    let due: Due = minute.map { .time(Self.today, minute: $0, zone: "UTC") } ?? .day(Self.today)
    let occurrence = Occurrence(number: 7, due: due, start: Self.today)
    let edit = PostEdit(due: .set(due), repeats: .set(wish.at(occurrence)))
    let ops: [Op] = [
      .post(.edited(Self.milk.id, version: 2, edit)),
      .post(.marked(Self.milk.id, version: 3, .assigned(Demo.editor))),
    ]
    _ = Demo.applied(ops, by: Demo.editor, &situation)
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 20_000 * 86_400_000))
    return situation
  }

  /// Something more has happened to milk.
  private func situation(_ words: String, after ops: [Op]) throws -> Situation {
    var situation = try situation(words)
    _ = Demo.applied(ops, by: Demo.editor, &situation)
    return situation
  }

  /// `seen`: what stood on the screen when it was asked which times.
  private func commands(
    _ line: String, _ situation: Situation, seen: Situation? = nil
  ) throws -> [Command] {
    guard case .action(let action) = Input(command: line) else {
      Issue.record("\(line) is no command")
      return []
    }
    guard case .send(let requests) = try Planner(situation: situation, seen: seen).plan(action)
    else {
      return []
    }
    return requests.compactMap {
      if case .command(let command, _, _) = $0.request { command } else { nil }
    }
  }

  static let asking = [
    "edit 1 oat milk", "note 1 two bottles", "due 1 fri", "due 1 off", "rm 1", "rm 1 2",
    "priority 1 high",
    "where 1 Rossio", "color 1 red", "each 1 all", "race 1", "coop 1",
  ]

  @Test("who did not say which is asked, and nothing is sent", arguments: asking)
  func asks(line: String) throws {
    let problem = Problem("#1 milk comes again: this one or all?", remedy: .times)
    #expect(throws: problem) { try commands(line, situation()) }
    // The same of a post that does not come again, and the last time of one that does.
    var other = Demo.situation()
    other.clock = try situation().clock
    #expect(try commands(line, other).count == 1)
    #expect(try commands(line, situation("daily 1 time")).count == 1)
    for times in Times.allCases where !(times == .this && line == "due 1 off") {
      let said = times.said(in: "  " + line)
      #expect(try commands(said, situation()).count == 1, "\(said)")
    }
  }

  @Test("Words for times are no words of a title, and a list may be called so")
  func words() {
    #expect(Input(command: "edit 1 this one") == .action(.field(.title(nil, 1, "this one"))))
    #expect(
      Input(command: "edit All 1 one") == .action(.times(.all, .field(.title(nil, 1, "one")))))
    #expect(Input(command: "rm this 1") == .action(.times(.this, .post(.remove(nil, [1])))))
    #expect(
      Input(command: "rm #all 1") == .action(.post(.remove(Reference("#all"), [1]))))
    // Steps are there every time, and lists are no posts: nothing is taken for another thing.
    for line in [
      "rm all", "edit this", "skip all 1", "done this 1", "edit this 1.1 x", "rm this 1.2",
      "rm this 1 1.2", "rm this #all", "rm all #groceries #big-shop", "color all red",
      "color this #groceries red",
    ] {
      guard case .wrong = Input(command: line) else {
        Issue.record("\(line) is understood")
        continue
      }
    }
  }

  @Test("removing this one leaves it out, removing all removes the post")
  func remove() throws {
    let situation = try situation()
    #expect(
      try commands("rm this 1", situation)
        == [.changeOccurrence(Demo.groceries, Self.milk.id, 7, .remove)])
    #expect(
      try commands("rm all 1", situation)
        == [.removePost(Demo.groceries, Self.milk.id, ifVersion: nil)])
    // Of two of which one comes again, each is what it is.
    #expect(
      try commands("rm this 1 2", situation) == [
        .batch([
          .changeOccurrence(Demo.groceries, Self.milk.id, 7, .remove),
          .removePost(Demo.groceries, Demo.post(2, "").id, ifVersion: nil),
        ])
      ])
  }

  @Test("this one, edited, becomes a post of its own for the same people")
  func apart() throws {
    guard case .batch(let commands) = try commands("edit this 1 oat milk", situation())[0],
      // Of this version: whatever happens to it meanwhile, nothing of that is lost.
      case .post(.change(let from, .copy(let own, let list, days: 0), ifVersion: 3)) = commands[0]
    else {
      Issue.record("no copy")
      return
    }
    #expect(from.post == Self.milk.id && list == Demo.groceries)
    let edit = PostEdit(title: "oat milk", repeats: .clear)
    let address = PostAddress(category: Demo.groceries, post: own)
    #expect(
      commands.dropFirst() == [
        .editPost(Demo.groceries, own, edit, ifVersion: nil),
        .post(.change(address, .assign(Demo.editor), ifVersion: nil)),
        .changeOccurrence(Demo.groceries, Self.milk.id, 7, .skip),
      ])
    #expect(
      try self.commands("edit all 1 oat milk", situation())
        == [
          .editPost(
            Demo.groceries, Self.milk.id, PostEdit(title: "oat milk"), ifVersion: nil)
        ])
  }

  @Test(
    "in the list stands whose turn it is",
    arguments: [(Demo.author, "(your turn)"), (Demo.editor, "(turn of @editor)")])
  func turn(of user: UserID, expected: String) throws {
    let wish = try #require(RepeatWish("every week rotate")?.repetition(today: Self.today))
    let next = Occurrence(number: 8, due: .day(Self.today), start: Self.today, turn: user)
    let again = PostEdit(repeats: .set(wish.at(next)))
    let situation = try situation(
      "every week rotate",
      after: [
        .post(.marked(Self.milk.id, version: 4, .assigned(Demo.author))),
        .post(.edited(Self.milk.id, version: 5, again)),
      ])
    let list = try #require(situation.openList)
    let lines = ListLines.posts(of: list, done: false, situation).map(\.plain)
    #expect(lines.contains { $0.contains("milk") && $0.contains(expected) }, "\(lines)")
  }

  @Test("everybody sees the new post as it is, in one line")
  func apartToOthers() throws {
    var situation = try situation()
    var copy = Demo.post(9, "milk")
    let coming = try #require(situation.streams[.category(Demo.groceries)]?.post(Self.milk.id))
    (copy.due, copy.repeats) = (coming.due, coming.repeats)
    let ops: [Op] = [
      .post(.added(copy, Counters(open: 3))),
      .post(.edited(copy.id, version: 2, PostEdit(title: "oat milk", repeats: .clear))),
      .post(.marked(copy.id, version: 3, .assigned(Demo.editor))),
    ]
    let applied = Demo.applied(ops, by: Demo.editor, &situation)
    let lines = EventLines(situation: situation)
      .lines(applied, in: .category(Demo.groceries)).map(\.plain)
    #expect(lines.first == "@editor + oat milk, due today (#9 in #groceries)")
    #expect(lines.count == 2 && !lines.contains { $0.contains("✎") })
    #expect(situation.streams[.category(Demo.groceries)]?.post(copy.id)?.repeats == nil)
  }

  /// The words that begin a change, the ops, and the reason why they stay together.
  private static let reasons: [(words: String, ops: [Op], why: String)] = [
    ("every week rotate", [], "is done in turn"),
    ("every week confirmed", [], "is confirmed by an admin"),
    (
      "every week",
      [
        .step(milk.id, version: 4, .added(Step(id: Demo.flour, content: "flour"))),
        .step(milk.id, version: 5, .added(Step(id: Demo.salt, content: "salt"))),
        .step(
          milk.id, version: 6,
          .completed([Demo.flour], StepFinish(at: Demo.start, by: Demo.editor))),
      ], "has steps that are done"
    ),
    (
      "every week",
      [
        .post(.edited(milk.id, version: 4, PostEdit(mode: .set(.each)))),
        .post(.marked(milk.id, version: 5, .partCompleted(Demo.editor))),
      ], "is done by some already"
    ),
  ]

  @Test(
    "A time that has been begun is not torn apart, and nothing is sent", arguments: reasons.indices)
  func begun(index: Int) throws {
    let row = Self.reasons[index]
    let situation = try situation(row.words, after: row.ops)
    for line in ["edit this 1 oat milk", "note this 1 two", "priority this 1 high"] {
      #expect(
        throws: Problem("#1 \(row.why), so it is changed for all its times or not at all")
      ) { try commands(line, situation) }
    }
    // All times, another day, and leaving it out tear nothing apart.
    for line in ["edit all 1 oat milk", "due this 1 \(Day(number: 20_003))", "rm this 1"] {
      #expect(try commands(line, situation).count == 1, "\(line)")
    }
  }

  @Test("A time that was begun between question and answer is not torn apart either")
  func begunMeanwhile() throws {
    let seen = try situation()
    let tomorrow = Timestamp(milliseconds: 20_001 * 86_400_000)
    let claimed = try situation(
      "every week",
      after: [.claim(Self.milk.id, .taken(Demo.editor, until: tomorrow, version: 4))])
    #expect(
      throws: Problem(
        "#1 is what somebody is on, so it is changed for all its times or not at all")
    ) { try commands("edit this 1 oat milk", claimed, seen: seen) }
    #expect(try commands("edit all 1 oat milk", claimed, seen: seen).count == 1)
    // What is no reason is in the new post: another title, somebody else's work.
    let edited = try situation(
      "every week", after: [.post(.edited(Self.milk.id, version: 4, PostEdit(title: "Milk")))])
    guard case .batch(let batch)? = try commands("note this 1 x", edited, seen: seen).first,
      case .post(.change(_, .copy, ifVersion: 4))? = batch.first
    else {
      Issue.record("no copy of what there is")
      return
    }
  }

  @Test("another time than the one asked about is left alone, and it is told what became of that")
  func faster() throws {
    let seen = try situation()
    let next = Occurrence(number: 8, due: .day(Day(number: 20_007)), start: Self.today)
    let done = Stamp(at: Demo.start, by: Demo.editor)
    let news = NextOccurrence(7, .completed(done), next)
    let rows: [(ops: [Op], why: String)] = [
      (
        [.post(.occurred(Self.milk.id, version: 4, news, Counters(open: 2)))],
        "is another time now"
      ),
      ([.post(.completed(Self.milk.id, version: 4, done, Counters(open: 1, done: 1)))], "is done"),
      (
        [.post(.edited(Self.milk.id, version: 4, PostEdit(repeats: .clear)))],
        "does not come again any more"
      ),
    ]
    for (ops, why) in rows {
      let now = try situation("every week", after: ops)
      for line in Self.asking where line != "due 1 off" && line != "rm 1 2" {
        let said = Times.this.said(in: line)
        #expect(throws: Problem("somebody was faster: #1 \(why); nothing was done"), "\(said)") {
          try commands(said, now, seen: seen)
        }
        // Said of what one sees now, it is another matter.
        #expect(try commands(said, now, seen: now).count == 1, "\(said)")
        if line.hasPrefix("due") { continue }
        #expect(try commands(Times.all.said(in: line), now, seen: seen).count == 1, "\(line)")
      }
    }
    // All that come from the time that was seen: by now they come from another.
    let now = try situation("every week", after: rows[0].ops)
    #expect(throws: Problem("somebody was faster: #1 is another time now; nothing was done")) {
      try commands("due all 1 fri", now, seen: seen)
    }
  }

  @Test(
    "whoever may not is asked nothing, and should they be allowed to later, no other time is hit")
  func later() throws {
    var archived = try situation()
    let stamp = Stamp(at: Demo.start, by: Demo.editor)
    _ = Demo.applied(.category(.archived(stamp)), by: Demo.editor, &archived)
    for line in ["rm #groceries 1", "rm this #groceries 1"] {
      #expect(
        try commands(line, archived)
          == [.changeOccurrence(Demo.groceries, Self.milk.id, 7, .remove)])
    }
    for line in ["edit #groceries 1 oat milk", "edit this #groceries 1 oat milk"] {
      guard case .batch(let commands)? = try commands(line, archived).first else {
        Issue.record("\(line) is not of one time")
        continue
      }
      #expect(commands.editsOneTime)
    }
    // The last time, which may be no last one by then.
    let last = try situation("daily 1 time")
    #expect(
      try commands("rm this 1", last)
        == [.changeOccurrence(Demo.groceries, Self.milk.id, 7, .remove)])
    for line in ["edit 1 oat milk", "due this 1 fri", "due 1 off"] {
      let asked = try commands(line, last).first
      guard case .post(.change(_, .occurrence(7, .edit), _))? = asked else {
        Issue.record("\(line) is not of this time")
        continue
      }
    }
    #expect(
      try commands("rm all 1", last) == [.removePost(Demo.groceries, Self.milk.id, ifVersion: nil)]
    )
  }

  @Test("A command that changes nothing is about the time on the screen, and nobody is asked")
  func same() throws {
    for line in ["edit this 1 milk", "edit 1 milk", "note 1 off", "priority 1 off"] {
      let asked = try commands(line, situation()).first
      guard case .post(.change(_, .occurrence(7, .edit), nil))? = asked else {
        Issue.record("\(line) is not one edit of this time")
        continue
      }
    }
    let asked = try commands("edit all 1 milk", situation()).first
    guard case .post(.change(_, .edit, nil))? = asked else {
      Issue.record("it is not one edit of all")
      return
    }
  }

  @Test("nobody is asked what they may not do anyhow")
  func forbidden() throws {
    var viewer = try situation()
    _ = Demo.applied(
      .member(.granted(Demo.author, Grants(direct: .doer))), by: Demo.editor, &viewer)
    var archived = try situation()
    let stamp = Stamp(at: Demo.start, by: Demo.editor)
    _ = Demo.applied(.category(.archived(stamp)), by: Demo.editor, &archived)
    for (line, situation) in [
      ("rm 1", viewer), ("edit 1 x", viewer), ("edit this 1 x", viewer),
      ("rm #groceries 1", archived),
    ] { #expect(try commands(line, situation).count == 1, "\(line)") }
  }

  @Test("one time that was refused is told by what was typed")
  func unsent() throws {
    let command = try #require(try commands("edit this 1 oat milk", situation()).first)
    guard case .batch(let commands) = command else {
      Issue.record("no batch")
      return
    }
    #expect(commands.editsOneTime && !Array(commands.dropLast()).editsOneTime)
    #expect(!Array(commands.dropFirst()).editsOneTime)
    let refused = ServerError(
      kind: .conflict, code: ErrorKind.conflict.code, retry: .no,
      sentence: "In command 2 of the batch: It was changed meanwhile.", index: 2)
    #expect(refused.sentence(about: command) == "It was changed meanwhile.")
    #expect(refused.sentence(about: .batch(Array(commands.dropLast()))) == refused.sentence)
  }

  private func edit(_ line: String, _ situation: Situation) throws -> PostEdit? {
    switch try commands(line, situation).first {
    case .post(.change(_, .edit(let edit), _)): edit
    case .post(.change(_, .occurrence(_, .edit(let edit)), _)): edit
    default: nil
    }
  }

  @Test("a day moves this one or all, at the same time of day")
  func due() throws {
    let timed = try situation(at: 18 * 60)
    let friday = Day(number: 20_001)
    let then = Due.time(friday, minute: 18 * 60, zone: "UTC")
    // Named by its number: sent late, it moves no later one.
    #expect(
      try commands("due this 1 \(friday)", timed)
        == [.changeOccurrence(Demo.groceries, Self.milk.id, 7, .edit(PostEdit(due: .set(then))))])
    let weekly = try #require(RepeatWish("every week")?.repetition(today: Self.today))
    #expect(
      try edit("due all 1 \(friday)", timed) == PostEdit(due: .set(then), repeats: .set(weekly)))
    #expect(
      try edit("due all 1 \(friday) 9:00", timed)
        == PostEdit(
          due: .set(.time(friday, minute: 9 * 60, zone: "UTC")), repeats: .set(weekly)))
    // A time alone keeps the day, also when it has passed today.
    let early = Due.time(Self.today, minute: 0, zone: "UTC")
    #expect(
      try commands("due this 1 0:00", timed)
        == [.changeOccurrence(Demo.groceries, Self.milk.id, 7, .edit(PostEdit(due: .set(early))))])
    #expect(
      try edit("due all 1 0:00", timed) == PostEdit(due: .set(early), repeats: .set(weekly)))
    #expect(try edit("due all 1 off", timed) == PostEdit(due: .clear, repeats: .clear))
    #expect(throws: Problem.self) { try commands("due this 1 off", timed) }
  }

  @Test("all are due at the time of day of the rule, not at that of one that was moved")
  func dueOfAll() throws {
    let friday = Day(number: 20_001)
    let late = PostEdit(due: .set(.time(Self.today, minute: 20 * 60, zone: "UTC")))
    var situation = try situation(at: 18 * 60)
    _ = Demo.applied(
      .post(.edited(Self.milk.id, version: 4, late)), by: Demo.editor, &situation)
    #expect(
      try edit("due all 1 \(friday)", situation)?.due
        == .set(.time(friday, minute: 18 * 60, zone: "UTC")))
    #expect(
      try commands("due this 1 \(friday)", situation) == [
        .changeOccurrence(
          Demo.groceries, Self.milk.id, 7,
          .edit(PostEdit(due: .set(.time(friday, minute: 20 * 60, zone: "UTC")))))
      ])
  }

  @Test("so many times stay so many, and days of the rule are other days of the rule")
  func rule() throws {
    var situation = Demo.situation()
    let wish = try #require(RepeatWish("daily 5 times")?.repetition(today: Self.today))
    let occurrence = Occurrence(
      number: 9, due: .day(Self.today), start: Self.today, taken: 3)
    let edit = PostEdit(due: .set(.day(Self.today)), repeats: .set(wish.at(occurrence)))
    _ = Demo.applied(
      .post(.edited(Self.milk.id, version: 2, edit)), by: Demo.editor, &situation)
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 20_000 * 86_400_000))
    let left = try #require(RepeatWish("daily 3 times")?.repetition(today: Self.today))
    #expect(
      try self.edit("due all 1 \(Day(number: 20_002))", situation)
        == PostEdit(due: .set(.day(Day(number: 20_002))), repeats: .set(left)))
    // The day 20 000 is a Friday.
    let fridays = try self.situation("every fri")
    #expect(throws: Problem("#1 comes every fri: /repeat 1 sets other days")) {
      try commands("due all 1 \(Day(number: 20_001))", fridays)
    }
    // Beyond its end no rule names a day.
    let ending = try self.situation("every fri until \(Day(number: 20_010))")
    #expect(throws: Problem.self) { try commands("due all 1 \(Day(number: 20_014))", ending) }
    #expect(try commands("due all 1 \(Day(number: 20_007))", ending).count == 1)
    #expect(try commands("due this 1 \(Day(number: 20_001))", fridays).count == 1)
    #expect(try commands("due all 1 \(Day(number: 20_007))", fridays).count == 1)
  }

  @Test("A time that is left out says when the post comes again")
  func told() throws {
    let situation = try situation()
    for (line, told) in [
      ("skip 1", "↷ #1 milk: not this time (again 10-11)"),
      ("rm this 1", "↷ #1 milk: not this time (again 10-11)"),
    ] {
      guard case .action(let action) = Input(command: line),
        case .send(let requests) = try Planner(situation: situation).plan(action),
        case .change(let made, same: _)? = requests.first?.report
      else {
        Issue.record("\(line) is not sent")
        continue
      }
      #expect(Line(made).plain == told)
    }
  }

  @Test("every command that asks is one whose words may say it, and its help says so")
  func table() {
    let names = Set(Self.asking.map { String($0.prefix { $0 != " " }) } + ["goal"])
    #expect(Set(CommandTable.entries.filter(\.saysTimes).map(\.name)) == names)
    for name in names {
      #expect(HelpLines.one(name).last?.plain.contains("/\(name) this …") == true)
    }
  }
}

@Suite("the number that a post had in a list that it left")
struct WhereaboutsTests {
  private func answer(_ number: Int, _ page: HistoryPage) throws -> String {
    var situation = Demo.situation()
    _ = Demo.applied(
      .post(.added(Demo.post(9, "chairs"), Counters(open: 1))), by: Demo.author,
      in: .category(Demo.bigShop), &situation)
    let list = try situation.list(nil)
    let planner = Planner(situation: situation)
    let planned = planner.whereabouts(of: number, in: list)
    let told = AnswerLines.lines(
      planned.report, .history(.events(page)), situation, chat: true)
    return told.map(\.plain).joined()
  }

  private func page(_ posts: [(number: Int, of: Post)]) -> HistoryPage {
    HistoryPage(
      lines: [], people: [],
      posts: posts.map { HistoryPage.Subject(id: $0.of.id, number: $0.number, title: $0.of.title) },
      before: nil)
  }

  @Test("is told to who sees where it is, and that it left to everybody else")
  func told() throws {
    let here = Demo.post(9, "chairs")
    #expect(
      try answer(4, page([(4, here)]))
        == "#4 has moved from #groceries to #Big-Shop: it is #9 there")
    #expect(
      try answer(4, page([(4, Demo.post(77, "table"))]))
        == "#4 has moved from #groceries to another list")
    #expect(try answer(5, page([(4, here)])) == "there is no #5 in #groceries")
  }
}
