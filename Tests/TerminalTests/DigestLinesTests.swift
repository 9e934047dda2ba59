import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("the terminal tells what happened on a day")
struct DigestLinesTests {
  private let lists = [
    DigestList(
      stream: .category(Demo.groceries), name: "groceries",
      total: DigestCounts(added: 1, completed: 5), mine: DigestCounts(completed: 1),
      people: [
        DigestPerson(
          id: Demo.editor, username: "editor", counts: DigestCounts(added: 1, completed: 4))
      ]),
    DigestList(
      stream: .category(Demo.bigShop), name: "big shop", total: DigestCounts(removed: 2),
      mine: DigestCounts(), people: [], more: true),
  ]

  private func result(
    _ lists: [DigestList], day: String = "1970-01-01", own: Int = 2, more: Bool = false
  ) -> DigestResult {
    DigestResult(
      day: Day(day)!, zone: "UTC", lists: lists, today: DayTotal(done: own / 2, of: own),
      more: more)
  }

  private func lines(_ report: Report, _ result: DigestResult) -> [String] {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 3_600_000))
    return AnswerLines.lines(report, .digest(result), situation, chat: true).map(\.plain)
  }

  @Test("a line for each list, others first; what one did oneself below")
  func asked() {
    #expect(
      lines(.digest, result(lists)) == [
        "today in your lists:", "#groceries  @editor completed 4, added 1; you completed 1",
        "#big-shop  removed 2  and more", "today, yours: 1 of 2 done",
      ])
    #expect(
      lines(.digest, result([])) == [
        "today in your lists: nothing", "today, yours: 1 of 2 done",
      ])
  }

  @Test("A digest of today or yesterday names what is due, late and failed; an older one does not")
  func open() {
    var situation = Demo.situation()
    situation.clock = Clock(
      zone: "UTC", now: Timestamp(milliseconds: Int64(Day("2026-11-20")!.number) * 86_400_000))
    let failed = EndedRun(
      id: RunID(UUID(high: 9, low: 1)), user: Demo.editor, outcome: .failed,
      startedAt: Demo.start, endedAt: Demo.start, seq: 5)
    var nightly = Demo.post(4, "nightly")
    nightly.lastRun = failed
    let due = PostEdit(due: .set(.day(Day("2026-11-20")!)))
    var ops: [Op] = [
      .post(.added(nightly, Counters())), .post(.edited(Demo.post(1, "").id, version: 2, due)),
      .post(.overdue(Demo.post(2, "").id, .became(Demo.start), Counters())),
    ]
    ops += (5...8).map { number in
      var post = Demo.post(number, "job \(number)")
      // The last one is due at 15:30 here, where the day is over in Tokyo.
      post.due =
        number == 8
        ? .time(Day("2026-11-21")!, minute: 30, zone: "Asia/Tokyo") : .day(Day("2026-11-20")!)
      return .post(.added(post, Counters()))
    }
    _ = Demo.applied(ops, by: Demo.editor, &situation)
    let named = [
      "due today: #1 milk in #groceries, #5 job 5 in #groceries, #6 job 6 in #groceries and 2 more",
      "overdue: #2 bread in #groceries", "did not end well: #4 nightly in #groceries",
    ]
    for (day, expected) in [("2026-11-20", named), ("2026-11-19", named), ("2026-11-18", [])] {
      let answer = ReplicaAnswer.digest(result([], day: day, own: 0))
      let told = AnswerLines.lines(.digest, answer, situation, chat: true).map(\.plain)
      #expect(Array(told.dropFirst()) == expected)
    }
  }

  @Test("when its time has come, the others in one line")
  func ready() {
    #expect(
      lines(.digestReady, result(lists)) == [
        "⏰ today in your lists: @editor completed 4, added 1 in #groceries  /digest shows it"
      ])
    #expect(
      lines(.digestReady, result(lists, day: "1969-12-31"))[0].hasSuffix(
        "/digest 1969-12-31 shows it"))
    #expect(
      lines(.digestReady, result([])) == ["⏰ today in your lists: /digest shows it"])
    #expect(
      lines(.digestReady, result([], day: "1969-12-31"))
        == ["⏰ yesterday in your lists: /digest 1969-12-31 shows it"])
  }

  @Test("a day on which nothing happened is not told: the server looks at less than what it counts")
  func nothing() {
    #expect(lines(.digestReady, result([], own: 0)) == [])
    #expect(lines(.digestReady, result([], own: 0, more: true)).count == 1)
    #expect(lines(.digest, result([], own: 0)) == ["today in your lists: nothing"])
  }

  static let times: [(digest: String, at: Int64, day: String)] = [
    // In Lisbon, on Friday 2026-11-27 at 9:00: told in the morning of the day before, in the evening of the day.
    ("07:00", -120, "yesterday in your lists: /digest 2026-11-26 shows it"),
    ("18:00", -900, "yesterday in your lists: /digest 2026-11-26 shows it"),
    ("18:00", -901, "11-25 in your lists: /digest 2026-11-25 shows it"),
    ("00:00", -1_980, "11-25 in your lists: /digest 2026-11-25 shows it"),
    // Wanted no more.
    ("off", -120, "yesterday in your lists: /digest 2026-11-26 shows it"),
    ("off", -541, "yesterday in your lists: /digest 2026-11-26 shows it"),
    ("00:00", -540, "yesterday in your lists: /digest 2026-11-26 shows it"),
  ]

  @Test("News of some time ago names its day, by the person's own clock", arguments: times)
  func past(digest: String, at minutes: Int64, day: String) throws {
    var situation = Demo.situation()
    let now = Day("2026-11-27")!.startUTC.milliseconds + 9 * 3_600_000
    situation.clock = Clock(zone: "Europe/Lisbon", now: Timestamp(milliseconds: now))
    var edit = SettingsEdit()
    edit.digest = ClockTime(digest).map { .set($0) } ?? .clear
    _ = Demo.applied(
      .personal(.settings(edit)), by: Demo.author, in: .user(Demo.author), &situation)
    let own = StreamID.user(Demo.author)
    let notice = Notification(
      kind: .digest, stream: own, seq: 1, opIndex: 0,
      at: Timestamp(milliseconds: now + minutes * 60_000), by: nil, about: own)
    let result = NotificationsResult(
      lists: [], directed: [notice], today: DayTotal(done: 0, of: 0))
    let told = ListLines.news(result, situation).map(\.plain)
    #expect(told.count == 1 && told[0].hasSuffix("⏰ " + day), "\(told)")
    let fold = EventLines(situation: situation).notificationLine(
      NotificationFold.fold([notice])[0], verbose: true)
    #expect(fold.plain == "⏰ " + day)
  }

  @Test("asks for the day of the person's own clock")
  func planned() throws {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Day("2026-11-22")!.startUTC)
    for (line, day) in [
      ("digest", "2026-11-22"), ("digest yesterday", "2026-11-21"),
      ("digest 2026-11-20", "2026-11-20"),
    ] {
      guard case .action(let action) = Input(command: line),
        case .send(let requests) = try Planner(situation: situation).plan(action)
      else {
        Issue.record("nothing is sent")
        return
      }
      #expect(
        requests.map(\.request) == [.query(.digest(DigestQuery(day: Day(day)!, zone: "UTC")))])
    }
    if case .action = Input(command: "digest sometimes") { Issue.record("that is no day") }
  }
}
