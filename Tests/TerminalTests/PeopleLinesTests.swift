import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("lines: whom what is about")
struct PeopleLinesTests {
  private static let groceries = StreamID.category(Demo.groceries)
  private static let own = StreamID.user(Demo.author)
  private static let guest = UserID(UUID(high: 1, low: 9))

  private static let invitation = Invitation(
    id: InvitationID(UUID(high: 5, low: 1)), stream: groceries, streamName: "groceries",
    user: guest, username: "guest", role: .doer, sent: Stamp(at: Demo.start, by: Demo.editor),
    senderUsername: "editor")

  /// Returns the line of the chat about the last op.
  private func told(
    _ ops: [Op], by user: UserID?, in stream: StreamID = groceries
  ) -> [String] {
    var situation = Demo.situation()
    var lines: [String] = []
    for (index, op) in ops.enumerated() {
      let by = index + 1 < ops.count ? Demo.editor : user
      let applied = Demo.applied(op, by: by, in: stream, &situation)
      lines = EventLines(situation: situation).lines(applied, in: stream).map(\.plain)
    }
    return lines
  }

  @Test("an invitation says to whom it went, as what, and who ended it")
  func invitations() {
    let (sent, id) = (Op.invitation(.sent(Self.invitation)), Self.invitation.id)
    #expect(told([sent], by: Demo.author) == ["→ invited @guest to #groceries as doer"])
    #expect(
      told([sent, .invitation(.declined(id))], by: Self.guest)
        == ["@guest declined the invitation to #groceries"])
    #expect(
      told([sent, .invitation(.revoked(id))], by: Demo.author)
        == ["✘ took the invitation of @guest to #groceries back"])
    #expect(
      told([sent, .invitation(.revoked(id))], by: Demo.editor)
        == ["@editor ✘ took the invitation of @guest to #groceries back"])
    #expect(
      told([sent, .invitation(.expired(id))], by: Demo.editor)
        == ["the invitation of @guest to #groceries is over"])
  }

  @Test("a person who was invited is told whose the invitation was")
  func invited() {
    let (sent, id) = (Op.invitation(.sent(Self.invitation)), Self.invitation.id)
    #expect(
      told([sent, .invitation(.revoked(id))], by: Demo.editor, in: Self.own)
        == ["the invitation of @editor to #groceries was taken back"])
    #expect(
      told([sent, .invitation(.expired(id))], by: Demo.editor, in: Self.own)
        == ["the invitation of @editor to #groceries is over"])
  }

  @Test("who is asked to come stands below who is there")
  func asked() throws {
    var situation = Demo.situation()
    _ = Demo.applied(.invitation(.sent(Self.invitation)), by: Demo.editor, &situation)
    let place = try situation.place(nil)
    let day = Day("2026-11-22")!
    let nothing = StatsResult(
      stream: Self.groceries, from: day, to: day, zone: "UTC", added: 0, completed: 0)
    let lines = AnswerLines.lines(.who(place, .today, []), .stats(nothing), situation, chat: true)
    #expect(lines.map(\.plain).last == "@guest  invited as doer by @editor")
  }

  private func claim(_ user: UserID, hours: Int64 = 1) -> Op {
    .claim(
      Demo.post(1, "").id,
      .taken(user, until: Timestamp(milliseconds: hours * 3_600_000), version: 2))
  }

  @Test("a claim that is made longer is told to whoever did so")
  func longer() {
    #expect(
      told([claim(Demo.author), claim(Demo.author, hours: 2)], by: Demo.author)
        == ["▸ on it until 02:00 now: milk (#1 in #groceries)"])
    #expect(told([claim(Demo.editor), claim(Demo.editor, hours: 2)], by: Demo.editor) == [])
  }

  @Test("a claim that ends says whose it was")
  func claims() {
    let released = Op.claim(Demo.post(1, "").id, .released(version: 3))
    let ended = Op.claim(Demo.post(1, "").id, .ended)
    #expect(
      told([claim(Demo.editor), released], by: Demo.editor)
        == ["@editor ◂ not on it any more: milk (#1 in #groceries)"])
    #expect(
      told([claim(Demo.editor), released], by: Demo.author)
        == ["◂ @editor is not on it any more: milk (#1 in #groceries)"])
    #expect(
      told([claim(Demo.author), released], by: Demo.editor)
        == ["@editor ◂ you are not on it any more: milk (#1 in #groceries)"])
    #expect(
      told([claim(Demo.editor), ended], by: nil)
        == ["nobody is on milk any more: the time of @editor is over (#1 in #groceries)"])
    #expect(
      told([claim(Demo.author), ended], by: nil)
        == ["nobody is on milk any more: your time is over (#1 in #groceries)"])
  }

  @Test("who may invite again, and whose doing the end of a link is")
  func others() {
    let block = Block(user: Self.guest, username: "guest", at: Demo.start)
    #expect(
      told(
        [.block(.blocked(block)), .block(.unblocked(Self.guest))], by: Demo.author, in: Self.own)
        == ["@guest may invite you again"])
    let end = Op.link(.ended(LinkID(UUID(high: 8, low: 1))))
    #expect(told([end], by: Demo.editor) == ["@editor ✘ ended a link that showed #groceries"])
    #expect(told([end], by: nil) == ["a link that showed #groceries has ended"])
  }

  @Test("An undo that is about one step names it")
  func steps() {
    let flour = Step(id: Demo.flour, content: "flour")
    let salt = Step(id: Demo.salt, content: "salt")
    var done = flour
    done.finished = StepFinish(at: Demo.start, by: Demo.editor)
    let (add, more) = (StepOp.added(flour), StepOp.added(salt))
    let rows: [([StepOp], [Step], String)] = [
      ([add, more, .completed([flour.id], done.finished!)], [flour, salt], "↺ 2.1 flour"),
      ([add, more], [done, salt], "✔ 2.1 flour"), ([add, more], [salt], "✘ flour"),
      ([add], [flour, salt], "+ 2.2 salt"),
      ([add, more], [salt, flour], "✎ other steps"),
      ([add, more], [Step(id: Demo.flour, content: "rye"), salt], "✎ 2.1 rye"),
    ]
    for (before, after, line) in rows {
      let ops = (before + [.set(after)]).enumerated().map { index, op in
        Op.step(Demo.post(2, "").id, version: index + 2, op)
      }
      #expect(told(ops, by: Demo.author)[0].hasPrefix(line + " (bread, "))
    }
  }

  @Test("an event tells of a post by the title that it has in the end")
  func title() {
    var situation = Demo.situation()
    let copy = Demo.post(9, "milk")
    let applied = Demo.applied(
      [
        .post(.added(copy, Counters(open: 3))),
        .post(.edited(copy.id, version: 2, PostEdit(title: "oat milk"))),
        .post(.marked(copy.id, version: 3, .assigned(Demo.author))),
      ], by: Demo.editor, &situation)
    let lines = EventLines(situation: situation).lines(applied, in: Self.groceries)
    #expect(lines.last?.plain == "@editor → oat milk is for you (in #groceries)")
  }

  static let said: [(line: String, words: String)] = [
    ("mute overdue planned", "not told: what was planned for now, what is overdue"),
    ("mute none", "nothing is muted"), ("mute default", "not told: what is due soon"),
    ("remind 1d 1h", "reminded 1h, 1d before what is yours is due"),
    ("remind 1d 0m", "reminded 1d before what is yours is due, and when it is"),
    ("remind 0m", "reminded when what is yours is due"),
    ("remind none", "not reminded before what is yours is due"),
    ("remind default", "reminded 1d before what is yours is due"),
    ("soon 24h", "due soon means within 1d"), ("soon default", "due soon means within 2d"),
    ("due today", "what you add is due today"), ("due none", "what you add has no due"),
    ("due default", "what you add has no due"), ("digest 18:00", "told of the day at 18:00"),
    ("digest off", "not told of the day"),
  ]

  @Test("a setting says what it is from now on, in a chat and in a script", arguments: said)
  func settings(line: String, words: String) throws {
    guard case .action(let action) = Input(command: "settings " + line),
      case .send(let requests) = try Planner(situation: Demo.situation()).plan(action),
      let planned = requests.first,
      case .command(.account(.editSettings(let edit)), _, _) = planned.request
    else {
      Issue.record("no settings are sent")
      return
    }
    let script = AnswerLines.lines(
      planned.report, .command(CommandResult(changed: true)), Demo.situation(), chat: false)
    #expect(script.map(\.plain) == ["your settings: " + words])
    #expect(
      told([.personal(.settings(edit))], by: Demo.author, in: Self.own)
        == ["your settings: " + words])
  }
}
