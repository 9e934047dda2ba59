import Testing

@testable import Domain

extension Scene {
  fileprivate func invitation(_ id: InvitationID, in stream: StreamID) -> Invitation? {
    let key = ObjectKey(kind: .invitation, id: id.uuid)
    guard case .invitation(let it) = states[stream]?.objects[key] else { return nil }
    return it
  }

  fileprivate mutating func wait(days: Int) {
    now = Timestamp(milliseconds: now.milliseconds + Int64(days) * 86_400_000)
  }
}

extension Command {
  /// Makes an invitation to user d.
  fileprivate static func invite(_ id: InvitationID, to stream: StreamID = .category(1)) -> Command
  {
    .invitation(.send(id, stream, username: "user-d", .editor))
  }
}

@Suite("protocol §8: who may ask one to share something") struct ReachTests {
  private let home = StreamID.category(1)
  private let family = StreamID.group(1)
  private let own = StreamID.user("d")

  @Test("who is blocked sees the same as who is not, whatever they do next")
  func nothingToSee() {
    // These commands follow an invitation 50 to d, with and without a block.
    let next: [[(Command, UserID)]] = [
      [], [(.invite(51), "a")], [(.invite(50), "a")], [(.invite(51, to: family), "a")],
      [(.invite(50, to: family), "a")], [(.invite(50, to: .category(2)), "b")],
      [(.invite(50, to: .category(2)), "b"), (.invitation(.revoke(50, .category(2))), "b")],
      [(.invitation(.revoke(50, home)), "a")],
      [(.invitation(.revoke(50, home)), "a"), (.invite(51), "a")],
      [(.invitation(.makeCode(50, home, NewCode(role: .editor, uses: 1, days: 1))), "a")],
      [(.member(.setRole(home, "a", .admin)), "a"), (.category(.remove(1)), "a")],
      [(.account(.editProfile(ProfileEdit(name: "Other"))), "a")],
    ]
    for commands in next {
      var (open, blocked) = (Scene.house(), Scene.house())
      for index in 0..<2 {
        open.must(.account(.editProfile(ProfileEdit(name: "D\(index)"))), by: "d")
      }
      blocked.must(.person(.block(username: "user-a")), by: "d")
      blocked.must(.account(.editProfile(ProfileEdit(name: "D1"))), by: "d")
      for (command, user) in [(.invite(50), "a")] + commands {
        let (seen, told) = (open.run(command, by: user), blocked.run(command, by: user))
        #expect(Self.visible(seen) == Self.visible(told), "\(command)")
        for stream in [home, family, .category(2), .user("a"), .user("b")] {
          #expect(open.events[stream] == blocked.events[stream], "\(command)")
        }
      }
      // The person's own stream has nothing of what a did: its events are their own and those that b sent.
      let others = (blocked.events[own] ?? []).filter { $0.by != "d" && $0.by != "b" }
      #expect(others.isEmpty)
      #expect(open.invitation(50, in: home) == blocked.invitation(50, in: home))
    }
  }

  /// Returns what an answer tells: the refusal, or the stream of each event, except those in other people's own
  /// streams.
  private static func visible(_ result: Result<Decision, Refusal>) -> Result<[StreamID], Refusal> {
    result.map { decision in
      let events = decision.drafts.map { StreamPosition(stream: $0.stream, seq: 1) }
      return CommandResult(changed: true, events: events).told(to: "a").events.map(\.stream)
    }
  }

  @Test("who is blocked causes nothing, by an invitation, its end or another with its id")
  func blockedCausesNothing() {
    var scene = Scene.house()
    scene.must(.person(.block(username: "user-a")), by: "d")
    let before = scene.events[own]?.count
    scene.must(.invite(50), by: "a")
    scene.must(.invite(51, to: family), by: "a")
    scene.must(.invitation(.revoke(50, home)), by: "a")
    scene.must(.invite(50), by: "a")
    scene.wait(days: Limits.invitationDays + 1)
    scene.must(.invite(52), by: "a")
    #expect(scene.events[own]?.count == before)
  }

