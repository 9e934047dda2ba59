import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("terminal: one's own bots and their tokens")
struct BotCommandTests {
  private static let bot = UserID(UUID(high: 9, low: 0xB07))
  private static let token = TokenID(UUID(high: 9, low: 0x70C))

  private static let line = BotLine(
    id: bot, username: "nightly", name: "Nightly", endsAt: nil,
    places: [
      BotPlace(stream: .category(Demo.groceries), role: .doer),
      BotPlace(stream: .category(CategoryID(UUID(high: 9, low: 0xFFF))), role: .editor),
    ],
    tokens: [
      TokenLine(
        token: Token(
          id: token, lists: [Demo.groceries], methods: TokenWish.Scope.report.methods,
          endsAt: Timestamp(milliseconds: 1_900_000_000_000)),
        name: "ci server", addedAt: Timestamp(milliseconds: 1_700_000_000_000), usedAt: nil)
    ])

  private func step(_ line: String) -> BotStep? {
    guard case .action(.people(.bot(let step))) = Input(command: line) else { return nil }
    return step
  }

  @Test("the commands are read")
  func read() throws {
    #expect(step("bots") == .list)
    #expect(step("bot new @nightly") == .add("nightly"))
    #expect(step("bot nightly end") == .change("nightly", .end))
    #expect(step("bot nightly keep") == .change("nightly", .keep))
    #expect(step("bot nightly to @editor") == .change("nightly", .give(to: "editor")))
    #expect(step("token nightly revoke 2") == .change("nightly", .revokeToken(2)))
    #expect(step("webhook nightly look 1") == .webhook("nightly", 1))
    #expect(step("webhook nightly pause 2") == .change("nightly", .webhook(.pause, 2)))
    #expect(step("webhook nightly resume 2") == .change("nightly", .webhook(.resume, 2)))
    #expect(step("webhook nightly end 2") == .change("nightly", .webhook(.end, 2)))
    for wrong in [
      "bot", "bot nightly", "bot new", "bot nightly end now", "token nightly", "bots 1",
      "webhook nightly", "webhook nightly end",
      "webhook nightly look x",
    ] {
      #expect(step(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a webhook has an address, lists, a form and a name, which is the host without one")
  func webhooks() throws {
    func wish(_ text: String) -> WebhookWish? {
      guard case .change(_, .addWebhook(let it)) = step("webhook nightly \(text)") else {
        return nil
      }
      return it
    }
    let whole = try #require(wish("https://chat.example.org/x #groceries slack team chat"))
    #expect(whole.address == "https://chat.example.org/x" && whole.form == .slack)
    #expect(whole.lists == [Reference("#groceries")] && whole.name == "team chat")
    let plain = try #require(wish("http://localhost:8080/x"))
    #expect(plain.lists.isEmpty && plain.form == .events && plain.name == nil)
  }

  @Test("a text that is no address is refused with the reason, before the server is asked")
  func badAddress() throws {
    for (text, reason) in [
      ("chat.example.org", "must begin with https:// or http://"),
      ("https://me@example.org/", "must have no user and no password"),
    ] {
      guard case .change(let bot, let wish)? = step("webhook nightly \(text)") else {
        Issue.record("\(text) is not read")
        continue
      }
      #expect(throws: Problem("the address \(text) \(reason)")) {
        try Planner(situation: Demo.situation()).request(.change(bot, wish))
      }
    }
  }

  @Test("a webhook is shown with its host only, and with how it goes")
  func webhookLines() throws {
    let stream = StreamID.category(Demo.groceries)
    let range = WebhookRange(stream: stream, from: 3, through: 5)
    let at = Timestamp(milliseconds: 1_700_000_000_000)
    func lines(_ progress: WebhookProgress) throws -> [String] {
      let webhook = Webhook(
        id: WebhookID(UUID(high: 9, low: 1)), bot: Self.bot, name: "team chat",
        address: try WebhookAddress("https://chat.example.org/secret"), form: .slack,
        lists: [Demo.groceries], addedAt: at, progress: progress)
      let bot = BotLine(
        id: Self.bot, username: "nightly", name: "Nightly", endsAt: nil, places: [], tokens: [],
        webhooks: [webhook])
      let tries = WebhookLines.tries(of: "nightly", 1, among: [bot], Demo.situation())
      return (WebhookLines.webhooks(of: bot, Demo.situation()) + tries).map(\.plain)
    }
    let new = try lines(WebhookProgress())
    #expect(
      new[0] == " → 1 team chat  to chat.example.org, for slack, from #groceries, nothing sent yet")
    #expect(new.last == "  nothing sent yet" && !new.joined().contains("secret"))
    let failed = WebhookTry(range: range, at: at, outcome: .failed("it hangs up"), milliseconds: 7)
    let taken = WebhookTry(range: range, at: at, outcome: .answered(204), milliseconds: 8)
    let trouble = WebhookTrouble(range: range, since: at)
    let troubled = try lines(WebhookProgress(trouble: trouble, tries: [taken, failed]))
    #expect(troubled[0].contains(", fails since ") && troubled[0].hasSuffix(": it hangs up"))
    #expect(troubled[2].hasSuffix("  #groceries 3–5  taken (204)  8 ms"))
    let paused = try lines(WebhookProgress(pausedAt: at, tries: [failed]))
    #expect(paused[0].contains(", paused ") && paused[0].hasSuffix(": it hangs up"))
    let good = try lines(WebhookProgress(tries: [taken]))
    #expect(good[0].contains(", sent "))
  }

