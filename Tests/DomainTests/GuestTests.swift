import Testing

@testable import Domain

@Suite("protocol §8 account.guest and account.upgrade") struct GuestTests {
  private static func session(
    _ number: Int = 1, device: [UInt8]? = [9], of user: UserID = "g"
  ) -> SessionRecord {
    SessionRecord(
      id: SessionID(number), user: user, tokenHash: [UInt8(number)], deviceHash: device,
      client: "t", openedAt: Timestamp(milliseconds: 0), usedAt: Timestamp(milliseconds: 0))
  }

  private static let guest = NewGuest(
    id: "g", username: "guest-g", name: "Guest", zone: "UTC",
    lists: [FirstList(id: 70, name: "Home")])
  private static let upgrade = Upgrade(
    username: "gast", name: "Gast", password: PasswordHash(phc: "$gast"))

  /// Returns the house with a guest who has a list and is in category 1.
  private static func scene() throws -> Scene {
    var scene = Scene.house()
    try scene.begin(guest, session())
    scene.must(
      .invitation(.makeCode(60, .category(1), NewCode(role: .editor, uses: 1, days: 1))), by: "a")
    let code = CodeInHand(text: "", opens: .invitation(60, .category(1)))
    scene.must(.invitation(.redeem(code)), by: "g")
    return scene
  }

  /// Returns the decision on opening a guest's account for a device with that id, or the refusal.
  private func opened(
    _ guest: NewGuest, _ session: SessionRecord, in scene: Scene
  ) -> Result<Decision, Refusal> {
    var scene = scene
    let now = scene.now
    return scene.answered { world throws(Halt) in
      try openGuest(guest, session, at: now, in: &world)
    }
  }

  @Test(
    "a guest has an account without a password, a profile that says so, the first lists and a session"
  )
  func begin() throws {
    var scene = Scene()
    let decision = try scene.begin(Self.guest, Self.session())
    let account = Account(id: "g", username: "guest-g", password: .none, recoveryGeneration: 0)
    #expect(decision.accounts == [.added(account), .sessionOpened(Self.session())])
    let profile = try #require(scene.profile("g"))
    #expect(profile.isGuest && profile.kind == .person && profile.name == "Guest")
    let member = try #require(scene.member("g", of: .category(70)))
    #expect(member.isGuest && member.role == .owner)
  }

