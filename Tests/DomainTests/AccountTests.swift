import Testing

@testable import Domain

@Suite("Accounts and sessions") struct AccountTests {
  @Test("whoever registers has the first lists already, as their own")
  func firstLists() {
    var scene = Scene.house()
    let lists = [FirstList(id: 50, name: "to do"), FirstList(id: 51, name: "food")]
    let person = Registration(
      id: "e", username: "user-e", name: "E", zone: "Asia/Kathmandu",
      password: PasswordHash(phc: "$"), code: nil, lists: lists)
    let decision = scene.must(.account(.register(person)), by: "e")
    #expect(decision.drafts.map(\.stream) == [.category(50), .category(51), .user("e")])
    #expect(scene.category(51)?.name == "food")
    #expect(scene.category(51)?.zone == "Asia/Kathmandu")
    #expect(scene.role(of: "e", in: .category(50)) == .owner)
    #expect(scene.membership(of: "e", in: .category(50))?.role == .owner)
    scene.must(.post(.add(50, 1, title: "milk", notes: "")), by: "e")
    let taken = Registration(
      id: "f", username: "user-f", name: "F", zone: "UTC", password: PasswordHash(phc: "$"),
      code: nil, lists: [FirstList(id: 1, name: "x")])
    #expect(scene.refusal(of: .account(.register(taken)), by: "f") == .exists(field: "id"))
  }

  @Test(
    "are refused",
    arguments: [
      Refused(
        why: "a known id", command: .account(.register(Registration("a"))),
        refusal: .exists(field: "id")),
      Refused(
        why: "a taken username",
        command: .account(
          .register(
            Registration(
              id: "x", username: "user-a", name: "X", zone: "UTC",
              password: PasswordHash(phc: "$x"), code: nil))), by: "x",
        refusal: .exists(field: "username")),
      Refused(
        why: "a category's id",
        command: .account(
          .register(
            Registration(
              id: UserID(CategoryID(integerLiteral: 1).uuid), username: "user-x", name: "X",
              zone: "UTC", password: PasswordHash(phc: "$x"), code: nil))), by: "x",
        refusal: .exists(field: "id")),
      Refused(
        why: "a spent recovery code",
        command: .account(.recover("a", PasswordHash(phc: "$new"), generation: 2)),
        refusal: .unauthenticated),
      Refused(
        why: "recovering nobody",
        command: .account(.recover("x", PasswordHash(phc: "$new"), generation: 1)),
        refusal: .unauthenticated),
      Refused(
        why: "closing an unknown session", command: .account(.closeSession(9)),
        refusal: .notFound("session")),
      Refused(
        why: "reading beyond the end", command: .markRead(.category(2), seq: 1),
        refusal: .notFound("category")),
      Refused(
        why: "marking beyond the end", command: .markRead(.category(1), seq: 1000),
        refusal: .invalid(field: "seq", reason: "must be from 0 to 6")),
      Refused(
        why: "marking before the beginning", command: .markRead(.category(1), seq: -1),
        refusal: .invalid(field: "seq", reason: "must be from 0 to 6")),
      Refused(
        why: "marking in another's stream", command: .markRead(.user("b"), seq: 1),
        refusal: .notFound("user")),
    ])
  func refusals(row: Refused) {
    #expect(Scene.house().refusal(of: row.command, by: row.by) == row.refusal)
  }

