import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("lines: a chat tells what happens")
struct EventLinesTests {
  private static let milk = Demo.post(1, "milk").id
  private static let uni = TagID(UUID(high: 6, low: 9))
  private static let stamp = Stamp(at: Demo.start, by: Demo.editor)
  private static let again = Occurrence(
    number: 2, due: .day(Day(number: 1)), start: Day(number: 0))
  private static let daily = RepeatWish("daily")!.repetition(today: Day(number: 20_000))!

  static let rows: [(Op, String, String)] = [
    (
      .post(.added(Demo.post(4, "jam"), Counters(open: 3, done: 1))),
      "@editor + jam (#4 in #groceries)", "+ jam (#4 in #groceries)"
    ),
    (
      .post(.completed(milk, version: 2, stamp, Counters(open: 7, done: 4))),
      "@editor ✔ milk (4/11 in #groceries)", "✔ milk (4/11 in #groceries)"
    ),
    (
      .post(.reopened(Demo.post(3, "tea"), Counters(open: 3))),
      "@editor ↺ tea (0/3 in #groceries)", "↺ tea (0/3 in #groceries)"
    ),
    (
      .post(.occurred(milk, version: 2, NextOccurrence(1, .completed(stamp), again), Counters())),
      "@editor ✔ milk (again tomorrow, in #groceries)", "✔ milk (again tomorrow, in #groceries)"
    ),
    (
      .post(.occurred(milk, version: 2, NextOccurrence(1, .skipped(stamp), again), Counters())),
      "@editor ↷ milk: not this time (again tomorrow, in #groceries)",
      "↷ milk: not this time (again tomorrow, in #groceries)"
    ),
    (
      .post(.marked(milk, version: 2, .submitted(stamp))),
      "@editor ? milk: done, if an admin confirms it (in #groceries)",
      "? milk: done, if an admin confirms it (in #groceries)"
    ),
    (
      .post(.marked(milk, version: 2, .returned)),
      "@editor ↺ milk is not done yet (in #groceries)", "↺ milk is not done yet (in #groceries)"
    ),
    (
      .post(.edited(milk, version: 2, PostEdit(repeats: .set(daily)))),
      "@editor ✎ milk: ↻ daily (in #groceries)", "✎ milk: ↻ daily (in #groceries)"
    ),
    (
      .post(.edited(milk, version: 2, PostEdit(repeats: .clear))),
      "@editor ✎ milk: not again (in #groceries)", "✎ milk: not again (in #groceries)"
    ),
    (
      .post(.removed(milk, version: 2, stamp, Counters())),
      "@editor ✘ milk (removed from #groceries)", "✘ milk (removed from #groceries)"
    ),
    (
      .post(.restored(Demo.post(9, "jam"), Counters())),
      "@editor + jam (#9 is back in #groceries)", "+ jam (#9 is back in #groceries)"
    ),
    (
      .post(.restored(Demo.post(1, "milk"), Counters())),
      "@editor ↺ milk: this time after all (in #groceries)",
      "↺ milk: this time after all (in #groceries)"
    ),
    (
      // By the undo of an undo.
      .post(.restored(Demo.post(1, "milk", done: true), Counters(open: 7, done: 4))),
      "@editor ✔ milk (4/11 in #groceries)", "✔ milk (4/11 in #groceries)"
    ),
    (
      .post(.edited(milk, version: 2, PostEdit(title: "oat milk"))),
      "@editor ✎ milk → oat milk (in #groceries)", "✎ milk → oat milk (in #groceries)"
    ),
    (
      .post(.edited(milk, version: 2, PostEdit(notes: "a\nb"))),
      "@editor ✎ milk: b (in #groceries)", "✎ milk: b (in #groceries)"
    ),
    (
      .post(
        .edited(
          milk, version: 2,
          PostEdit(
            priority: .set(.high), color: .clear, due: .set(.day(Day(number: 1))),
            location: .set(Location(text: "Rossio"))))),
      "@editor ✎ milk: due tomorrow, high priority, blue, at Rossio (in #groceries)",
      "✎ milk: due tomorrow, high priority, blue, at Rossio (in #groceries)"
    ),
    (
      .post(.edited(milk, version: 2, PostEdit(notes: "", priority: .clear, due: .clear))),
      "@editor ✎ milk: due at no time, no priority, no notes (in #groceries)",
      "✎ milk: due at no time, no priority, no notes (in #groceries)"
    ),
    (
      .category(.edited(CategoryEdit(zone: "Europe/Lisbon", color: .set(.green)))),
      "@editor ✎ the days of #groceries are those of Europe/Lisbon now, #groceries is green now",
      "✎ the days of #groceries are those of Europe/Lisbon now, #groceries is green now"
    ),
    (
      .tag(.added(Domain.Tag(id: uni, name: "My uni"))), "@editor + new tag +My-uni in #groceries",
      "+ new tag +My-uni in #groceries"
    ),
    (
      .tag(.removed(Demo.urgent.id)), "@editor ✘ removed the tag +urgent from #groceries",
      "✘ removed the tag +urgent from #groceries"
    ),
    (
      .tag(.edited(Demo.urgent.id, TagEdit(name: "now"))),
      "@editor ✎ +urgent is called now now in #groceries",
      "✎ +urgent is called now now in #groceries"
    ),
    (
      .post(.marked(milk, version: 2, .tagged(Demo.urgent.id))),
      "@editor + milk: +urgent (in #groceries)", "+ milk: +urgent (in #groceries)"
    ),
    (
      .post(.marked(milk, version: 2, .assigned(Demo.author))),
      "@editor → milk is for you (in #groceries)", "→ milk is for you (in #groceries)"
    ),
    (
      .post(.marked(milk, version: 2, .unassigned(Demo.author))),
      "@editor → milk is not for you any more (in #groceries)",
      "→ milk is not for you any more (in #groceries)"
    ),
    (
      .post(.overdue(milk, .became(Timestamp(milliseconds: 9)), Counters(open: 3, overdue: 2))),
      "! milk is overdue (2 overdue in #groceries)", "! milk is overdue (2 overdue in #groceries)"
    ),
    (
      .claim(milk, .taken(Demo.editor, until: Timestamp(milliseconds: 3_600_000), version: 2)),
      "@editor ▸ on it until 01:00: milk (#1 in #groceries)",
      "▸ on it until 01:00: milk (#1 in #groceries)"
    ),
    (
      .claim(milk, .released(version: 2)), "@editor ◂ not on it any more: milk (#1 in #groceries)",
      "◂ not on it any more: milk (#1 in #groceries)"
    ),
    (
      .claim(milk, .ended), "nobody is on milk any more (#1 in #groceries)",
      "nobody is on milk any more (#1 in #groceries)"
    ),
    (
      .post(.marked(milk, version: 2, .untagged(uni))),
      "@editor ✘ a tag off milk (in #groceries)", "✘ a tag off milk (in #groceries)"
    ),
    (
      .category(.edited(CategoryEdit(talk: .off))), "@editor ✎ talk is off in #groceries now",
      "✎ talk is off in #groceries now"
    ),
    (
      .category(.edited(CategoryEdit(name: "Food"))), "@editor ✎ #groceries is called Food now",
      "✎ #groceries is called Food now"
    ),
    (
      .member(.added(Demo.member(UserID(UUID(high: 1, low: 3)), "member", .editor))),
      "@member joined #groceries", "@member joined #groceries"
    ),
    (.member(.removed(Demo.editor, .left)), "@editor left #groceries", "@editor left #groceries"),
    (
      .code(
        .made(
          InvitationCode(
            id: Demo.invitation(1, to: "x").id, role: .doer, uses: 3,
            made: Stamp(at: Demo.start, by: Demo.editor), endsAt: Demo.start))),
      "@editor → made a code that lets 3 into #groceries as doer",
      "→ made a code that lets 3 into #groceries as doer"
    ),
    (
      .code(.ended(Demo.invitation(1, to: "x").id)), "a code to #groceries is over",
      "a code to #groceries is over"
    ),
    (
      .invitation(.sent(Demo.invitation(1, to: "x"))),
      "@editor → invited @author to #groceries as editor",
      "→ invited @author to #groceries as editor"
    ),
  ]

