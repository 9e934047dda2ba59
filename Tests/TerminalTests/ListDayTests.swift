import Calendar
import Domain
import QuickAdd
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

/// At 06:00 of Thursday, 2026-11-26, by UTC: it is Wednesday, 20:00, in Honolulu and Thursday, 19:00, in Auckland.
private struct There {
  static let thursday = Day(year: 2026, month: 11, day: 26) ?? Day(number: 0)
  static let wednesday = thursday.adding(days: -1)

  static func situation(
    own: String, list zone: String, hour: Int = 6, device: String? = nil
  ) throws -> Situation {
    var situation = Demo.situation()
    let edit = Op.category(.edited(CategoryEdit(zone: zone)))
    _ = Demo.applied(edit, by: Demo.author, &situation)
    let now = try #require(Zones.moment(of: thursday, minute: hour * 60, zone: "UTC"))
    situation.clock = Clock(zone: own, now: now)
    situation.machineZone = device
    return situation
  }

  static func request(_ line: String, _ situation: Situation) throws -> PlannedRequest {
    let input = line.hasPrefix("+ ") ? Input(chat: String(line.dropFirst(2))) : Input(command: line)
    guard case .action(let action) = input,
      case .send(let requests) = try Planner(situation: situation).plan(action)
    else { throw Problem("\(line) is not sent") }
    return try #require(requests.first)
  }

  /// Returns the due that a line gives a post.
  static func due(_ line: String, _ situation: Situation) throws -> Due? {
    guard case .command(let command, key: _, base: _) = try request(line, situation).request else {
      return nil
    }
    let edit: PostEdit
    switch command {
    case .post(.add(_, let new)): edit = new.fields
    case .post(.change(_, .edit(let it), _)): edit = it
    default: return nil
    }
    guard case .set(let due) = edit.due else { return nil }
    return due
  }
}

private let honolulu = "Pacific/Honolulu"
private let auckland = "Pacific/Auckland"
private let lisbon = "Europe/Lisbon"
private let kiritimati = "Pacific/Kiritimati"

@Suite("days of a list in another zone")
struct ListDayTests {
  /// Days after the Thursday.
  static let days: [(own: String, list: String, hour: Int, line: String, days: Int)] = [
    (honolulu, auckland, 6, "due 2 today", 0), (honolulu, auckland, 6, "due 2 tomorrow", 1),
    (honolulu, auckland, 6, "due 2 in 3 days", 3), (honolulu, auckland, 6, "due 2 fri", 1),
    (honolulu, auckland, 6, "due 2 thu", 7), (honolulu, auckland, 6, "due 2 2026-11-25", -1),
    (honolulu, auckland, 6, "+ call today", 0), (honolulu, auckland, 6, "+ call tomorrow", 1),
    (honolulu, auckland, 6, "+ call every day", 0),
    (honolulu, auckland, 6, "repeat 2 every day", 0),
    (honolulu, auckland, 6, "repeat 2 every wed", 6),
    (auckland, honolulu, 6, "due 2 today", -1), (auckland, honolulu, 6, "+ call tomorrow", 0),
    (auckland, honolulu, 6, "repeat 2 every day", -1),
    // Both have Thursday.
    (lisbon, auckland, 6, "due 2 today", 0), (lisbon, lisbon, 6, "due 2 today", 0),
    // Noon of Thursday in Lisbon is Friday in Kiritimati, and 23:00 of it, too, in Auckland.
    (lisbon, kiritimati, 12, "due 2 today", 1), (lisbon, auckland, 12, "due 2 today", 1),
    (honolulu, kiritimati, 6, "due 2 today", 0), (kiritimati, honolulu, 12, "due 2 today", 0),
    (honolulu, kiritimati, 12, "due 2 today", 1),
  ]

  @Test("a day without a time is one of the list", arguments: days)
  func day(row: (own: String, list: String, hour: Int, line: String, days: Int)) throws {
    let situation = try There.situation(own: row.own, list: row.list, hour: row.hour)
    #expect(try There.due(row.line, situation) == .day(There.thursday.adding(days: row.days)))
  }

