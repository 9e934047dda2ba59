import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("terminal: the personal part of a post is shown with it")
struct PersonalLinesTests {
  private let address = PostAddress(category: Demo.groceries, post: Demo.post(1, "").id)

  private func situation(_ change: (inout Personal) -> Void) -> Situation {
    var situation = Demo.situation()
    var personal = Personal(address)
    change(&personal)
    let edit = PersonalEdit(from: Personal(address), to: personal)
    _ = Demo.applied(
      .personal(.edited(address, edit)), by: Demo.author, in: .user(Demo.author), &situation)
    return situation
  }

  private func commands(_ line: String, _ situation: Situation) throws -> [Command] {
    guard case .action(let action) = Input(command: line),
      case .send(let requests) = try Planner(situation: situation).plan(action)
    else { return [] }
    return requests.compactMap {
      if case .command(let command, _, _) = $0.request { command } else { nil }
    }
  }

  @Test("stands behind the post, in its list, and below it")
  func shown() throws {
    let day = try #require(Day("1970-01-01"))
    let situation = situation {
      $0.plan = Domain.Plan(at: .time(day, minute: 14 * 60, zone: "UTC"), minutes: 50)
      $0.reminders = [.before(minutes: 30), .before(minutes: 1_440)]
      $0.note = "the blue one"
      $0.watch = true
    }
    let list = Demo.category(Demo.groceries, "groceries")
    let post = Demo.post(1, "milk")
    let chips = PersonalLines.chips(post, in: list, situation).plain
    #expect(chips.contains("for 50m  remind 30m before, 1d before  watched"))
    #expect(
      PersonalLines.note(post, in: list, situation).map(\.plain)
        == ["        (only you) the blue one"])
    #expect(PersonalLines.chips(Demo.post(2, "bread"), in: list, situation).plain.isEmpty)
  }

  @Test("Plans of a day stand before posts that are only taken on")
  func plans() throws {
    let day = try #require(Day("1970-01-20"))
    var situation = situation { $0.day = MyDay(day: day, order: 1) }
    let other = PostAddress(category: Demo.groceries, post: Demo.post(2, "").id)
    var personal = Personal(other)
    personal.plan = Domain.Plan(
      at: .time(day, minute: 600, zone: situation.clock.zone), minutes: 90)
    _ = Demo.applied(
      .personal(.edited(other, PersonalEdit(from: Personal(other), to: personal))),
      by: Demo.author, in: .user(Demo.author), &situation)
    let lines = PersonalLines.plans(on: day, situation).map(\.plain)
    #expect(lines.count == 2)
    #expect(lines.first?.contains("10:00 for 1h30") == true)
    #expect(lines.last?.contains("milk") == true)
    #expect(PersonalLines.plans(on: day.adding(days: 1), situation).isEmpty)
  }

  @Test("words become one change, or two where both go")
  func planned() throws {
    let world = Demo.situation()
    #expect(
      try commands("watch 1", world) == [.changePersonal(address, .watch(true))])
    #expect(
      try commands("remind 1 1d", world)
        == [.changePersonal(address, .remind(.before(minutes: 1_440)))])
    #expect(
      try commands("plan 1 for 50m", world) == [
        .changePersonal(address, .plan(Domain.Plan(at: nil, minutes: 50)))
      ])
    guard case .batch(let both)? = try commands("plan 1 off", world).first else {
      Issue.record("not both")
      return
    }
    #expect(both == [.changePersonal(address, .plan(nil)), .changePersonal(address, .day(nil))])
    #expect(throws: Problem.self) { try commands("plan 1 fri for 50m", world) }
  }

  /// Returns the lines that are shown when the server has done a line. It is noon of 2026-11-22 in Lisbon, and milk is
  /// due then.
  private func told(
    _ line: String, due: Due?, again: Bool = false, done: Bool = false
  ) throws -> String {
    var situation = Demo.situation()
    situation.clock = Clock(
      zone: "Europe/Lisbon", now: Timestamp(milliseconds: 1_795_348_800_000))
    let rule = RepeatWish("daily")!.repetition(today: Day("2026-11-22")!)!
    let edit = PostEdit(
      due: due.map { .set($0) } ?? .keep, repeats: again ? .set(rule) : .keep)
    _ = Demo.applied(
      .post(.edited(address.post, version: 2, edit)), by: Demo.author, &situation)
    if done {
      let stamp = Stamp(at: Demo.start, by: Demo.author)
      _ = Demo.applied(
        .post(.completed(address.post, version: 3, stamp, Counters())), by: Demo.author, &situation
      )
    }
    guard case .action(let action) = Input(command: line),
      case .send(let requests) = try Planner(situation: situation).plan(action),
      let report = requests.first?.report
    else { throw Problem("nothing is sent") }
    return AnswerLines.lines(
      report, .command(CommandResult(changed: true)), situation, chat: true
    ).map(\.plain).joined()
  }

  @Test("no reminder is promised for a moment that is over")
  func late() throws {
    let day = { (text: String) in Due.day(Day(text)!) }
    let at = { (minute: Int) in
      Due.time(Day("2026-11-23")!, minute: minute, zone: "Europe/Lisbon")
    }
    let will = "#1 milk: you will be reminded 1d before"
    let over = "#1 milk: 1d before its due is over already; you will be reminded of a later due"
    #expect(try told("remind 1 1d", due: day("2026-11-23")) == will)
    #expect(try told("remind 1 1d", due: at(721)) == will)
    #expect(try told("remind 1 1d", due: at(720)) == over)
    #expect(try told("remind 1 1d", due: day("2026-11-22")) == over)
    #expect(try told("remind 1 1d", due: at(600), again: true) == over)
    #expect(try told("remind 1 1d", due: nil) == will + ", once it has a due")
    #expect(
      try told("remind 1 1d", due: at(721), done: true) == will + ", once it is open again")
    #expect(
      try told("remind 1 0m", due: at(720)) == "#1 milk: you will be reminded when it is due")
    #expect(
      try told("plan 1 22.11.2026 9:00", due: nil)
        == "#1 milk: planned today 09:00, which is over already")
    #expect(try told("plan 1 today 18:00", due: nil) == "#1 milk: planned today 18:00")
    for line in ["snooze 1 22.11.2026", "remind 1 22.11.2026"] {
      #expect(throws: Problem("00:00 is over")) { try told(line, due: nil) }
    }
  }

  @Test("settings are told as they count")
  func settings() {
    #expect(
      PersonalLines.settings(Demo.situation()).map { $0.plain.prefix(18).description } == [
        "  remind  1d      ", "  soon    48h     ", "  due     none    ",
        "  mute    due_soon", "  digest  off     ",
      ])
  }
}