  @Test("an op is one line, without the name when it was oneself", arguments: rows)
  func lines(op: Op, byEditor: String, byAuthor: String) {
    for (user, expected) in [(Demo.editor, byEditor), (Demo.author, byAuthor)] {
      var situation = Demo.situation()
      let applied = Demo.applied(op, by: user, &situation)
      let lines = EventLines(situation: situation).lines(applied, in: .category(Demo.groceries))
      #expect(lines.map(\.plain) == [expected])
    }
  }

  @Test(
    "An op that says nothing to a person has no line",
    arguments: [
      .member(.updated(Demo.editor, name: "B")),
      .personal(.readMarked(ReadMark(stream: .category(Demo.groceries), seq: 1))),
      .unknown(kind: "post.sung", json: []),
      .invitation(.accepted(Demo.invitation(1, to: "x").id)),
    ] as [Op])
  func silent(op: Op) {
    var situation = Demo.situation()
    let applied = Demo.applied(op, by: Demo.editor, &situation)
    #expect(EventLines(situation: situation).lines(applied, in: .category(Demo.groceries)) == [])
  }

  @Test("Many things done at once are a few lines, and the last one counts them")
  func many() {
    func told(_ count: Int) -> [String] {
      var situation = Demo.situation()
      let ops = (1...count).map { number in
        Op.post(.added(Demo.post(100 + number, "jam \(number)"), Counters(open: number)))
      }
      let applied = Demo.applied(ops, by: Demo.editor, &situation)
      return EventLines(situation: situation).lines(applied, in: .category(Demo.groceries))
        .map(\.plain)
    }
    #expect(told(8).count == 8)
    #expect(
      told(100) == (1...4).map { "@editor + jam \($0) (#\(100 + $0) in #groceries)" } + [
        "… 95 more", "@editor + jam 100 (#200 in #groceries)",
      ])
  }

  @Test("nothing in a title steers the terminal")
  func hostile() {
    var situation = Demo.situation()
    let title = "\u{1B}[2Jm\u{202E}ilk\u{9B}31m\r\n"
    let applied = Demo.applied(
      .post(.added(Demo.post(4, title), Counters(open: 1))), by: Demo.editor, &situation)
    let line = EventLines(situation: situation).lines(applied, in: .category(Demo.groceries))[0]
    let bad = line.plain.unicodeScalars.filter {
      $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || (0x202A...0x202E).contains($0.value)
    }
    #expect(bad.isEmpty)
  }

  @Test("A reminder is told once, and not when it is over")
  func directed() {
    var situation = Demo.situation()
    _ = Demo.applied(
      .post(.marked(Demo.post(1, "").id, version: 2, .assigned(Demo.author))), by: Demo.editor,
      &situation)
    let directed = [2, 1].map { number in
      Notification(
        kind: .assigned, stream: .user(Demo.author), seq: Int64(number), opIndex: 0,
        at: Demo.start, by: Demo.editor, about: .category(Demo.groceries),
        post: Demo.post(number, "").id)
    }
    let news = NotificationsResult(lists: [], directed: directed, today: DayTotal(done: 0, of: 0))
    let line = "00:00 @editor gave you #1 milk in #groceries"
    #expect(ListLines.news(news, situation).map(\.plain) == [line])
    situation.told = 0
    #expect(ListLines.news(news, situation).map(\.plain) == [line])
    situation.told = 1
    #expect(ListLines.news(news, situation).map(\.plain) == [])
  }

  @Test("The doings of a bot are folded however far apart, and told at the time of the last")
  func foldsBots() {
    let bot = UserID(UUID(high: 7, low: 7))
    let member = Member(
      id: bot, username: "ci", name: "ci", kind: .bot, grants: Grants(direct: .editor), joinedSeq: 2
    )
    var situation = Demo.situation()
    _ = Demo.applied(.member(.added(member)), by: Demo.author, &situation)
    func note(_ number: Int, by user: UserID) -> Notification {
      Notification(
        kind: .added, stream: .category(Demo.groceries), seq: Int64(number), opIndex: 0,
        at: Timestamp(milliseconds: Demo.start.milliseconds + Int64(number) * 3_600_000), by: user,
        about: .category(Demo.groceries), post: Demo.post(number, "").id)
    }
    let list = UnreadList(
      stream: .category(Demo.groceries), name: "groceries", unread: Unread(count: 3, more: false),
      notifications: [note(3, by: bot), note(2, by: Demo.editor), note(1, by: bot)])
    let news = NotificationsResult(lists: [list], directed: [], today: DayTotal(done: 0, of: 0))
    #expect(
      ListLines.news(news, situation).map(\.plain) == [
        "#groceries  3 new", "  02:00 @editor + bread", "  03:00 @ci + 2 posts: milk, tea",
      ])
  }
}