  static let times: [(line: String, days: Int, minute: Int)] = [
    ("due 2 today 21:00", -1, 21 * 60), ("due 2 tomorrow 9:00", 0, 9 * 60),
    ("due 2 18:00", 0, 18 * 60), ("due 2 23:00", -1, 23 * 60),
    ("+ call today at 21:00", -1, 21 * 60), ("+ call 18:00", 0, 18 * 60),
  ]

  @Test("a time is one of the person's clock, with its day and its zone", arguments: times)
  func time(row: (line: String, days: Int, minute: Int)) throws {
    let situation = try There.situation(own: honolulu, list: auckland)
    let day = There.thursday.adding(days: row.days)
    #expect(
      try There.due(row.line, situation) == .time(day, minute: row.minute, zone: honolulu))
  }

  @Test("A post without a due is due on the list's day, where that is wished")
  func dueOfNew() throws {
    var situation = try There.situation(own: honolulu, list: auckland)
    var edit = SettingsEdit()
    edit.defaultDue = .set(.today)
    _ = Demo.applied(
      .personal(.settings(edit)), by: Demo.author, in: .user(Demo.author), &situation)
    for line in ["add tea", "+ tea"] {
      #expect(try There.due(line, situation) == .day(There.thursday))
    }
  }

  @Test("A plan is of one's own day")
  func own() throws {
    let situation = try There.situation(own: honolulu, list: auckland)
    guard
      case .command(.changePersonal(_, .day(let day?)), key: _, base: _) = try There.request(
        "plan 2 today", situation
      ).request
    else {
      Issue.record("it is not taken on")
      return
    }
    #expect(day.day == There.wednesday)
  }

  @Test("a list in a zone that this machine does not know has the person's days")
  func unknown() throws {
    let situation = try There.situation(own: honolulu, list: "Mars/Olympus")
    #expect(try There.due("due 2 today", situation) == .day(There.wednesday))
  }

  static let notices: [(line: String, own: String, device: String?, said: [String])] = [
    (
      "due 2 today", honolulu, nil,
      ["days of #groceries are those of Pacific/Auckland, where it is Thu 2026-11-26 now"]
    ),
    (
      "due 2 2026-11-25", honolulu, nil,
      [
        "days of #groceries are those of Pacific/Auckland, where it is Thu 2026-11-26 now",
        "due today is over already: it is overdue at once",
      ]
    ),
    ("due 2 today", lisbon, nil, []),
    ("due 2 2026-11-25", lisbon, nil, ["due yesterday is over already: it is overdue at once"]),
    (
      "due 2 2026-11-25 18:00", lisbon, nil,
      ["due yesterday 18:00 is over already: it is overdue at once"]
    ),
    ("+ call 2026-11-25", lisbon, nil, ["due yesterday is over already: it is overdue at once"]),
    (
      "due 2 today 18:00", lisbon, "America/New_York",
      ["18:00 is 18:00 Europe/Lisbon, and this device is in America/New_York"]
    ),
    (
      "+ call tomorrow 9:00", lisbon, "America/New_York",
      ["09:00 is 09:00 Europe/Lisbon, and this device is in America/New_York"]
    ),
    (
      "plan 2 tomorrow 18:00", lisbon, "America/New_York",
      ["18:00 is 18:00 Europe/Lisbon, and this device is in America/New_York"]
    ),
    (
      "remind 2 tomorrow 18:00", lisbon, "America/New_York",
      ["times are those of Europe/Lisbon, and this device is in America/New_York"]
    ),
    // Another name, and the same time.
    ("due 2 today 18:00", lisbon, "Europe/London", []), ("due 2 today 18:00", lisbon, nil, []),
    ("due 2 today", lisbon, "America/New_York", []), ("edit 2 rye", lisbon, "America/New_York", []),
  ]

  @Test("another day, another zone and what is over already are said", arguments: notices)
  func said(row: (line: String, own: String, device: String?, said: [String])) throws {
    let situation = try There.situation(own: row.own, list: auckland, device: row.device)
    let notices = try There.request(row.line, situation).notices
    #expect(notices.map { Line($0.phrase).plain } == row.said)
    // In which zone times are is said once.
    let isOfZone = notices.filter { if case .once = $0 { true } else { false } }
    #expect(isOfZone.count == (row.said.joined().contains("this device") ? 1 : 0))
  }
}
