import Testing

@testable import Domain

/// A role that a member asks to give another, and the answer.
private struct Giving: CustomTestStringConvertible {
  let own: Role
  let present: Role
  let wanted: Role
  var testDescription: String { "\(own.word): \(present.word) → \(wanted.word)" }

  static let all = Role.allCases.flatMap { own in
    Role.allCases.flatMap { present in
      Role.allCases.map { Giving(own: own, present: present, wanted: $0) }
    }
  }

  var isAllowed: Bool { own >= .admin && present <= own && wanted <= own }
}

@Suite("DESIGN §3: roles are given, never above one's own") struct RoleTests {
  @Test("every role × present role × wanted role", arguments: Giving.all)
  private func giving(_ it: Giving) {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: it.own, by: "a", number: 30)
    scene.admit("c", to: .category(1), as: it.present, by: "a", number: 31)
    let command = Command.member(.setRole(.category(1), "c", it.wanted))
    guard it.isAllowed else {
      guard case .forbidden = scene.refusal(of: command, by: "b") else {
        Issue.record("not refused")
        return
      }
      return
    }
    #expect(scene.must(command, by: "b").drafts.isEmpty == (it.wanted == it.present))
    #expect(scene.role(of: "c", in: .category(1)) == it.wanted)
  }

  @Test("nobody raises themselves; who gives roles may step down")
  func oneself() {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .admin, by: "a", number: 30)
    #expect(
      scene.refusal(of: .member(.setRole(.category(1), "b", .owner)), by: "b")
        == .forbidden("nobody gives a role above their own"))
    scene.must(.member(.setRole(.category(1), "b", .viewer)), by: "b")
    #expect(scene.role(of: "b", in: .category(1)) == .viewer)
  }

  @Test("the only owner names another before leaving or stepping down")
  func succession() {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 30)
    let alone = Refusal.forbidden("you are its only owner: make somebody else an owner first")
    #expect(scene.refusal(of: .member(.setRole(.category(1), "a", .admin)), by: "a") == alone)
    #expect(scene.refusal(of: .member(.leave(.category(1))), by: "a") == alone)
    scene.must(
      .batch([.member(.setRole(.category(1), "b", .owner)), .member(.leave(.category(1)))]), by: "a"
    )
    #expect(scene.role(of: "b", in: .category(1)) == .owner)
    #expect(scene.role(of: "a", in: .category(1)) == nil)
  }

  @Test("a role in a group counts in its categories, and is told once")
  func group() {
    var scene = Scene.house()
    scene.must(.member(.setRole(.group(1), "b", .admin)), by: "a")
    #expect(scene.role(of: "b", in: .category(3)) == .admin)
    let own = StreamState.notices(of: "b", in: scene)
    #expect(own.map(\.kind) == [.invited, .roleChanged])
    #expect(own.last?.stream == .group(1))
  }

  @Test("less than the group gives cannot be given in its category; more can")
  func besideTheGroup() {
    var scene = Scene.house()
    #expect(
      scene.refusal(of: .member(.setRole(.category(3), "b", .viewer)), by: "a")
        == .forbidden("the group makes this member editor: change it there"))
    scene.must(.member(.setRole(.category(3), "b", .owner)), by: "a")
    #expect(scene.role(of: "b", in: .category(3)) == .owner)
    scene.must(.member(.remove(.category(3), "b")), by: "a")
    #expect(scene.role(of: "b", in: .category(3)) == .editor)
    // When somebody else takes a role away it is told, as it is when they give it.
    let own = StreamState.notices(of: "b", in: scene)
    #expect(own.map(\.kind) == [.invited, .roleChanged, .roleChanged])
  }

  @Test("invitations end with the right to send them")
  func invitations() {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .owner, by: "a", number: 30)
    scene.must(.invitation(.send(31, .category(1), username: "user-c", .owner)), by: "b")
    scene.must(.invitation(.send(32, .category(1), username: "user-d", .editor)), by: "b")
    scene.must(.member(.setRole(.category(1), "b", .admin)), by: "a")
    #expect(scene.refusal(of: .invitation(.accept(31)), by: "c") == .notFound("invitation"))
    #expect(scene.refusal(of: .invitation(.accept(32)), by: "d") == nil)
    scene.must(.member(.setRole(.category(1), "b", .editor)), by: "a")
    #expect(scene.refusal(of: .invitation(.accept(32)), by: "d") == .notFound("invitation"))
  }

  @Test("an older invitation neither brings back who was taken out nor changes a later role")
  func olderInvitations() {
    var scene = Scene.house()
    scene.must(.invitation(.send(30, .category(3), username: "user-c", .admin)), by: "a")
    scene.admit("c", to: .group(1), as: .viewer, by: "a", number: 31)
    var taken = scene
    taken.must(.member(.remove(.group(1), "c")), by: "a")
    #expect(taken.refusal(of: .invitation(.accept(30)), by: "c") == .notFound("invitation"))
    #expect(taken.role(of: "c", in: .category(3)) == nil)
    scene.must(.member(.setRole(.category(3), "c", .owner)), by: "a")
    scene.must(.member(.setRole(.category(3), "c", .viewer)), by: "a")
    #expect(scene.refusal(of: .invitation(.accept(30)), by: "c") == .notFound("invitation"))
    #expect(scene.role(of: "c", in: .category(3)) == .viewer)
  }

  @Test("A role of a group's member in one list ends with the group")
  func raised() {
    var scene = Scene.house()
    let list = StreamID.category(3)
    scene.must(.member(.setRole(list, "b", .admin)), by: "a")
    #expect(scene.member("b", of: list)?.grants == Grants(viaGroup: .editor, raised: .admin))
    #expect(scene.membership(of: "b", in: list)?.role == .admin)
    var lowered = scene
    lowered.must(.member(.setRole(list, "b", .editor)), by: "a")
    #expect(lowered.member("b", of: list)?.grants == Grants(viaGroup: .editor))
    scene.must(.member(.remove(.group(1), "b")), by: "a")
    #expect(scene.member("b", of: list)?.grants == Grants())
    #expect(scene.membership(of: "b", in: list) == nil)

    scene.admit("c", to: list, as: .viewer, by: "a", number: 50)
    scene.admit("c", to: .group(1), as: .editor, by: "a", number: 51)
    scene.must(.member(.setRole(list, "c", .admin)), by: "a")
    let all = Grants(direct: .viewer, viaGroup: .editor, raised: .admin)
    #expect(scene.member("c", of: list)?.grants == all)
    var left = scene
    left.must(.member(.leave(list)), by: "c")
    #expect(left.member("c", of: list)?.grants == Grants(viaGroup: .editor))
    scene.must(.member(.leave(.group(1))), by: "c")
    #expect(scene.member("c", of: list)?.grants == Grants(direct: .viewer))
    #expect(scene.membership(of: "c", in: list)?.role == .viewer)
  }

  @Test("Ownership of a list ends with the group, whoever ends it; the group's owners own the list")
  func raisedOwner() {
    var scene = Scene.house()
    let list = StreamID.category(3)
    scene.admit("c", to: .group(1), as: .admin, by: "a", number: 50)
    scene.must(.member(.setRole(list, "b", .owner)), by: "a")
    #expect(scene.refusal(of: .member(.remove(list, "b")), by: "c") != nil)
    scene.must(.member(.remove(.group(1), "b")), by: "c")
    #expect(scene.role(of: "b", in: list) == nil && scene.role(of: "a", in: list) == .owner)
    #expect(
      scene.refusal(of: .member(.leave(.group(1))), by: "a")
        == .forbidden("you are its only owner: make somebody else an owner first"))
  }

  @Test("to lower a member of the group in one list lowers what they were invited to it for")
  func loweredBelowInvitation() {
    var scene = Scene.house()
    scene.admit("c", to: .category(3), as: .admin, by: "a", number: 50)
    scene.admit("c", to: .group(1), as: .viewer, by: "a", number: 51)
    scene.must(.member(.setRole(.category(3), "c", .editor)), by: "a")
    #expect(
      scene.member("c", of: .category(3))?.grants == Grants(direct: .editor, viaGroup: .viewer))
  }

  @Test("whom somebody may not raise, they may not take out or take back")
  func above() {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .admin, by: "a", number: 30)
    scene.must(.invitation(.send(31, .category(1), username: "user-c", .owner)), by: "a")
    #expect(
      scene.refusal(of: .member(.remove(.category(1), "a")), by: "b")
        == .forbidden("nobody takes out somebody above them"))
    #expect(
      scene.refusal(of: .invitation(.revoke(31, .category(1))), by: "b")
        == .forbidden("nobody takes back an invitation to a role above their own"))
  }

  @Test("a doer completes, and reopens only what they completed themselves, also by undo")
  func doers() {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 30)
    scene.must(.reopenPost(1, 2, ifVersion: nil), by: "b")
    let reopening = scene.lastSeq(of: .category(1))
    scene.must(.member(.setRole(.category(1), "b", .doer)), by: "a")
    scene.must(.completePost(1, 1, ifVersion: nil), by: "b")
    scene.must(.reopenPost(1, 1, ifVersion: nil), by: "b")
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
    let foreign = Refusal.forbidden("a doer reopens only what they completed themselves")
    #expect(scene.refusal(of: .reopenPost(1, 1, ifVersion: nil), by: "b") == foreign)
    // It would complete post 2 as its first completer did.
    let undo = UndoTarget(stream: .category(1), events: [reopening], seen: nil)
    let decision = scene.must(.undo(undo), by: "b")
    #expect(decision.drafts.isEmpty)
    #expect(decision.skipped?.map(\.reason) == [.forbidden])
  }

  @Test("a doer edits nothing by undo, not even together with an own completion")
  func doersEdit() {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 30)
    scene.must(.editPost(1, 1, PostEdit(title: "Other"), ifVersion: nil), by: "b")
    scene.must(.completePost(1, 1, ifVersion: nil), by: "b")
    let completion = scene.lastSeq(of: .category(1))
    scene.must(.member(.setRole(.category(1), "b", .doer)), by: "a")
    let both = UndoTarget(
      stream: .category(1), events: [completion - 1, completion], seen: nil)
    let decision = scene.must(.undo(both), by: "b")
    #expect(decision.drafts.isEmpty)
    #expect(decision.skipped?.map(\.reason) == [.forbidden])
    let one = UndoTarget(stream: .category(1), events: [completion], seen: nil)
    #expect(scene.must(.undo(one), by: "b").changed)
  }

  @Test("admins undo what others did, editors do not")
  func undoing() {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 30)
    scene.must(.editPost(1, 1, PostEdit(title: "Other"), ifVersion: nil), by: "a")
    let seq = scene.lastSeq(of: .category(1))
    let undo = Command.undo(UndoTarget(stream: .category(1), events: [seq], seen: nil))
    #expect(
      scene.refusal(of: undo, by: "b")
        == .forbidden("only admins and owners undo what others did"))
    scene.must(.member(.setRole(.category(1), "b", .admin)), by: "a")
    #expect(
      scene.refusal(of: undo, by: "b")
        == .invalid(
          field: "seen", reason: "is missing; what others did is undone after a preview"))
  }
}

extension Scene {

  fileprivate func lastSeq(of stream: StreamID) -> Int64 { heads[stream]?.seq ?? 0 }
}

extension StreamState {
  fileprivate static func notices(of user: UserID, in scene: Scene) -> [Notice] {
    let objects = (scene.states[.user(user)]?.objects ?? [:]).values
    let notices = objects.compactMap { object -> Notice? in
      guard case .notice(let notice) = object else { return nil }
      return notice
    }
    return notices.sorted { ($0.seq, $0.opIndex) < ($1.seq, $1.opIndex) }
  }
}