  @Test("a registration code lets one person in")
  func codes() {
    var scene = Scene.house()
    scene.must(.account(.register(Registration("e", code: "welcome"))), by: "e")
    #expect(
      scene.refusal(of: .account(.register(Registration("f", code: "welcome"))), by: "f")
        == .invalid(field: "code", reason: "was used already"))
    #expect(scene.changes(.account(.register(Registration("f", code: "other"))), by: "f") == true)
  }

  @Test("a registration makes profile, account and the first recovery code")
  func registration() {
    var scene = Scene()
    let decision = scene.must(.account(.register(Registration("a"))), by: "a")
    #expect(decision.generation == 1)
    #expect(scene.accounts["a"]?.recoveryGeneration == 1)
    guard case .profile(let profile) = scene.states[.user("a")]?.object(.profile, UserID("a").uuid)
    else {
      Issue.record("no profile")
      return
    }
    #expect(profile.username == "user-a")
    #expect(profile.kind == .person)
    #expect(scene.heads[.user("a")]?.seq == 1)
  }

  @Test("a bot says so in its profile and wherever it is a member, for good")
  func bot() throws {
    var scene = Scene.house()
    let bot = Registration(
      id: "e", username: "ci", name: "CI", zone: "UTC", password: PasswordHash(phc: "$"), code: nil,
      lists: [FirstList(id: 50, name: "builds")], kind: .bot)
    scene.must(.account(.register(bot)), by: "e")
    #expect(scene.profile("e")?.kind == .bot)
    #expect(scene.member("e", of: .category(50))?.kind == .bot)
    scene.admit("e", to: .category(1), as: .editor, by: "a", number: 60)
    #expect(scene.member("e", of: .category(1))?.kind == .bot)
    scene.must(.account(.editProfile(ProfileEdit(name: "Builds"))), by: "e")
    scene.must(.member(.leave(.category(1))), by: "e")
    #expect(scene.profile("e")?.kind == .bot && scene.member("e", of: .category(1))?.kind == .bot)
    #expect(scene.profile("a")?.kind == .person)
  }

  @Test("another name is told wherever the person is")
  func rename() {
    var scene = Scene.house()
    let decision = scene.must(
      .account(.editProfile(ProfileEdit(name: "Bea", zone: "UTC"))), by: "b")
    let touched: [StreamID] = [.category(2), .category(3), .group(1), .user("b")]
    #expect(decision.drafts.map(\.stream) == touched)
    #expect(decision.drafts.last?.ops == [.account(.edited(ProfileEdit(name: "Bea")))])
    #expect(scene.member("b", of: .group(1))?.name == "Bea")
    #expect(scene.changes(.account(.editProfile(ProfileEdit(name: "Bea"))), by: "b") == false)
    let moved = scene.must(.account(.editProfile(ProfileEdit(location: "Porto"))), by: "b")
    #expect(moved.drafts.map(\.stream) == [.user("b")])
  }

  @Test("a new password closes the other sessions, a recovery all")
  func passwords() {
    var scene = Scene.house()
    for number in 1...3 { scene.open(Self.session(number)) }
    let changed = scene.must(
      .account(.changePassword(PasswordHash(phc: "$new"))), by: "a", session: SessionID(2))
    #expect(
      changed.accounts == [
        .passwordChanged("a", PasswordHash(phc: "$new")), .sessionsClosed([1, 3], of: "a"),
      ])
    #expect(changed.drafts.isEmpty && changed.changed)
    let recovery = Command.account(.recover("a", PasswordHash(phc: "$newer"), generation: 1))
    #expect(scene.must(recovery, by: "a").generation == 2)
    #expect(scene.sessions.isEmpty)
    #expect(scene.accounts["a"]?.password == PasswordHash(phc: "$newer"))
    #expect(scene.refusal(of: recovery, by: "a") == .unauthenticated)
  }

  @Test("a session of somebody else is not there")
  func foreignSession() {
    var scene = Scene.house()
    scene.open(Self.session(1))
    #expect(scene.refusal(of: .account(.closeSession(1)), by: "b") == .notFound("session"))
    #expect(scene.changes(.account(.closeSession(1)), by: "a") == true)
  }

  @Test("read marks move forward only")
  func marks() {
    var scene = Scene.house()
    scene.must(.markRead(.category(1), seq: 3), by: "a")
    #expect(scene.changes(.markRead(.category(1), seq: 3), by: "a") == false)
    #expect(scene.changes(.markRead(.category(1), seq: 2), by: "a") == false)
    #expect(scene.changes(.markRead(.category(1), seq: 4), by: "a") == true)
    #expect(scene.changes(.markRead(.user("a"), seq: 1), by: "a") == true)
  }

  @Test("beyond the limit the session that was used longest ago is closed")
  func sessionLimit() throws {
    var scene = Scene.house()
    let max = Limits.sessionsPerUserMax
    for number in 1...max { scene.open(Self.session(number, usedAt: 1000 - number)) }
    let account = try #require(scene.accounts["a"])
    let decision = try scene.answered { world throws(Halt) in
      try openSession(Self.session(99), of: account, in: &world)
    }.get()
    #expect(
      decision.accounts == [
        .sessionsClosed([SessionID(max)], of: "a"), .sessionOpened(Self.session(99)),
      ])
  }

  /// Returns the sessions that a sign-in closes, or the reason why it is refused.
  private func closed(
    by session: SessionRecord, among held: [SessionRecord], connected: Set<SessionID> = []
  ) throws -> Result<[SessionID], Refusal> {
    var scene = Scene.house()
    for record in held { scene.open(record) }
    let account = try #require(scene.accounts["a"])
    return scene.answered { world throws(Halt) in
      try openSession(session, of: account, isConnected: connected.contains, in: &world)
    }.map { decision in
      decision.accounts.flatMap { change -> [SessionID] in
        if case .sessionsClosed(let ids, of: _) = change { ids } else { [] }
      }
    }
  }

  @Test("a device takes the place of its own sessions, unless somebody is connected by them")
  func sameDevice() throws {
    let held = [
      Self.session(1, device: 5), Self.session(2, device: 5), Self.session(3, device: 6),
      Self.session(4),
    ]
    let newcomer = Self.session(9, device: 5)
    #expect(try closed(by: newcomer, among: held) == .success([1, 2]))
    #expect(try closed(by: newcomer, among: held, connected: [1, 4]) == .success([2]))
    #expect(try closed(by: Self.session(9), among: held) == .success([]))
  }

  @Test("a script that signs in each time that it runs closes its own sessions and no telephone's")
  func script() throws {
    var scene = Scene.house()
    let max = Limits.sessionsPerUserMax
    let day = 86_400_000
    // This session was used longest ago of all, and on several days.
    scene.open(Self.session(1, usedAt: day, client: "phone", openedAt: 0))
    scene.open(Self.session(2, usedAt: day, client: "script", openedAt: 0))
    let account = try #require(scene.accounts["a"])
    for number in 3..<(3 * max) {
      let session = Self.session(
        number, usedAt: 2 * day + number, client: "script", openedAt: 2 * day + number)
      let decision = try scene.answered { world throws(Halt) in
        try openSession(session, of: account, in: &world)
      }.get()
      scene.carryOut(decision, by: "a")
    }
    let left = scene.sessions.map(\.id)
    #expect(left.count == max && left.contains(1) && left.contains(2))
  }

  @Test("no sign-in closes a session that somebody is connected by")
  func connected() throws {
    let max = Limits.sessionsPerUserMax
    let held = (1...max).map { Self.session($0, usedAt: 1_000 + $0) }
    let all = Set(held.map(\.id))
    let newcomer = Self.session(99)
    let quota = Refusal.quota(limit: "sessions", max: max)
    #expect(try closed(by: newcomer, among: held, connected: all) == .failure(quota))
    let idle = SessionID(20)
    #expect(
      try closed(by: newcomer, among: held, connected: all.subtracting([idle])) == .success([idle]))
    #expect(try closed(by: newcomer, among: Array(held.dropLast()), connected: all) == .success([]))
  }

  @Test("a session is not opened for a password that was changed since")
  func staleProof() throws {
    var scene = Scene.house()
    let account = try #require(scene.accounts["a"])
    scene.must(.account(.changePassword(PasswordHash(phc: "$new"))), by: "a")
    let result = scene.answered { world throws(Halt) in
      try openSession(Self.session(1), of: account, in: &world)
    }
    #expect(result == .failure(.unauthenticated))
  }

  @Test("a session that another one lets in is not opened when that one is closed")
  func paired() throws {
    var scene = Scene.house()
    scene.open(Self.session(1))
    let account = try #require(scene.accounts["a"])
    let opened = scene.answered { world throws(Halt) in
      try openSession(Self.session(2), of: account, pairedBy: 1, in: &world)
    }
    #expect(try opened.get().accounts == [.sessionOpened(Self.session(2))])
    scene.must(.account(.closeSession(1)), by: "a")
    let refused = scene.answered { world throws(Halt) in
      try openSession(Self.session(2), of: account, pairedBy: 1, in: &world)
    }
    #expect(refused == .failure(.unauthenticated))
  }

  @Test("use is noted once a day", arguments: [(86_399_999, false), (86_400_000, true)])
  func use(at milliseconds: Int64, noted: Bool) throws {
    var scene = Scene.house()
    scene.open(Self.session(1, usedAt: 5))
    let now = Timestamp(milliseconds: milliseconds)
    let decision = try scene.answered { world throws(Halt) in
      try useSession(1, of: "a", at: now, in: &world)
    }.get()
    #expect(decision.accounts == (noted ? [.sessionUsed(1, at: now)] : []))
  }

  static func session(
    _ number: Int, usedAt: Int = 0, device: UInt8? = nil, client: String = "t", openedAt: Int = 0
  ) -> SessionRecord {
    SessionRecord(
      id: SessionID(number), user: "a", tokenHash: [UInt8(number)],
      deviceHash: device.map { [$0] }, client: client,
      openedAt: Timestamp(milliseconds: Int64(openedAt)),
      usedAt: Timestamp(milliseconds: Int64(usedAt)))
  }
}