@Suite("lines: tables that fit in 80 columns")
struct ListLinesTests {
  @Test("lists and groups, with what is open and new")
  func overview() {
    var situation = Demo.situation(invitations: 1)
    situation.unread[.category(Demo.bigShop)] = Unread(count: 100, more: true)
    let lines = ListLines.overview(situation).map(\.plain).map {
      String($0.reversed().drop { $0 == " " }.reversed())
    }
    #expect(
      lines == [
        "  1  #Big-Shop               2 open    100+ new",
        "  2 ▸#groceries              2 open              in home",
        "  3  home                    0 lists   group of @author @editor",
        "→ @editor invites you to place 0 as editor: /accept or /decline",
      ])
  }

  @Test("how much of a list is one's own to do stands beside what is open")
  func mine() {
    var situation = Demo.situation()
    for user in [Demo.author, Demo.editor] {
      _ = Demo.applied(
        .post(.marked(Demo.post(1, "").id, version: 2, .assigned(user))), by: Demo.editor,
        &situation)
    }
    _ = Demo.applied(
      .post(.edited(Demo.post(2, "").id, version: 2, PostEdit(mode: .set(.each)))),
      by: Demo.editor, &situation)
    situation.unread[.category(Demo.groceries)] = Unread(count: 3, more: false)
    let line = ListLines.overview(situation)[1].plain
    #expect(line == "  2 ▸#groceries              2 open    2 mine   3 new     in home")
    let json = JSONOutput.view(.lists, situation)
    #expect(json.contains(#""mine":0"#) && json.contains(#""mine":2"#))
  }

  @Test("an invitation that is over is told as such")
  func expired() {
    var situation = Demo.situation(invitations: 2)
    let days = Int64(Limits.invitationDays)
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: days * 86_400_000 + 1))
    #expect(
      ListLines.invitations(situation).map(\.plain) == [
        "  1  @editor invited you to place 0: expired, /decline 1 forgets it",
        "  2  @editor invites you to place 1: /accept 2",
      ])
  }

  @Test("the posts of a list, with the last lines of their notes")
  func posts() throws {
    let situation = Demo.situation()
    let list = try situation.list(nil)
    #expect(
      ListLines.posts(of: list, done: false, situation).map(\.plain) == [
        "#groceries  2 open, 1 done, in home", "    #1  milk", "    #2  bread  @editor",
        "        rye", "        or oat",
      ])
    #expect(
      ListLines.posts(of: list, done: true, situation).map(\.plain) == [
        "#groceries  2 open, 1 done, in home", "    #3  ✔ tea  @editor",
      ])
  }

  @Test("The fields of a post stand behind its title")
  func fields() throws {
    var situation = Demo.situation()
    let list = try situation.list(nil)
    // Sunday 2026-11-22, noon.
    let today = 20_779
    let noon = Timestamp(milliseconds: Int64(today) * 86_400_000 + 43_200_000)
    situation.clock = Clock(zone: "UTC", now: noon)
    let day = { (later: Int) in FieldChange.set(Due.day(Day(number: today + later))) }
    let rows: [(PostEdit, String, Style)] = [
      (PostEdit(due: day(-1)), "  ! due yesterday", .bad),
      (PostEdit(due: day(0)), "  ◷ due today", .warn),
      (PostEdit(due: day(1)), "  ◷ due tomorrow", .warn),
      (PostEdit(due: day(2)), "  due Tue", .dim), (PostEdit(due: day(9)), "  due 12-01", .dim),
      (PostEdit(due: day(40)), "  due 2027-01-01", .dim),
      (
        PostEdit(due: .set(.time(Day(number: today), minute: 1_200, zone: "Asia/Kathmandu"))),
        "  ◷ due today 14:15", .warn
      ),
      (
        PostEdit(due: .set(.time(Day(number: today), minute: 600, zone: "Asia/Kathmandu"))),
        "  ! due today 04:15", .bad
      ),
      (PostEdit(priority: .set(.high)), "  !high", .strong),
      (PostEdit(color: .set(.purple)), "  ● purple", .magenta),
      (
        PostEdit(location: .set(Location(text: "", point: GeoPoint(latitude: -1, longitude: 0)))),
        "  at geo:-0.000001,0", .dim
      ),
    ]
    for (edit, text, style) in rows {
      let line = PostChips.line(Demo.post(1, "milk").edited(by: edit), in: list, situation)
      #expect(line.plain == text)
      #expect(line.runs.map(\.style) == [style], "\(text)")
    }
    // As near as the person says that "soon" is.
    var settings = SettingsEdit()
    settings.dueSoonHours = .set(240)
    _ = Demo.applied(
      .personal(.settings(settings)), by: Demo.author, in: .user(Demo.author), &situation)
    let near = Demo.post(1, "milk").edited(by: PostEdit(due: day(9)))
    #expect(PostChips.line(near, in: list, situation).plain == "  ◷ due 12-01")
    let json = JSONOutput.view(.post(near, list), situation)
    #expect(json.contains(#""status":"due_soon""#))
    let done = Demo.post(1, "milk", done: true).edited(by: PostEdit(due: day(-1)))
    #expect(PostChips.line(done, in: list, situation).runs.map(\.style) == [.dim])
  }

  static let padded: [(String, Int, Bool, String)] = [
    ("ab", 4, false, "ab  "), ("ab", 4, true, "  ab"), ("牛乳", 5, false, "牛乳 "),
    ("abcdef", 4, false, "abc…"),
    ("", 2, false, "  "),
  ]

  @Test("columns are padded and cut by width", arguments: padded)
  func pad(text: String, columns: Int, right: Bool, expected: String) {
    #expect(ListLines.pad(text, columns, right: right) == expected)
  }
}

