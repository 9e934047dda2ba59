import Testing

@testable import Domain

@Suite("protocol §8: an owner who leaves names a successor") struct SuccessionTests {
  private let home = StreamID.category(1)
  private let family = StreamID.group(1)

  @Test("the successor is an owner, in a group also of its lists, and the other is gone")
  func group() {
    var scene = Scene.house()
    scene.admit("c", to: .category(3), as: .viewer, by: "a", number: 50)
    let decision = scene.must(.member(.leave(family, successor: "b")), by: "a")
    #expect(Set(decision.drafts.map(\.stream)).count == decision.drafts.count)
    #expect(scene.member("b", of: family)?.grants == Grants(direct: .owner))
    #expect(scene.member("b", of: .category(3))?.grants == Grants(viaGroup: .owner))
    #expect(scene.membership(of: "b", in: .category(3))?.role == .owner)
    #expect(scene.role(of: "a", in: family) == nil)
    #expect(scene.role(of: "a", in: .category(3)) == nil)
    #expect(scene.membership(of: "a", in: .category(3)) == nil)
    #expect(scene.role(of: "c", in: .category(3)) == .viewer)
  }

  @Test("somebody who is an owner already is a successor, too")
  func owner() {
    var scene = Scene.house()
    scene.admit("c", to: home, as: .owner, by: "a", number: 50)
    scene.must(.member(.leave(home, successor: "c")), by: "a")
    #expect(scene.role(of: "c", in: home) == .owner)
    #expect(scene.role(of: "a", in: home) == nil)
  }

  @Test("Invitations of the successor, and those by the owner, are over")
  func invitations() {
    var scene = Scene.house()
    scene.must(.invitation(.send(50, .category(3), username: "user-c", .owner)), by: "a")
    scene.must(.invitation(.send(51, family, username: "user-c", .editor)), by: "a")
    scene.admit("d", to: family, as: .viewer, by: "a", number: 60)
    scene.must(.member(.leave(family, successor: "d")), by: "a")
    for stream in [family, .category(3), .user("c")] {
      #expect(scene.states[stream]?.objects.keys.contains { $0.kind == .invitation } == false)
    }
  }

  @Test(
    "successors are refused",
    arguments: [
      Refused(
        why: "oneself", command: .member(.leave(.group(1), successor: "a")),
        refusal: .invalid(field: "successor", reason: "is yourself")),
      Refused(
        why: "a stranger", command: .member(.leave(.group(1), successor: "c")),
        refusal: .notFound("member")),
      Refused(
        why: "by who is no owner", command: .member(.leave(.group(1), successor: "a")), by: "b",
        refusal: .forbidden("only an owner names a successor")),
    ])
  func refusals(row: Refused) {
    #expect(Scene.house().refusal(of: row.command, by: row.by) == row.refusal)
  }

  @Test("nobody who has left becomes one")
  func left() {
    var scene = Scene.house()
    scene.must(.member(.leave(family)), by: "b")
    #expect(
      scene.refusal(of: .member(.leave(family, successor: "b")), by: "a") == .notFound("member"))
  }
}
