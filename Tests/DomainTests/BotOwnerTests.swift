import Testing

@testable import Domain

@Suite("protocol §5.12: the owners of bots") struct BotOwnerTests {
  private static let home = StreamID.category(1)

  /// Returns the house in which c owns the bot x.
  private static func scene() -> Scene {
    var scene = Scene.house()
    scene.addBot("x", "nightly", of: "c")
    return scene
  }

  private static func add(_ bot: UserID, _ username: String) -> Command {
    .bot(.add(NewBot(id: bot, username: username, name: "Bot", zone: "Europe/Lisbon")))
  }

  @Test("a new bot is one event and one account, and has no recovery code")
  func added() throws {
    var scene = Scene.house()
    let decision = scene.must(Self.add("x", "nightly"), by: "c")
    #expect(decision.drafts.map(\.stream) == [.user("x")])
    let account = Account(
      id: "x", username: "nightly", password: .none, recoveryGeneration: 0, owner: "c")
    #expect(decision.accounts == [.added(account)])
    #expect(decision.generation == nil)
    let profile = try #require(scene.profile("x"))
    #expect(profile.username == "nightly" && profile.name == "Bot")
    #expect(profile.zone == "Europe/Lisbon" && profile.endsAt == nil)
  }

  @Test("a bot has no name that nobody may have")
  func names() {
    var scene = Scene.house()
    #expect(
      scene.refusal(of: Self.add("x", "guest-x"), by: "c")
        == .invalid(field: "username", reason: "is kept for guests"))
    scene.spentCodes.insert("mark of nightly")
    var again = NewBot(id: "x", username: "nightly", name: "Bot", zone: "UTC")
    again.mark = "mark of nightly"
    #expect(scene.refusal(of: .bot(.add(again)), by: "c") == .exists(field: "username"))
    again.mark = "mark of another"
    #expect(scene.refusal(of: .bot(.add(again)), by: "c") == nil)
    #expect(scene.refusal(of: Self.add("x", "nightly"), by: "n") == .notFound("user"))
  }

  @Test("a bot counts until its account is gone")
  func quota() {
    var scene = Self.scene()
    let max = Limits.botsPerPersonMax
    for number in 1..<max {
      scene.addBot(UserID(UUID(high: 0xB07, low: UInt64(number))), "bot-\(number)", of: "c")
    }
    let another = Self.add("y", "weekly")
    #expect(scene.refusal(of: another, by: "c") == .quota(limit: "bots", max: max))
    scene.must(.bot(.end("x")), by: "c")
    #expect(scene.refusal(of: another, by: "c") == .quota(limit: "bots", max: max))
    scene.now = scene.now.after(days: Limits.botEndDays)
    #expect(scene.finish("x") == [.user("x")])
    #expect(scene.accounts["x"] == nil)
    scene.must(another, by: "c")
  }

  @Test("a guest, a bot and a stranger are not to be found as new owners")
  func receivers() throws {
    var scene = Self.scene()
    scene.admit("c", to: Self.home, as: .editor, by: "a", number: 60)
    scene.registerProgram()
    scene.admit("e", to: Self.home, as: .editor, by: "a", number: 61)
    let session = SessionRecord(
      id: SessionID(1), user: "g", tokenHash: [1], deviceHash: [9], client: "t",
      openedAt: scene.now, usedAt: scene.now)
    let guest = NewGuest(id: "g", username: "guest-g", name: "Guest", zone: "UTC")
    try scene.begin(guest, session)
    let code = NewCode(role: .editor, uses: 1, days: 1)
    scene.must(.invitation(.makeCode(62, Self.home, code)), by: "a")
    let inHand = CodeInHand(text: "", opens: .invitation(62, Self.home))
    scene.must(.invitation(.redeem(inHand)), by: "g")
    for username in ["guest-g", "program", "nightly", "user-d", "nobody"] {
      #expect(
        scene.refusal(of: .bot(.give("x", to: username)), by: "c") == .notFound("user"),
        "\(username)")
    }
    #expect(scene.changes(.bot(.give("x", to: "user-a")), by: "c") == true)
    #expect(scene.changes(.bot(.give("x", to: "user-c")), by: "c") == false)
  }

  @Test("a bot that is given away keeps its places, not its tokens, and leaves with its new owner")
  func given() {
    var scene = Self.scene()
    scene.admit("c", to: Self.home, as: .admin, by: "a", number: 60)
    scene.admit("d", to: Self.home, as: .editor, by: "a", number: 61)
    scene.invite("nightly", to: Self.home, as: .doer, by: "c", number: 62)
    let token = scene.addToken(1, to: "x", by: "c")
    let decision = scene.must(.bot(.give("x", to: "user-d")), by: "c")
    #expect(
      decision.drafts == [Draft(stream: .user("x"), ops: [.account(.given(to: "d"))])])
    #expect(
      decision.accounts
        == [.given("x", to: "d"), .sessionsClosed([SessionID(token.uuid)], of: "x")])
    #expect(scene.sessions.isEmpty)
    let revoke = Command.bot(.revokeToken("x", token))
    #expect(scene.refusal(of: revoke, by: "c") == .notFound("bot"))
    scene.must(.member(.leave(Self.home)), by: "c")
    #expect(scene.role(of: "x", in: Self.home) == .doer)
    #expect(scene.refusal(of: revoke, by: "d") == .notFound("token"))
    scene.addToken(2, to: "x", by: "d")
    scene.must(.member(.leave(Self.home)), by: "d")
    #expect(scene.role(of: "x", in: Self.home) == nil)
  }

  @Test("a bot is not given to somebody who may do less than it, and the places are named")
  func givenMore() {
    var scene = Self.scene()
    scene.must(.category(.add(6, name: "Plans", group: nil)), by: "c")
    scene.must(.category(.add(7, name: "Money", group: nil)), by: "c")
    scene.admit("d", to: .category(6), as: .viewer, by: "c", number: 60)
    scene.invite("nightly", to: .category(6), as: .doer, by: "c", number: 61)
    scene.invite("nightly", to: .category(7), as: .viewer, by: "c", number: 62)
    let give = Command.bot(.give("x", to: "user-d"))
    let (plans, money) = (StreamID.category(6), StreamID.category(7))
    #expect(
      scene.refusal(of: give, by: "c")
        == .forbidden(
          "the bot may do more than its new owner in Plans (\(plans)), Money (\(money)): "
            + "let it leave there first"))
    scene.must(.member(.remove(money, "x")), by: "c")
    scene.must(.member(.setRole(plans, "x", .viewer)), by: "c")
    scene.must(.category(.add(8, name: "Secret", group: nil)), by: "x")
    #expect(
      scene.refusal(of: give, by: "c")
        == .forbidden(
          "the bot may do more than its new owner in places that you are not in: "
            + "let it leave there first"))
    scene.admit("d", to: .category(8), as: .owner, by: "x", number: 63)
    #expect(scene.changes(give, by: "c") == true)
  }

  @Test("a program with a password has the owner whom the operator names")
  func operated() throws {
    var scene = Scene.house()
    scene.registerProgram()
    #expect(scene.refusal(of: .bot(.end("e")), by: "c") == .notFound("bot"))
    let decision = try scene.giveAsOperator("e", to: "c")
    #expect(
      decision.drafts == [Draft(stream: .user("e"), ops: [.account(.given(to: "c"))])])
    #expect(decision.accounts == [.given("e", to: "c")])
    #expect(scene.accounts["e"]?.password == PasswordHash(phc: "$e"))
    scene.must(.category(.add(6, name: "Own", group: nil)), by: "c")
    scene.invite("program", to: .category(6), as: .doer, by: "c", number: 60)
    #expect(scene.role(of: "e", in: .category(6)) == .doer)
    try scene.giveAsOperator("e", to: "d")
    #expect(scene.profile("e")?.owner == "d" && scene.accounts["e"]?.owner == "d")
    #expect(scene.refusal(of: .bot(.end("e")), by: "c") == .notFound("bot"))
    scene.must(.bot(.end("e")), by: "d")
  }

  @Test("the operator gives nothing to a guest, to a bot or to nobody, and no person to anybody")
  func operatedInVain() throws {
    var scene = Self.scene()
    scene.registerProgram()
    scene.makeGuest("d")
    let pairs: [(UserID, UserID)] = [("e", "d"), ("e", "x"), ("e", "n"), ("a", "c"), ("n", "c")]
    for (bot, owner) in pairs {
      let decision = try scene.giveAsOperator(bot, to: owner)
      #expect(decision == Decision(), "\(bot) \(owner)")
    }
    #expect(scene.accounts["e"]?.owner == nil && scene.profile("e")?.owner == nil)
  }

  @Test("the end of a bot closes its sign-ins and its tokens")
  func closed() throws {
    var scene = Scene.house()
    scene.registerProgram()
    let session = SessionRecord(
      id: SessionID(1), user: "e", tokenHash: [1], deviceHash: nil, client: "t",
      openedAt: scene.now, usedAt: scene.now)
    scene.open(session)
    try scene.giveAsOperator("e", to: "c")
    let token = scene.addToken(1, to: "e", by: "c")
    #expect(scene.sessions.count == 2)
    let end = scene.now.after(days: Limits.botEndDays)
    let decision = scene.must(.bot(.end("e")), by: "c")
    #expect(
      decision.drafts == [Draft(stream: .user("e"), ops: [.account(.ending(end))])])
    #expect(
      decision.accounts == [
        .sessionsClosed([SessionID(1), SessionID(token.uuid)], of: "e"), .ends("e", at: end),
      ])
    #expect(scene.sessions.isEmpty)
    scene.addBot("x", "nightly", of: "c")
    let quiet = scene.must(.bot(.end("x")), by: "c")
    #expect(quiet.accounts == [.ends("x", at: end)])
    let kept = scene.must(.bot(.keep("x")), by: "c")
    #expect(kept.accounts == [.ends("x", at: nil)])
  }

  @Test("a bot that its owner has ended does not sign in, and does not end itself")
  func endedProgram() throws {
    var scene = Scene.house()
    scene.registerProgram()
    try scene.giveAsOperator("e", to: "c")
    #expect(
      scene.refusal(of: .account(.delete(days: 14)), by: "e")
        == .forbidden("only its owner can end this bot"))
    let session = SessionRecord(
      id: SessionID(1), user: "e", tokenHash: [1], deviceHash: nil, client: "t",
      openedAt: scene.now, usedAt: scene.now)
    let account = try #require(scene.accounts["e"])
    func signIn() -> Result<Decision, Refusal> {
      scene.answered { world throws(Halt) in
        try Domain.openSession(session, of: account, in: &world)
      }
    }
    scene.must(.bot(.end("e")), by: "c")
    #expect(signIn() == .failure(.forbidden("this bot is to end, and only its owner can keep it")))
    scene.must(.bot(.keep("e")), by: "c")
    #expect(signIn() == .success(Decision(accounts: [.sessionOpened(session)])))
  }

  @Test("an owner's end that is only asked for leaves the bots as they are")
  func grace() {
    var scene = Self.scene()
    let token = scene.addToken(1, to: "x", by: "c")
    scene.must(.account(.delete(days: 14)), by: "c")
    #expect(scene.profile("x")?.endsAt == nil)
    #expect(scene.sessions.compactMap { $0.token?.id } == [token])
    scene.must(.account(.keep), by: "c")
    #expect(scene.profile("x")?.endsAt == nil)
  }

  @Test("a bot that was to end later ends with its owner")
  func endsSooner() {
    var scene = Self.scene()
    scene.must(.bot(.end("x")), by: "c")
    #expect(scene.profile("x")?.endsAt != scene.now)
    scene.must(.account(.delete(days: 0)), by: "c")
    scene.finish("c")
    #expect(scene.profile("x")?.endsAt == scene.now)
    scene.finish("x")
    #expect(scene.accounts["x"] == nil)
  }
}
