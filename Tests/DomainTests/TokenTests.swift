import Testing

@testable import Domain

@Suite("protocol §5.12: tokens of bots") struct TokenTests {
  private static func token(_ number: Int) -> TokenID {
    TokenID(UUID(high: 7, low: UInt64(number)))
  }

  private static func add(_ number: Int, days: Int = 30) -> Command {
    .bot(.addToken("x", token(number), NewToken(name: "token \(number)", days: days)))
  }

  @Test("a token is a session with limits, and writes no event")
  func added() throws {
    var scene = BotTests.scene()
    let new = NewToken(name: "ci", lists: [1], methods: [.post(.add)], days: 2)
    let decision = scene.must(.bot(.addToken("x", Self.token(1), new)), by: "b")
    #expect(decision.drafts.isEmpty && decision.changed)
    let session = try #require(scene.sessions.first)
    let token = try #require(session.token)
    #expect(session.user == "x" && session.client == "ci" && session.usedAt == .neverUsed)
    #expect(token.lists == [1] && token.methods == [.post(.add)])
    #expect(token.endsAt == scene.now.after(days: 2))
    #expect(token.isOver(at: token.endsAt))
    #expect(!token.isOver(at: Timestamp(milliseconds: token.endsAt.milliseconds - 1)))
    #expect(token.isFor(.category(1)) && !token.isFor(.category(2)) && !token.isFor(.user("x")))
  }

  @Test("the id of a token is good once, also after it was revoked")
  func once() {
    var scene = BotTests.scene()
    scene.must(Self.add(1), by: "b")
    #expect(scene.refusal(of: Self.add(1, days: 3), by: "b") == .exists(field: "id"))
    scene.must(.bot(.revokeToken("x", Self.token(1))), by: "b")
    #expect(scene.sessions.isEmpty)
    #expect(scene.refusal(of: Self.add(1), by: "b") == .exists(field: "id"))
    #expect(
      scene.refusal(of: .bot(.revokeToken("x", Self.token(1))), by: "b") == .notFound("token"))
  }

  @Test("a bot has ten; those whose time is over make room")
  func quota() {
    var scene = BotTests.scene()
    let max = Limits.tokensPerBotMax
    for number in 1...max { scene.must(Self.add(number, days: number == 1 ? 1 : 30), by: "b") }
    #expect(
      scene.refusal(of: Self.add(99), by: "b") == .quota(limit: "tokens", max: max))
    scene.now = scene.now.after(days: 1)
    scene.must(Self.add(99), by: "b")
    #expect(scene.sessions.count == max)
    #expect(!scene.sessions.contains { $0.token?.id == Self.token(1) })
  }

  @Test("the end of the bot closes them all, and its coming back brings none back")
  func ended() {
    var scene = BotTests.scene()
    for number in 1...2 { scene.must(Self.add(number), by: "b") }
    scene.must(.bot(.end("x")), by: "b")
    #expect(scene.sessions.isEmpty)
    scene.must(.bot(.keep("x")), by: "b")
    #expect(scene.sessions.isEmpty)
  }

  @Test("a password, a sign-in and a sign-out leave them alone")
  func signIns() throws {
    var scene = BotTests.scene()
    // The bot of a person with a password is one that registered by itself.
    let given = try scene.answered { world throws(Halt) in
      try Domain.give("x", to: "b", in: &world)
    }.get()
    #expect(given == Decision())
    scene.must(Self.add(1), by: "b")
    let held = scene.sessions
    let changed = scene.must(
      .account(.changePassword(PasswordHash(phc: "$new"))), by: "x", session: SessionID(2))
    #expect(changed.accounts == [.passwordChanged("x", PasswordHash(phc: "$new"))])
    let recovered = scene.must(
      .account(.recover("x", PasswordHash(phc: "$newer"), generation: 0)), by: "x")
    #expect(
      recovered.accounts == [.recovered("x", PasswordHash(phc: "$newer"), generation: 1)])
    #expect(
      scene.refusal(of: .account(.closeSession(held[0].id)), by: "x") == .notFound("session"))
    #expect(scene.sessions == held)
    let account = try #require(scene.accounts["x"])
    for number in 1...Limits.sessionsPerUserMax {
      let session = SessionRecord(
        id: SessionID(1_000 + number), user: "x", tokenHash: [UInt8(number)], deviceHash: nil,
        client: "t", openedAt: scene.now, usedAt: scene.now)
      let opened = try scene.answered { world throws(Halt) in
        try openSession(session, of: account, in: &world)
      }.get()
      #expect(opened.accounts == [.sessionOpened(session)])
      scene.carryOut(opened, by: "x")
    }
  }

  @Test(
    "methods about accounts, sessions, bots, tokens and webhooks are open to no token",
    arguments: Method.allCases)
  func open(_ method: Method) {
    let noun = method.name.prefix { $0 != "." }
    #expect(
      method.row.isOpenToTokens == !["account", "session", "bot", "token", "webhook"].contains(noun)
    )
  }
}
