import Testing

@testable import Domain

private let hour: Int64 = 3_600_000

extension Scene {
  /// Returns the house with b (doer), c (editor) and d (viewer) in category 1, where posts 1, 5 and 6 are open.
  fileprivate static func atWork() -> Scene {
    var scene = Scene.house()
    let people: [(UserID, Role)] = [("b", .doer), ("c", .editor), ("d", .viewer)]
    for (number, (user, role)) in people.enumerated() {
      scene.admit(user, to: .category(1), as: role, by: "a", number: 60 + number)
    }
    for number in [5, 6] {
      scene.must(.post(.add(1, PostID(number), title: "Post", notes: "")), by: "a")
    }
    return scene
  }

  fileprivate func claim(of post: PostID = 1) -> PostClaim? { self.post(post, in: 1)?.claim }

  fileprivate mutating func pass(_ milliseconds: Int64) {
    now = Timestamp(milliseconds: now.milliseconds + milliseconds)
  }

  /// Writes as the system does; nil when there is nothing to write.
  @discardableResult
  fileprivate mutating func end(_ posts: [PostID] = [1, 5, 6]) -> [Op]? {
    let now = now
    let draft = answered { world throws(Halt) in
      try endClaims(posts, in: 1, at: now, in: &world)
    }
    guard case .success(let draft?) = draft else { return nil }
    carryOut(Decision(drafts: [draft]), by: "a")
    return draft.ops
  }
}

extension Command {
  fileprivate static func claim(_ post: PostID = 1, _ lease: Int64 = hour) -> Command {
    .post(.change(1, post, .claim(milliseconds: lease)))
  }
  fileprivate static func release(_ post: PostID = 1) -> Command {
    .post(.change(1, post, .release))
  }
  fileprivate static let next = Command.post(.claimNext(1, milliseconds: hour))
}

@Suite("protocol §8 post.claim") struct ClaimTests {
  @Test("a claim is a version, is held until then, and is made longer by its holder")
  func claims() throws {
    var scene = Scene.atWork()
    let version = try #require(scene.post(1, in: 1)?.version)
    let decision = scene.must(.claim(), by: "b")
    #expect(decision.version == version + 1)
    let seq = try #require(scene.heads[.category(1)]?.seq)
    let until = Timestamp(milliseconds: scene.now.milliseconds + hour)
    #expect(scene.claim() == PostClaim(user: "b", seq: seq, until: until))
    guard case .conflict(let shown) = scene.refusal(of: .claim(), by: "c") else {
      Issue.record("somebody else is on it")
      return
    }
    #expect(shown.claim?.user == "b")
    scene.pass(1_000)
    scene.must(.claim(1, 2_000), by: "b")
    #expect(scene.claim()?.until == Timestamp(milliseconds: scene.now.milliseconds + 2_000))
    scene.must(.release(), by: "b")
    #expect(scene.claim() == nil)
    #expect(scene.changes(.release(), by: "b") == false)
    #expect(scene.post(1, in: 1)?.version == version + 3)
  }

  @Test("it ends with what its post was for")
  func ends() {
    let rows: [(Command, String)] = [
      (.completePost(1, 1, ifVersion: nil), "completed"),
      (.removePost(1, 1, ifVersion: nil), "removed"), (.movePost(1, 1, to: 2), "elsewhere"),
    ]
    for (command, row) in rows {
      var scene = Scene.atWork()
      scene.admit("a", to: .category(2), as: .editor, by: "b", number: 90)
      scene.must(.claim(), by: "b")
      scene.must(command, by: "a")
      #expect(scene.claim() == nil, "\(row)")
      #expect(scene.post(1, in: 2)?.claim == nil, "\(row)")
      scene.must(.undo(UndoTarget(stream: .category(1), events: [scene.head], seen: nil)), by: "a")
      #expect(scene.post(1, in: 1) != nil, "\(row)")
      #expect(scene.claim() == nil, "no undo brings it back: \(row)")
    }
    var scene = Scene.atWork()
    scene.must(.daily(1, 41), by: "a")
    scene.must(.claim(41), by: "b")
    scene.must(.changeOccurrence(1, 41, 1, .complete), by: "b")
    #expect(scene.claim(of: 41) == nil)
    #expect(scene.post(41, in: 1)?.completed == nil)
    scene.must(.claim(41), by: "b")
    let turn = UndoTarget(stream: .category(1), events: [scene.head - 1], seen: nil)
    scene.must(.undo(turn), by: "b")
    #expect(scene.post(41, in: 1)?.occurrence?.number == 1)
    #expect(scene.claim(of: 41) == nil, "the post comes back whole")
  }

