import Testing

@testable import Domain

private let one: CategoryID = 1

/// Returns a post of the house, in the state or out of it.
private func known(_ id: PostID) -> Post {
  let key = ObjectKey(kind: .post, id: id.uuid)
  guard case .post(let post) = Scene.house().rows[.category(one)]?[key] else {
    fatalError("no post \(id)")
  }
  return post
}

/// A command on the house, and its refusal.
struct Refused: CustomTestStringConvertible {
  let why: String
  let command: Command
  var by: UserID = "a"
  let refusal: Refusal
  var testDescription: String { why }
}

/// A command on the house that finds everything so already.
struct Idle: CustomTestStringConvertible {
  let why: String
  let command: Command
  var by: UserID = "a"
  var testDescription: String { why }
}

@Suite("Posts") struct PostTests {
  @Test(
    "are refused",
    arguments: [
      Refused(
        why: "a known id", command: .post(.add(one, 1, title: "x", notes: "")),
        refusal: .exists(field: "id")),
      Refused(
        why: "the id of a removed post", command: .post(.add(one, 3, title: "x", notes: "")),
        refusal: .gone("post")),
      Refused(
        why: "an unknown post", command: .completePost(one, 9, ifVersion: nil),
        refusal: .notFound("post")),
      Refused(
        why: "another category's post", command: .completePost(3, 2, ifVersion: nil),
        refusal: .notFound("post")),
      Refused(
        why: "somebody else's category",
        command: .post(.add(2, 9, title: "x", notes: "")),
        refusal: .notFound("category")),
      Refused(
        why: "a removed category", command: .post(.add(4, 9, title: "x", notes: "")),
        refusal: .gone("category")),
      Refused(
        why: "a post of a removed category",
        command: .completePost(4, 1, ifVersion: nil), refusal: .gone("category")),
      Refused(
        why: "editing at another version",
        command: .editPost(one, 1, PostEdit(title: "x"), ifVersion: 2),
        refusal: .conflict(known(1))),
      Refused(
        why: "completing at another version", command: .completePost(one, 1, ifVersion: 7),
        refusal: .conflict(known(1))),
      Refused(
        why: "reopening at another version", command: .reopenPost(one, 2, ifVersion: 1),
        refusal: .conflict(known(2))),
      Refused(
        why: "removing at another version", command: .removePost(one, 1, ifVersion: 2),
        refusal: .conflict(known(1))),
      Refused(
        why: "restoring at another version", command: .restorePost(one, 3, ifVersion: 1),
        refusal: .conflict(known(3))),
      Refused(
        why: "editing a removed one",
        command: .editPost(one, 3, PostEdit(title: "x"), ifVersion: nil),
        refusal: .gone("post")),
      Refused(
        why: "completing a removed one", command: .completePost(one, 3, ifVersion: nil),
        refusal: .gone("post")),
      Refused(
        why: "reopening a removed one", command: .reopenPost(one, 3, ifVersion: nil),
        refusal: .gone("post")),
    ])
  func refusals(row: Refused) {
    #expect(Scene.house().refusal(of: row.command, by: row.by) == row.refusal)
  }

  @Test(
    "change nothing when all is so already",
    arguments: [
      Idle(why: "completed", command: .completePost(one, 2, ifVersion: nil)),
      Idle(why: "open", command: .reopenPost(one, 1, ifVersion: nil)),
      Idle(why: "removed", command: .removePost(one, 3, ifVersion: nil)),
      Idle(why: "not removed", command: .restorePost(one, 1, ifVersion: 1)),
      Idle(
        why: "the same title",
        command: .editPost(one, 1, PostEdit(title: "Post 1"), ifVersion: nil)),
      Idle(why: "an empty edit", command: .editPost(one, 1, PostEdit(), ifVersion: nil)),
    ])
  func idle(row: Idle) throws {
    var scene = Scene.house()
    let decision = try scene.decided(row.command, by: row.by).get()
    #expect(!decision.changed)
    #expect(decision.number != nil && decision.version != nil)
  }

  @Test("are numbered per category, and no number is used again")
  func numbers() {
    var scene = Scene.house()
    let fourth = scene.must(.post(.add(one, 4, title: "x", notes: "")), by: "a")
    #expect(fourth.number == 4)
    #expect(fourth.version == 1)
    scene.must(.removePost(one, 4, ifVersion: nil), by: "a")
    #expect(scene.must(.post(.add(one, 5, title: "x", notes: "")), by: "a").number == 5)
    let other = scene.must(.post(.add(3, 5, title: "x", notes: "")), by: "b")
    #expect(other.number == 2)
  }

