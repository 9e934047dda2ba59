import Testing

@testable import Domain

@Suite("DESIGN §3: membership is a set of grants") struct MembershipTests {
  @Test(
    "invitations are refused",
    arguments: [
      Refused(
        why: "to oneself",
        command: .invitation(.send(9, .category(1), username: "user-a", .editor)),
        refusal: .invalid(field: "username", reason: "is yourself")),
      Refused(
        why: "to nobody", command: .invitation(.send(9, .category(1), username: "nobody", .editor)),
        refusal: .notFound("user")),
      Refused(
        why: "to a member", command: .invitation(.send(9, .group(1), username: "user-b", .owner)),
        refusal: .exists(field: "username", .member)),
      Refused(
        why: "to a member through the group",
        command: .invitation(.send(9, .category(3), username: "user-b", .owner)),
        refusal: .exists(field: "username", .member)),
      Refused(
        why: "to a foreign place",
        command: .invitation(.send(9, .category(2), username: "user-c", .editor)),
        refusal: .notFound("category")),
      Refused(
        why: "to a removed category",
        command: .invitation(.send(9, .category(4), username: "user-c", .editor)),
        refusal: .gone("category")),
      Refused(
        why: "to a user's own stream",
        command: .invitation(.send(9, .user("a"), username: "user-c", .editor)),
        refusal: .invalid(field: "stream", reason: "must be a category or a group")),
      Refused(
        why: "when one is pending",
        command: .invitation(.send(9, .category(1), username: "user-d", .editor)),
        refusal: .exists(field: "username", .invited)),
      Refused(
        why: "with a pending one's id",
        command: .invitation(.send(70, .category(1), username: "user-c", .editor)),
        refusal: .exists(field: "id")),
      Refused(
        why: "accepting another's", command: .invitation(.accept(70)), by: "c",
        refusal: .notFound("invitation")),
      Refused(
        why: "accepting an unknown one", command: .invitation(.accept(71)), by: "d",
        refusal: .notFound("invitation")),
      Refused(
        why: "declining another's", command: .invitation(.decline(70)), by: "a",
        refusal: .notFound("invitation")),
      Refused(
        why: "revoking an unknown one", command: .invitation(.revoke(71, .category(1))),
        refusal: .notFound("invitation")),
      Refused(
        why: "revoking elsewhere", command: .invitation(.revoke(70, .group(1))),
        refusal: .notFound("invitation")),
    ])
  func invitationRefusals(row: Refused) {
    #expect(Self.withInvitation().refusal(of: row.command, by: row.by) == row.refusal)
  }

  @Test(
    "leaving and removing are refused",
    arguments: [
      Refused(
        why: "the only owner of a category leaves", command: .member(.leave(.category(1))),
        refusal: .forbidden("you are its only owner: make somebody else an owner first")),
      Refused(
        why: "the only owner of a group leaves", command: .member(.leave(.group(1))),
        refusal: .forbidden("you are its only owner: make somebody else an owner first")),
      Refused(
        why: "leaving a group's category alone", command: .member(.leave(.category(3))), by: "b",
        refusal: .forbidden("you are here through the group: leave the group instead")),
      Refused(
        why: "leaving what one is not in", command: .member(.leave(.category(2))),
        refusal: .notFound("category")),
      Refused(
        why: "leaving oneself", command: .member(.leave(.user("a"))),
        refusal: .invalid(field: "stream", reason: "must be a category or a group")),
      Refused(
        why: "removing oneself", command: .member(.remove(.category(1), "a")),
        refusal: .invalid(field: "user", reason: "is yourself: leave instead")),
      Refused(
        why: "removing a stranger", command: .member(.remove(.category(1), "c")),
        refusal: .notFound("member")),
      Refused(
        why: "removing a group's member from one category",
        command: .member(.remove(.category(3), "b")),
        refusal: .forbidden("this member is here through the group: remove there instead")),
    ])
  func leavingRefusals(row: Refused) {
    #expect(Scene.house().refusal(of: row.command, by: row.by) == row.refusal)
  }

  /// Returns the house with invitation 70 of d into category 1.
  static func withInvitation() -> Scene {
    var scene = Scene.house()
    scene.must(.invitation(.send(70, .category(1), username: "user-d", .editor)), by: "a")
    return scene
  }

