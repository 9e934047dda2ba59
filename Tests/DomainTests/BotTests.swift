import Testing

@testable import Domain

@Suite("protocol §5.12: bots and their owners") struct BotTests {
  private static let home = StreamID.category(1)

  private static func add(_ bot: UserID, _ username: String) -> Command {
    .bot(.add(NewBot(id: bot, username: username, name: username, zone: "UTC")))
  }

  /// Returns the house in which b owns the bot x, and b is an editor of the list of a.
  static func scene() -> Scene {
    var scene = Scene.house()
    scene.admit("b", to: home, as: .editor, by: "a", number: 60)
    scene.must(add("x", "nightly"), by: "b")
    return scene
  }

  private static func invite(
    _ username: String, _ role: Role, to stream: StreamID = home, number: Int = 70
  ) -> Command {
    .invitation(.send(InvitationID(number), stream, username: username, role))
  }

  @Test("a bot that a person adds has an owner, and no password")
  func added() throws {
    let scene = Self.scene()
    let profile = try #require(scene.profile("x"))
    #expect(profile.kind == .bot && profile.owner == "b" && !profile.isGuest)
    let account = try #require(scene.accounts["x"])
    #expect(account.owner == "b" && account.password.isNone && account.recoveryGeneration == 0)
  }

  @Test("a bot or a guest owns no bots, and names and ids are taken once")
  func refused() {
    var scene = Self.scene()
    #expect(
      scene.refusal(of: Self.add("y", "other"), by: "x") == .forbidden("a bot has no bots"))
    let guest = NewGuest(id: "g", username: "guest-g", name: "Guest", zone: "UTC")
    let registration = Registration(
      id: guest.id, username: guest.username, name: guest.name, zone: "UTC", password: .none,
      code: nil)
    let now = scene.now
    if case .success(let decision) = scene.answered({ world throws(Halt) in
      try register(registration, isGuest: true, at: now, in: &world)
    }) {
      scene.carryOut(decision, by: "g")
    }
    #expect(
      scene.refusal(of: Self.add("y", "other"), by: "g") == .forbidden("a guest has no bots"))
    #expect(scene.refusal(of: Self.add("x", "other"), by: "b") == .exists(field: "id"))
    #expect(scene.refusal(of: Self.add("y", "nightly"), by: "b") == .exists(field: "username"))
  }

  @Test("a person owns ten bots at most, those that were handed over too")
  func quota() {
    var scene = Self.scene()
    for number in 1..<Limits.botsPerPersonMax {
      let bot = UserID(UUID(high: 0xB, low: UInt64(number)))
      scene.must(Self.add(bot, "bot\(number)"), by: "b")
    }
    let quota = Refusal.quota(limit: "bots", max: Limits.botsPerPersonMax)
    #expect(scene.refusal(of: Self.add("y", "another"), by: "b") == quota)
    scene.must(Self.add("y", "another"), by: "a")
    let username = scene.accounts["b"]?.username ?? ""
    #expect(scene.refusal(of: .bot(.give("y", to: username)), by: "a") == quota)
  }

  @Test("an owner makes their bot a member without asking it, also of a group with its lists")
  func invited() {
    var scene = Self.scene()
    scene.must(.member(.setRole(Self.home, "b", .admin)), by: "a")
    let decision = scene.must(Self.invite("nightly", .doer), by: "b")
    #expect(decision.drafts.map(\.stream) == [Self.home, .user("x")])
    #expect(scene.role(of: "x", in: Self.home) == .doer)
    #expect(scene.membership(of: "x", in: Self.home)?.role == .doer)
    #expect(
      scene.refusal(of: Self.invite("nightly", .doer, number: 71), by: "b")
        == .exists(field: "username", .member))
    scene.must(.group(.add(5, name: "Family")), by: "b")
    scene.must(.category(.add(7, name: "Chores", group: 5)), by: "b")
    scene.must(Self.invite("nightly", .editor, to: .group(5), number: 72), by: "b")
    #expect(scene.role(of: "x", in: .category(7)) == .editor)
  }

  @Test("nobody gives a bot a role above their own, and another's bot is asked as a person is")
  func others() {
    var scene = Self.scene()
    scene.must(.member(.setRole(Self.home, "b", .admin)), by: "a")
    #expect(
      scene.refusal(of: Self.invite("nightly", .owner), by: "b")
        == .forbidden("nobody gives a role above their own"))
    scene.must(Self.invite("nightly", .doer), by: "a")
    #expect(scene.role(of: "x", in: Self.home) == nil)
  }

  @Test(
    "it leaves with its owner, in the same event",
    arguments: [Command.member(.leave(BotTests.home)), .member(.remove(BotTests.home, "b"))])
  func leaves(command: Command) {
    var scene = Self.scene()
    scene.must(Self.invite("nightly", .doer), by: "a")
    scene.must(.invitation(.accept(InvitationID(70))), by: "x")
    scene.must(Self.add("y", "another"), by: "a")
    scene.must(Self.invite("another", .doer, number: 71), by: "a")
    let by: UserID = if case .member(.leave) = command { "b" } else { "a" }
    let decision = scene.must(command, by: by)
    let ops = decision.drafts.first { $0.stream == Self.home }?.ops ?? []
    #expect(ops.contains(.member(.removed("x", .removed, direct: true))))
    #expect(scene.role(of: "x", in: Self.home) == nil)
    #expect(scene.membership(of: "x", in: Self.home) == nil)
    #expect(scene.role(of: "y", in: Self.home) == .doer, "the bot of somebody else stays")
  }

  @Test("a bot leaves a group and the lists where its owner is no more, and no others")
  func leavesGroup() {
    var scene = Self.scene()
    scene.must(.group(.add(5, name: "Family")), by: "a")
    for number in 7...8 {
      scene.must(.category(.add(CategoryID(number), name: "List", group: 5)), by: "a")
    }
    scene.admit("b", to: .group(5), as: .admin, by: "a", number: 61)
    scene.admit("c", to: .category(7), as: .editor, by: "a", number: 62)
    scene.must(Self.invite("nightly", .doer, to: .group(5), number: 72), by: "b")
    // A role on top of the group's goes with the group.
    scene.must(.member(.setRole(.category(8), "b", .owner)), by: "a")
    scene.must(.member(.leave(.group(5))), by: "b")
    #expect(scene.role(of: "x", in: .group(5)) == nil)
    #expect(scene.role(of: "x", in: .category(7)) == nil)
    #expect(scene.role(of: "x", in: .category(8)) == nil, "it was there by the group alone")
    #expect(scene.role(of: "c", in: .category(7)) == .editor)
  }

  @Test("an owner does not leave a place that only their bot would own")
  func lastOwner() {
    var scene = Self.scene()
    scene.must(.category(.add(9, name: "Builds", group: nil)), by: "b")
    let builds = StreamID.category(9)
    scene.must(Self.invite("nightly", .owner, to: builds, number: 73), by: "b")
    scene.admit("c", to: builds, as: .editor, by: "b", number: 74)
    let only = Refusal.forbidden("you are its only owner: make somebody else an owner first")
    #expect(scene.refusal(of: .member(.leave(builds)), by: "b") == only)
    // The bot would be lowered with its owner.
    #expect(scene.refusal(of: .member(.setRole(builds, "b", .editor)), by: "b") == only)
    #expect(
      scene.refusal(of: .member(.setRole(builds, "b", .editor)), by: "x")
        == .forbidden("nobody would own it: make somebody else an owner first"))
    #expect(
      scene.refusal(of: .member(.leave(builds, successor: "x")), by: "b")
        == .invalid(field: "successor", reason: "is your own bot, which leaves with you"))
    // Somebody else makes the bot the only owner, above its own.
    scene.must(.member(.setRole(builds, "c", .owner)), by: "b")
    scene.must(.member(.setRole(builds, "b", .editor)), by: "b")
    scene.must(.member(.setRole(builds, "x", .owner)), by: "c")
    scene.must(.member(.setRole(builds, "c", .editor)), by: "c")
    #expect(
      scene.refusal(of: .member(.leave(builds)), by: "b")
        == .forbidden("its only owner is a bot of yours: make somebody else an owner first"))
    #expect(
      scene.refusal(of: .account(.delete(days: 14)), by: "b")
        == .forbidden(
          "only you and your bots own Builds (\(builds)): make somebody else an owner first"))
    // Somebody who is there owns the place when the bot ends.
    #expect(scene.refusal(of: .bot(.end("x")), by: "b") == nil)
    #expect(
      scene.refusal(of: .member(.remove(builds, "b")), by: "x")
        == .forbidden(
          "nobody would own it: make somebody else an owner first"))
    scene.must(.member(.setRole(builds, "c", .owner)), by: "x")
    #expect(scene.changes(.bot(.end("x")), by: "b") == true)
    scene.must(.member(.leave(builds)), by: "b")
    #expect(scene.role(of: "x", in: builds) == nil)
  }

  @Test("nobody takes a role above their own from a bot by its owner")
  func aboveTheCaller() {
    var scene = Self.scene()
    scene.must(.category(.add(9, name: "Builds", group: nil)), by: "a")
    let builds = StreamID.category(9)
    for (user, role, number) in [("b", .admin, 73), ("c", .admin, 74)] as [(UserID, Role, Int)] {
      scene.admit(user, to: builds, as: role, by: "a", number: number)
    }
    scene.must(Self.invite("nightly", .admin, to: builds, number: 75), by: "b")
    scene.must(.member(.setRole(builds, "x", .owner)), by: "a")
    let above = Refusal.forbidden("a bot of this member is above you, and would follow")
    #expect(scene.refusal(of: .member(.setRole(builds, "b", .viewer)), by: "c") == above)
    #expect(scene.refusal(of: .member(.remove(builds, "b")), by: "c") == above)
    #expect(scene.refusal(of: .member(.setRole(builds, "b", .owner)), by: "a") == nil)
    #expect(scene.refusal(of: .member(.setRole(builds, "b", .viewer)), by: "b") == nil)
    scene.must(.member(.setRole(builds, "b", .viewer)), by: "a")
    #expect(scene.role(of: "x", in: builds) == .viewer)
  }

  /// Returns the house in which the bot x of b has an invitation as a doer from c, and a code of this role is there.
  private static func waiting(code role: Role) -> Scene {
    var scene = scene()
    scene.admit("c", to: home, as: .admin, by: "a", number: 61)
    scene.must(invite("nightly", .doer, number: 72), by: "c")
    scene.must(
      .invitation(.makeCode(62, home, NewCode(role: role, uses: 5, days: 1))), by: "a")
    return scene
  }

  private static let accept = Command.invitation(.accept(72))
  private static let redeem = Command.invitation(
    .redeem(CodeInHand(text: "", opens: .invitation(62, home))))

  @Test("nobody who was taken out is there again by a bot")
  func backByABot() {
    var scene = Self.waiting(code: .editor)
    let decision = scene.must(.member(.remove(Self.home, "b")), by: "a")
    #expect(decision.drafts.map(\.stream).contains(.user("x")))
    #expect(scene.refusal(of: Self.accept, by: "x") == .notFound("invitation"))
    #expect(
      scene.refusal(of: Self.redeem, by: "b")
        == .forbidden("who was here before comes back by an invitation from a member"))
    #expect(
      scene.refusal(of: Self.redeem, by: "x")
        == .forbidden("the owner of this bot was here before: invite the bot instead"))
  }

  @Test("nobody who was lowered has more by a bot that comes later")
  func moreByABot() {
    var scene = Self.waiting(code: .doer)
    scene.must(.member(.setRole(Self.home, "b", .doer)), by: "a")
    #expect(scene.refusal(of: Self.accept, by: "x") == nil)
    #expect(scene.refusal(of: Self.redeem, by: "x") == nil)
    scene.must(.member(.setRole(Self.home, "b", .viewer)), by: "a")
    #expect(scene.refusal(of: Self.accept, by: "x") == .notFound("invitation"))
    #expect(
      scene.refusal(of: Self.redeem, by: "x")
        == .forbidden("the code gives more than the owner of this bot has here"))
  }

  @Test("invitations that wait for a bot end when it is given away")
  func invitedAndGiven() {
    var scene = Self.scene()
    scene.must(.category(.add(9, name: "Builds", group: nil)), by: "a")
    scene.must(Self.invite("nightly", .doer, to: .category(9), number: 72), by: "a")
    let username = scene.accounts["a"]?.username ?? ""
    let decision = scene.must(.bot(.give("x", to: username)), by: "b")
    #expect(decision.drafts.map(\.stream) == [.category(9), .user("x")])
    #expect(scene.refusal(of: .invitation(.accept(72)), by: "x") == .notFound("invitation"))
  }

  @Test("a bot whose owner's account is to end owns no place, nor does a successor who ends")
  func owners() {
    var scene = Self.scene()
    scene.must(.category(.add(9, name: "Builds", group: nil)), by: "a")
    let builds = StreamID.category(9)
    scene.admit("b", to: builds, as: .editor, by: "a", number: 73)
    scene.admit("c", to: builds, as: .editor, by: "a", number: 74)
    scene.must(.member(.setRole(.category(9), "b", .admin)), by: "a")
    scene.must(Self.invite("nightly", .admin, to: builds, number: 75), by: "b")
    scene.must(.member(.setRole(builds, "x", .owner)), by: "a")
    #expect(scene.refusal(of: .member(.leave(builds)), by: "a") == nil)
    scene.must(.account(.delete(days: 14)), by: "b")
    #expect(
      scene.refusal(of: .member(.leave(builds)), by: "a")
        == .forbidden("you are its only owner: make somebody else an owner first"))
    for user in ["b", "x"] as [UserID] {
      #expect(
        scene.refusal(of: .member(.leave(builds, successor: user)), by: "a")
          == .invalid(field: "successor", reason: "has an account that is to end"), "\(user)")
    }
    #expect(scene.refusal(of: .member(.leave(builds, successor: "c")), by: "a") == nil)
  }

  @Test("a bot that is given to somebody near is nothing to its former owner")
  func given() {
    var scene = Self.scene()
    let username = scene.accounts["a"]?.username ?? ""
    let give = Command.bot(.give("x", to: username))
    #expect(scene.must(give, by: "b").accounts == [.given("x", to: "a")])
    #expect(scene.profile("x")?.owner == "a" && scene.accounts["x"]?.owner == "a")
    #expect(scene.refusal(of: give, by: "b") == .notFound("bot"))
    #expect(scene.changes(give, by: "a") == false)
  }

  @Test("a gift to a stranger, a bot, a blocker or nobody gets the same answer")
  func givenToStranger() {
    var scene = Self.scene()
    scene.must(Self.add("y", "another"), by: "a")
    scene.must(.person(.block(username: scene.accounts["b"]?.username ?? "")), by: "a")
    let near = scene.accounts["a"]?.username ?? ""
    let far = scene.accounts["d"]?.username ?? ""
    for username in [near, far, "another", "nobody"] {
      #expect(
        scene.refusal(of: .bot(.give("x", to: username)), by: "b") == .notFound("user"),
        "\(username)")
    }
  }

  @Test("a bot does not exist for those who do not own it, nor for itself")
  func foreign() {
    let scene = Self.scene()
    let token = TokenID(UUID(high: 1, low: 1))
    let commands: [BotCommand] = [
      .end("x"), .keep("x"), .give("x", to: "nobody"), .revokeToken("x", token),
      .addToken("x", token, NewToken(name: "t")),
    ]
    for command in commands {
      #expect(scene.refusal(of: .bot(command), by: "a") == .notFound("bot"), "\(command)")
      #expect(scene.refusal(of: .bot(command), by: "x") == .notFound("bot"), "\(command)")
    }
  }

  @Test("the end of a bot comes a week later, and may be taken back")
  func ended() throws {
    var scene = Self.scene()
    scene.must(.bot(.end("x")), by: "b")
    let end = try #require(scene.profile("x")?.endsAt)
    #expect(end.milliseconds - scene.now.milliseconds == Int64(Limits.botEndDays) * 86_400_000)
    #expect(scene.changes(.bot(.end("x")), by: "b") == false)
    let token = Command.bot(.addToken("x", TokenID(UUID(high: 1, low: 1)), NewToken(name: "t")))
    #expect(scene.refusal(of: token, by: "b") == .gone("bot"))
    scene.must(.bot(.keep("x")), by: "b")
    #expect(scene.profile("x")?.endsAt == nil)
    #expect(scene.changes(.bot(.keep("x")), by: "b") == false)
  }

  @Test("a bot ends at once when its owner's account ends")
  func ownerEnds() throws {
    var scene = Self.scene()
    let id = TokenID(UUID(high: 1, low: 1))
    scene.must(.bot(.addToken("x", id, NewToken(name: "t"))), by: "b")
    scene.must(.account(.delete(days: 0)), by: "b")
    let now = scene.now
    let decision = try scene.answered { world throws(Halt) in
      try Domain.end("b", leaving: "mark", at: now, in: &world)
    }.get()
    #expect(decision.drafts.map(\.stream) == [.user("x")])
    #expect(decision.accounts.contains(.sessionsClosed([SessionID(id.uuid)], of: "x")))
    scene.carryOut(decision, by: "b")
    let end = try #require(scene.profile("x")?.endsAt)
    #expect(end <= scene.now && scene.sessions.isEmpty)
  }

  @Test("the operator gives a bot an owner, and nothing that is no bot")
  func operated() throws {
    var scene = Self.scene()
    let given = try scene.answered { world throws(Halt) in
      try Domain.give("x", to: "c", in: &world)
    }.get()
    scene.carryOut(given, by: "x")
    #expect(scene.profile("x")?.owner == "c")
    for (bot, owner) in [("x", "c"), ("a", "c"), ("x", "x")] as [(UserID, UserID)] {
      let nothing = try scene.answered { world throws(Halt) in
        try Domain.give(bot, to: owner, in: &world)
      }.get()
      #expect(nothing == Decision(), "\(bot) \(owner)")
    }
  }
}
