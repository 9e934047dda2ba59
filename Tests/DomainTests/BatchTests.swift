import Calendar
import Testing

@testable import Domain

private let one: CategoryID = 1

@Suite("Batches") struct BatchTests {
  @Test("each command sees what those before it did; a stream gets one event")
  func together() {
    var scene = Scene.house()
    let seq = scene.heads[.category(one)]?.seq ?? 0
    let decision = scene.must(
      .batch([
        .post(.add(one, 9, title: "New", notes: "")), .completePost(one, 9, ifVersion: 1),
        .editPost(one, 9, PostEdit(title: "Newer"), ifVersion: 2),
        .completePost(one, 2, ifVersion: nil), .post(.add(one, 10, title: "Next", notes: "")),
        .post(.add(3, 9, title: "There", notes: "")),
      ]), by: "a")
    #expect(decision.drafts.map(\.stream) == [.category(one), .category(3)])
    #expect(
      decision.parts == [
        CommandPart(changed: true, number: 4, version: 1),
        CommandPart(changed: true, number: 4, version: 2),
        CommandPart(changed: true, number: 4, version: 3),
        CommandPart(changed: false, number: 2, version: 2),
        CommandPart(changed: true, number: 5, version: 1),
        CommandPart(changed: true, number: 2, version: 1),
      ])
    #expect(scene.heads[.category(one)]?.seq == seq + 1)
    let post = scene.post(9, in: one)
    #expect(post?.title == "Newer" && post?.version == 3)
    #expect(post?.completed?.seq == seq + 1)
    #expect(scene.category(one)?.counters == Counters(open: 2, done: 2))
  }

  @Test("one refusal refuses all, and names the command")
  func refused() {
    var scene = Scene.house()
    let before = scene
    let result = scene.decided(
      .batch([
        .post(.add(one, 9, title: "New", notes: "")), .completePost(one, 9, ifVersion: nil),
        .completePost(one, 9, ifVersion: 1), .completePost(one, 77, ifVersion: nil),
      ]), by: "a")
    guard case .failure(.inBatch(index: 2, .conflict(let post))) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(post.id == 9 && post.version == 2)
    #expect(scene.rows == before.rows && scene.heads == before.heads)
    // Nothing of the trial is left: the next command gets the number that the first one had.
    #expect(scene.must(.post(.add(one, 10, title: "x", notes: "")), by: "a").number == 4)
  }

  @Test("a conflict with the batch itself tells the post as it is, because the batch has no effect")
  func ownConflict() {
    var scene = Scene.house()
    scene.must(.post(.add(one, 9, title: "New", notes: "old")), by: "a")
    let result = scene.decided(
      .batch([
        .editPost(one, 9, PostEdit(title: "Newer"), ifVersion: nil),
        .editPost(one, 9, PostEdit(notes: "new"), ifVersion: 1),
      ]), by: "a")
    guard case .failure(.inBatch(index: 1, .conflict(let post))) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(post.version == 1 && post.title == "New" && post.notes == "old")
  }

  @Test("a whole household at once: group, category in it, invitation, post")
  func household() {
    var scene = Scene.house()
    scene.must(
      .batch([
        .group(.add(7, name: "New")), .category(.add(70, name: "List", group: 7)),
        .invitation(.send(70, .group(7), username: "user-d", .editor)),
        .post(.add(70, 1, title: "First", notes: "")), .markRead(.category(70), seq: 1),
      ]), by: "c")
    for stream in [StreamID.group(7), .category(70)] {
      #expect(scene.heads[stream]?.seq == 1)
      #expect(scene.member("c", of: stream)?.joinedSeq == 1)
      #expect(scene.membership(of: "c", in: stream)?.role == .owner)
    }
    scene.must(.invitation(.accept(70)), by: "d")
    #expect(scene.member("d", of: .category(70))?.role == .editor)
  }

  @Test("an id that the batch has just made is known")
  func known() {
    let scene = Scene.house()
    let twice: [Command] = [.group(.add(7, name: "x")), .group(.add(7, name: "y"))]
    #expect(
      scene.refusal(of: .batch(twice), by: "a") == .inBatch(index: 1, .exists(field: "id")))
    let posts: [Command] = [
      .post(.add(one, 9, title: "x", notes: "")), .post(.add(one, 9, title: "x", notes: "")),
    ]
    #expect(
      scene.refusal(of: .batch(posts), by: "a") == .inBatch(index: 1, .exists(field: "id")))
  }

  @Test("A batch asks for everything at once, however many commands it has")
  func trips() {
    var scene = Scene.house()
    scene.world = World(bytesMax: 1 << 20)
    let commands = (0..<Limits.batchCommandsMax).map {
      Command.post(.add(one, PostID(100 + $0), title: "x", notes: ""))
    }
    let trips = scene.tripsTo(decide: .batch(commands), by: "a")
    #expect(trips.count <= 3 && trips.refusal == nil)
  }

  @Test("A batch that holds up others for long is refused, without many trips")
  func ops() {
    var scene = Scene.house()
    let people = (0..<40).map { UserID(UUID(high: 0xAA, low: UInt64($0))) }
    scene.must(.group(.add(7, name: "Many")), by: "c")
    for (index, id) in people.enumerated() {
      scene.must(
        .account(
          .register(
            Registration(
              id: id, username: "many-\(index)", name: "Many", zone: "UTC",
              password: PasswordHash(phc: "$"), code: nil))), by: id)
      scene.admit(id, to: .group(7), as: .editor, by: "c", number: 2_000 + index)
    }
    scene.world = World(bytesMax: 1 << 24)
    var trips = scene.tripsTo(decide: .category(.add(70, name: "One", group: 7)), by: "c")
    #expect(trips.count <= 3 && trips.refusal == nil)
    let many = (0..<60).map {
      Command.category(.add(CategoryID(integerLiteral: 100 + $0), name: "x", group: 7))
    }
    trips = scene.tripsTo(decide: .batch(many), by: "c")
    // Each says 41 times who is in it, there and in their own streams, and two things more.
    let quota = Refusal.quota(limit: "batchOps", max: Limits.batchOpsMax)
    #expect(trips.refusal == .inBatch(index: Limits.batchOpsMax / 84, quota))
    #expect(trips.count <= 8)
    #expect(scene.tripsTo(decide: .batch(Array(many.prefix(20))), by: "c").refusal == nil)
  }

  @Test("more streams than a transaction takes are refused as a whole")
  func streams() {
    let scene = Scene.house()
    let many = (0...Limits.streamsPerCommandMax).map {
      Command.group(.add(GroupID(UUID(high: 9, low: UInt64($0))), name: "x"))
    }
    let refusal = scene.refusal(of: .batch(many), by: "a")
    #expect(refusal == .inBatch(index: 49, .quota(limit: "groups", max: Limits.groupsPerUserMax)))
  }

  @Test("ops of one event on a post that has left the state follow on each other")
  func outside() {
    let stamp = Stamp(at: Timestamp(milliseconds: 1), by: "a")
    let post = Post(
      id: 5, number: 1, title: "Old", notes: "", addedBy: "a", createdAt: stamp.at,
      updatedAt: stamp.at, version: 2, completed: Completion(at: stamp.at, by: "a", seq: 1))
    var partial = StreamState(partial: .category(one), objects: [.post(post)], ranks: [])
    let event = Event(
      seq: 9, transaction: TransactionID(UUID(high: 1, low: 1)), at: stamp.at, by: "a", key: nil,
      ops: [
        .post(.edited(5, version: 3, PostEdit(title: "Newer"))),
        .post(.edited(5, version: 4, PostEdit(notes: "n"))),
        .post(.removed(5, version: 5, stamp, Counters())),
      ])
    var before = Before()
    let changes = partial.apply(event, before: &before)
    #expect(changes.filter { $0.key.kind == .post }.map(\.effect.object).count == 3)
    guard case .putOutside(.post(let last))? = changes.last(where: { $0.key.kind == .post })?.effect
    else {
      Issue.record("not outside")
      return
    }
    #expect(last.title == "Newer" && last.notes == "n" && last.version == 5)
    #expect(before.crossing == [5])
    let versions = before.objects.map { object -> Int? in
      guard case .post(let it)? = object else { return nil }
      return it.version
    }
    #expect(versions == [2, 3, 4])
  }
}

extension Scene {
  /// Returns how often the store is asked before a command is decided, and how the command is refused.
  fileprivate mutating func tripsTo(
    decide command: Command, by user: UserID
  ) -> (count: Int, refusal: Refusal?) {
    for count in 0..<1_000 {
      do throws(Halt) {
        _ = try Domain.decide(
          command, by: Actor(user: user, session: nil), at: now, in: &world, almanac: .system)
        return (count, nil)
      } catch {
        switch error {
        case .refused(let refusal): return (count, refusal)
        case .needs(let needs): for need in needs { world.provide(need, answer(need)) }
        }
      }
    }
    return (1_000, nil)
  }
}
