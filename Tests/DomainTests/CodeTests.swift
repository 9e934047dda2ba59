import Testing

@testable import Domain

extension Command {
  /// Makes the command that the ledger's turn hands over when the code is that of this invitation.
  fileprivate static func redeem(_ id: InvitationID, _ stream: StreamID) -> Command {
    .invitation(.redeem(CodeInHand(text: "", opens: .invitation(id, stream))))
  }

  fileprivate static func make(
    _ id: InvitationID, _ stream: StreamID, _ role: Role = .editor, uses: Int = 1
  ) -> Command {
    .invitation(.makeCode(id, stream, NewCode(role: role, uses: uses, days: 2)))
  }
}

extension Scene {
  fileprivate func code(_ id: InvitationID, in stream: StreamID) -> InvitationCode? {
    let key = ObjectKey(kind: .invitationCode, id: id.uuid)
    guard case .invitationCode(let code) = states[stream]?.objects[key] else { return nil }
    return code
  }
}

@Suite("protocol §8: invitations by code") struct CodeTests {
  private let home = StreamID.category(1)
  private let notGood = Refusal.invalid(field: "code", reason: "must be one that is still good")
  private let former = Refusal.forbidden(
    "who was here before comes back by an invitation from a member")

  @Test("an id is good once, however its code ended")
  func onceOnly() {
    func ended(_ end: (inout Scene) -> Void) -> Scene {
      var scene = Scene.house()
      scene.admit("c", to: home, as: .admin, by: "a", number: 60)
      scene.must(.make(50, home), by: "c")
      end(&scene)
      #expect(scene.code(50, in: home) == nil)
      return scene
    }
    let scenes = [
      ended { $0.must(.invitation(.revoke(50, home)), by: "a") },
      ended { $0.must(.redeem(50, home), by: "d") },
      ended { $0.must(.member(.setRole(home, "c", .editor)), by: "a") },
      ended { $0.must(.member(.remove(home, "c")), by: "a") },
      ended {
        $0.now = $0.now.after(days: 3)
        $0.must(.make(51, home), by: "a")
      },
    ]
    for scene in scenes {
      #expect(scene.refusal(of: .make(50, home), by: "a") == .exists(field: "id"))
      // Elsewhere that id makes another code.
      #expect(scene.refusal(of: .make(50, .group(1)), by: "a") == nil)
    }
  }

  @Test("a code lets in so many, with its role, and is gone then")
  func uses() {
    var scene = Scene.house()
    scene.must(.make(50, home, .doer, uses: 2), by: "a")
    #expect(scene.code(50, in: home)?.used == 0)
    scene.must(.redeem(50, home), by: "c")
    #expect(scene.role(of: "c", in: home) == .doer)
    #expect(scene.membership(of: "c", in: home)?.role == .doer)
    #expect(scene.code(50, in: home)?.used == 1)
    scene.must(.redeem(50, home), by: "d")
    #expect(scene.code(50, in: home) == nil)
    #expect(scene.refusal(of: .redeem(50, home), by: "b") == notGood)
  }

  @Test("into a group comes with all its lists, and is one event in each")
  func group() {
    var scene = Scene.house()
    scene.must(.category(.add(9, name: "Garden", group: 1)), by: "a")
    scene.must(.make(50, .group(1)), by: "a")
    let decision = scene.must(.redeem(50, .group(1)), by: "c")
    let touched: [StreamID] = [.category(3), .category(9), .group(1), .user("c")]
    #expect(decision.drafts.map(\.stream) == touched)
    #expect(scene.member("c", of: .group(1))?.grants == Grants(direct: .editor))
    #expect(scene.member("c", of: .category(9))?.grants == Grants(viaGroup: .editor))
  }

  @Test("Nobody is told why a code does not work")
  func notGoodAnyMore() {
    var scene = Scene.house()
    scene.must(.make(50, home, uses: 9), by: "a")
    #expect(scene.refusal(of: .invitation(.redeem(CodeInHand(text: "ABCD"))), by: "c") == notGood)
    #expect(scene.refusal(of: .redeem(51, home), by: "c") == notGood)
    #expect(scene.refusal(of: .redeem(50, .category(2)), by: "c") == notGood)
    let end = scene.code(50, in: home)?.endsAt.milliseconds ?? 0
    #expect(end == scene.now.milliseconds + 2 * 86_400_000)
    var late = scene
    late.now = Timestamp(milliseconds: end)
    #expect(late.refusal(of: .redeem(50, home), by: "c") == nil)
    late.now = Timestamp(milliseconds: end + 1)
    #expect(late.refusal(of: .redeem(50, home), by: "c") == notGood)
    var revoked = scene
    revoked.must(.invitation(.revoke(50, home)), by: "a")
    #expect(revoked.refusal(of: .redeem(50, home), by: "c") == notGood)
    scene.must(.category(.remove(1)), by: "a")
    #expect(scene.refusal(of: .redeem(50, home), by: "c") == notGood)
    scene.must(.category(.restore(1)), by: "a")
    #expect(scene.refusal(of: .redeem(50, home), by: "c") == nil)
  }

  @Test("the clock that went back makes no code good again")
  func clock() {
    var scene = Scene.house()
    scene.must(.make(50, home), by: "a")
    let start = scene.now
    scene.now = Timestamp(milliseconds: start.milliseconds + 3 * 86_400_000)
    scene.must(.category(.edit(1, name: "Later")), by: "a")
    scene.now = start
    #expect(scene.refusal(of: .redeem(50, home), by: "c") == notGood)
  }