  @Test("a token has a name, lists, a choice of methods and days, and the rest is refused")
  func wishes() throws {
    func wish(_ text: String) -> TokenWish? {
      guard case .change(_, .addToken(let it)) = step("token nightly \(text)") else { return nil }
      return it
    }
    let whole = try #require(wish("ci server #groceries report 90"))
    #expect(whole.name == "ci server" && whole.lists == [Reference("#groceries")])
    #expect(whole.scope == .report && whole.days == 90)
    let plain = try #require(wish("laptop"))
    #expect(plain.lists.isEmpty && plain.scope == nil && plain.days == Limits.tokenDaysMax)
    for wrong in ["#groceries", "ci 367", "ci look more"] {
      #expect(wish(wrong) == nil, "\(wrong)")
    }
  }

  @Test(
    "no choice of methods names one that no token may call", arguments: TokenWish.Scope.allCases)
  func scopes(_ scope: TokenWish.Scope) {
    #expect(scope.methods.allSatisfy { $0.row.isOpenToTokens })
    #expect(scope.methods.count <= Limits.tokenMethodsMax)
    #expect(TokenWish.Scope(scope.methods) == scope)
  }

  @Test("the server is asked for the bots first, and the answer becomes the change")
  func followUp() throws {
    let planner = Planner(situation: Demo.situation())
    let asked = try planner.request(.change("nightly", .end))
    #expect(asked.request == .query(.bots))
    let changes = try #require(try planner.followUp(asked.report, .bots([Self.line])))
    guard case .command(.bot(.end(Self.bot)), key: _, base: _) = changes.first?.request else {
      Issue.record("\(changes)")
      return
    }
    #expect(throws: Problem.self) { try planner.followUp(asked.report, .bots([])) }
    let revoke = try planner.request(.change("nightly", .revokeToken(1)))
    let revoked = try #require(try planner.followUp(revoke.report, .bots([Self.line])))
    guard
      case .command(.bot(.revokeToken(Self.bot, Self.token)), key: _, base: _) = revoked.first?
        .request
    else {
      Issue.record("\(revoked)")
      return
    }
    let none = try planner.request(.change("nightly", .revokeToken(2)))
    #expect(throws: Problem.self) { try planner.followUp(none.report, .bots([Self.line])) }
  }

