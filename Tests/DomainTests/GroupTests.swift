import Testing

@testable import Domain

@Suite("DESIGN §3: groups are renamed, removed and brought back") struct GroupTests {
  @Test("admins rename, owners remove")
  func roles() {
    var scene = Scene.house()
    #expect(scene.changes(.group(.edit(1, name: "Kin")), by: "a") == true)
    guard case .forbidden = scene.refusal(of: .group(.edit(1, name: "Kin")), by: "b") else {
      Issue.record("an editor renames")
      return
    }
    scene.must(.member(.setRole(.group(1), "b", .admin)), by: "a")
    #expect(scene.changes(.group(.edit(1, name: "Kin")), by: "b") == true)
    guard case .forbidden = scene.refusal(of: .group(.remove(1)), by: "b") else {
      Issue.record("an admin removes")
      return
    }
  }

  @Test("a removed group takes its categories along, and accepts only its restore")
  func removal() {
    var scene = Scene.house()
    scene.must(.category(.add(5, name: "Gone before", group: 1)), by: "a")
    scene.must(.category(.remove(5)), by: "a")
    scene.must(.group(.remove(1)), by: "a")
    #expect(scene.category(3)?.removed != nil)
    let refused: [(Command, Refusal)] = [
      (.post(.add(3, 9, title: "x", notes: "")), .gone("category")),
      (.category(.restore(3)), .gone("group")),
      (.category(.add(9, name: "x", group: 1)), .gone("group")),
      (.group(.edit(1, name: "x")), .gone("group")),
      (.invitation(.send(9, .group(1), username: "user-c", .editor)), .gone("group")),
      (
        .member(.leave(.group(1))),
        .forbidden("you are its only owner: make somebody else an owner first")
      ),
    ]
    for (command, refusal) in refused {
      #expect(scene.refusal(of: command, by: "a") == refusal, "\(command)")
    }
    #expect(scene.changes(.group(.remove(1)), by: "a") == false)
  }

  @Test("a restore brings back what went along, and not what had gone before")
  func restore() {
    var scene = Scene.house()
    scene.must(.category(.add(5, name: "Gone before", group: 1)), by: "a")
    scene.must(.category(.remove(5)), by: "a")
    scene.must(.group(.remove(1)), by: "a")
    scene.must(.group(.restore(1)), by: "a")
    #expect(scene.category(3)?.removed == nil)
    #expect(scene.category(5)?.removed != nil)
    #expect(scene.changes(.group(.restore(1)), by: "a") == false)
    #expect(scene.changes(.post(.add(3, 9, title: "x", notes: "")), by: "b") == true)
  }

  @Test("out of a removed group its members go, and what they sent is taken back")
  func wayOut() {
    var scene = Scene.house()
    scene.must(.member(.setRole(.group(1), "b", .admin)), by: "a")
    scene.must(.invitation(.send(50, .group(1), username: "user-c", .editor)), by: "b")
    scene.must(.group(.remove(1)), by: "a")
    scene.must(.invitation(.revoke(50, .group(1))), by: "b")
    scene.must(.member(.leave(.group(1))), by: "b")
    #expect(scene.member("b", of: .group(1))?.role == nil)
    #expect(scene.member("b", of: .category(3))?.role == nil)
    scene.must(.group(.restore(1)), by: "a")
    #expect(scene.member("b", of: .category(3))?.role == nil)
  }

  @Test("a restore brings all categories back, also when the clock went back between them")
  func oneStamp() {
    var scene = Scene.house()
    scene.now = Timestamp(milliseconds: 2_000_000)
    scene.must(.post(.add(3, 9, title: "x", notes: "")), by: "a")
    scene.now = Timestamp(milliseconds: 1_000_000)
    scene.must(.group(.remove(1)), by: "a")
    #expect(scene.category(3)?.removed?.at == Timestamp(milliseconds: 2_000_000))
    scene.must(.group(.restore(1)), by: "a")
    #expect(scene.category(3)?.removed == nil)
  }

  @Test("nobody comes into a removed group, and undo does not bring back a part of it")
  func closed() {
    var scene = Scene.house()
    scene.must(.invitation(.send(9, .group(1), username: "user-c", .editor)), by: "a")
    scene.must(.group(.remove(1)), by: "a")
    #expect(scene.refusal(of: .invitation(.accept(9)), by: "c") == .gone("group"))
    let seq = scene.events[.category(3)]?.last?.seq ?? 0
    let undo = UndoTarget(stream: .category(3), events: [seq], seen: nil)
    let decision = scene.must(.undo(undo), by: "a")
    #expect(decision.drafts.isEmpty)
    #expect(decision.skipped?.contains { $0.reason == .removed } == true)
  }
}
