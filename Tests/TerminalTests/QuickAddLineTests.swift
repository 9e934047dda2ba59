import Domain
import Foundation
import QuickAdd
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

/// A row of `protocol/vectors/quick-add.json` that says when what comes again is due first.
struct FirstTimeRow: Decodable, Sendable, CustomTestStringConvertible {
  struct Expected: Decodable, Sendable { let time: String? }

  let line: String
  let locale: String?
  let today: String?
  let means: Expected
  let first: String?
  var testDescription: String { line }

  static let all: [FirstTimeRow] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../protocol/vectors/quick-add.json")
    return try! JSONDecoder().decode([FirstTimeRow].self, from: Data(contentsOf: file))
      .filter { $0.first != nil }
  }()
}

@Suite("a plain line: a post with what its words say of it")
struct QuickAddLineTests {
  /// Sunday 2026-11-22, 12:00 in Lisbon.
  private func situation() -> Situation {
    var situation = Demo.situation()
    situation.clock = Clock(
      zone: "Europe/Lisbon", now: Timestamp(milliseconds: 1_795_348_800_000))
    return situation
  }

  private func request(
    _ action: PostAction, _ situation: Situation
  ) throws -> (commands: [Command], understood: UnderstoodLine) {
    guard case .send(let requests) = try Planner(situation: situation).plan(.post(action)),
      requests.count == 1, case .command(let command, key: _, base: _) = requests[0].request,
      case .addedQuickly(let understood) = requests[0].report
    else { throw Problem("not one quick add") }
    if case .batch(let commands) = command { return (commands, understood) }
    return ([command], understood)
  }