  @Test("the bots are shown with what is known of where they are, and what their tokens allow")
  func shown() {
    let lines = BotLines.bots([Self.line], Demo.situation()).map(\.plain)
    #expect(lines.count == 2)
    #expect(lines[0] == "@nightly  in #groceries as doer, 1 other place")
    #expect(lines[1].hasPrefix("  1  ci server  for #groceries, to report, until "))
    #expect(lines[1].hasSuffix(", never used"))
    #expect(
      BotLines.bots([], Demo.situation()).map(\.plain)
        == ["you have no bots: /bot new NAME makes one"])
  }

  @Test("a bot is shown with the thing that it did last, but not to a removed post")
  func last() {
    func line(_ change: (inout Post) -> Void) -> String? {
      var post = Post(
        id: PostID(UUID(high: 4, low: 9)), number: 9, title: "build", notes: "",
        addedBy: Self.bot, createdAt: Timestamp(milliseconds: 5), updatedAt: Demo.start, version: 1)
      change(&post)
      var situation = Demo.situation()
      let stream = StreamID.category(Demo.groceries)
      let list = Demo.category(Demo.groceries, "groceries")
      situation.streams[stream] = StreamState(
        stream: stream, objects: [.category(list), .post(post)])
      let lines = BotLines.bots([Self.line], situation).map(\.plain)
      return lines.count == 3 ? lines[1] : nil
    }
    let place = "00:00: build (#9 in #groceries)"
    #expect(line { _ in } == "     + added, \(place)")
    #expect(line { $0.removed = Stamp(at: Demo.start, by: Demo.author) } == nil)
    let later = Timestamp(milliseconds: 9)
    #expect(
      line { $0.completed = Completion(at: later, by: Self.bot, seq: 3) }
        == "     ✔ completed, \(place)")
    #expect(
      line { $0.completed = Completion(at: later, by: Demo.editor, seq: 3) }
        == "     + added, \(place)")
    let id = RunID(UUID(high: 7, low: 1))
    let run = PostRun(id: id, user: Self.bot, startedAt: later, seq: 4, lease: 60_000)
    #expect(line { $0.run = run } == "     ▶ running since \(place)")
    let ended = EndedRun(
      id: id, user: Self.bot, outcome: .failed, startedAt: later, endedAt: later, seq: 5,
      text: "exit status 2")
    #expect(line { $0.lastRun = ended } == "     ✘ failed: exit status 2, \(place)")
    // A first report adds the post and tells the end at once; a run that begins ends the one before.
    let atOnce = EndedRun(
      id: id, user: Self.bot, outcome: .ok, startedAt: Timestamp(milliseconds: 5),
      endedAt: Timestamp(milliseconds: 5), seq: 5)
    #expect(line { $0.lastRun = atOnce } == "     ✔ ok, \(place)")
    #expect(line { ($0.run, $0.lastRun) = (run, ended) } == "     ▶ running since \(place)")
  }

  @Test("the text of a token is shown once, with how long it is good")
  func made() {
    var result = CommandResult(changed: true)
    result.token = "secret"
    let lines = BotLines.made(result, bot: "nightly", days: 30, [], Demo.situation())
      .map(\.plain)
    #expect(lines[0] == "secret" && lines[1].contains("as @nightly, for 30 days"))
  }

  @Test("a token is shown with the command by which a program reports with it")
  func hook() throws {
    var result = CommandResult(changed: true)
    result.token = "secret"
    var situation = Demo.situation()
    situation.server = try ServerAddress("wss://todo.example.org/ws")
    let (first, second) = (Demo.groceries, Demo.bigShop)
    for (lists, address) in [
      ([], "hooks/LIST"), ([first], "hooks"), ([first, second], "hooks/\(first.uuid)"),
    ] {
      let lines = BotLines.made(result, bot: "nightly", days: 30, lists, situation).map(\.plain)
      #expect(lines.last?.hasSuffix(" https://todo.example.org:443/\(address)") == true)
      #expect(lines.last?.contains("secret") == false)
    }
  }
}
