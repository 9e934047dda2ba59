import Testing

@testable import Domain

@Suite("protocol §5.12: the places of bots") struct BotPlaceTests {
  private static let list = StreamID.category(3)
  private static let chores = StreamID.category(5)
  private static let group = StreamID.group(1)

  /// Returns the house in which group 1 has the lists 3 and 5. c, an admin of the group and by an own invitation an
  /// editor of list 3, owns the bot x.
  private static func scene() -> Scene {
    var scene = Scene.house()
    scene.must(.category(.add(5, name: "Chores", group: 1)), by: "a")
    scene.admit("c", to: list, as: .editor, by: "a", number: 60)
    scene.admit("c", to: group, as: .admin, by: "a", number: 61)
    scene.addBot("x", "nightly", of: "c")
    return scene
  }

  @Test(
    "its own grant stays where its owner stays, and what the group gave goes",
    arguments: [false, true])
  func mixed(isRemoved: Bool) {
    var scene = Self.scene()
    scene.invite("nightly", to: Self.list, as: .doer, by: "c", number: 70)
    scene.invite("nightly", to: Self.group, as: .editor, by: "c", number: 71)
    let before = Grants(direct: .doer, viaGroup: .editor)
    #expect(scene.member("x", of: Self.list)?.grants == before)
    let command: MemberCommand = isRemoved ? .remove(Self.group, "c") : .leave(Self.group)
    let decision = scene.must(.member(command), by: isRemoved ? "a" : "c")
    let touched: [StreamID] = [Self.list, Self.chores, Self.group, .user("c"), .user("x")]
    #expect(decision.drafts.map(\.stream) == touched)
    #expect(scene.role(of: "c", in: Self.list) == .editor)
    #expect(scene.member("x", of: Self.list)?.grants == Grants(direct: .doer))
    #expect(scene.membership(of: "x", in: Self.list)?.role == .doer)
    for place in [Self.group, Self.chores] {
      #expect(scene.role(of: "x", in: place) == nil)
      #expect(scene.membership(of: "x", in: place) == nil)
    }
  }

  @Test("a role on top of the group's goes with the group's")
  func raised() {
    var scene = Self.scene()
    scene.invite("nightly", to: Self.group, as: .editor, by: "c", number: 70)
    scene.must(.member(.setRole(Self.list, "x", .admin)), by: "a")
    let raised = Grants(viaGroup: .editor, raised: .admin)
    #expect(scene.member("x", of: Self.list)?.grants == raised)
    scene.must(.member(.leave(Self.group)), by: "c")
    #expect(scene.role(of: "x", in: Self.list) == nil)
    #expect(scene.role(of: "c", in: Self.list) == .editor)
  }

  @Test("a bot that was never in the group leaves those of its lists that its owner leaves")
  func invitedAlone() {
    var scene = Self.scene()
    scene.invite("nightly", to: Self.list, as: .doer, by: "c", number: 70)
    scene.invite("nightly", to: Self.chores, as: .doer, by: "c", number: 71)
    scene.must(.member(.leave(Self.group)), by: "c")
    #expect(scene.member("x", of: Self.list)?.grants == Grants(direct: .doer))
    #expect(scene.role(of: "x", in: Self.chores) == nil)
    scene.must(.member(.leave(Self.list)), by: "c")
    #expect(scene.role(of: "x", in: Self.list) == nil)
  }

  @Test("an owner who stays through the group keeps the bot there")
  func staysThroughGroup() {
    var scene = Self.scene()
    scene.invite("nightly", to: Self.list, as: .doer, by: "c", number: 70)
    scene.invite("nightly", to: Self.group, as: .editor, by: "c", number: 71)
    let before = scene.member("x", of: Self.list)
    let decision = scene.must(.member(.leave(Self.list)), by: "c")
    #expect(decision.drafts.map(\.stream).contains(.user("x")) == false)
    #expect(scene.role(of: "c", in: Self.list) == .admin)
    #expect(scene.member("x", of: Self.list) == before)
  }