@Suite("--json")
struct JSONOutputTests {
  @Test("lists and posts are one object on one line")
  func views() throws {
    let situation = Demo.situation(open: nil)
    let lists = JSONOutput.view(.lists, situation)
    #expect(
      lists.hasPrefix(
        #"{"ok":true,"lists":[{"number":1,"id":"00000000-0000-0002-0000-000000000002","name":"Big Shop""#
      ))
    let posts = JSONOutput.view(
      .posts(try situation.catalog.list(Reference("#groceries")), done: true), situation)
    #expect(
      posts.contains(
        #""posts":[{"number":3,"id":"00000000-0000-0004-0000-000000000003","title":"tea","done":true,"completedBy":\#(Demo.person(Demo.editor)),"status":"completed"}]"#
      ))
    for text in [lists, posts] {
      #expect(throws: Never.self) { try JSONDocument(Array(text.utf8)) }
      #expect(!text.contains("\n"))
    }
  }

  @Test("A field that is set is told as the protocol spells it")
  func fields() throws {
    var situation = Demo.situation()
    let due = Due.time(Day(number: 20_781), minute: 1_080, zone: "Europe/Lisbon")
    let edit = PostEdit(
      priority: .set(.high), color: .set(.red), due: .set(due),
      location: .set(Location(text: "Rossio", point: GeoPoint(latitude: 1, longitude: -2))))
    _ = Demo.applied(
      .post(.edited(Demo.post(1, "").id, version: 2, edit)), by: Demo.author, &situation)
    let text = JSONOutput.view(.posts(try situation.list(nil), done: false), situation)
    let post = #""done":false,"status":"upcoming","priority":"high","color":"red""#
    #expect(text.contains(post), "\(text)")
    #expect(
      text.contains(
        #""due":{"at":"2026-11-24T18:00","zone":"Europe/Lisbon"},"location":{"lat":1,"lon":-2,"text":"Rossio"}}"#
      ))
  }

  @Test(
    "Characters that would steer a terminal are escaped",
    arguments: ["\u{202E}x", "\u{9B}31m", "\u{7F}", "\u{2028}", "\u{E0001}"])
  func safe(text: String) throws {
    let json = JSONOutput.failure(kind: "k", sentence: text)
    #expect(json.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 && $0.value < 0x7F })
    #expect(try JSONDocument(Array(json.utf8)).root["message"]?.string == text)
  }

  @Test("changes are counted one by one")
  func changes() {
    let result = CommandResult(changed: true, number: 12, version: 1)
    let report = Report.addedPost(
      PostAddress(category: Demo.groceries, post: Demo.post(12, "").id), title: "milk",
      list: "#groceries")
    #expect(
      JSONOutput.answers([
        (report, .command(result)), (report, .command(CommandResult(changed: false))),
      ])
        == #"{"ok":true,"results":[{"changed":true,"number":12,"version":1},{"changed":false}]}"#)
  }
}
