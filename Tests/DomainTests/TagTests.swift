import Testing

@testable import Domain

extension TagID: ExpressibleByIntegerLiteral {
  package init(_ number: Int) { self.init(UUID(high: 0x7A6, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension Scene {
  func tag(_ id: TagID, in category: CategoryID) -> Domain.Tag? {
    guard case .tag(let it) = states[.category(category)]?.object(.tag, id.uuid) else {
      return nil
    }
    return it
  }

  fileprivate mutating func undo(_ events: Int64...) -> Decision {
    must(.undo(UndoTarget(stream: .category(1), events: events, seen: nil)), by: "a")
  }

  /// Returns the house with a tag `uni` on post 1.
  fileprivate static func tagged() -> Scene {
    var scene = Scene.house()
    scene.must(.changeTag(1, 1, .add(name: "uni")), by: "a")
    scene.must(.post(.change(1, 1, .tag(1))), by: "a")
    return scene
  }
}

private let rename = TagChange.edit(TagEdit(name: "work", color: .set(.red)))

@Suite("Tags of a category") struct TagTests {
  @Test("are added, renamed, colored and removed")
  func life() {
    var scene = Scene.house()
    scene.must(.changeTag(1, 1, .add(name: "uni")), by: "a")
    #expect(scene.tag(1, in: 1) == Domain.Tag(id: 1, name: "uni"))
    scene.must(.changeTag(1, 1, rename), by: "a")
    #expect(scene.tag(1, in: 1) == Domain.Tag(id: 1, name: "work", color: .red))
    #expect(scene.changes(.changeTag(1, 1, rename), by: "a") == false)
    scene.must(.changeTag(1, 1, .edit(TagEdit(color: .clear))), by: "a")
    #expect(scene.tag(1, in: 1) == Domain.Tag(id: 1, name: "work"))
    scene.must(.changeTag(1, 1, .remove), by: "a")
    #expect(scene.tag(1, in: 1) == nil)
    for change in [rename, .remove] {
      #expect(scene.refusal(of: .changeTag(1, 1, change), by: "a") == .notFound("tag"))
    }
  }

  @Test("have names that nobody takes for another's")
  func twins() {
    var scene = Scene.tagged()
    let same: [TagChange] = [.add(name: "uni"), .add(name: "UNI")]
    for change in same {
      #expect(scene.refusal(of: .changeTag(1, 2, change), by: "a") == .exists(field: "name"))
    }
    #expect(scene.refusal(of: .changeTag(1, 1, .add(name: "x")), by: "a") == .exists(field: "id"))
    scene.must(.changeTag(1, 2, .add(name: "work")), by: "a")
    #expect(scene.refusal(of: .changeTag(1, 1, rename), by: "a") == .exists(field: "name"))
    let upper = TagChange.edit(TagEdit(name: "UNI"))
    #expect(scene.changes(.changeTag(1, 1, upper), by: "a") == true)
    // In another category they are others.
    #expect(scene.changes(.changeTag(3, 1, .add(name: "uni")), by: "a") == true)
  }

  @Test("are so many and no more")
  func quota() {
    var scene = Scene.house()
    let ops = (0..<Limits.tagsPerCategoryMax).map {
      Op.tag(.added(Domain.Tag(id: TagID($0), name: "tag \($0)")))
    }
    scene.carryOut(Decision(drafts: [Draft(stream: .category(1), ops: ops)]), by: "a")
    let max = Limits.tagsPerCategoryMax
    #expect(
      scene.refusal(of: .changeTag(1, 9_999, .add(name: "x")), by: "a")
        == .quota(limit: "tags", max: max))
    scene.must(.changeTag(1, 0, .remove), by: "a")
    #expect(scene.changes(.changeTag(1, 9_999, .add(name: "x")), by: "a") == true)
  }
}

@Suite("Tags on posts") struct PostTagTests {
  @Test("are put on and taken off, each with a version")
  func life() {
    var scene = Scene.tagged()
    #expect(scene.post(1, in: 1)?.tags == [1])
    #expect(scene.post(1, in: 1)?.version == 2)
    let again = scene.must(.post(.change(1, 1, .tag(1))), by: "a")
    #expect(!again.changed && again.version == 2)
    #expect(scene.refusal(of: .post(.change(1, 1, .tag(9))), by: "a") == .notFound("tag"))
    #expect(scene.refusal(of: .post(.change(1, 3, .tag(1))), by: "a") == .gone("post"))
    guard
      case .conflict? = scene.refusal(of: .post(.change(1, 1, .untag(1), ifVersion: 1)), by: "a")
    else {
      Issue.record("another version was changed")
      return
    }
    scene.must(.changeTag(1, 0, .add(name: "zero")), by: "a")
    scene.must(.post(.change(1, 1, .tag(0))), by: "a")
    #expect(scene.post(1, in: 1)?.tags == [0, 1])
    scene.must(.post(.change(1, 1, .untag(1))), by: "a")
    #expect(scene.post(1, in: 1)?.tags == [0])
    #expect(scene.changes(.post(.change(1, 1, .untag(1))), by: "a") == false)
  }

  @Test("go with the tag in one small event, and come back with it")
  func removal() throws {
    var scene = Scene.tagged()
    let decision = scene.must(.changeTag(1, 1, .remove), by: "a")
    #expect(decision.drafts.map(\.ops) == [[.tag(.removed(1))]])
    #expect(scene.post(1, in: 1)?.tags == [1])
    #expect(scene.changes(.post(.change(1, 1, .untag(1))), by: "a") == true)
    let undone = scene.undo(scene.head)
    #expect(undone.drafts.map(\.ops) == [[.tag(.restored(Domain.Tag(id: 1, name: "uni")))]])
    #expect(scene.tag(1, in: 1)?.name == "uni")
    // The undo of the undo.
    #expect(scene.undo(scene.head).drafts.map(\.ops) == [[.tag(.removed(1))]])
  }

  @Test("are so many and no more; one that is no tag any more makes room")
  func quota() {
    var scene = Scene.house()
    let max = Limits.tagsPerPostMax
    let tags = (0...max).map { Op.tag(.added(Domain.Tag(id: TagID($0), name: "tag \($0)"))) }
    let marks = (0..<max).map { Op.post(.marked(1, version: 2 + $0, .tagged(TagID($0)))) }
    scene.carryOut(Decision(drafts: [Draft(stream: .category(1), ops: tags + marks)]), by: "a")
    let last = Command.post(.change(1, 1, .tag(TagID(max))))
    #expect(scene.refusal(of: last, by: "a") == .quota(limit: "postTags", max: max))
    scene.must(.changeTag(1, 40, .remove), by: "a")
    let decision = scene.must(last, by: "a")
    #expect(
      decision.drafts.map(\.ops) == [
        [
          .post(.marked(1, version: max + 2, .untagged(40))),
          .post(.marked(1, version: max + 3, .tagged(TagID(max)))),
        ]
      ])
    #expect(decision.version == max + 3 && scene.post(1, in: 1)?.version == max + 3)
    #expect(scene.post(1, in: 1)?.tags.count == max)
  }

  @Test("are changed where an older completed post is, too")
  func completed() {
    var scene = Scene.tagged()
    scene.must(.post(.change(1, 2, .tag(1))), by: "a")
    #expect(scene.post(2, in: 1)?.tags == [1])
    scene.must(.reopenPost(1, 2, ifVersion: nil), by: "a")
    #expect(scene.post(2, in: 1)?.tags == [1])
  }
}

@Suite("DESIGN §4: undo of tags") struct TagUndoTests {
  @Test("takes off what was put on, and puts on what was taken off")
  func marks() {
    var scene = Scene.tagged()
    #expect(scene.undo(scene.head).skipped == [])
    #expect(scene.post(1, in: 1)?.tags == [])
    #expect(scene.undo(scene.head).skipped == [])
    #expect(scene.post(1, in: 1)?.tags == [1])
    scene.must(.post(.change(1, 1, .untag(1))), by: "a")
    #expect(scene.undo(scene.head).drafts[0].ops == [.post(.marked(1, version: 6, .tagged(1)))])
  }

  @Test("leaves other tags and other fields that were set since")
  func others() {
    var scene = Scene.tagged()
    let tagging = scene.head
    scene.must(.changeTag(1, 2, .add(name: "work")), by: "a")
    scene.must(.post(.change(1, 1, .tag(2))), by: "a")
    scene.must(.editPost(1, 1, PostEdit(title: "New"), ifVersion: nil), by: "a")
    #expect(scene.undo(tagging).skipped == [])
    #expect(scene.post(1, in: 1)?.tags == [2] && scene.post(1, in: 1)?.title == "New")
  }

  @Test("An undo of a removal brings the post back as it was tagged")
  func whole() {
    var scene = Scene.tagged()
    scene.must(
      .batch([.post(.change(1, 1, .untag(1))), .removePost(1, 1, ifVersion: nil)]), by: "a")
    scene.must(.undo(UndoTarget(stream: .category(1), events: [scene.head], seen: nil)), by: "a")
    #expect(scene.post(1, in: 1)?.tags == [1])
  }

  @Test("never takes a new tag away: others may have it on their posts")
  func added() {
    var scene = Scene.house()
    scene.must(
      .batch([.changeTag(1, 1, .add(name: "uni")), .post(.change(1, 1, .tag(1)))]), by: "a")
    let both = scene.head
    let undone = scene.undo(both)
    #expect(undone.skipped == [])
    #expect(undone.drafts.map(\.ops) == [[.post(.marked(1, version: 3, .untagged(1)))]])
    #expect(scene.tag(1, in: 1) != nil)
    scene.must(.changeTag(1, 2, .add(name: "alone")), by: "a")
    let target = UndoTarget(stream: .category(1), events: [scene.head], seen: nil)
    guard case .forbidden? = scene.refusal(of: .undo(target), by: "a") else {
      Issue.record("a new tag was taken back")
      return
    }
  }

  @Test("An undo leaves a name that is another's by now, or was changed since")
  func names() {
    var scene = Scene.tagged()
    scene.must(.changeTag(1, 1, rename), by: "a")
    let renaming = scene.head
    var taken = scene
    taken.must(.changeTag(1, 2, .add(name: "Uni")), by: "a")
    let half = taken.undo(renaming)
    let skip = UndoSkip(stream: .category(1), post: nil, number: nil, reason: .later)
    #expect(half.skipped == [skip])
    #expect(half.drafts.map(\.ops) == [[.tag(.edited(1, TagEdit(color: .clear)))]])
    var changed = scene
    changed.must(.changeTag(1, 1, .edit(TagEdit(name: "play"))), by: "a")
    #expect(changed.undo(renaming).skipped == [skip])
    #expect(scene.undo(renaming).skipped == [])
    #expect(scene.tag(1, in: 1) == Domain.Tag(id: 1, name: "uni"))
  }

  @Test("An undo brings no tag back whose name another has by now")
  func twin() {
    var scene = Scene.tagged()
    scene.must(.changeTag(1, 1, .remove), by: "a")
    let removal = scene.head
    scene.must(.changeTag(1, 2, .add(name: "UNI")), by: "a")
    let undone = scene.undo(removal)
    #expect(!undone.changed && undone.skipped?.map(\.reason) == [.later])
  }
}
