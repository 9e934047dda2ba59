import Testing

@testable import Domain

private let one: CategoryID = 1

/// Returns a house whose list 1 has the open posts 1, 4, 5, 6, 7 and the completed post 2.
private func house() -> Scene {
  var scene = Scene.house()
  for id in 4...7 { scene.must(.post(.add(one, PostID(id), title: "Post", notes: "")), by: "a") }
  return scene
}

private func move(_ post: PostID, after upper: PostID? = nil, before lower: PostID? = nil)
  -> Command
{
  .movePost(one, post, after: upper, before: lower)
}

extension Scene {
  /// The numbers of the open posts, by their places.
  fileprivate var order: [Int] {
    let posts = states[.category(one)]?.objects.values.compactMap { object -> Post? in
      guard case .post(let post) = object, post.completed == nil else { return nil }
      return post
    }
    return (posts ?? []).sorted { $0.stands(before: $1) }.map { Int($0.id.uuid.low) }
  }
}

@Suite("DESIGN §3: posts are moved") struct PostMovingTests {
  @Test(
    "to where they shall stand",
    arguments: [
      (move(5, before: 1), [5, 1, 4, 6, 7]), (move(1, after: 7), [4, 5, 6, 7, 1]),
      (move(1, after: 5, before: 6), [4, 5, 1, 6, 7]),
      (move(7, after: 1, before: 4), [1, 7, 4, 5, 6]),
      // One that is completed, or in the bin, has its place too.
      (move(7, after: 1, before: 2), [1, 7, 4, 5, 6]),
      (move(4, after: 3, before: 5), [1, 4, 5, 6, 7]),
      // They have changed places meanwhile: behind the upper one.
      (move(1, after: 6, before: 4), [4, 5, 6, 1, 7]),
    ] as [(Command, [Int])])
  func places(command: Command, order: [Int]) {
    var scene = house()
    scene.must(command, by: "a")
    #expect(scene.order == order)
  }

  @Test("beside a post that is in another list nothing moves")
  func elsewhere() {
    var scene = house()
    scene.must(.movePost(one, 5, to: 3), by: "a")
    scene.admit("c", to: .category(one), as: .editor, by: "a", number: 901)
    scene.must(.post(.add(2, 8, title: "of another list", notes: "")), by: "b")
    let before = scene.rows[.category(one)]
    let rows: [(UserID, PostID, Refusal)] = [
      ("a", 5, .moved(to: 3)), ("c", 5, .gone("post")), ("a", 8, .notFound("post")),
    ]
    for (user, other, refusal) in rows {
      for command in [
        move(4, after: other), move(4, before: other), move(4, after: 1, before: other),
        move(4, after: other, before: 7),
      ] {
        #expect(scene.refusal(of: command, by: user) == refusal, "\(command)")
      }
    }
    scene.must(.editPost(3, 5, PostEdit(title: "x"), ifVersion: nil), by: "a")
    #expect(scene.rows[.category(one)] == before)
    // It may be gone again meanwhile.
    scene.must(.movePost(3, 5, to: one), by: "a")
    scene.must(move(4, before: 5), by: "c")
  }

  @Test("new posts come behind all that was moved to the end")
  func coming() {
    var scene = house()
    for _ in 0..<40 {
      scene.must(move(1, after: PostID(scene.order.last ?? 0)), by: "a")
      scene.must(move(4, after: PostID(scene.order.last ?? 0)), by: "a")
    }
    scene.must(.post(.add(one, 8, title: "new", notes: "")), by: "a")
    #expect(scene.order == [5, 6, 7, 1, 4, 8])
  }

  @Test(
    "Nothing changes when a post stands there already",
    arguments: [
      move(1, before: 4), move(7, after: 6), move(5, after: 4, before: 6),
      move(5, after: 1, before: 7),
    ])
  func idle(command: Command) {
    #expect(house().changes(command, by: "a") == false)
  }

  @Test(
    "A move that is not allowed is refused",
    arguments: [
      (move(1), .invalid(field: "after", reason: "or the before must be another post")),
      (move(1, after: 1), .invalid(field: "after", reason: "or the before must be another post")),
      (
        move(1, after: 4, before: 1),
        .invalid(field: "after", reason: "or the before must be another post")
      ),
      (move(1, after: 99), .notFound("post")), (move(99, after: 1), .notFound("post")),
      (move(3, after: 1), .gone("post")),
    ] as [(Command, Refusal)])
  func refused(command: Command, refusal: Refusal) {
    #expect(house().refusal(of: command, by: "a") == refusal)
  }

