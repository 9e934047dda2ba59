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

  private let place = ListOrGroup.list(Demo.category(Demo.groceries, "groceries"))

  private func lines(_ result: StatsResult, _ view: StatsView) -> [String] {
    shown(result, .stats(place, .week, view)).map(\.plain)
  }

  private func shown(_ result: StatsResult, _ report: Report) -> [Line] {
    var situation = Demo.situation()
    situation.clock = clock
    return AnswerLines.lines(report, .stats(result), situation, chat: true)
  }

  /// Returns the statistics of ten years. Each count has the number of days that have passed since.
  private func long(_ counts: [(ago: Int, completed: Int)]) -> StatsResult {
    let last = first.adding(days: 6)
    return StatsResult(
      stream: .category(Demo.groceries), from: last.adding(days: -3_659), to: last, zone: "UTC",
      added: nil, completed: counts.reduce(0) { $0 + $1.completed },
      days: counts.map { DayScore(day: last.adding(days: -$0.ago), completed: $0.completed) })
  }

  /// A person who has raced, and reached something beside others.
  private var racer: PersonScore {
    PersonScore(
      user: Demo.editor, added: 2, completed: 12, streak: 3, best: 4, places: [2, 0, 1], steps: 1,
      amounts: [UnitAmount(unit: "pages", amount: 420), UnitAmount(unit: "km", amount: 7)],
      record: DayScore(day: first.adding(days: 2), completed: 7))
  }

  private func mine(_ places: [Int]) -> PersonScore {
    PersonScore(
      user: Demo.author, added: nil, completed: 3, places: places, steps: 2,
      record: DayScore(day: first.adding(days: 2), completed: 2))
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

  @Test("A score has the races that were won or nearly so, amounts and steps, below the counts")
  func contests() {
    let people = [
      StatsPerson(username: "editor", score: racer),
      StatsPerson(username: "author", score: mine([0, 3])),
    ]
    let rows = shown(result(people), .stats(place, .week, .score)).dropFirst()
    #expect(
      rows.prefix(2).map(\.plain) == [
        "  1. @editor   12 done  2 added  3 days in a row (best: 4)  won 2 races, 3rd in 1"
          + "  420 pages, 7 km, 1 step",
        "  2. @author    3 done  2nd in 3 races  2 steps  (you)",
      ])
    let wrapped = rows.prefix(1).flatMap { $0.wrapped(columns: 79) }
    #expect(wrapped.count == 2 && wrapped.allSatisfy { $0.width <= 79 })
    #expect(wrapped.last?.plain.hasPrefix(String(repeating: " ", count: 14)) == true)
    let places: [([Int], String)] = [
      ([1], "won 1 race"), ([1, 1, 2], "won 1 race, 2nd in 1, 3rd in 2"),
    ]
    for (counts, words) in places {
      let told = lines(result([StatsPerson(username: "author", score: mine(counts))]), .score)
      #expect(told[1] == "  1. @author    3 done  \(words)  2 steps  (you)")
    }
  }

  @Test("One's own best day stands below the days of a list, and is one of them among one's own")
  func record() {
    let people = [StatsPerson(username: "author", score: mine([]))]
    #expect(lines(result(people, [(2, 8)]), .stats)[2] == "  your most on a day: 2 on Wed")
    let own = StatsResult(
      stream: .user(Demo.author), from: first, to: first.adding(days: 6), zone: "UTC", added: 1,
      completed: 3, people: people,
      days: [
        DayScore(day: first, completed: 1), DayScore(day: first.adding(days: 2), completed: 2),
      ])
    #expect(
      shown(own, .stats(nil, .week, .stats)).map(\.plain) == [
        "you in all lists, 7 days: 3 done, 1 added",
        "  Mon ▄·█···· today  0.4 a day, most: 2 on Wed",
      ])
    #expect(
      shown(own, .stats(nil, .week, .score)).last?.plain == "  1. @author    3 done  2 steps  (you)"
    )
  }

  @Test("Over a long time a sign is a week or more, and the first is that of the first completion")
  func year() {
    let few = shown(long([(10, 3), (0, 1)]), .stats(place, .all, .stats))
    #expect(
      few.map(\.plain) == [
        "#groceries, ten years: 4 done",
        "  11-12 █·········▃ today  0.4 a day, most: 3 on 11-12",
      ])
    let many = shown(long([(364, 10), (7, 20), (0, 10)]), .stats(place, .all, .stats))
    #expect(
      many.map(\.plain) == [
        "#groceries, ten years: 40 done",
        "  2025-11-23 ▄\(String(repeating: "·", count: 50))█▄ today",
        "  each sign a week, 0.8 on average; most on a day: 20 on 11-15",
      ])
    #expect(many.allSatisfy { $0.width < 80 })
  }

  static let bars: [(ago: Int, daysPerSign: Int, signs: Int)] = [
    (5, 1, 7), (52, 1, 53), (53, 7, 8), (370, 7, 53), (371, 28, 14), (1_483, 28, 53),
    (1_484, 91, 17), (3_659, 91, 41),
  ]

  @Test("There are at most 53 signs, however long it is", arguments: bars)
  func signs(ago: Int, daysPerSign: Int, signs: Int) throws {
    let bar = try #require(StatsBar(long([(ago, 2), (0, 2)])))
    #expect(bar.daysPerSign == daysPerSign && bar.signs.count == signs)
    #expect(bar.from == first.adding(days: 6 - max(ago, 6)) && bar.signs.last == "█")
    #expect(StatsBar(long([])) == nil)
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

  @Test(
    "A script is told places, amounts, steps and the best day, and `added` only where it is known")
  func moreFigures() {
    let people = [
      StatsPerson(username: "editor", score: racer),
      StatsPerson(username: "author", score: mine([])),
    ]
    let text = JSONOutput.answers(
      [(.stats(nil, .week, .score), .stats(result(people)))], in: Demo.situation())
    let amounts = #"[{"unit":"pages","amount":420},{"unit":"km","amount":7}]"#
    let record = #""record":{"day":"2026-11-18","completed":7}}"#
    #expect(text.contains(#""best":4,"places":[2,0,1],"steps":1,"amounts":\#(amounts),"# + record))
    #expect(text.contains(#""username":"author","completed":3,"streak":0,"best":0,"steps":2,"#))
    let own = StatsResult(
      stream: .user(Demo.author), from: first, to: first.adding(days: 364), zone: "UTC",
      added: nil, completed: 0)
    let mine = JSONOutput.answers([(.stats(nil, .year, .stats), .stats(own))], in: Demo.situation())
    let who = #"{"ok":true,"kind":"user","id":"\#(Demo.author)","from":"2026-11-16","#
    #expect(mine.hasPrefix(who + #""to":"2027-11-15","completed":0,"people":[]"#))
  }

  @Test("asks for the days of the person's own clock, of a list, a group or oneself")
  func planned() throws {
    var situation = Demo.situation()
    situation.clock = clock
    for (line, stream, from) in [
      ("score", .category(Demo.groceries), "2026-11-16"),
      ("stats home month", .group(Demo.home), "2026-10-24"),
      ("score #big-shop today", .category(Demo.bigShop), "2026-11-22"),
      ("score me", .user(Demo.author), "2026-11-16"),
      ("stats me year", .user(Demo.author), "2025-11-23"),
      ("stats home all", .group(Demo.home), "2016-11-15"),
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
