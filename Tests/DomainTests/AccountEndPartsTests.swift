import Testing

@testable import Domain

@Suite("protocol §5.9: an ended account gives up lists and groups") struct AccountEndPartsTests {
  private static let last = Refusal.forbidden(
    "you are its only owner: make somebody else an owner first")

  @Test("an owner whose account is to end is not counted on, until it is kept")
  func coOwners() {
    var scene = Scene.house()
    scene.admit("c", to: .category(1), as: .owner, by: "a", number: 50)
    scene.must(.member(.setRole(.group(1), "b", .owner)), by: "a")
    scene.must(.account(.delete(days: 14)), by: "a")
    #expect(scene.refusal(of: .member(.leave(.category(1))), by: "c") == Self.last)
    #expect(scene.refusal(of: .member(.setRole(.category(1), "c", .editor)), by: "c") == Self.last)
    #expect(
      scene.refusal(of: .account(.delete(days: 14)), by: "c")
        == .forbidden(
          "you are the only owner of Home (\(StreamID.category(1))): make somebody else an owner first"
        ))
    scene.must(.account(.keep), by: "a")
    scene.must(.member(.leave(.category(1))), by: "c")
  }

  @Test("An account whose end has begun is neither kept nor ended anew")
  func begun() {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .owner, by: "a", number: 50)
    scene.must(.account(.delete(days: 0)), by: "b")
    while scene.accounts["b"] != nil { scene.carryOut(scene.part(of: "b"), by: "b") }
    #expect(scene.refusal(of: .account(.keep), by: "b") == .unauthenticated)
    #expect(scene.refusal(of: .account(.delete(days: 9)), by: "b") == .unauthenticated)
  }

  @Test("a place without another owner is the one's who may do most, of several the first's")
  func heirs() {
    var scene = Scene.house()
    scene.admit("c", to: .category(1), as: .owner, by: "a", number: 50)
    scene.admit("d", to: .category(1), as: .editor, by: "a", number: 51)
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 52)
    scene.must(.member(.setRole(.group(1), "b", .owner)), by: "a")
    scene.must(.account(.delete(days: 0)), by: "a")
    // The other owner goes after all.
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    let dropped = scene.end("a")
    #expect(dropped == [.category(4), .user("a")])
    #expect(scene.role(of: "d", in: .category(1)) == .owner)
    #expect(scene.membership(of: "d", in: .category(1))?.role == .owner)
    #expect(scene.role(of: "b", in: .category(1)) == .editor)
    #expect(scene.role(of: "b", in: .group(1)) == .owner)
    for stream in [StreamID.category(1), .group(1), .category(3)] {
      #expect(scene.role(of: "a", in: stream) == nil)
    }
    #expect(scene.accounts["a"] == nil && scene.spentCodes.contains("mark"))
  }

  @Test(
    "a person is before a bot that has been there longer, a bot with a higher role before a person")
  func botHeirs() {
    var scene = Scene.house()
    let bot = Registration(
      id: "e", username: "ci", name: "CI", zone: "UTC", password: PasswordHash(phc: "$"), code: nil,
      kind: .bot)
    scene.must(.account(.register(bot)), by: "e")
    scene.must(.category(.add(8, name: "x", group: nil)), by: "a")
    scene.admit("e", to: .category(1), as: .editor, by: "a", number: 50)
    scene.admit("d", to: .category(1), as: .editor, by: "a", number: 51)
    scene.admit("e", to: .category(8), as: .admin, by: "a", number: 52)
    scene.admit("d", to: .category(8), as: .editor, by: "a", number: 53)
    for (place, number) in [(StreamID.category(1), 54), (.category(8), 55)] {
      scene.admit("c", to: place, as: .owner, by: "a", number: number)
    }
    scene.must(.member(.setRole(.group(1), "b", .owner)), by: "a")
    scene.must(.account(.delete(days: 0)), by: "a")
    // The other owner goes after all.
    for place in [StreamID.category(1), .category(8)] {
      scene.must(.member(.remove(place, "c")), by: "a")
    }
    _ = scene.end("a")
    #expect(scene.role(of: "d", in: .category(1)) == .owner)
    #expect(scene.role(of: "e", in: .category(1)) == .editor)
    #expect(scene.role(of: "e", in: .category(8)) == .owner)
    #expect(scene.role(of: "d", in: .category(8)) == .editor)
  }

  @Test("a group that nobody else is in goes, of its lists those where nobody is")
  func emptyGroup() {
    var scene = Scene.house()
    scene.must(.member(.remove(.group(1), "b")), by: "a")
    scene.must(.category(.add(5, name: "Shared", group: 1)), by: "a")
    scene.admit("c", to: .category(5), as: .viewer, by: "a", number: 50)
    scene.must(.account(.delete(days: 0)), by: "a")
    let dropped = scene.end("a")
    #expect(dropped == [.group(1), .category(3), .category(1), .category(4), .user("a")])
    #expect(scene.role(of: "c", in: .category(5)) == .owner)
    #expect(scene.role(of: "a", in: .category(5)) == nil)
  }

  @Test("it has no part before it has come, nor without a mark of the name")
  func early() {
    var scene = Scene.house()
    scene.must(.account(.delete(days: 1)), by: "c")
    let tooEarly = scene.part(of: "c")
    #expect(tooEarly == Decision())
    scene.now = Timestamp(milliseconds: scene.now.milliseconds + 86_400_000)
    let unmarked = scene.part(of: "c", mark: nil)
    #expect(unmarked == Decision())
    let accounts = scene.part(of: "c").accounts
    #expect(accounts == [.sessionsClosed([], of: "c"), .ended("c", mark: "mark")])
  }
}

extension Scene {
  fileprivate mutating func part(of user: UserID, mark: String? = "mark") -> Decision {
    let now = now
    let decision = answered { world throws(Halt) in
      try Domain.end(user, leaving: mark, at: now, in: &world)
    }
    guard case .success(let it) = decision else {
      Issue.record("\(decision)")
      return Decision()
    }
    return it
  }

  /// Ends the account in all its parts, one after the other, and returns the dropped streams.
  fileprivate mutating func end(_ user: UserID) -> Set<StreamID> {
    var dropped: Set<StreamID> = []
    for _ in 0..<20 where !dropped.contains(.user(user)) {
      let decision = part(of: user)
      carryOut(decision, by: user)
      dropped.formUnion(decision.dropped)
    }
    return dropped
  }
}