  @Test("to a member a code does nothing, and is not used by it")
  func members() {
    var scene = Scene.house()
    scene.admit("c", to: home, as: .viewer, by: "a", number: 40)
    scene.must(.make(50, home, .admin), by: "a")
    #expect(scene.changes(.redeem(50, home), by: "c") == false)
    #expect(scene.role(of: "c", in: home) == .viewer)
    #expect(scene.changes(.redeem(50, home), by: "a") == false)
  }

  @Test("whoever was there before comes back by an invitation only", arguments: [false, true])
  func former(left: Bool) {
    var scene = Scene.house()
    scene.must(.make(50, home, uses: 9), by: "a")
    scene.must(.redeem(50, home), by: "c")
    scene.must(left ? .member(.leave(home)) : .member(.remove(home, "c")), by: left ? "c" : "a")
    #expect(scene.refusal(of: .redeem(50, home), by: "c") == former)
    scene.admit("c", to: home, as: .editor, by: "a", number: 60)
    #expect(scene.role(of: "c", in: home) == .editor)
  }

  @Test("The code of a group brings nobody back into one of its lists")
  func formerInList() {
    var scene = Scene.house()
    scene.admit("c", to: .category(3), as: .editor, by: "a", number: 60)
    scene.must(.member(.remove(.category(3), "c")), by: "a")
    scene.must(.make(50, .group(1)), by: "a")
    #expect(scene.refusal(of: .redeem(50, .group(1)), by: "c") == former)
  }

  @Test("The code of a list that the group got since brings nobody back")
  func formerInGroup() {
    var scene = Scene.house()
    scene.admit("c", to: .group(1), as: .editor, by: "a", number: 60)
    scene.must(.member(.remove(.group(1), "c")), by: "a")
    scene.must(.category(.add(9, name: "Garden", group: 1)), by: "a")
    scene.must(.make(50, .category(9)), by: "a")
    #expect(scene.refusal(of: .redeem(50, .category(9)), by: "c") == former)
  }

  @Test("joining by a code ends the invitation that was waiting there")
  func invited() {
    var scene = Scene.house()
    scene.must(.invitation(.send(40, home, username: "user-c", .admin)), by: "a")
    scene.must(.make(50, home, .viewer), by: "a")
    scene.must(.redeem(50, home), by: "c")
    #expect(scene.refusal(of: .invitation(.accept(40)), by: "c") == .notFound("invitation"))
    #expect(scene.role(of: "c", in: home) == .viewer)
  }

  @Test("a code ends with its maker's right to make it")
  func makers() {
    for ending: Command in [
      .member(.setRole(home, "b", .editor)), .member(.remove(home, "b")),
      .member(.setRole(home, "b", .doer)),
    ] {
      var scene = Scene.house()
      scene.admit("b", to: home, as: .admin, by: "a", number: 40)
      scene.must(.make(50, home, .viewer), by: "b")
      scene.must(.make(51, home, .viewer), by: "a")
      scene.must(ending, by: "a")
      #expect(scene.code(50, in: home) == nil, "\(ending)")
      #expect(scene.code(51, in: home) != nil)
    }
    var scene = Scene.house()
    scene.admit("c", to: .group(1), as: .admin, by: "a", number: 40)
    scene.must(.make(50, .category(3)), by: "c")
    scene.must(.member(.leave(.group(1))), by: "c")
    #expect(scene.code(50, in: .category(3)) == nil)
  }

  @Test("nobody makes one for more than they are, and none makes owners")
  func making() {
    var scene = Scene.house()
    scene.admit("b", to: home, as: .admin, by: "a", number: 40)
    let ownership = Refusal.forbidden("ownership is given to a person, not by a code")
    #expect(scene.refusal(of: .make(50, home, .owner), by: "a") == ownership)
    let above = Refusal.forbidden("nobody gives a role above their own")
    #expect(scene.refusal(of: .make(50, home, .owner), by: "b") == above)
    #expect(scene.refusal(of: .make(50, home, .admin), by: "b") == nil)
    scene.must(.make(50, home), by: "b")
    #expect(scene.refusal(of: .make(50, home), by: "a") == .exists(field: "id"))
    let same = Command.invitation(.send(50, home, username: "user-d", .editor))
    #expect(scene.refusal(of: same, by: "a") == .exists(field: "id"))
    #expect(scene.refusal(of: .make(51, .category(4)), by: "a") == .gone("category"))
  }

  @Test("a place has at most so many; those that are over make room")
  func quota() {
    var scene = Scene.house()
    for number in 0..<Limits.codesPerPlaceMax {
      scene.must(.make(InvitationID(100 + number), home), by: "a")
    }
    let full = Refusal.quota(limit: "codes", max: Limits.codesPerPlaceMax)
    #expect(scene.refusal(of: .make(50, home), by: "a") == full)
    scene.now = Timestamp(milliseconds: scene.now.milliseconds + 3 * 86_400_000)
    scene.must(.make(50, home), by: "a")
    let held = scene.states[home]?.objects.keys.filter { $0.kind == .invitationCode }
    #expect(held?.count == 1)
  }
}