  @Test("The event of who left a list says whether they went with the group")
  func direct() {
    var scene = Scene.house()
    for (number, stream) in [(80, .category(3)), (81, .group(1))] as [(InvitationID, StreamID)] {
      scene.must(.invitation(.send(number, stream, username: "user-c", .editor)), by: "a")
      scene.must(.invitation(.accept(number)), by: "c")
    }
    func left(_ stream: StreamID, _ user: UserID) -> Op? {
      let decision = scene.must(.member(.leave(stream, successor: nil)), by: user)
      return decision.drafts.first { $0.stream == .category(3) }?.ops.first
    }
    #expect(left(.group(1), "b") == .member(.removed("b", .left, direct: false)))
    #expect(left(.group(1), "c") == .member(.granted("c", Grants(direct: .editor))))
    #expect(left(.category(3), "c") == .member(.removed("c", .left, direct: true)))
  }

  @Test("an invitation is the same in both streams, and answering it ends it in both")
  func bothSides() {
    for answer in [Command.invitation(.accept(70)), .invitation(.decline(70))] {
      var scene = Self.withInvitation()
      let key = ObjectKey(kind: .invitation, id: InvitationID(70).uuid)
      let sent = scene.states[.category(1)]?.objects[key]
      #expect(sent != nil)
      #expect(scene.states[.user("d")]?.objects[key] == sent)
      scene.must(answer, by: "d")
      #expect(scene.states[.category(1)]?.objects[key] == nil)
      #expect(scene.states[.user("d")]?.objects[key] == nil)
      #expect(scene.refusal(of: answer, by: "d") == .notFound("invitation"))
    }
  }

  @Test("a revoked invitation lets nobody in")
  func revoked() {
    var scene = Self.withInvitation()
    scene.must(.invitation(.revoke(70, .category(1))), by: "a")
    #expect(scene.refusal(of: .invitation(.accept(70)), by: "d") == .notFound("invitation"))
    #expect(scene.member("d", of: .category(1)) == nil)
  }

  @Test("an invitation into a category that was removed meanwhile can be declined only")
  func removedMeanwhile() {
    var scene = Self.withInvitation()
    scene.must(.category(.remove(1)), by: "a")
    #expect(scene.refusal(of: .invitation(.accept(70)), by: "d") == .gone("category"))
    #expect(scene.changes(.invitation(.decline(70)), by: "d") == true)
  }

  @Test("joining a group is one event in it, in each of its categories, and in the own stream")
  func joinGroup() {
    var scene = Scene.house()
    scene.must(.category(.add(9, name: "Garden", group: 1)), by: "a")
    scene.must(.invitation(.send(50, .group(1), username: "user-c", .owner)), by: "a")
    let decision = scene.must(.invitation(.accept(50)), by: "c")
    let touched: [StreamID] = [.category(3), .category(9), .group(1), .user("c")]
    #expect(decision.drafts.map(\.stream) == touched)
    for stream: StreamID in [.category(3), .category(9)] {
      #expect(scene.member("c", of: stream)?.grants == Grants(viaGroup: .owner))
      #expect(scene.member("c", of: stream)?.joinedSeq == scene.heads[stream]?.seq)
      #expect(scene.membership(of: "c", in: stream)?.role == .owner)
    }
    #expect(scene.membership(of: "c", in: .group(1))?.role == .owner)
  }

  @Test("The highest of two grants counts, and one stays when the other ends")
  func twoGrants() {
    var scene = Scene.house()
    scene.must(.invitation(.send(50, .category(3), username: "user-c", .editor)), by: "a")
    scene.admit("c", to: .group(1), as: .owner, by: "a", number: 51)
    let joined = scene.member("c", of: .category(3))?.joinedSeq
    scene.must(.invitation(.accept(50)), by: "c")
    let both = Grants(direct: .editor, viaGroup: .owner)
    #expect(scene.member("c", of: .category(3))?.grants == both)
    #expect(scene.member("c", of: .category(3))?.joinedSeq == joined)
    #expect(scene.membership(of: "c", in: .category(3))?.role == .owner)
    scene.must(.member(.leave(.group(1))), by: "c")
    #expect(scene.member("c", of: .category(3))?.grants == Grants(direct: .editor))
    #expect(scene.membership(of: "c", in: .category(3))?.role == .editor)
    #expect(scene.membership(of: "c", in: .group(1)) == nil)
    scene.must(.member(.leave(.category(3))), by: "c")
    #expect(scene.member("c", of: .category(3))?.grants == Grants())
    #expect(scene.membership(of: "c", in: .category(3)) == nil)
  }