  @Test("a bot is lowered together with its owner, in a group with what the group gives")
  func lowered() {
    var scene = Self.scene()
    scene.invite("nightly", to: Self.list, as: .admin, by: "c", number: 70)
    scene.invite("nightly", to: Self.group, as: .admin, by: "c", number: 71)
    scene.addBot("y", "weekly", of: "c")
    scene.invite("weekly", to: Self.group, as: .viewer, by: "c", number: 72)
    let decision = scene.must(.member(.setRole(Self.group, "c", .doer)), by: "a")
    #expect(scene.member("x", of: Self.group)?.grants == Grants(direct: .doer))
    #expect(scene.member("x", of: Self.chores)?.grants == Grants(viaGroup: .doer))
    // The owner is an editor of this list by an own invitation.
    #expect(scene.member("x", of: Self.list)?.grants == Grants(direct: .editor, viaGroup: .doer))
    for place in [Self.group, Self.chores, Self.list] {
      #expect(scene.membership(of: "x", in: place)?.role == scene.role(of: "x", in: place))
      #expect(scene.role(of: "y", in: place) == .viewer)
    }
    #expect(!decision.drafts.map(\.stream).contains(.user("y")))
    scene.must(.member(.setRole(Self.chores, "x", .admin)), by: "a")
    #expect(scene.role(of: "x", in: Self.chores) == .admin, "somebody else may raise a bot")
    scene.must(.member(.setRole(Self.group, "c", .viewer)), by: "a")
    #expect(scene.member("x", of: Self.chores)?.grants == Grants(viaGroup: .viewer))
    #expect(scene.role(of: "x", in: Self.list) == .editor)
  }

  @Test("a bot is lowered where its owner stays with a lower role by another grant")
  func loweredByLeaving() {
    var scene = Self.scene()
    scene.invite("nightly", to: Self.list, as: .admin, by: "c", number: 70)
    scene.must(.member(.leave(Self.group)), by: "c")
    #expect(scene.role(of: "c", in: Self.list) == .editor)
    #expect(scene.member("x", of: Self.list)?.grants == Grants(direct: .editor))
    #expect(scene.membership(of: "x", in: Self.list)?.role == .editor)
  }

  @Test("a bot keeps a role that a group gives it when its owner is lowered in a list alone")
  func loweredInList() {
    var scene = Self.scene()
    scene.must(.member(.setRole(Self.group, "c", .doer)), by: "a")
    scene.must(.member(.setRole(Self.list, "c", .admin)), by: "a")
    scene.must(.member(.setRole(Self.group, "b", .admin)), by: "a")
    scene.admit("x", to: Self.group, as: .editor, by: "b", number: 70)
    scene.must(.member(.setRole(Self.list, "x", .admin)), by: "a")
    scene.must(.member(.setRole(Self.list, "c", .doer)), by: "a")
    #expect(scene.member("x", of: Self.list)?.grants == Grants(viaGroup: .editor))
  }

