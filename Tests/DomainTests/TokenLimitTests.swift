import Testing

@testable import Domain

@Suite("protocol §5.12: tokens beside sign-ins") struct TokenLimitTests {
  /// Returns the house in which c owns the bot e, which has a password and the token 1.
  private static func scene() throws -> Scene {
    var scene = Scene.house()
    scene.registerProgram()
    try scene.giveAsOperator("e", to: "c")
    scene.addToken(1, to: "e", by: "c")
    return scene
  }

  private static let token = SessionID(UUID(high: 7, low: 1))

  private static func session(_ number: Int, device: [UInt8]? = nil) -> SessionRecord {
    let time = Timestamp(milliseconds: Int64(number))
    return SessionRecord(
      id: SessionID(number), user: "e", tokenHash: [UInt8(number)], deviceHash: device,
      client: "t", openedAt: time, usedAt: time)
  }

  @Test("a token lives a year when nobody says otherwise")
  func year() throws {
    var scene = try Self.scene()
    let id = TokenID(UUID(high: 7, low: 2))
    scene.must(.bot(.addToken("e", id, NewToken(name: "yearly"))), by: "c")
    let token = try #require(scene.sessions.compactMap(\.token).first { $0.id == id })
    #expect(token.endsAt == scene.now.after(days: 366))
    #expect(token.lists == nil && token.methods == nil)
  }

  @Test("an id is good once for each bot, and names a token of one bot only")
  func ids() throws {
    var scene = try Self.scene()
    scene.addBot("x", "nightly", of: "c")
    let id = TokenID(Self.token.uuid)
    let revoke = Command.bot(.revokeToken("x", id))
    #expect(scene.refusal(of: revoke, by: "c") == .notFound("token"))
    let add = Command.bot(.addToken("x", id, NewToken(name: "t")))
    #expect(scene.refusal(of: add, by: "c") == nil)
    let again = Command.bot(.addToken("e", id, NewToken(name: "t")))
    #expect(scene.refusal(of: again, by: "c") == .exists(field: "id"))
    try scene.giveAsOperator("e", to: "d")
    #expect(scene.refusal(of: again, by: "d") == .exists(field: "id"))
  }

  @Test("a token whose time is over is still there to be revoked")
  func over() throws {
    var scene = try Self.scene()
    scene.now = scene.now.after(days: 31)
    #expect(scene.sessions.first?.token?.isOver(at: scene.now) == true)
    let decision = scene.must(.bot(.revokeToken("e", TokenID(Self.token.uuid))), by: "c")
    #expect(decision.accounts == [.sessionsClosed([Self.token], of: "e")])
    #expect(decision.drafts.isEmpty && scene.sessions.isEmpty)
  }

  @Test("a command by a token is refused when the token is revoked or over by then")
  func late() throws {
    var scene = try Self.scene()
    let token = try #require(scene.sessions.first?.token)
    func refusal(by session: SessionID) -> Refusal? {
      let actor = Actor(user: "e", session: session, token: token)
      let now = scene.now
      let command = Command.account(.editProfile(ProfileEdit(name: "Other")))
      let result = scene.answered { world throws(Halt) in
        try decide(command, by: actor, at: now, in: &world, almanac: .none)
      }
      guard case .failure(let refusal) = result else { return nil }
      return refusal
    }
    #expect(refusal(by: Self.token) == nil)
    #expect(refusal(by: SessionID(2)) == .unauthenticated)
    scene.now = token.endsAt
    #expect(refusal(by: Self.token) == .unauthenticated)
    scene.now = Timestamp(milliseconds: token.endsAt.milliseconds - 1)
    #expect(refusal(by: Self.token) == nil)
    scene.must(.bot(.revokeToken("e", token.id)), by: "c")
    #expect(refusal(by: Self.token) == .unauthenticated)
  }

  @Test("an undo's preview, and the refusal for a post that went, name no list of others")
  func preview() throws {
    var scene = Scene.house()
    scene.must(.category(.add(8, name: "Here", group: nil)), by: "a")
    scene.must(.category(.add(9, name: "There", group: nil)), by: "a")
    scene.must(.post(.add(8, 5, title: "Milk", notes: "")), by: "a")
    scene.must(.movePost(8, 5, to: 9), by: "a")
    let seq = try #require(scene.events[.category(8)]?.last?.seq)
    let target = UndoTarget(stream: .category(8), events: [seq], seen: nil)
    scene.open(
      SessionRecord(
        id: Self.token, user: "a", tokenHash: [1], deviceHash: nil, client: "t",
        openedAt: scene.now, usedAt: scene.now))
    func actor(_ lists: Set<CategoryID>?) -> Actor {
      let token = Token(
        id: TokenID(Self.token.uuid), lists: lists, endsAt: Timestamp(milliseconds: .max))
      return Actor(user: "a", session: Self.token, token: token)
    }
    func edit(_ lists: Set<CategoryID>?) -> Refusal? {
      let (actor, now) = (actor(lists), scene.now)
      let command = Command.editPost(8, 5, PostEdit(title: "Oat milk"), ifVersion: nil)
      let result = scene.answered { world throws(Halt) in
        try decide(command, by: actor, at: now, in: &world, almanac: .none)
      }
      guard case .failure(let refusal) = result else { return nil }
      return refusal
    }
    func plan(_ lists: Set<CategoryID>?) -> Result<UndoPlan, Refusal> {
      let (actor, now) = (actor(lists), scene.now)
      return scene.answered { world throws(Halt) in
        try undoPlan(target, by: actor, at: now, in: &world)
      }
    }
    #expect(plan([8]) == .failure(.tokenIsForOthers))
    #expect(edit([8]) == .gone("post"))
    #expect(edit([8, 9]) == .moved(to: 9))
    #expect(try plan([8, 9]).get().drafts.map(\.stream) == [.category(8), .category(9)])
    #expect(try plan(nil).get().drafts.count == 2)
  }

