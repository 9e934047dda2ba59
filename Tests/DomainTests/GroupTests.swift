import Testing

@testable import Domain

@Suite("DESIGN §3: groups are renamed, removed and brought back") struct GroupTests {
  @Test("admins rename, owners remove")
  func roles() {
    var scene = Scene.house()
    #expect(scene.changes(.editGroup(1, name: "Kin"), by: "a") == true)
    guard case .forbidden = scene.refusal(of: .editGroup(1, name: "Kin"), by: "b") else {
      Issue.record("an editor renames")
      return
    }
    scene.must(.setRole(.group(1), "b", .admin), by: "a")
    #expect(scene.changes(.editGroup(1, name: "Kin"), by: "b") == true)
    guard case .forbidden = scene.refusal(of: .removeGroup(1), by: "b") else {
      Issue.record("an admin removes")
      return
    }
  }

  @Test("a removed group takes its categories along, and accepts only its restore")
  func removal() {
    var scene = Scene.house()
    scene.must(.addCategory(5, name: "Gone before", group: 1), by: "a")
    scene.must(.removeCategory(5), by: "a")
    scene.must(.removeGroup(1), by: "a")
    #expect(scene.category(3)?.removed != nil)
    let refused: [(Command, Refusal)] = [
      (.addPost(3, 9, title: "x", notes: ""), .gone("category")),
      (.restoreCategory(3), .gone("group")),
      (.addCategory(9, name: "x", group: 1), .gone("group")),
      (.editGroup(1, name: "x"), .gone("group")),
      (.sendInvitation(9, .group(1), username: "user-c", .editor), .gone("group")),
      (
        .leave(.group(1)),
        .forbidden("you are its only owner: make somebody else an owner first")
      ),
    ]
    for (command, refusal) in refused {
      #expect(scene.refusal(of: command, by: "a") == refusal, "\(command)")
    }
    #expect(scene.changes(.removeGroup(1), by: "a") == false)
  }

  @Test("a restore brings back what went along, and not what had gone before")
  func restore() {
    var scene = Scene.house()
    scene.must(.addCategory(5, name: "Gone before", group: 1), by: "a")
    scene.must(.removeCategory(5), by: "a")
    scene.must(.removeGroup(1), by: "a")
    scene.must(.restoreGroup(1), by: "a")
    #expect(scene.category(3)?.removed == nil)
    #expect(scene.category(5)?.removed != nil)
    #expect(scene.changes(.restoreGroup(1), by: "a") == false)
    #expect(scene.changes(.addPost(3, 9, title: "x", notes: ""), by: "b") == true)
  }

  @Test("out of a removed group its members go, and what they sent is taken back")
  func wayOut() {
    var scene = Scene.house()
    scene.must(.setRole(.group(1), "b", .admin), by: "a")
    scene.must(.sendInvitation(50, .group(1), username: "user-c", .editor), by: "b")
    scene.must(.removeGroup(1), by: "a")
    scene.must(.revokeInvitation(50, .group(1)), by: "b")
    scene.must(.leave(.group(1)), by: "b")
    #expect(scene.member("b", of: .group(1))?.role == nil)
    #expect(scene.member("b", of: .category(3))?.role == nil)
    scene.must(.restoreGroup(1), by: "a")
    #expect(scene.member("b", of: .category(3))?.role == nil)
  }

  @Test("a restore brings all categories back, also when the clock went back between them")
  func oneStamp() {
    var scene = Scene.house()
    scene.now = Timestamp(milliseconds: 2_000_000)
    scene.must(.addPost(3, 9, title: "x", notes: ""), by: "a")
    scene.now = Timestamp(milliseconds: 1_000_000)
    scene.must(.removeGroup(1), by: "a")
    #expect(scene.category(3)?.removed?.at == Timestamp(milliseconds: 2_000_000))
    scene.must(.restoreGroup(1), by: "a")
    #expect(scene.category(3)?.removed == nil)
  }

  @Test("nobody comes into a removed group, and undo does not bring back a part of it")
  func closed() {
    var scene = Scene.house()
    scene.must(.sendInvitation(9, .group(1), username: "user-c", .editor), by: "a")
    scene.must(.removeGroup(1), by: "a")
    #expect(scene.refusal(of: .acceptInvitation(9), by: "c") == .gone("group"))
    let seq = scene.events[.category(3)]?.last?.seq ?? 0
    let undo = UndoTarget(stream: .category(3), events: [seq], seen: nil)
    let decision = scene.must(.undo(undo), by: "a")
    #expect(decision.drafts.isEmpty)
    #expect(decision.skipped?.contains { $0.reason == .removed } == true)
  }
}
