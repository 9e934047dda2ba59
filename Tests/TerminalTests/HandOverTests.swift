import Domain
import Sync
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

  @Test("Work that goes from one person to another has one line")
  func line() {
    var situation = situation(1...2)
    let post = Demo.post(1, "").id
    let (given, taken) = (
      Op.post(.marked(post, version: 3, .assigned(Demo.editor))),
      Op.post(.marked(post, version: 4, .unassigned(Demo.author)))
    )
    let stranger = UserID(UUID(high: 1, low: 9))
    let left = Op.post(.marked(post, version: 4, .unassigned(stranger)))
    for (ops, line) in [
      ([given, taken], "@editor → milk is for @editor instead of you (in #groceries)"),
      ([given], "@editor → milk is for @editor (in #groceries)"),
      ([taken], "@editor → milk is not for you any more (in #groceries)"),
      // An entry of somebody who left makes room.
      ([given, left], "@editor → milk is for @editor (in #groceries)"),
    ] {
      let applied = Demo.applied(ops, by: Demo.editor, &situation)
      let lines = EventLines(situation: situation).lines(applied, in: .category(Demo.groceries))
      #expect(lines.first?.plain == line && lines.count == (ops.contains(left) ? 2 : 1))
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

@Suite("terminal: the report for somebody who goes on")
struct HandOverReportTests {
  private static let day: Int64 = 86_400_000
  private static let now = Timestamp(milliseconds: 20_000 * day + 15 * 3_600_000)

  /// Three open posts, of which one is overdue and the editor is on another, seen at 15:00.
  private func situation() -> Situation {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Self.now)
    let (milk, bread) = (Demo.post(1, "").id, Demo.post(2, "").id)
    let later = Timestamp(milliseconds: Self.now.milliseconds + 3_600_000)
    let edit = PostEdit(due: .set(.day(Day(number: 19_999))))
    _ = Demo.applied(
      [
        .post(.added(Demo.post(4, "jam"), Counters(open: 3, done: 1))),
        .post(.edited(milk, version: 2, edit)),
        .post(.overdue(milk, .became(Self.now), Counters(open: 3, done: 1, overdue: 1))),
        .post(.claim(bread, .taken(Demo.editor, until: later, version: 3))),
      ], by: Demo.editor, &situation)
    return situation
  }

  private func completed(_ number: Int, by user: UserID) -> Event {
    let stamp = Stamp(at: Self.now, by: user)
    return Event(
      seq: 30, transaction: TransactionID(UUID(high: 7, low: 1)), at: Self.now, by: user, key: nil,
      ops: [.post(.completed(Demo.post(number, "").id, version: 9, stamp, Counters(open: 2)))])
  }

  @Test("The report names what is late, who is on something, and what is new")
  func report() throws {
    let told = try Demo.told("handover", [completed(1, by: Demo.editor)], situation())
    #expect(
      told == [
        "#groceries  3 open, 1 overdue, 1 claimed", "overdue:",
        "    #1  milk  ! due yesterday", "claimed:",
        "    #2  bread  @editor  ▸ @editor until 16:00", "        rye", "        or oat",
        "and 1 more open: /show #groceries", "since 10-03 15:00:",
        "15:00 @editor ✔ oat milk (0/2 in #groceries)",
      ])
    let quiet = try Demo.told("handover #groceries since 8h", [], situation())
    #expect(quiet.last == "nothing new since 07:00")
  }

  @Test(
    "The moment since when is told lies in the past",
    arguments: [
      ("8h", 7 * 60), ("9:30", 9 * 60 + 30), ("14:30", 14 * 60 + 30), ("16:00", -8 * 60),
      ("today", 0),
      ("yesterday", -1_440), ("2024-10-02", -2 * 1_440),
    ])
  func since(words: String, minute: Int) throws {
    guard case .action(let action) = Input(command: "handover since \(words)"),
      case .send(let requests) = try Planner(situation: situation()).plan(action),
      case .query(.history(.events(let query)))? = requests.first?.request
    else { throw Problem("nothing is asked") }
    let midnight = Self.now.milliseconds - 15 * 3_600_000
    #expect(query.from == Timestamp(milliseconds: midnight + Int64(minute) * 60_000))
    #expect(query.stream == .category(Demo.groceries) && query.person == nil)
  }

  @Test("A moment that is still to come is refused")
  func future() {
    #expect(throws: Problem("that is still to come")) {
      try Demo.told("handover since 2024-10-05", [], situation())
    }
  }

  @Test("A page with nothing to show does not say that nothing happened before it")
  func more() throws {
    var situation = situation()
    for (line, last) in [
      ("handover", "… there is more before"), ("why 1", "… there is more before"),
    ] {
      #expect(try Demo.told(line, [], before: 9, situation).last == last)
    }
    // The page of a post that one has changed oneself all the time.
    let own = [completed(1, by: Demo.author)]
    #expect(try Demo.told("why 1", own, before: 9, situation).last == "… there is more before")
    situation.streams[.category(Demo.groceries)] = nil
    #expect(throws: Problem.self) { try Demo.told("handover", own, situation) }
  }

  @Test("A script gets the numbers of the report, and the reasons")
  func json() throws {
    let situation = situation()
    let list = try situation.list(nil)
    let answer = ReplicaAnswer.history(.events(Demo.page([completed(1, by: Demo.author)])))
    let since = Timestamp(milliseconds: 7)
    let report = JSONOutput.answers([(.handOver(list, since: since), answer)], in: situation)
    let numbers = #"{"ok":true,"since":7,"overdue":[1],"claimed":[2],"failed":[],"history":[{"#
    #expect(report.hasPrefix(numbers))
    let why = JSONOutput.answers([(.why(list, Demo.post(1, "").id), answer)], in: situation)
    let reasons = #"["you added it","you are told all of #groceries"]"#
    #expect(why == #"{"ok":true,"reasons":\#(reasons),"history":[]}"#)
  }

  @Test("A post says why one is told of it, and what others did to it")
  func why() throws {
    var situation = situation()
    let events = [completed(1, by: Demo.author), completed(1, by: Demo.editor)]
    #expect(
      try Demo.told("why 1", events, situation) == [
        "#1 milk: you added it, you are told all of #groceries",
        "15:00 @editor ✔ oat milk (0/2 in #groceries)",
      ])
    _ = Demo.applied(
      .post(.marked(Demo.post(2, "").id, version: 4, .assigned(Demo.author))), by: Demo.editor,
      &situation)
    var edit = SettingsEdit()
    edit.levels = [.choose(LevelChoice(about: .category(Demo.groceries), level: .none))]
    _ = Demo.applied(
      .personal(.settings(edit)), by: Demo.author, in: .user(Demo.author), &situation)
    #expect(
      try Demo.told("why 2", [], situation) == [
        "#2 bread: it is your work, you are told nothing of #groceries",
        "  nobody else has done anything to it",
      ])
    #expect(
      try Demo.told("why @editor", Array(events.suffix(1)), situation) == [
        "@editor: you are told nothing of #groceries",
        "15:00 @editor ✔ oat milk (0/2 in #groceries)",
      ])
    // The person who added a post is told the comments on it, also when it is somebody else's work.
    _ = Demo.applied(
      .post(.marked(Demo.post(1, "").id, version: 4, .assigned(Demo.editor))), by: Demo.editor,
      &situation)
    let added = "#1 milk: you added it: comments on it are meant for you"
    #expect(
      try Demo.told("why 1", [], situation)[0] == "\(added), you are told nothing of #groceries")
    edit.levels = [
      .clear(.category(Demo.groceries)),
      .choose(LevelChoice(about: .group(Demo.home), level: .directed)),
      .choose(LevelChoice(about: .user(Demo.editor), level: .none)),
    ]
    _ = Demo.applied(
      .personal(.settings(edit)), by: Demo.author, in: .user(Demo.author), &situation)
    let less = "of home you are told only what is meant for you, you are told nothing of @editor"
    #expect(try Demo.told("why 1", [], situation)[0] == "\(added), \(less)")
  }
}