  @Test("An invitation that was taken back leaves no notice, and others stay")
  func revokedLeavesNothing() {
    var scene = Scene.house()
    scene.admit("d", to: .category(2), as: .editor, by: "b", number: 70)
    scene.must(.post(.add(2, 70, title: "Post", notes: "")), by: "b")
    scene.must(.post(.change(2, 70, .assign("d"))), by: "b")
    let before = notices(in: scene)
    for number in 50..<(50 + Limits.invitationsToOnePerDay) {
      scene.must(.invite(InvitationID(number)), by: "a")
      #expect(notices(in: scene).count == before.count + 1)
      scene.must(.invitation(.revoke(InvitationID(number), home)), by: "a")
      #expect(notices(in: scene) == before)
    }
    // This also counts for an invitation that came and went in one batch, and for one that nobody answered.
    scene.wait(days: 1)
    scene.must(.batch([.invite(80), .invitation(.revoke(80, home))]), by: "a")
    #expect(notices(in: scene) == before)
    scene.must(.invite(81), by: "a")
    scene.wait(days: Limits.invitationDays + 1)
    scene.must(.invite(82), by: "a")
    #expect(notices(in: scene).count == before.count + 1)
    // A declined invitation was told, and is not taken back with the next one.
    scene.must(.invitation(.decline(82)), by: "d")
    scene.must(.invite(83), by: "a")
    scene.must(.invitation(.revoke(83, home)), by: "a")
    #expect(notices(in: scene).count == before.count + 1)
  }