  @Test("a token is not counted among the sign-ins, and gives way to none of them")
  func signIns() throws {
    var scene = try Self.scene()
    let max = Limits.sessionsPerUserMax
    for number in 1...max {
      let session = Self.session(number)
      #expect(try scene.signIn(session).accounts == [.sessionOpened(session)])
    }
    let next = Self.session(max + 1)
    #expect(
      try scene.signIn(next).accounts
        == [.sessionsClosed([SessionID(1)], of: "e"), .sessionOpened(next)])
    #expect(scene.sessions.contains { $0.id == Self.token })
  }

  @Test("a full number of sign-ins hinders no token")
  func besideSignIns() throws {
    var scene = try Self.scene()
    for number in 1...Limits.sessionsPerUserMax { _ = try scene.signIn(Self.session(number)) }
    scene.addToken(2, to: "e", by: "c")
    #expect(scene.sessions.count == Limits.sessionsPerUserMax + 2)
  }

  @Test("another password closes the other sign-ins alone, a recovery all of them")
  func passwords() throws {
    var scene = try Self.scene()
    for number in 1...2 { _ = try scene.signIn(Self.session(number)) }
    let new = PasswordHash(phc: "$new")
    let changed = scene.must(.account(.changePassword(new)), by: "e", session: SessionID(1))
    #expect(
      changed.accounts
        == [.passwordChanged("e", new), .sessionsClosed([SessionID(2)], of: "e")])
    let newer = PasswordHash(phc: "$newer")
    let recovered = scene.must(.account(.recover("e", newer, generation: 1)), by: "e")
    #expect(
      recovered.accounts
        == [.recovered("e", newer, generation: 2), .sessionsClosed([SessionID(1)], of: "e")])
    #expect(scene.sessions.map(\.id) == [Self.token])
  }

  @Test("the bot itself closes its sign-ins, and no token")
  func closing() throws {
    var scene = try Self.scene()
    _ = try scene.signIn(Self.session(1))
    #expect(
      scene.refusal(of: .account(.closeSession(Self.token)), by: "e") == .notFound("session"))
    scene.must(.account(.closeSession(SessionID(1))), by: "e")
    #expect(scene.sessions.map(\.id) == [Self.token])
  }

  @Test("the use of a token is noted once a day")
  func used() throws {
    var scene = try Self.scene()
    scene.now = scene.now.after(days: 1)
    let first = try scene.use(Self.token, of: "e")
    #expect(first.accounts == [.sessionUsed(Self.token, at: scene.now)])
    #expect(scene.sessions.first?.usedAt == scene.now)
    #expect(try scene.use(Self.token, of: "e") == Decision())
  }

  @Test("the methods that no token may call are these")
  func methods() {
    let closed: Set<String> = [
      "account.register", "account.login", "account.recover", "account.change_password",
      "account.logout", "account.pair", "account.guest", "account.upgrade", "account.delete",
      "account.keep", "account.export", "session.pair", "session.list", "session.close",
      "bot.add", "bot.end", "bot.keep", "bot.give", "bot.list", "token.add", "token.revoke",
      "webhook.add", "webhook.remove", "webhook.pause", "webhook.resume",
    ]
    let found = Method.allCases.filter { !$0.row.isOpenToTokens }.map(\.name)
    #expect(Set(found) == closed)
  }

  @Test("a token for lists shows no group and no person, and one for all shows everything")
  func streams() {
    let places: [StreamID] = [.category(1), .category(2), .group(1), .user("e")]
    func shown(by lists: Set<CategoryID>?) -> [StreamID] {
      let token = Token(
        id: TokenID(Self.token.uuid), lists: lists, endsAt: Timestamp(milliseconds: 1))
      return places.filter { token.isFor($0) }
    }
    #expect(shown(by: nil) == places)
    #expect(shown(by: [1]) == [.category(1)])
    #expect(shown(by: [1, 2]) == [.category(1), .category(2)])
    #expect(shown(by: []) == [])
  }
}

extension Scene {
  /// Opens a session as a sign-in does.
  fileprivate mutating func signIn(_ session: SessionRecord) throws -> Decision {
    let account = try #require(accounts[session.user])
    let decision = try answered { world throws(Halt) in
      try Domain.openSession(session, of: account, in: &world)
    }.get()
    carryOut(decision, by: session.user)
    return decision
  }

  fileprivate mutating func use(_ session: SessionID, of user: UserID) throws -> Decision {
    let now = now
    let decision = try answered { world throws(Halt) in
      try Domain.useSession(session, of: user, at: now, in: &world)
    }.get()
    carryOut(decision, by: user)
    return decision
  }
}