  @Test("A move is taken back, unless somebody has moved the post since")
  func undone() {
    var scene = house()
    scene.must(move(7, before: 1), by: "a")
    let event = scene.heads[.category(one)]?.seq ?? 0
    let undo = Command.undo(UndoTarget(stream: .category(one), events: [event], seen: nil))
    var undone = scene
    undone.must(undo, by: "a")
    #expect(undone.order == [1, 4, 5, 6, 7] && undone.post(7, in: one)?.position == nil)
    scene.must(move(7, after: 4, before: 5), by: "a")
    #expect(scene.must(undo, by: "a").skipped?.map(\.reason) == [.later])
    #expect(scene.order == [1, 4, 7, 5, 6])
  }

  @Test("Posts are moved into one gap as long as it has room")
  func room() {
    var scene = house()
    var refusal: Refusal?
    for round in 0..<800 where refusal == nil {
      let (moved, next): (PostID, PostID) = round % 2 == 0 ? (6, 7) : (7, 6)
      let command = move(moved, after: 1, before: round == 0 ? 4 : next)
      refusal = scene.refusal(of: command, by: "a")
      if refusal == nil { scene.must(command, by: "a") }
    }
    #expect(refusal == .quota(limit: "positionCharacters", max: Limits.positionCharactersMax))
    // A client that sees the list makes room: the nearest posts are moved with it, in one event.
    for _ in 0..<80 {
      let moved = scene.order[2]
      let rest = scene.order.filter { $0 != moved }
      let decision = scene.place(moved, at: 1, among: rest)
      #expect(scene.order == [1, moved] + rest.dropFirst())
      #expect(decision.drafts.count == 1 && decision.drafts[0].ops.count <= 3)
    }
  }

  @Test(
    "A post is moved between two of one place, which people make who move at once, and back")
  func twins() {
    var scene = house()
    scene.must(move(6, after: 1, before: 4), by: "a")
    scene.must(move(7, after: 1, before: 4), by: "a")
    #expect(scene.post(6, in: one)?.position == scene.post(7, in: one)?.position)
    #expect(scene.order == [1, 6, 7, 4, 5])
    // A client that does not see the list places it behind both.
    var blind = scene
    blind.must(move(5, after: 6, before: 7), by: "a")
    #expect(blind.order == [1, 6, 7, 5, 4])
    _ = scene.place(5, at: 2, among: [1, 6, 7, 4])
    #expect(scene.order == [1, 6, 5, 7, 4])
    let event = scene.heads[.category(one)]?.seq ?? 0
    scene.must(.undo(UndoTarget(stream: .category(one), events: [event], seen: nil)), by: "a")
    #expect(scene.order == [1, 6, 7, 4, 5])
  }

  @Test(
    "a random list is moved about, blindly and by those who see it",
    arguments: 1...8 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var scene = house()
    for id in 8...20 { scene.must(.post(.add(one, PostID(id), title: "Post", notes: "")), by: "a") }
    var state = seed
    func below(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    for _ in 0..<60 {
      var rest = scene.order
      let moved = rest.remove(at: below(rest.count))
      let (upper, lower) = (rest[below(rest.count)], rest[below(rest.count)])
      if below(3) == 0 {
        _ = scene.run(move(PostID(moved), after: PostID(upper), before: PostID(lower)), by: "a")
      } else {
        let index = below(rest.count + 1)
        _ = scene.place(moved, at: index, among: rest)
        rest.insert(moved, at: index)
        #expect(scene.order == rest, "seed \(seed)")
      }
    }
  }
}

extension Scene {
  /// Moves a post as a client does that has all of the list.
  fileprivate mutating func place(_ moved: Int, at index: Int, among rest: [Int]) -> Decision {
    let posts = rest.compactMap { post(PostID($0), in: one) }
    guard let post = post(PostID(moved), in: one) else { return Decision() }
    let placings = Placing.moves(
      of: [post], to: index, in: posts, lastPost: category(one)?.lastPost ?? 0)
    return must(
      .batch(placings.map { .movePost(one, $0.post.id, after: $0.upper, before: $0.lower) }),
      by: "a")
  }
}
