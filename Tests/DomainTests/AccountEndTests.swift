import Testing

@testable import Domain

@Suite("protocol §5.9: the end of an account") struct AccountEndTests {
  @Test("is told in the own stream, and nothing else is different until then")
  func asked() {
    var scene = Scene.house()
    let decision = scene.must(.account(.delete(days: 14)), by: "c")
    let end = Timestamp(milliseconds: scene.heads[.user("c")]!.at.milliseconds + 14 * 86_400_000)
    #expect(decision.drafts == [Draft(stream: .user("c"), ops: [.account(.ending(end))])])
    #expect(decision.accounts == [.ends("c", at: end)])
    #expect(scene.profile(of: "c")?.endsAt == end)
    #expect(scene.changes(.category(.add(9, name: "Nine", group: nil)), by: "c") == true)
  }

  @Test("asking again moves nothing, keeping takes it back, once")
  func kept() {
    var scene = Scene.house()
    #expect(scene.changes(.account(.keep), by: "c") == false)
    scene.must(.account(.delete(days: 14)), by: "c")
    let end = scene.profile(of: "c")?.endsAt
    #expect(scene.changes(.account(.delete(days: 1)), by: "c") == false)
    #expect(scene.profile(of: "c")?.endsAt == end)
    let decision = scene.must(.account(.keep), by: "c")
    #expect(decision.drafts.map(\.ops) == [[.account(.kept)]])
    #expect(decision.accounts == [.ends("c", at: nil)])
    #expect(scene.profile(of: "c")?.endsAt == nil)
    #expect(scene.changes(.account(.keep), by: "c") == false)
  }

  @Test("is not for the only owner of what others are in; all of that is named")
  func onlyOwner() {
    var scene = Scene.house()
    scene.admit("c", to: .category(1), as: .admin, by: "a", number: 50)
    let category = "Home (\(StreamID.category(1)))"
    let group = "Family (\(StreamID.group(1)))"
    #expect(
      scene.refusal(of: .account(.delete(days: 14)), by: "a")
        == .forbidden(
          "you are the only owner of \(category), \(group): make somebody else an owner first"))
    scene.must(.member(.setRole(.category(1), "c", .owner)), by: "a")
    scene.must(.member(.setRole(.group(1), "b", .owner)), by: "a")
    #expect(scene.changes(.account(.delete(days: 14)), by: "a") == true)
  }

  @Test("is for the only owner of what is removed, and of what nobody else is in any more")
  func alone() {
    var scene = Scene.house()
    scene.must(.member(.remove(.group(1), "b")), by: "a")
    scene.admit("c", to: .category(1), as: .editor, by: "a", number: 50)
    scene.must(.category(.remove(1)), by: "a")
    #expect(scene.changes(.account(.delete(days: 14)), by: "a") == true)
  }

  @Test("names five places and says that there are others")
  func many() {
    var scene = Scene.house()
    for number in 50..<56 {
      scene.must(
        .category(.add(CategoryID(integerLiteral: number), name: "List", group: nil)), by: "c")
      scene.admit(
        "d", to: .category(CategoryID(integerLiteral: number)), as: .viewer, by: "c", number: number
      )
    }
    guard case .forbidden(let reason)? = scene.refusal(of: .account(.delete(days: 14)), by: "c")
    else {
      Issue.record("not refused")
      return
    }
    #expect(reason.split(separator: "List (c:").count == 6)
    #expect(reason.hasSuffix(", others: make somebody else an owner first"))
  }
}

extension Scene {
  fileprivate func profile(of user: UserID) -> Profile? {
    guard case .profile(let it) = states[.user(user)]?.object(.profile, user.uuid) else {
      return nil
    }
    return it
  }
}