  @Test("everything that is said goes in one change, in the order in which it must be made")
  func everything() throws {
    let line = "essay draft fri 18:00 !high +uni +urgent @Editor #Big-Shop"
    let (commands, understood) = try request(.quickAdd(line), situation())
    let (list, post) = (Demo.bigShop, understood.post)
    guard commands.count == 6,
      case .changeTag(list, let uni, .add(name: "uni", color: nil)) = commands[1],
      case .changeTag(list, let urgent, .add(name: "urgent", color: nil)) = commands[3]
    else {
      Issue.record("\(commands)")
      return
    }
    let friday = try #require(Day("2026-11-27"))
    let fields = PostEdit(
      priority: .set(.high), due: .set(.time(friday, minute: 1_080, zone: "Europe/Lisbon")))
    #expect(
      commands[0]
        == .post(
          .add(
            PostAddress(category: list, post: post), NewPost(title: "essay draft", fields: fields)))
    )
    #expect(commands[2] == .post(.change(list, post, .tag(uni))))
    #expect(commands[4] == .post(.change(list, post, .tag(urgent))))
    #expect(commands[5] == .post(.change(list, post, .assign(Demo.editor))))
    #expect(
      understood.phrases(situation().clock) == [
        "due Fri 18:00", "high priority", "+uni", "+urgent", "for @editor", "in #Big-Shop",
      ])
  }

  static let words: [(line: String, title: String)] = [
    ("milk", "milk"), ("today", "today"), ("fri 18:00", "fri 18:00"),
    ("call @nobody", "call @nobody"),
    ("see #nowhere", "see #nowhere"),
    ("paint for @nobody", "paint for @nobody"), ("milk in #nowhere", "milk in #nowhere"),
    ("a day before fri", "a day before fri"), ("fri or sat", "fri or sat"),
    ("eat \\fri chips", "eat fri chips"), ("the year 1970-01-01", "the year 1970-01-01"),
  ]

  @Test("A guess that cannot be used here stays in the title", arguments: words)
  func plainWords(line: String, title: String) throws {
    let (commands, understood) = try request(.quickAdd(line), situation())
    let address = PostAddress(category: Demo.groceries, post: understood.post)
    #expect(commands == [.post(.add(address, NewPost(title: title)))])
    #expect(understood.phrases(situation().clock).isEmpty)
  }

  @Test("how long it shall take is one's own plan, behind the post")
  func minutes() throws {
    let situation = situation()
    guard
      case .send(let requests) = try Planner(situation: situation).plan(
        .post(.quickAdd("run 50m"))),
      requests.count == 2, case .addedQuickly(let understood) = requests[0].report,
      case .command(let command, key: _, base: _) = requests[1].request
    else {
      Issue.record("not two")
      return
    }
    let address = PostAddress(category: Demo.groceries, post: understood.post)
    let plan = Domain.Plan(at: nil, minutes: 50)
    #expect(command == .changePersonal(address, .plan(plan)))
    #expect(understood.reading.title == "run")
    #expect(understood.phrases(situation.clock) == ["for 50m"])
  }

  @Test("A script gets in one line what was made of the words, and a chat below its event")
  func told() throws {
    let situation = situation()
    let read = "due Fri 18:00, high priority"
    let result = ReplicaAnswer.command(CommandResult(changed: true, number: 12))
    for (line, chat, script) in [
      (
        "essay fri 18:00 !high #big-shop",
        ["understood: \(read), in #Big-Shop (/plain makes it words again)"],
        "+ #12 essay (in #Big-Shop)  \(read)"
      ), ("salt", [], "+ #12 salt (in #groceries)"),
    ] {
      let report = Report.addedQuickly(try request(.quickAdd(line), situation).understood)
      let lines = [true, false].map {
        AnswerLines.lines(report, result, situation, chat: $0).map(\.plain)
      }
      #expect(lines == [chat, [script]])
    }
  }

  @Test("who wants it so has what they add due today, unless they say when")
  func defaultDue() throws {
    var situation = situation()
    var edit = SettingsEdit()
    edit.defaultDue = .set(.today)
    _ = Demo.applied(
      .personal(.settings(edit)), by: Demo.author, in: .user(Demo.author), &situation)
    let today = Due.day(try #require(Day("2026-11-22")))
    let friday = Due.day(try #require(Day("2026-11-27")))
    #expect(try request(.quickAdd("milk"), situation).understood.due == today)
    #expect(try request(.quickAdd("milk fri"), situation).understood.due == friday)
  }

  @Test("A post that comes again is due on the first day of its rule, or on the one that is said")
  func recurrence() throws {
    let rule = try RecurrenceRule("FREQ=WEEKLY;BYDAY=TU")
    for (line, day, minute) in [
      ("bins every tue", "2026-11-24", nil), ("bins every tue 7:00", "2026-11-24", 420),
      ("bins 1.12. every tue", "2026-12-01", nil),
    ] {
      let (commands, it) = try request(.quickAdd(line), situation())
      let day = try #require(Day(day))
      let due = minute.map { Due.time(day, minute: $0, zone: "Europe/Lisbon") } ?? .day(day)
      let fields = PostEdit(due: .set(due), repeats: .set(Repetition(rule)))
      let address = PostAddress(category: Demo.groceries, post: it.post)
      #expect(commands == [.post(.add(address, NewPost(title: "bins", fields: fields)))])
    }
    let understood = try request(.quickAdd("bins every tue"), situation()).understood
    #expect(understood.phrases(situation().clock) == ["due Tue", "comes every tue"])
  }

  @Test(
    "the first time is the next one of the rule that is still to come", arguments: FirstTimeRow.all)
  func firstTime(row: FirstTimeRow) throws {
    var situation = situation(locale: row.locale ?? "")
    let noon = Day(row.today ?? "2026-11-22")!.startUTC.milliseconds + 12 * 3_600_000
    situation.clock = Clock(zone: "Europe/Lisbon", now: Timestamp(milliseconds: noon))
    let due = try request(.quickAdd(row.line), situation).understood.due
    #expect(due?.day.description == row.first)
    let time = due?.localTime.map { String($0.suffix(5)) }
    #expect(time == row.means.time)
  }

  @Test("/repeat finds the same day for a post that is due at no time yet")
  func repeatedFrom() throws {
    for (words, day) in [
      ("every other tue", "2026-11-24"), ("monthly on the last day", "2026-11-30"),
      ("every 2 weeks on mon", "2026-11-23"), ("every mon starting 7 dec", "2026-12-07"),
    ] {
      let wish = try #require(RepeatWish(words))
      guard
        case .send(let requests) = try Planner(situation: situation()).plan(
          .field(.repeating(nil, 1, wish))),
        case .command(.post(.change(_, .edit(let edit), ifVersion: _)), _, _)? =
          requests.first?.request,
        case .set(let due) = edit.due
      else { throw Problem("no due is set") }
      #expect(due == .day(try #require(Day(day))))
    }
  }

  @Test("A rule with no time left to come is none")
  func over() throws {
    for line in ["pills daily until 22.11.2026 at 9", "pills daily until 21.11.2026"] {
      let it = try request(.quickAdd(line), situation()).understood
      #expect(it.repeats == nil && it.reading.title == line)
    }
  }

  /// The profile says so, as after "/me locale de".
  private func situation(locale: String) -> Situation {
    var situation = situation()
    var profile = Profile(
      id: Demo.author, username: "author", name: "author", location: "", zone: "Europe/Lisbon",
      kind: .person, registeredAt: Demo.start)
    profile.locale = locale
    situation.streams[.user(Demo.author)] = StreamState(
      stream: .user(Demo.author), objects: [.profile(profile)])
    return situation
  }

  @Test("the words are those of the profile's language; what was understood is told in English")
  func language() throws {
    let situation = situation(locale: "de-AT")
    let tuesday = try #require(Day("2026-11-24"))
    let (_, it) = try request(.quickAdd("Müll jeden Dienstag um 18 Uhr !hoch"), situation)
    #expect(it.reading.title == "Müll")
    #expect(it.due == .time(tuesday, minute: 1_080, zone: "Europe/Lisbon"))
    #expect(
      it.phrases(situation.clock) == [
        "due Tue 18:00", "comes every tue", "high priority",
      ])
    let english = try request(.quickAdd("Müll morgen tomorrow"), self.situation()).understood
    #expect(english.reading.title == "Müll morgen")
    #expect(
      try request(.quickAdd("mon Amour morgen"), situation).understood.reading.title == "mon Amour")
  }

  @Test("German words take back what was understood of them")
  func languageTakenBack() throws {
    var situation = situation(locale: "de")
    situation.understood = try request(.quickAdd("die Welt, morgen"), situation).understood
    #expect(situation.understood?.reading.title == "die Welt")
    let (commands, it) = try request(.plain(["morgen"]), situation)
    #expect(it.reading.title == "die Welt, morgen" && it.due == nil)
    #expect(commands.count == 1)
  }

  @Test("/due and /repeat take the words of the profile's language, and English ones")
  func wishes() throws {
    let monday = Due.day(try #require(Day("2026-11-23")))
    for (locale, words) in [("de", "morgen"), ("de", "mon"), ("fr", "demain"), ("", "mon")] {
      let wish = try #require(DueWish(words))
      let languages = situation(locale: locale).languages
      let today = try #require(Day("2026-11-22"))
      #expect(wish.due(today: today, now: 720, zone: "UTC", languages: languages) == monday)
    }
    let situation = situation(locale: "de")
    let today = try #require(Day("2026-11-22"))
    for words in ["jeden Dienstag", "every tue"] {
      let it = RepeatWish(words)?.repetition(today: today, languages: situation.languages)
      #expect(it?.rule.description == "FREQ=WEEKLY;BYDAY=TU")
    }
    #expect(throws: Problem("there is no such day")) {
      try Planner(situation: self.situation())
        .plan(.field(.due(nil, 1, try #require(DueWish("morgen")))))
    }
  }

  @Test("a tag that is there is used, and named once")
  func knownTag() throws {
    let (commands, it) = try request(.quickAdd("milk +urgent +URGENT"), situation())
    #expect(
      commands.dropFirst() == [.post(.change(Demo.groceries, it.post, .tag(Demo.urgent.id)))])
  }

  @Test("Guesses are taken back: one word of them, or all")
  func takenBack() throws {
    var situation = situation()
    let first = try request(.quickAdd("call sun at 9 !high +urgent @editor"), situation).understood
    situation.understood = first
    let list = Demo.groceries
    let one = try request(.plain(["sun"]), situation)
    let today = try #require(Day("2026-11-23"))
    #expect(
      one.commands == [
        .editPost(
          list, first.post,
          PostEdit(
            title: "call sun", due: .set(.time(today, minute: 540, zone: "Europe/Lisbon"))),
          ifVersion: nil)
      ])
    situation.understood = one.understood
    let all = try request(.plain([]), situation)
    #expect(
      all.commands == [
        .editPost(
          list, first.post,
          PostEdit(title: "call sun at 9 !high +urgent @editor", priority: .clear, due: .clear),
          ifVersion: nil),
        .post(.change(list, first.post, .untag(Demo.urgent.id))),
        .post(.change(list, first.post, .unassign(Demo.editor))),
      ])
    situation.understood = all.understood
    #expect(throws: Problem("nothing was made of these words")) {
      try request(.plain([]), situation)
    }
  }

  @Test("without its list's name the post moves to the open list")
  func otherList() throws {
    var situation = situation()
    let first = try request(.quickAdd("nails fri #big-shop"), situation).understood
    situation.understood = first
    let (commands, next) = try request(.plain(["#big-shop"]), situation)
    #expect(next.list.id == Demo.groceries && next.post != first.post)
    #expect(commands.count == 2)
    #expect(commands[0] == .removePost(Demo.bigShop, first.post, ifVersion: nil))
    let friday = try #require(Day("2026-11-27"))
    #expect(
      commands[1]
        == .post(
          .add(
            PostAddress(category: Demo.groceries, post: next.post),
            NewPost(title: "nails #big-shop", fields: PostEdit(due: .set(.day(friday)))))))
  }

  @Test("the words around a guess go with it, and come back with it")
  func wordsAround() throws {
    var situation = situation()
    let first = try request(.quickAdd("paint for @Editor in #big-shop, tomorrow"), situation)
      .understood
    #expect(first.reading.title == "paint" && first.assignees.map(\.id) == [Demo.editor])
    situation.understood = first
    let next = try request(.plain(["tomorrow"]), situation).understood
    #expect(next.reading.title == "paint tomorrow" && next.due == nil)
    #expect(try request(.plain([]), situation).understood.reading.title == first.line)
  }

  @Test("/due takes a day by its form, and says when there is none")
  func noSuchDay() throws {
    let today = try #require(Day("2026-11-25"))
    let wish = try #require(DueWish("fri 24 dec"))
    #expect(wish.due(today: today, now: 720, zone: "UTC", languages: [.english]) == nil)
    let right = try #require(DueWish("thu 24 dec, 18:00"))
    #expect(
      right.due(today: today, now: 720, zone: "UTC", languages: [.english])
        == .time(try #require(Day("2026-12-24")), minute: 1_080, zone: "UTC"))
    for words in ["a day before fri", "fri or sat", "every fri", "in the evening", "milk"] {
      #expect(DueWish(words) == nil, "\(words)")
    }
  }

  @Test("before any plain line there is nothing to take back")
  func nothing() {
    #expect(throws: Problem.self) { try request(.plain([]), situation()) }
  }
}
