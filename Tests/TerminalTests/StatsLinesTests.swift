import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("the terminal tells what people have completed")
struct StatsLinesTests {
  private let first = Day("2026-11-16")!
  private var clock: Clock {
    Clock(zone: "UTC", now: first.adding(days: 6).startUTC)
  }

  private func result(_ people: [StatsPerson], _ counts: [(Int, Int)] = []) -> StatsResult {
    let done = counts.reduce(0) { $0 + $1.1 }
    return StatsResult(
      stream: .category(Demo.groceries), from: first, to: first.adding(days: 6), zone: "UTC",
      added: 5, completed: done, punctuality: Punctuality(onTime: 2, late: 1),
      lateMedian: -3 * 3_600_000, people: people,
      days: counts.map { DayScore(day: first.adding(days: $0.0), completed: $0.1) }, more: true)
  }

  private let people = [
    StatsPerson(
      username: "editor",
      score: PersonScore(
        user: Demo.editor, added: 2, completed: 12, punctuality: Punctuality(onTime: 2, late: 1),
        streak: 3, best: 4)),
    StatsPerson(
      username: "author",
      score: PersonScore(user: Demo.author, added: 0, completed: 3, streak: 0, best: 2)),
    StatsPerson(
      username: "former",
      score: PersonScore(user: UserID(UUID(high: 1, low: 9)), added: 3, completed: 0)),
  ]

  private func lines(_ result: StatsResult, _ view: StatsView) -> [String] {
    var situation = Demo.situation()
    situation.clock = clock
    let place = ListOrGroup.list(Demo.category(Demo.groceries, "groceries"))
    return AnswerLines.lines(
      .stats(place, .week, view), .stats(result), situation, chat: true
    ).map(\.plain)
  }

  @Test("who completed most is first, with their days in a row")
  func score() {
    #expect(
      lines(result(people, [(0, 3), (6, 12)]), .score) == [
        "#groceries, 7 days: 15 done, 5 added",
        "  1. @editor   12 done  2 added  2 of 3 in time  3 days in a row (best: 4)",
        "  2. @author    3 done  best: 2 days in a row  (you)",
        "  3. @former    0 done  3 added", "there was too much to look through all of it",
      ])
  }

  @Test("how much a day, and how much of it in time")
  func stats() {
    let told = lines(result(people, [(0, 3), (2, 8), (3, 1), (6, 3)]), .stats)
    #expect(
      told == [
        "#groceries, 7 days: 15 done, 5 added",
        "  Mon ▃·█▁··▃ today  2.1 a day, most: 8 on Wed",
        "  in time: 2 of 3 that had a deadline (67 %)",
        "  half of them by 3 h before the deadline",
        "there was too much to look through all of it",
      ])
    let nothing = StatsResult(
      stream: .category(Demo.groceries), from: first, to: first, zone: "UTC", added: 0,
      completed: 0)
    for view in [StatsView.score, .stats] {
      #expect(lines(nothing, view) == ["#groceries, 7 days: 0 done, 0 added"])
    }
  }

  @Test("a script is told the figures")
  func json() {
    let report = Report.stats(.list(Demo.category(Demo.groceries, "groceries")), .week, .score)
    let text = JSONOutput.answers(
      [(report, .stats(result(people, [(0, 3)])))], in: Demo.situation())
    let list = #""kind":"list","id":"\#(Demo.groceries)","name":"groceries","#
    let counts = #""added":5,"completed":3,"onTime":2,"late":1,"lateMedianMs":-10800000,"#
    let first = #""people":[{"id":"\#(Demo.editor)","username":"editor","added":2,"completed":12,"#
    #expect(text.contains(list + #""from":"2026-11-16","to":"2026-11-22","# + counts + first))
    #expect(text.contains(#""days":[{"day":"2026-11-16","completed":3}],"more":true"#))
  }

  @Test("asks for the days of the person's own clock, of a list or a group")
  func planned() throws {
    var situation = Demo.situation()
    situation.clock = clock
    for (line, stream, from) in [
      ("score", .category(Demo.groceries), "2026-11-16"),
      ("stats home month", .group(Demo.home), "2026-10-24"),
      ("score #big-shop today", .category(Demo.bigShop), "2026-11-22"),
    ] as [(String, StreamID, String)] {
      guard case .action(let action) = Input(command: line),
        case .send(let requests) = try Planner(situation: situation).plan(action)
      else {
        Issue.record("nothing is sent")
        return
      }
      let query = StatsQuery(
        stream, from: Day(from)!, to: first.adding(days: 6), zone: "UTC")
      #expect(requests.map(\.request) == [.query(.stats(query))])
    }
  }
}
