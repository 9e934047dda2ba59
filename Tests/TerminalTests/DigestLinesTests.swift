import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("what happened on a day, as the terminal tells it")
struct DigestLinesTests {
  private let lists = [
    DigestList(
      stream: .category(World.groceries), name: "groceries",
      total: DigestCounts(added: 1, completed: 5), mine: DigestCounts(completed: 1),
      people: [
        DigestPerson(
          id: World.editor, username: "editor", counts: DigestCounts(added: 1, completed: 4))
      ]),
    DigestList(
      stream: .category(World.bigShop), name: "big shop", total: DigestCounts(removed: 2),
      mine: DigestCounts(), people: [], more: true),
  ]

  private func result(_ lists: [DigestList], day: String = "1970-01-01") -> DigestResult {
    DigestResult(
      day: Day(day)!, zone: "UTC", lists: lists, today: DayTotal(done: 1, of: 2), more: false)
  }

  private func lines(_ report: Report, _ result: DigestResult) -> [String] {
    var situation = World.situation()
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
      lines(.digestReady, result([])) == ["⏰ your day in your lists: /digest shows it"])
  }

  @Test("asks for the day of the person's own clock")
  func planned() throws {
    var situation = World.situation()
    situation.clock = Clock(zone: "UTC", now: Day("2026-11-22")!.startUTC)
    for (line, day) in [
      ("digest", "2026-11-22"), ("digest yesterday", "2026-11-21"),
      ("digest 2026-11-20", "2026-11-20"),
    ] {
      guard case .action(let action) = Input(command: line),
        case .send(let errands) = try Planner(situation: situation).plan(action)
      else {
        Issue.record("nothing is sent")
        return
      }
      #expect(
        errands.map(\.request) == [.query(.digest(DigestQuery(day: Day(day)!, zone: "UTC")))])
    }
    if case .action = Input(command: "digest sometimes") { Issue.record("that is no day") }
  }
}