  @Test("who leaves stays in the list without a role, and comes back with a new joinedSeq")
  func comeBack() {
    var scene = Scene.house()
    scene.admit("c", to: .category(1), as: .editor, by: "a", number: 50)
    let first = scene.member("c", of: .category(1))?.joinedSeq ?? 0
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    #expect(scene.member("c", of: .category(1))?.role == nil)
    #expect(scene.changes(.member(.remove(.category(1), "c")), by: "a") == false)
    #expect(
      scene.refusal(of: .post(.add(1, 9, title: "x", notes: "")), by: "c") == .notFound("category"))
    scene.admit("c", to: .category(1), as: .editor, by: "a", number: 51)
    #expect(scene.member("c", of: .category(1))?.joinedSeq ?? 0 > first)
  }

  @Test("Invitations end with the right of their sender to send them")
  func revokesOwn() {
    var scene = Scene.house()
    scene.admit("c", to: .group(1), as: .owner, by: "a", number: 50)
    scene.must(.invitation(.send(51, .group(1), username: "user-d", .editor)), by: "c")
    scene.must(.invitation(.send(52, .category(3), username: "user-d", .editor)), by: "c")
    let decision = scene.must(.member(.remove(.group(1), "c")), by: "a")
    #expect(scene.refusal(of: .invitation(.accept(51)), by: "d") == .notFound("invitation"))
    #expect(scene.refusal(of: .invitation(.accept(52)), by: "d") == .notFound("invitation"))
    let inbox = decision.drafts.first { $0.stream == .user("d") }
    #expect(
      inbox?.ops == [
        .invitation(.revoked(51)), .personal(.noticeEnded(seq: 2, opIndex: 0)),
        .invitation(.revoked(52)), .personal(.noticeEnded(seq: 3, opIndex: 0)),
      ])
  }

  @Test("the only owner may give up the direct grant while the group makes them owner")
  func ownerTwice() {
    var scene = Scene.house()
    scene.admit("c", to: .category(3), as: .owner, by: "a", number: 50)
    scene.admit("c", to: .group(1), as: .owner, by: "a", number: 51)
    scene.must(.member(.leave(.group(1))), by: "a")
    scene.must(.member(.leave(.category(3))), by: "c")
    #expect(scene.member("c", of: .category(3))?.grants == Grants(viaGroup: .owner))
    #expect(scene.membership(of: "c", in: .category(3))?.role == .owner)
  }

  @Test("out of what is removed goes also the last one, and nobody before them who alone owns it")
  func lastOfRemoved() {
    var scene = Scene.house()
    scene.must(.member(.leave(.category(4))), by: "a")
    #expect(scene.member("a", of: .category(4))?.role == nil)
    #expect(scene.membership(of: "a", in: .category(4)) == nil)
    #expect(scene.refusal(of: .category(.restore(4)), by: "a") == .notFound("category"))
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 50)
    scene.must(.category(.remove(1)), by: "a")
    let alone = Refusal.forbidden("you are its only owner: make somebody else an owner first")
    #expect(scene.refusal(of: .member(.leave(.category(1))), by: "a") == alone)
    scene.must(.member(.leave(.category(1))), by: "b")
    scene.must(.member(.leave(.category(1))), by: "a")
    #expect(scene.membership(of: "a", in: .category(1)) == nil)
  }

  @Test("with a second owner the first may go")
  func secondOwner() {
    var scene = Scene.house()
    scene.admit("c", to: .category(1), as: .owner, by: "a", number: 50)
    #expect(scene.changes(.member(.leave(.category(1))), by: "a") == true)
    #expect(scene.changes(.member(.remove(.category(1), "a")), by: "c") == true)
  }

  @Test("a sender has a limit, in all places together")
  func quotas() {
    var scene = Scene.house()
    let max = Limits.pendingInvitationsPerUserMax
    for number in 0...max {
      let letter = Registration(Unicode.Scalar(UInt32(0x1000 + number)) ?? "z")
      scene.must(.account(.register(letter)), by: letter.id)
      let place = number % 2 == 0 ? StreamID.category(1) : .group(1)
      let command = Command.invitation(
        .send(
          InvitationID(200 + number), place, username: letter.username, .editor))
      let refusal = scene.refusal(of: command, by: "a")
      #expect(refusal == (number < max ? nil : .quota(limit: "invitations", max: max)))
      if refusal == nil { scene.must(command, by: "a") }
    }
  }
}
