import Calendar
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("views, as the terminal means and tells them")
struct ViewLinesTests {
  /// Sunday, 22 November 2026, 12:00 in Lisbon.
  private func situation() throws -> Situation {
    var situation = Demo.situation()
    let due = try #require(Due(localTime: "2026-11-22T12:00", zone: "UTC"))
    let now = try #require(due.deadline(categoryZone: "UTC", almanac: .system))
    situation.clock = Clock(zone: "Europe/Lisbon", now: now)
    return situation
  }

  private func found(_ number: Int, _ title: String, _ due: Due?) -> ViewLine {
    var post = Demo.post(number, title)
    post.due = due
    return ViewLine(category: Demo.groceries, post: post)
  }

  private func day(_ text: String) throws -> Day { try #require(Day(text)) }

  @Test(
    "dues stand in front, one below the other, and what is overdue is told by a sign and in red")
  func lines() throws {
    var urgent = found(4, "essay", .day(try day("2026-11-24")))
    var post = urgent.post
    post.priority = .high
    urgent = ViewLine(category: urgent.category, post: post)
    let lines = ViewLines.lines(
      ViewResult(
        found: [
          found(1, "milk", .day(try day("2026-11-21"))),
          found(2, "bread", .time(try day("2026-11-22"), minute: 1_080, zone: "UTC")), urgent,
          found(5, "tea", nil),
        ], after: "x", omitted: 2), try situation())
    #expect(
      lines.map(\.plain) == [
        "! yesterday    #groceries #1  milk", "  today 18:00  #groceries #2  bread",
        "  Tue          #groceries #4  essay  !high", "               #groceries #5  tea",
        "… there is more", "not looked through: 2 of your lists",
      ])
    #expect(lines[0].runs.first?.style == .bad)
    let plain = ViewLines.lines(
      ViewResult(found: [found(5, "tea", nil)], after: nil, omitted: 0), try situation())
    #expect(plain.map(\.plain) == ["#groceries #5  tea"])
    let nothing = ViewLines.lines(
      ViewResult(found: [], after: nil, omitted: 0), try situation())
    #expect(nothing.map(\.plain) == ["nothing there"])
  }