  @Test("count in their category's badge whatever happens to them")
  func counters() {
    var scene = Scene.house()
    func counters() -> Counters? { scene.category(one)?.counters }
    #expect(counters() == Counters(open: 1, done: 1))
    let steps: [(Command, Counters)] = [
      (.completePost(one, 1, ifVersion: nil), Counters(open: 0, done: 2)),
      (.removePost(one, 1, ifVersion: nil), Counters(open: 0, done: 1)),
      (.restorePost(one, 1, ifVersion: nil), Counters(open: 0, done: 2)),
      (.reopenPost(one, 1, ifVersion: nil), Counters(open: 1, done: 1)),
      (.removePost(one, 1, ifVersion: nil), Counters(open: 0, done: 1)),
      (.restorePost(one, 3, ifVersion: nil), Counters(open: 1, done: 1)),
      (.post(.add(one, 8, title: "x", notes: "")), Counters(open: 2, done: 1)),
    ]
    for (command, expected) in steps {
      scene.must(command, by: "a")
      #expect(counters() == expected, "after \(command)")
    }
  }

  @Test("keep who, when and what through complete, remove, restore and reopen")
  func lifeOfOne() throws {
    var scene = Scene.house()
    scene.now = Timestamp(milliseconds: 2_000_000)
    scene.admit("c", to: .category(one), as: .editor, by: "a", number: 1)
    let completing = scene.must(.completePost(one, 1, ifVersion: 1), by: "c")
    #expect(completing.version == 2)
    let seq = try #require(scene.heads[.category(one)]?.seq)
    #expect(
      scene.post(1, in: one)?.completed
        == Completion(at: Timestamp(milliseconds: 2_000_000), by: "c", seq: seq))
    scene.must(.removePost(one, 1, ifVersion: 2), by: "a")
    #expect(scene.post(1, in: one) == nil)
    scene.must(.restorePost(one, 1, ifVersion: 3), by: "a")
    #expect(scene.post(1, in: one)?.completed?.seq == seq)
    #expect(scene.post(1, in: one)?.removed == nil)
    scene.must(.reopenPost(one, 1, ifVersion: 4), by: "a")
    let post = try #require(scene.post(1, in: one))
    #expect(post.completed == nil)
    #expect(post.version == 5)
    #expect(post.addedBy == "a")
    #expect(post.createdAt == Timestamp(milliseconds: 1_000_000))
    #expect(post.updatedAt == Timestamp(milliseconds: 2_000_000))
  }

  @Test("an edit says only what is new")
  func edits() {
    var scene = Scene.house()
    let edit = PostEdit(title: "Milk", notes: "three")
    let decision = scene.must(
      .editPost(3, 1, edit, ifVersion: nil), by: "b")
    #expect(
      decision.drafts == [
        Draft(
          stream: .category(3),
          ops: [.post(.edited(1, version: 2, PostEdit(notes: "three")))])
      ])
  }

  @Test("a wall clock that goes back does not take `at` back")
  func clock() {
    var scene = Scene.house()
    scene.now = Timestamp(milliseconds: 5)
    scene.must(.completePost(one, 1, ifVersion: nil), by: "a")
    #expect(scene.post(1, in: one)?.completed?.at == Timestamp(milliseconds: 1_000_000))
    #expect(scene.post(1, in: one)?.updatedAt == Timestamp(milliseconds: 1_000_000))
  }

  @Test("open ones are limited, by whatever way they come")
  func quota() {
    var scene = Scene.house()
    let max = Limits.postsOpenPerCategoryMax
    scene.setCounters(of: one, to: Counters(open: max - 1, done: 1))
    #expect(scene.refusal(of: .post(.add(one, 8, title: "x", notes: "")), by: "a") == nil)
    scene.setCounters(of: one, to: Counters(open: max, done: 1))
    let full = Refusal.quota(limit: "postsOpen", max: max)
    for command: Command in [
      .post(.add(one, 8, title: "x", notes: "")), .reopenPost(one, 2, ifVersion: nil),
      .restorePost(one, 3, ifVersion: nil),
    ] {
      #expect(scene.refusal(of: command, by: "a") == full)
    }
  }
}

extension Scene {
  mutating func setCounters(of id: CategoryID, to counters: Counters) {
    guard var held = category(id) else {
      Issue.record("there is no such list")
      return
    }
    held.counters = counters
    let change = ObjectChange(
      key: Object.category(held).key, before: nil, effect: .put(.category(held)))
    world.stage([change], in: .category(id))
    world.commit()
  }
}