  @Test("a bot that is lowered in a list has no more there when the group's grant ends")
  func loweredBeneathTheGroup() {
    var scene = Scene.house()
    scene.admit("c", to: Self.list, as: .admin, by: "a", number: 60)
    scene.addBot("x", "nightly", of: "c")
    scene.invite("nightly", to: Self.list, as: .editor, by: "c", number: 70)
    scene.must(.member(.setRole(Self.group, "b", .admin)), by: "a")
    scene.admit("x", to: Self.group, as: .editor, by: "b", number: 71)
    scene.must(.member(.setRole(Self.list, "c", .viewer)), by: "a")
    #expect(
      scene.member("x", of: Self.list)?.grants == Grants(direct: .viewer, viaGroup: .editor))
    scene.must(.member(.remove(Self.group, "x")), by: "b")
    #expect(scene.role(of: "x", in: Self.list) == .viewer)
  }

  @Test("an invitation that a lowered bot has sent and may not send any more is revoked")
  func loweredSent() {
    var scene = Self.scene()
    scene.invite("nightly", to: Self.group, as: .admin, by: "c", number: 70)
    scene.invite("user-d", to: Self.group, as: .viewer, by: "x", number: 80)
    scene.must(.member(.setRole(Self.group, "c", .editor)), by: "a")
    #expect(scene.refusal(of: .invitation(.accept(80)), by: "d") == .notFound("invitation"))
  }

  @Test("a bot in a group where its owner is not keeps what the group gives it")
  func groupWithoutOwner() {
    var scene = Self.scene()
    scene.admit("d", to: Self.list, as: .editor, by: "a", number: 70)
    scene.addBot("y", "weekly", of: "d")
    scene.admit("y", to: Self.list, as: .viewer, by: "a", number: 71)
    scene.admit("y", to: Self.group, as: .editor, by: "a", number: 72)
    scene.must(.member(.leave(Self.list)), by: "d")
    #expect(scene.role(of: "d", in: Self.list) == nil)
    #expect(scene.member("y", of: Self.list)?.grants == Grants(viaGroup: .editor))
    #expect(scene.role(of: "y", in: Self.group) == .editor)
  }

  @Test("the bots of others stay, and so do those in other places")
  func others() {
    var scene = Self.scene()
    scene.must(.category(.add(6, name: "Own", group: nil)), by: "c")
    scene.addBot("y", "weekly", of: "c")
    scene.invite("weekly", to: .category(6), as: .doer, by: "c", number: 70)
    scene.must(.member(.setRole(Self.group, "b", .admin)), by: "a")
    scene.addBot("z", "monthly", of: "b")
    scene.invite("monthly", to: Self.group, as: .doer, by: "b", number: 71)
    scene.must(.member(.leave(Self.group)), by: "c")
    #expect(scene.role(of: "y", in: .category(6)) == .doer)
    for place in [Self.group, Self.list, Self.chores] {
      #expect(scene.role(of: "z", in: place) == .doer)
    }
  }

  @Test("a bot leaves alone, and its owner lets it in again")
  func alone() {
    var scene = Self.scene()
    scene.invite("nightly", to: Self.list, as: .doer, by: "c", number: 70)
    scene.must(.member(.remove(Self.list, "x")), by: "c")
    #expect(scene.role(of: "x", in: Self.list) == nil)
    scene.invite("nightly", to: Self.list, as: .viewer, by: "c", number: 71)
    scene.must(.member(.leave(Self.list)), by: "x")
    #expect(scene.role(of: "x", in: Self.list) == nil)
    scene.invite("nightly", to: Self.list, as: .editor, by: "c", number: 72)
    #expect(scene.role(of: "x", in: Self.list) == .editor)
    #expect(scene.role(of: "c", in: Self.list) == .admin)
  }

  @Test("the invitations that it has sent end with it")
  func sent() {
    var scene = Self.scene()
    scene.invite("nightly", to: Self.group, as: .admin, by: "c", number: 70)
    scene.invite("user-d", to: Self.group, as: .viewer, by: "x", number: 80)
    let decision = scene.must(.member(.leave(Self.group)), by: "c")
    #expect(decision.drafts.map(\.stream).contains(.user("d")))
    #expect(scene.refusal(of: .invitation(.accept(80)), by: "d") == .notFound("invitation"))
  }

  @Test("a letting in spends no mark and waits for nobody, and asks for the right to invite")
  func letIn() {
    var scene = Self.scene()
    let decision = scene.invite("nightly", to: Self.list, as: .doer, by: "c", number: 70)
    #expect(decision.accounts.isEmpty)
    let ops = decision.drafts.flatMap(\.ops)
    #expect(!ops.contains { if case .invitation = $0 { true } else { false } })
    scene.addBot("z", "monthly", of: "b")
    let command = Command.invitation(.send(71, Self.list, username: "monthly", .viewer))
    guard case .forbidden = scene.refusal(of: command, by: "b") else {
      Issue.record("an editor lets a bot in")
      return
    }
  }

  @Test("the end of its owner's account takes it out of all places, and ends it")
  func ownerEnds() {
    var scene = Self.scene()
    scene.must(.category(.add(6, name: "Shared", group: nil)), by: "c")
    scene.admit("d", to: .category(6), as: .owner, by: "c", number: 70)
    scene.invite("nightly", to: .category(6), as: .admin, by: "c", number: 71)
    scene.invite("nightly", to: Self.group, as: .doer, by: "c", number: 72)
    scene.must(.account(.delete(days: 0)), by: "c")
    #expect(scene.finish("c") == [.user("c")])
    for place in [StreamID.category(6), Self.group, Self.list, Self.chores] {
      #expect(scene.role(of: "x", in: place) == nil, "\(place)")
      #expect(scene.membership(of: "x", in: place) == nil, "\(place)")
    }
    #expect(scene.role(of: "d", in: .category(6)) == .owner)
    #expect(scene.accounts["x"] != nil && scene.profile("x")?.endsAt == scene.now)
    #expect(scene.finish("x") == [.user("x")])
    #expect(scene.accounts["x"] == nil)
  }

  @Test("a list that only its owner and the bot are in goes with the owner")
  func lastPlace() throws {
    var scene = Self.scene()
    scene.must(.category(.add(6, name: "Own", group: nil)), by: "c")
    scene.invite("nightly", to: .category(6), as: .admin, by: "c", number: 70)
    let now = scene.now
    let asked = try scene.answered { world throws(Halt) in
      try Domain.endAccount(of: "c", after: 0, at: now, in: &world)
    }.get()
    scene.carryOut(asked, by: "c")
    #expect(scene.finish("c") == [.category(6), .user("c")])
    #expect(scene.membership(of: "x", in: .category(6)) == nil)
  }
}