  @Test("it ends with the access of who had it, and does not come back with them")
  func access() {
    for command in [
      Command.member(.remove(.category(1), "b")), .member(.setRole(.category(1), "b", .commenter)),
    ] {
      var scene = Scene.atWork()
      scene.must(.claim(), by: "b")
      #expect(scene.changes(.claim(), by: "c") == nil)
      scene.must(command, by: "a")
      #expect(scene.changes(.release(), by: "c") == false, "nobody is on it")
      #expect(scene.changes(.claim(), by: "c") == true)
      #expect(scene.must(.next, by: "c").number == 1)
    }
    var scene = Scene.atWork()
    scene.must(.claim(), by: "b")
    scene.must(.member(.leave(.category(1))), by: "b")
    scene.admit("b", to: .category(1), as: .doer, by: "a", number: 91)
    #expect(scene.changes(.release(), by: "b") == false)
    #expect(scene.changes(.claim(), by: "c") == true)
  }

  @Test("doers claim and give back their own, editors give back what others have")
  func roles() {
    var scene = Scene.atWork()
    for command in [Command.claim(), .release(), .next] {
      guard case .forbidden = scene.refusal(of: command, by: "d") else {
        Issue.record("\(command)")
        continue
      }
    }
    scene.must(.claim(), by: "c")
    guard case .forbidden = scene.refusal(of: .release(), by: "b") else {
      Issue.record("a doer, of another's")
      return
    }
    scene.must(.release(), by: "a")
    scene.must(.post(.change(1, 1, .assign("c"))), by: "a")
    guard case .forbidden = scene.refusal(of: .claim(), by: "b") else {
      Issue.record("a doer, of another's work")
      return
    }
    scene.must(.claim(), by: "a")
    for command in [Command.claim(2), .claim(3)] {
      #expect(scene.refusal(of: command, by: "a") != nil, "completed, removed")
    }
  }

  @Test("the time that is over ends it, once, and is no version")
  func time() throws {
    var scene = Scene.atWork()
    scene.must(.claim(), by: "b")
    scene.must(.claim(5, 2 * hour), by: "b")
    let before = try #require(scene.post(1, in: 1))
    scene.pass(hour - 1)
    #expect(scene.end() == nil, "not yet")
    scene.pass(1)
    #expect(scene.refusal(of: .claim(5), by: "c") != nil)
    #expect(scene.changes(.claim(), by: "c") == true, "over, also before it is said")
    #expect(scene.end() == [.claim(1, .ended)])
    var after = before
    after.claim = nil
    #expect(scene.post(1, in: 1) == after)
    #expect(scene.end() == nil, "said already")
    scene.must(.claim(1, hour * 3), by: "b")
    scene.pass(hour)
    #expect(scene.end() == [.claim(5, .ended)], "the other is claimed for longer")
    scene.must(.category(.remove(1)), by: "a")
    scene.pass(3 * hour)
    #expect(scene.end() == [.claim(1, .ended)], "also where nobody may change anything")
  }

  @Test("the next one is the first of the list that is nobody's")
  func next() {
    var scene = Scene.atWork()
    #expect(scene.must(.next, by: "b").number == 1)
    #expect(scene.must(.next, by: "c").number == 4, "one of two that ask at once")
    scene.must(.post(.change(1, 6, .assign("c"))), by: "a")
    #expect(scene.refusal(of: .next, by: "b") == .notFound("post"), "the last is another's work")
    #expect(scene.must(.next, by: "c").number == 5)
    #expect(scene.refusal(of: .next, by: "c") == .notFound("post"))
    scene.must(.release(), by: "b")
    scene.must(.movePost(1, 1, after: 6, before: nil), by: "a")
    scene.must(.release(5), by: "c")
    #expect(scene.must(.next, by: "b").number == 4, "in the order of the list")
    scene.pass(hour)
    #expect(scene.must(.next, by: "c").number == 4, "all is over, and nothing said of it yet")
  }

  @Test("the next one is found behind many that are somebody's")
  func many() {
    var scene = Scene.atWork()
    for number in 100..<120 {
      scene.must(.post(.add(1, PostID(number), title: "Post", notes: "")), by: "a")
    }
    var seen: Set<Int> = []
    while case .success(let decision) = scene.run(.next, by: "b") {
      if let number = decision.number { seen.insert(number) }
    }
    #expect(seen.count == 23)
  }

  @Test("no undo takes a claim back; of a batch it says so")
  func undo() {
    var scene = Scene.atWork()
    scene.must(.claim(), by: "c")
    let target = UndoTarget(stream: .category(1), events: [scene.head], seen: nil)
    guard case .forbidden = scene.refusal(of: .undo(target), by: "c") else {
      Issue.record("a claim alone")
      return
    }
    let edit = Command.editPost(1, 5, PostEdit(title: "New"), ifVersion: nil)
    scene.must(.batch([.claim(5), edit]), by: "c")
    let both = UndoTarget(stream: .category(1), events: [scene.head], seen: nil)
    let decision = scene.must(.undo(both), by: "c")
    #expect(decision.skipped?.map(\.reason) == [.never])
    #expect(scene.claim(of: 5) != nil && scene.post(5, in: 1)?.title == "Post")
  }
}
