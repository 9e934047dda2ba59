import Testing

@testable import Domain

@Suite("protocol §8: an archived category") struct ArchiveTests {
  private static func archived() -> Scene {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 30)
    scene.must(.changeTag(1, 50, .add(name: "tag")), by: "a")
    scene.must(.category(.archive(1)), by: "a")
    return scene
  }

  private static let closed = Refusal.forbidden("the category is archived")

  @Test("is as it was until it is opened again")
  func readOnly() {
    var scene = Self.archived()
    #expect(scene.category(1)?.archived == Stamp(at: scene.now, by: "a"))
    let commands: [Command] = [
      .category(.edit(1, name: "New")), .post(.add(1, 9, title: "x", notes: "")),
      .editPost(1, 1, PostEdit(title: "x"), ifVersion: nil), .completePost(1, 1, ifVersion: nil),
      .reopenPost(1, 2, ifVersion: nil), .removePost(1, 1, ifVersion: nil),
      .restorePost(1, 3, ifVersion: nil), .changeStep(1, 1, 1, .add(content: "x")),
      .changeTag(1, 50, .remove), .post(.change(1, 1, .tag(50))),
      .post(.change(1, 1, .assign("b"))),
      .movePost(1, 1, after: 2, before: nil), .movePost(1, 1, to: 3),
      .post(.change(1, 1, .copy(as: 9, to: 1))), .movePost(3, 1, to: 1),
    ]
    for command in commands {
      #expect(scene.refusal(of: command, by: "a") == Self.closed, "\(command)")
    }
    let batch = Command.batch([.category(.unarchive(1)), commands[1], .category(.archive(1))])
    #expect(scene.changes(batch, by: "a") == true)
    scene.must(.category(.unarchive(1)), by: "a")
    for command in [commands[1], commands[3], commands[13]] {
      #expect(scene.changes(command, by: "a") == true, "\(command)")
    }
  }

  @Test("its people come and go, a text is erased, posts are copied elsewhere, and it is removed")
  func taken() {
    let scene = Self.archived()
    let commands: [(Command, UserID)] = [
      (.invitation(.send(50, .category(1), username: "user-d", .viewer)), "a"),
      (.member(.setRole(.category(1), "b", .doer)), "a"),
      (.member(.remove(.category(1), "b")), "a"),
      (.member(.leave(.category(1))), "b"), (.erasePost(1, 1), "a"), (.category(.remove(1)), "a"),
      (.post(.change(1, 1, .copy(as: 9, to: 3))), "a"), (.markRead(.category(1), seq: 3), "b"),
    ]
    for (command, user) in commands {
      #expect(scene.changes(command, by: user) == true, "\(command)")
    }
  }

  @Test("all is so already")
  func idle() {
    let scene = Self.archived()
    #expect(scene.changes(.category(.archive(1)), by: "a") == false)
    #expect(scene.changes(.category(.unarchive(2)), by: "b") == false)
    #expect(scene.refusal(of: .category(.archive(4)), by: "a") == .gone("category"))
    #expect(scene.refusal(of: .category(.unarchive(1)), by: "b") != nil)
  }

  @Test("a removed one comes back archived, by a restore and by an undo")
  func removed() {
    for isUndo in [false, true] {
      var scene = Self.archived()
      scene.must(.category(.remove(1)), by: "a")
      let removal = scene.heads[.category(1)]?.seq ?? 0
      let back: Command =
        isUndo
        ? .undo(UndoTarget(stream: .category(1), events: [removal], seen: nil))
        : .category(.restore(1))
      scene.must(back, by: "a")
      #expect(scene.category(1)?.removed == nil && scene.category(1)?.archived != nil)
      let restore = scene.heads[.category(1)]?.seq ?? 0
      scene.must(.undo(UndoTarget(stream: .category(1), events: [restore], seen: nil)), by: "a")
      #expect(scene.category(1)?.removed != nil, "and goes again")
    }
  }

  @Test("who may not open it any more undoes nothing in it")
  func demoted() {
    var scene = Scene.house()
    scene.admit("d", to: .category(1), as: .admin, by: "a", number: 902)
    scene.must(.editPost(1, 1, PostEdit(title: "A"), ifVersion: nil), by: "d")
    scene.must(.category(.archive(1)), by: "d")
    let archiving = scene.heads[.category(1)]?.seq ?? 0
    scene.must(.member(.setRole(.category(1), "d", .editor)), by: "a")
    let both = UndoTarget(stream: .category(1), events: [archiving - 1, archiving], seen: nil)
    let left = scene.must(.undo(both), by: "d")
    #expect(!left.changed)
    #expect(left.skipped?.map(\.reason) == [.forbidden, .forbidden])
    #expect(scene.category(1)?.archived != nil && scene.post(1, in: 1)?.title == "A")
  }

  @Test("an undo leaves what is in it, but takes the archiving back with what came before")
  func undo() {
    var scene = Scene.house()
    scene.must(.editPost(1, 1, PostEdit(title: "A"), ifVersion: nil), by: "a")
    scene.must(.category(.edit(1, name: "House")), by: "a")
    let edits = [(scene.heads[.category(1)]?.seq ?? 0) - 1, scene.heads[.category(1)]?.seq ?? 0]
    scene.must(.category(.archive(1)), by: "a")
    let archiving = scene.heads[.category(1)]?.seq ?? 0
    let target = UndoTarget(stream: .category(1), events: edits, seen: nil)
    let left = scene.must(.undo(target), by: "a")
    #expect(!left.changed)
    #expect(left.skipped?.map(\.reason) == [.forbidden, .forbidden])
    let all = UndoTarget(stream: .category(1), events: edits + [archiving], seen: nil)
    scene.must(.undo(all), by: "a")
    #expect(scene.category(1)?.archived == nil)
    #expect(scene.category(1)?.name == "Home")
    #expect(scene.post(1, in: 1)?.title == "Post 1")
    // Redo archives it again, behind what goes back in it.
    scene.must(
      .undo(
        UndoTarget(
          stream: .category(1), events: [scene.heads[.category(1)]?.seq ?? 0], seen: nil)), by: "a")
    #expect(scene.category(1)?.name == "House" && scene.category(1)?.archived != nil)
  }
}