  @Test("a month is a row for each week, in less than 80 columns")
  func month() throws {
    let result = AgendaResult(
      days: [
        AgendaDay(day: try day("2026-11-21"), open: 2, overdue: 1),
        AgendaDay(day: try day("2026-11-30"), open: 104, overdue: 0),
      ], overdue: 3, omitted: 0)
    let lines = MonthLines.lines(
      result, Month(of: try day("2026-11-22")), try situation().clock)
    let rows = lines.map { String($0.plain.reversed().drop { $0 == " " }.reversed()) }
    #expect(
      rows == [
        "November 2026  106 due  3 overdue in all",
        "   Mon       Tue       Wed       Thu       Fri       Sat       Sun",
        "                                                                1",
        "    2         3         4         5         6         7         8",
        "    9        10        11        12        13        14        15",
        "   16        17        18        19        20        21 !2     22",
        "   23        24        25        26        27        28        29",
        "   30  104",
      ])
    #expect(lines.allSatisfy { $0.width < 80 })
  }

  private func wishes(now: Int64, _ today: Day) throws -> [(ViewWish, Query)] {
    let zone = "Europe/Lisbon"
    let tag = Demo.urgent.id
    return [
      (
        .today,
        .view(ViewQuery(PostWhere(due: DueWindow(until: .day(today))), sort: .due, zone: zone))
      ),
      (
        .soon,
        .view(
          ViewQuery(
            PostWhere(
              due: DueWindow(
                from: .moment(Timestamp(milliseconds: now + 1)),
                until: .moment(Timestamp(milliseconds: now + 48 * 3_600_000)))), sort: .due,
            zone: zone))
      ),
      (
        .day(DueWish("fri")),
        .view(
          ViewQuery(
            PostWhere(
              due: DueWindow(
                from: .day(try day("2026-11-27")), until: .day(try day("2026-11-27")))),
            sort: .due, zone: zone))
      ),
      (
        .month(nil),
        .agenda(
          AgendaQuery(from: try day("2026-11-01"), to: try day("2026-11-30"), zone: zone))
      ),
      (
        .month(Month("2028-02")),
        .agenda(
          AgendaQuery(from: try day("2028-02-01"), to: try day("2028-02-29"), zone: zone))
      ),
      (.mine, .view(ViewQuery(PostWhere(by: .me)))),
      (.assigned(nil), .view(ViewQuery(PostWhere(assignee: .me), sort: .due))),
      (.assigned("author"), .view(ViewQuery(PostWhere(assignee: .me), sort: .due))),
      (.assigned("editor"), .view(ViewQuery(PostWhere(assignee: .user(Demo.editor)), sort: .due))),
      (
        .tagged(nil, "urgent"),
        .view(ViewQuery(PostWhere(tag: tag), in: [Demo.groceries], sort: .due))
      ),
    ]
  }

  @Test("Posts that are due soon are asked and shown as the person says how near that is")
  func soon() throws {
    var situation = try situation()
    var settings = SettingsEdit()
    settings.dueSoonHours = .set(6)
    _ = Demo.applied(
      .personal(.settings(settings)), by: Demo.author, in: .user(Demo.author), &situation)
    guard case .send(let requests) = try Planner(situation: situation).plan(.ask(.view(.soon))),
      case .query(.view(let query))? = requests.first?.request
    else {
      Issue.record("asks nothing")
      return
    }
    let end = Timestamp(milliseconds: situation.clock.now.milliseconds + 6 * 3_600_000)
    #expect(query.criteria.due?.until == .moment(end))
    let due = [("2026-11-22", 1_080), ("2026-11-22", 1_081)]
    let styles = try due.map { text, minute in
      let found = found(2, "bread", .time(try day(text), minute: minute, zone: "UTC"))
      let result = ViewResult(found: [found], after: nil, omitted: 0)
      return ViewLines.lines(result, situation)[0].runs.first?.style
    }
    #expect(styles == [.warn, .dim])
  }

  @Test("the person's own day decides what is asked")
  func plan() throws {
    let planner = Planner(situation: try situation())
    let now = try situation().clock.now.milliseconds
    let today = try day("2026-11-22")
    let rows = try wishes(now: now, today)
    for (wish, query) in rows {
      guard case .send(let requests) = try planner.plan(.ask(.view(wish))),
        case .query(let asked)? = requests.first?.request
      else {
        Issue.record("nothing is asked")
        continue
      }
      #expect(asked == query, "\(wish)")
    }
    #expect(throws: Problem("there is no such day")) {
      try planner.plan(.ask(.view(.day(DueWish("fri 18:00")))))
    }
    #expect(throws: Problem("there is no tag +nothing in #groceries")) {
      try planner.plan(.ask(.view(.tagged(nil, "nothing"))))
    }
  }

  @Test("the words of the views")
  func words() {
    let rows: [(String, Action?)] = [
      ("today", .ask(.view(.today))), ("today 3", nil), ("soon", .ask(.view(.soon))),
      ("day", .ask(.view(.day(nil)))),
      ("day tomorrow", .ask(.view(.day(DueWish("tomorrow"))))), ("day whenever", nil),
      ("month", .ask(.view(.month(nil)))), ("month 2026-12", .ask(.view(.month(Month("2026-12"))))),
      ("month december", nil), ("mine", .ask(.view(.mine))),
      ("assigned", .ask(.view(.assigned(nil)))),
      ("assigned @Editor", .ask(.view(.assigned("editor")))), ("assigned @editor more", nil),
      ("tagged +uni", .ask(.view(.tagged(nil, "uni")))),
      ("tagged #list uni", .ask(.view(.tagged(Reference("#list"), "uni")))), ("tagged", nil),
    ]
    for (line, action) in rows {
      let name = String(line.prefix { $0 != " " })
      var words = Words(line.dropFirst(name.count))
      #expect(CommandTable.entry(named: name)?.parse(&words) == action, "\(line)")
    }
  }
}
