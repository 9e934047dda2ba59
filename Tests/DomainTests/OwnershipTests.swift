import Testing

@testable import Domain

@Suite("a code of the operator's: an owner for what was forsaken") struct OwnershipTests {
  private let family = StreamID.group(1)
  private let notGood = Refusal.invalid(field: "code", reason: "must be one that is still good")

  private func own(_ stream: StreamID, code: String = "one", days: Int64 = 1) -> Command {
    let endsAt = Timestamp(milliseconds: 1_000_000 + days * 86_400_000)
    return .invitation(
      .redeem(
        CodeInHand(text: "", opens: .ownership(stream, code: code, endsAt: endsAt))))
  }

  @Test("a member is raised, in a group also in its lists, and others stay what they are")
  func member() {
    var scene = Scene.house()
    scene.must(own(family), by: "b")
    #expect(scene.member("b", of: family)?.grants == Grants(direct: .owner))
    #expect(scene.member("b", of: .category(3))?.grants == Grants(viaGroup: .owner))
    #expect(scene.role(of: "a", in: family) == .owner)
  }

  @Test("a stranger comes in, and so does who was taken out", arguments: [false, true])
  func outside(wasThere: Bool) {
    var scene = Scene.house()
    if wasThere {
      scene.admit("d", to: family, as: .viewer, by: "a", number: 50)
      scene.must(.member(.remove(family, "d")), by: "a")
    }
    scene.must(.invitation(.send(51, family, username: "user-d", .viewer)), by: "a")
    scene.must(own(family), by: "d")
    #expect(scene.role(of: "d", in: family) == .owner)
    #expect(scene.role(of: "d", in: .category(3)) == .owner)
    #expect(scene.states[family]?.objects.keys.contains { $0.kind == .invitation } == false)
  }

  @Test("it is good once, until its end, and for what is there")
  func limits() {
    var scene = Scene.house()
    #expect(scene.changes(own(family), by: "a") == false)
    #expect(scene.refusal(of: own(.group(9)), by: "b") == notGood)
    #expect(scene.refusal(of: own(.category(4)), by: "b") == notGood)
    var late = scene
    late.now = Timestamp(milliseconds: 1_000_001 + 86_400_000)
    #expect(late.refusal(of: own(family), by: "b") == notGood)
    scene.must(own(family), by: "b")
    scene.must(.member(.setRole(family, "b", .doer)), by: "a")
    #expect(scene.refusal(of: own(family), by: "b") == notGood)
    scene.must(own(family, code: "two"), by: "b")
  }
}
