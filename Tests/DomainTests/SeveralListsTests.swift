import Testing

@testable import Domain

@Suite("protocol §8: several lists at once") struct SeveralListsTests {
  /// Returns a scene with lists of a: list 1, and lists 3 and 5 of a group; each has posts 10 and 11.
  private static func lists() -> Scene {
    var scene = Scene.house()
    scene.must(.category(.add(5, name: "Chores", group: 1)), by: "a")
    for list in [1, 3, 5] as [CategoryID] {
      for post in [10, 11] as [PostID] {
        scene.must(.post(.add(list, post, title: "Post", notes: "")), by: "a")
      }
      scene.must(.changeTag(list, 50, .add(name: "tag")), by: "a")
    }
    return scene
  }

  /// The commands on each of two posts in two lists.
  private static let changes: [(String, [Command])] = [
    ("complete", changes { .completePost($0, $1, ifVersion: nil) }),
    ("tag", changes { .post(.change($0, $1, .tag(50))) }),
    ("assign", changes { .post(.change($0, $1, .assign("a"))) }),
    ("remove", changes { .removePost($0, $1, ifVersion: nil) }),
    ("lists", [.category(.remove(1)), .category(.remove(3))]),
    ("archive", [.category(.archive(1)), .category(.archive(3))]),
  ]

  private static func changes(_ make: (CategoryID, PostID) -> Command) -> [Command] {
    ([1, 3] as [CategoryID]).flatMap { list in [make(list, 10), make(list, 11)] }
  }

  @Test("all of it is one event for each list, and one undo takes all back, wherever it is asked")
  func undo() {
    for (name, commands) in Self.changes {
      for stream in [1, 3] as [CategoryID] {
        var scene = Self.lists()
        let before = [scene.content(of: 1), scene.content(of: 3)]
        let done = scene.must(.batch(commands), by: "a")
        #expect(done.drafts.map(\.stream) == [.category(1), .category(3)], "\(name)")
        #expect([scene.content(of: 1), scene.content(of: 3)] != before, "\(name)")
        let seq = scene.heads[.category(stream)]?.seq ?? 0
        let target = UndoTarget(stream: .category(stream), events: [seq], seen: nil)
        let undone = scene.must(.undo(target), by: "a")
        #expect(undone.skipped == [], "\(name)")
        #expect([scene.content(of: 1), scene.content(of: 3)] == before, "\(name)")
      }
    }
  }

  @Test("posts of two lists that went into a third go back, wherever that is asked")
  func movesBack() {
    for asked in [1, 3, 5] as [CategoryID] {
      var scene = Self.lists()
      let before = [scene.content(of: 1), scene.content(of: 5)]
      scene.must(.post(.add(3, 12, title: "Twelve", notes: "")), by: "a")
      scene.must(.batch([.movePost(1, 1, to: 5), .movePost(3, 12, to: 5)]), by: "a")
      #expect(scene.post(1, in: 5) != nil && scene.post(12, in: 5) != nil)
      let seq = scene.heads[.category(asked)]?.seq ?? 0
      let target = UndoTarget(stream: .category(asked), events: [seq], seen: nil)
      let undone = scene.must(.undo(target), by: "a")
      #expect(undone.drafts.map(\.stream) == [.category(1), .category(3), .category(5)])
      #expect(undone.drafts.allSatisfy { $0.undoes.count == 1 }, "each takes its own event back")
      #expect(scene.post(1, in: 1)?.number == 1 && scene.post(12, in: 3) != nil)
      #expect([scene.content(of: 1), scene.content(of: 5)] == before)
      // Redo.
      let again = scene.heads[.category(asked)]?.seq ?? 0
      scene.must(
        .undo(UndoTarget(stream: .category(asked), events: [again], seen: nil)), by: "a")
      #expect(scene.post(1, in: 5) != nil && scene.post(12, in: 5) != nil)
    }
  }

  @Test("a post that only came through a list does not go back there")
  func through() {
    var scene = Self.lists()
    scene.must(.category(.add(6, name: "Last", group: nil)), by: "a")
    scene.must(.batch([.movePost(1, 1, to: 5), .movePost(5, 1, to: 6)]), by: "a")
    let seq = scene.heads[.category(1)]?.seq ?? 0
    let undone = scene.must(
      .undo(UndoTarget(stream: .category(1), events: [seq], seen: nil)), by: "a")
    #expect(!undone.changed && undone.skipped?.map(\.reason) == [.later])
    #expect(scene.post(1, in: 6) != nil && scene.post(1, in: 5) == nil)
  }

  @Test("No list takes what one of them refuses")
  func together() {
    var scene = Self.lists()
    scene.must(.removePost(3, 11, ifVersion: nil), by: "a")
    let before = scene.events.mapValues(\.count)
    for (name, commands) in Self.changes.prefix(3) {
      #expect(
        scene.refusal(of: .batch(commands), by: "a") == .inBatch(index: 3, .gone("post")),
        "\(name)")
    }
    #expect(scene.refusal(of: .batch(Self.changes[0].1), by: "b") != nil, "b is in one of them")
    #expect(scene.events.mapValues(\.count) == before)
  }
}

extension Scene {
  /// Returns everything that people have set in a list: in its head and in its posts.
  fileprivate func content(of list: CategoryID) -> [String] {
    let posts = (states[.category(list)]?.objects ?? [:]).values.compactMap { object -> String? in
      guard case .post(let it) = object else { return nil }
      let people = it.assignees.map(\.user)
      return "\(it.number) \(it.title) \(it.completed != nil) \(it.tags) \(people)"
    }
    let head = category(list)
    return posts.sorted() + ["\(head?.removed != nil) \(head?.archived != nil)"]
  }
}