  @Test("one person asks another so many times a day, whatever becomes of it")
  func perPair() {
    let most = Limits.invitationsToOnePerDay
    let full = Refusal.quota(limit: "invitationsToOnePerDay", max: most)
    for isBlocked in [false, true] {
      var scene = Scene.house()
      if isBlocked { scene.must(.person(.block(username: "user-a")), by: "d") }
      for number in 1...most {
        scene.must(.invite(InvitationID(number)), by: "a")
        scene.must(.invitation(.revoke(InvitationID(number), home)), by: "a")
      }
      #expect(scene.refusal(of: .invite(99), by: "a") == full)
      #expect(scene.refusal(of: .batch([.invite(99)]), by: "a") == .inBatch(index: 0, full))
      let other = Command.invitation(.send(98, home, username: "user-c", .editor))
      #expect(scene.refusal(of: other, by: "a") == nil)
      #expect(scene.refusal(of: .invite(97, to: .category(2)), by: "b") == nil)
      scene.wait(days: 1)
      #expect(scene.refusal(of: .invite(99), by: "a") == nil)
    }
    // Those of a batch count as well.
    var scene = Scene.house()
    let pairs = (1...most).flatMap { number -> [Command] in
      [.invite(InvitationID(number)), .invitation(.revoke(InvitationID(number), home))]
    }
    scene.must(.batch(pairs), by: "a")
    #expect(scene.refusal(of: .invite(99), by: "a") == full)
    #expect(
      scene.refusal(of: .batch(Array(pairs.dropLast(2)) + [.invite(99)]), by: "a")
        == .inBatch(index: 0, full))
  }

  @Test("one stranger does not push out what others have told")
  func noFlood() {
    var scene = Scene.house()
    scene.admit("d", to: .category(2), as: .editor, by: "b", number: 70)
    scene.must(.post(.add(2, 70, title: "Post", notes: "")), by: "b")
    scene.must(.post(.change(2, 70, .assign("d"))), by: "b")
    for day in 0..<30 {
      for number in 0..<Limits.invitationsToOnePerDay {
        let id = InvitationID(1_000 + day * 100 + number)
        scene.must(.invite(id), by: "a")
        scene.must(.invitation(.revoke(id, home)), by: "a")
      }
      scene.wait(days: 1)
    }
    #expect(notices(in: scene).contains { $0.kind == .assigned && $0.post == 70 })
  }

  private func notices(in scene: Scene) -> [Notice] {
    (scene.states[own]?.objects ?? [:]).values.compactMap {
      if case .notice(let it) = $0 { it } else { nil }
    }.sorted { ($0.seq, $0.opIndex) < ($1.seq, $1.opIndex) }
  }

  @Test("a block takes what waits out of one's sight, and holds back what comes")
  func blocks() {
    var scene = Scene.house()
    scene.must(.invite(50), by: "a")
    scene.must(.invite(60, to: .category(2)), by: "b")
    scene.must(.person(.block(username: "user-a")), by: "d")
    #expect(scene.invitation(50, in: own) == nil)
    #expect(scene.invitation(60, in: own) != nil)
    #expect(scene.invitation(50, in: home) != nil)
    #expect(scene.refusal(of: .invitation(.accept(50)), by: "d") == .notFound("invitation"))
    scene.must(.invite(51, to: family), by: "a")
    #expect(scene.invitation(51, in: own) == nil)
    #expect(scene.changes(.person(.block(username: "user-a")), by: "d") == false)
    scene.must(.person(.unblock("a")), by: "d")
    #expect(scene.changes(.person(.unblock("a")), by: "d") == false)
    #expect(scene.invitation(51, in: own) == nil)
    scene.must(.invitation(.revoke(50, home)), by: "a")
    scene.must(.invite(52), by: "a")
    #expect(scene.invitation(52, in: own) != nil)
  }

  @Test("an id that is in the inbox already does not push the other out")
  func sameID() {
    var scene = Scene.house()
    scene.must(.invite(50), by: "a")
    let first = scene.invitation(50, in: own)
    scene.must(.invite(50, to: .category(2)), by: "b")
    #expect(scene.invitation(50, in: own) == first)
    scene.must(.invitation(.revoke(50, .category(2))), by: "b")
    #expect(scene.invitation(50, in: own) == first)
    scene.must(.invitation(.accept(50)), by: "d")
    #expect(scene.role(of: "d", in: home) == .editor)
    #expect(scene.role(of: "d", in: .category(2)) == nil)
  }

  @Test(
    "blocks are refused",
    arguments: [
      Refused(
        why: "of nobody", command: .person(.block(username: "nobody")), by: "d",
        refusal: .notFound("user")),
      Refused(
        why: "of oneself", command: .person(.block(username: "user-d")), by: "d",
        refusal: .invalid(field: "username", reason: "is yourself")),
    ])
  func refusals(row: Refused) {
    #expect(Scene.house().refusal(of: row.command, by: row.by) == row.refusal)
  }

  @Test("so many blocks and no more")
  func tooMany() {
    var scene = Scene.house()
    let full = (0..<Limits.blocksMax).map { number in
      Op.block(
        .blocked(
          Block(user: UserID(UUID(high: 9, low: UInt64(number))), username: "x", at: scene.now)))
    }
    scene.carryOut(Decision(drafts: [Draft(stream: own, ops: full)]), by: "d")
    #expect(
      scene.refusal(of: .person(.block(username: "user-a")), by: "d")
        == .quota(limit: "blocks", max: Limits.blocksMax))
  }

  @Test("who may invite: anybody, who shares a place, nobody")
  func invitedBy() {
    let refused = Refusal.forbidden("this person takes no invitations from you")
    var scene = Scene.house()
    scene.must(.account(.editProfile(ProfileEdit(invitedBy: .shared))), by: "d")
    #expect(scene.refusal(of: .invite(50), by: "a") == refused)
    scene.must(.account(.editProfile(ProfileEdit(invitedBy: .anybody))), by: "d")
    scene.admit("d", to: family, as: .viewer, by: "a", number: 40)
    scene.must(.account(.editProfile(ProfileEdit(invitedBy: .shared))), by: "d")
    #expect(scene.refusal(of: .invite(50), by: "a") == nil)
    #expect(scene.refusal(of: .invite(50, to: .category(2)), by: "b") == nil)
    scene.must(.member(.leave(family)), by: "d")
    #expect(scene.refusal(of: .invite(50), by: "a") == refused)
    scene.must(.account(.editProfile(ProfileEdit(invitedBy: .anybody))), by: "d")
    scene.must(.invite(50), by: "a")
    // An invitation that waits already may be answered.
    scene.must(.account(.editProfile(ProfileEdit(invitedBy: .nobody))), by: "d")
    #expect(scene.refusal(of: .invite(51, to: family), by: "a") == refused)
    scene.must(.invitation(.accept(50)), by: "d")
    #expect(scene.refusal(of: .invite(51, to: family), by: "a") == refused)
  }

  @Test("an invitation waits for two weeks, and counts as long")
  func expiry() {
    var scene = Scene.house()
    scene.must(.invite(50), by: "a")
    scene.wait(days: Limits.invitationDays)
    #expect(scene.refusal(of: .invitation(.accept(50)), by: "d") == nil)
    #expect(scene.refusal(of: .invite(51), by: "a") == .exists(field: "username", .invited))
    scene.now = Timestamp(milliseconds: scene.now.milliseconds + 1)
    #expect(scene.refusal(of: .invitation(.accept(50)), by: "d") == .notFound("invitation"))
    var again = scene
    again.must(.invite(51), by: "a")
    #expect(again.invitation(50, in: home) == nil)
    #expect(again.invitation(50, in: own) == nil)
    #expect(again.invitation(51, in: own) != nil)
    // To decline it only tidies up.
    scene.must(.invitation(.decline(50)), by: "d")
    #expect(scene.states[own]?.objects.keys.contains { $0.kind == .declines } == false)
  }

  @Test("Invitations that are over count against nobody's limits")
  func limits() {
    var scene = Scene.house()
    for number in 0..<Limits.pendingInvitationsPerUserMax {
      let id: UserID = UserID(UUID(high: 8, low: UInt64(number)))
      let guest = Registration(
        id: id, username: "visitor-\(number)", name: "G", zone: "UTC",
        password: PasswordHash(phc: "$"), code: nil)
      scene.must(.account(.register(guest)), by: id)
      scene.must(
        .invitation(
          .send(
            InvitationID(100 + number), home, username: guest.username, .viewer)), by: "a")
    }
    let full = Refusal.quota(limit: "invitations", max: Limits.pendingInvitationsPerUserMax)
    #expect(scene.refusal(of: .invite(50), by: "a") == full)
    scene.wait(days: Limits.invitationDays + 1)
    let decision = scene.must(.invite(50), by: "a")
    #expect(decision.drafts.count == 2 + Limits.pendingInvitationsPerUserMax)
    #expect(scene.states[home]?.objects.keys.count { $0.kind == .invitation } == 1)
  }

  @Test("a declined invitation may be repeated once, until one is in again")
  func declines() {
    var scene = Scene.house()
    let refused = Refusal.forbidden("this person has declined twice already")
    scene.must(.invite(50), by: "a")
    scene.must(.invitation(.decline(50)), by: "d")
    scene.must(.invite(51), by: "a")
    scene.must(.invitation(.decline(51)), by: "d")
    #expect(scene.refusal(of: .invite(52), by: "a") == refused)
    #expect(scene.refusal(of: .invite(52, to: family), by: "a") == nil)
    scene.must(.invitation(.makeCode(60, home, NewCode(role: .editor, uses: 1, days: 1))), by: "a")
    scene.must(.invitation(.redeem(CodeInHand(text: "", opens: .invitation(60, home)))), by: "d")
    scene.must(.member(.leave(home)), by: "d")
    #expect(scene.refusal(of: .invite(52), by: "a") == nil)
  }
}