  @Test("the same device gets another session and no other account, any other device nothing")
  func again() throws {
    let scene = try Self.scene()
    #expect(
      try opened(Self.guest, Self.session(2), in: scene).get()
        == Decision(
          accounts: [
            .sessionsClosed([Self.session().id], of: "g"), .sessionOpened(Self.session(2)),
          ]))
    let exists = Result<Decision, Refusal>.failure(.exists(field: "id"))
    for device in [nil, [8]] as [[UInt8]?] {
      #expect(opened(Self.guest, Self.session(2, device: device), in: scene) == exists)
    }
    let person = NewGuest(id: "a", username: "guest-a", name: "Guest", zone: "UTC")
    #expect(opened(person, Self.session(2, of: "a"), in: scene) == exists)
  }

  @Test("nobody comes in when the device's last session is closed, or when there is a password")
  func ends() throws {
    var closed = try Self.scene()
    closed.must(.account(.closeSession(1)), by: "g")
    var upgraded = try Self.scene()
    upgraded.must(.account(.upgrade(Self.upgrade)), by: "g")
    for scene in [closed, upgraded] {
      #expect(
        opened(Self.guest, Self.session(2), in: scene) == .failure(.exists(field: "id")))
    }
  }

  @Test("a name and a password are told wherever the guest is, and nothing else changes")
  func upgraded() throws {
    var scene = try Self.scene()
    scene.must(.post(.add(1, 80, title: "Of a guest", notes: "")), by: "g")
    let before = scene
    let result = scene.run(.account(.upgrade(Self.upgrade)), by: "g")
    #expect(try result.get().drafts.map(\.stream) == [.category(1), .category(70), .user("g")])
    #expect(
      scene.accounts["g"]
        == Account(
          id: "g", username: "gast", password: PasswordHash(phc: "$gast"), recoveryGeneration: 1))
    #expect(scene.sessions == [Self.session()])
    for stream in [StreamID.category(1), .category(70)] {
      var expected = try #require(before.member("g", of: stream))
      (expected.username, expected.name, expected.isGuest) = ("gast", "Gast", false)
      #expect(scene.member("g", of: stream) == expected)
    }
    let profile = try #require(scene.profile("g"))
    #expect(profile.username == "gast" && profile.name == "Gast" && !profile.isGuest)
    // The person is found by the new name, and by no other.
    let invite = { (name: String) -> Command in
      .invitation(.send(90, .category(1), username: name, .viewer))
    }
    #expect(scene.refusal(of: invite("gast"), by: "a") == .exists(field: "username", .member))
    #expect(scene.refusal(of: invite("guest-g"), by: "a") == .notFound("user"))
  }

  @Test("whoever is no guest has both already, and a name that somebody has is not to be had")
  func refused() throws {
    var scene = try Self.scene()
    let taken = Upgrade(username: "user-a", name: "A", password: PasswordHash(phc: "$x"))
    #expect(scene.refusal(of: .account(.upgrade(taken)), by: "g") == .exists(field: "username"))
    let kept = Refusal.invalid(field: "username", reason: "is kept for guests")
    let asGuest = Upgrade(username: "guest-x", name: "X", password: PasswordHash(phc: "$x"))
    #expect(scene.refusal(of: .account(.upgrade(asGuest)), by: "g") == kept)
    let registration = Registration(
      id: "n", username: "guest-x", name: "X", zone: "UTC", password: PasswordHash(phc: "$x"),
      code: nil)
    #expect(scene.refusal(of: .account(.register(registration)), by: "n") == kept)
    let both = Refusal.forbidden("this account has a name and a password already")
    #expect(scene.refusal(of: .account(.upgrade(Self.upgrade)), by: "a") == both)
    scene.must(.account(.upgrade(Self.upgrade)), by: "g")
    #expect(scene.refusal(of: .account(.upgrade(Self.upgrade)), by: "g") == both)
  }

  @Test("a code that registration needs is spent by the upgrade, once")
  func code() throws {
    var scene = try Self.scene()
    let withCode = Upgrade(
      username: "gast", name: "Gast", password: PasswordHash(phc: "$gast"), code: "c1")
    let decision = scene.must(.account(.upgrade(withCode)), by: "g")
    #expect(decision.accounts.last == .codeSpent("c1", by: "g"))
    let second = NewGuest(id: "h", username: "guest-h", name: "Guest", zone: "UTC")
    try scene.begin(second, Self.session(3, of: "h"))
    let again = Upgrade(
      username: "other", name: "Other", password: PasswordHash(phc: "$x"), code: "c1")
    #expect(
      scene.refusal(of: .account(.upgrade(again)), by: "h")
        == .invalid(field: "code", reason: "was used already"))
  }

  @Test("a name whose account has ended is nobody's again, neither a newcomer's nor a guest's")
  func ended() throws {
    var scene = try Self.scene()
    scene.spentCodes.insert("mark of gast")
    var again = Self.upgrade
    again.mark = "mark of gast"
    #expect(scene.refusal(of: .account(.upgrade(again)), by: "g") == .exists(field: "username"))
    var registration = Registration(
      id: "n", username: "gast", name: "Gast", zone: "UTC", password: PasswordHash(phc: "$x"),
      code: nil)
    registration.mark = "mark of gast"
    #expect(
      scene.refusal(of: .account(.register(registration)), by: "n") == .exists(field: "username"))
    again.mark = "mark of another"
    scene.must(.account(.upgrade(again)), by: "g")
  }

  @Test("it is never undone")
  func undone() throws {
    var scene = try Self.scene()
    scene.must(.account(.upgrade(Self.upgrade)), by: "g")
    let seq = try #require(scene.heads[.category(1)]).seq
    let undo = Command.undo(UndoTarget(stream: .category(1), events: [seq], seen: nil))
    guard case .forbidden = scene.refusal(of: undo, by: "g") else {
      Issue.record("an upgrade is undone")
      return
    }
  }
}

extension Scene {
  @discardableResult
  mutating func begin(_ guest: NewGuest, _ session: SessionRecord) throws -> Decision {
    let now = now
    let decision = try answered { world throws(Halt) in
      try openGuest(guest, session, at: now, in: &world)
    }.get()
    carryOut(decision, by: guest.id)
    return decision
  }

  /// Changes a person into one who came as a guest.
  mutating func makeGuest(_ user: UserID) {
    guard var profile = profile(user) else {
      Issue.record("there is no such person")
      return
    }
    profile.isGuest = true
    let draft = Draft(stream: .user(user), ops: [.account(.registered(profile))])
    carryOut(Decision(drafts: [draft]), by: user)
  }

  func profile(_ user: UserID) -> Profile? {
    guard case .profile(let it) = rows[.user(user)]?[ObjectKey(kind: .profile, id: user.uuid)]
    else { return nil }
    return it
  }
}
