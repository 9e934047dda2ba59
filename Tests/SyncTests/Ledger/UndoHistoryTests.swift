import Domain
import Testing

@testable import Sync

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = [21, 22, 23, 24, 26, 27, 28, 29]

@Suite("Random histories, undone") struct UndoHistoryTests {
  @Test(
    "every command comes back by the undo of its undo, and P6 holds on the way", arguments: seeds)
  func thereAndBack(seed: UInt64) {
    var history = RandomHistory(seed: seed, cacheBytesMax: 1 << 16)
    for _ in 0..<400 { history.runBatch() }
    var undone = 0
    for number in 1...4 {
      let stream = StreamID.category(CategoryID(number))
      for event in history.bench.events(of: stream).suffix(40) {
        guard let by = event.by, event.ops.contains(where: \.isUndone) else { continue }
        if expectThereAndBack(event, by, in: stream, history.bench, seed) { undone += 1 }
      }
    }
    #expect(undone > 3, "seed \(seed) undoes too little")
  }

  @Test("a batch that names an object twice goes back to what was before all of it")
  func batch() {
    let list = StreamID.category(1)
    var bench = LedgerBench.house()
    let before = content(of: list, in: bench)
    bench.must(
      .batch([
        .editPost(1, 1, PostEdit(title: "Uno"), ifVersion: nil),
        .editPost(1, 1, PostEdit(title: "Eins", notes: "n"), ifVersion: nil),
        .removePost(1, 2, ifVersion: nil), .restorePost(1, 2, ifVersion: nil),
        .reopenPost(1, 2, ifVersion: nil), .editPost(1, 2, PostEdit(title: "Zwei"), ifVersion: nil),
        .post(.add(1, 50, title: "New", notes: "")), .completePost(1, 50, ifVersion: nil),
        .category(.edit(1, name: "Casa")), .category(.edit(1, name: "Heim")),
      ]), by: "a")
    let head = Int64(bench.events(of: list).count)
    bench.must(.undo(UndoTarget(stream: list, events: [head], seen: nil)), by: "a")
    let after = content(of: list, in: bench)
    for object in before {
      guard case .category(var category) = object else {
        #expect(after.contains(object))
        continue
      }
      // Numbers are never used again.
      category.lastPost += 1
      #expect(after.contains(.category(category)))
    }
    guard case .post(let added)? = after.first(where: { $0.key.id == PostID(50).uuid }) else {
      Issue.record("the new post is lost")
      return
    }
    #expect(added.removed != nil)
    expectP6(in: bench, list, 0)
  }

  /// Expects that an undo and its undo lead there and back. Returns false when there was nothing to undo.
  private func expectThereAndBack(
    _ event: Event, _ user: UserID, in stream: StreamID, _ start: LedgerBench, _ seed: UInt64
  ) -> Bool {
    guard !event.ops.contains(where: { isOver($0, in: stream, start) }) else { return false }
    var bench = start
    let first = UndoTarget(stream: stream, events: [event.seq], seen: nil)
    guard let undo = settled(first, by: user, &bench), undo.changed, undo.skipped == [] else {
      return false
    }
    expectP6(in: bench, stream, seed)
    // Nothing of a step whose text was erased can be brought back.
    guard erasedSteps(of: stream, in: start).isSubset(of: erasedSteps(of: stream, in: bench))
    else { return false }
    // An event that was undone here before was undone in another list of the same command only.
    guard let position = undo.events.first(where: { $0.stream == stream }) ?? undo.events.first
    else { return false }
    let second = UndoTarget(stream: position.stream, events: [position.seq], seen: nil)
    let redo = settled(second, by: user, &bench)
    if event.ops.contains(where: { mayNotConfirm($0, user, in: stream, start) }) {
      #expect(redo?.skipped.map { !$0.isEmpty } ?? true, "seed \(seed) \(stream) \(event)")
      return false
    }
    #expect(redo?.changed == true && redo?.skipped == [], "seed \(seed) \(stream) \(event)")
    expectP6(in: bench, stream, seed)
    let place = "seed \(seed) \(stream) \(event.seq)"
    #expect(content(of: stream, in: bench) == content(of: stream, in: start), "\(place)")
    return true
  }

  /// Returns the erased steps, each with its post.
  private func erasedSteps(of stream: StreamID, in bench: LedgerBench) -> Set<[UUID]> {
    var erased: Set<[UUID]> = []
    for case .post(let post) in bench.objects(.post, in: stream) {
      for step in post.steps where step.content.isEmpty {
        erased.insert([post.id.uuid, step.id.uuid])
      }
    }
    return erased
  }

  /// Answers whether an undo takes this away and never brings it back: a step whose text was erased since, or something
  /// that was given to a person who has left since.
  private func isOver(_ op: Op, in stream: StreamID, _ bench: LedgerBench) -> Bool {
    switch op {
    case .post(.step(_, _, .added(let step))): return step.content.isEmpty
    case .post(.marked(let id, _, .assigned(let user))):
      let objects = bench.objects(.post, in: stream) + bench.objects(.member, in: stream)
      let post = objects.first { $0.key == ObjectKey(kind: .post, id: id.uuid) }
      let member = objects.first { $0.key == ObjectKey(kind: .member, id: user.uuid) }
      guard case .post(let post)? = post, case .member(let member)? = member,
        let assignment = post.assignees.first(where: { $0.user == user })
      else { return false }
      return !member.holds(assignment)
    default: return false
    }
  }

  /// Answers whether the op completes what an admin has to confirm, and the person is no admin any more. They take back
  /// their own completion, and do not complete it once more.
  private func mayNotConfirm(
    _ op: Op, _ user: UserID, in stream: StreamID, _ bench: LedgerBench
  ) -> Bool {
    guard case .post(.occurred(let id, _, let news, _)) = op, case .completed = news.reason else {
      return false
    }
    let objects = bench.objects(.post, in: stream) + bench.objects(.member, in: stream)
    guard case .post(let post)? = objects.first(where: { $0.key.id == id.uuid }),
      case .member(let member)? = objects.first(where: { $0.key.id == user.uuid })
    else { return false }
    return post.repeats?.confirms == true && member.role.map { !Permission.confirms($0) } ?? true
  }

  private func settled(
    _ target: UndoTarget, by user: UserID, _ bench: inout LedgerBench
  ) -> CommandResult? {
    let (result, _) = bench.settle(bench.submission(of: .undo(target), by: user))
    bench.commit()
    guard case .success(let value) = result else { return nil }
    return value
  }

  private func expectP6(in bench: LedgerBench, _ stream: StreamID, _ seed: UInt64) {
    var state = StreamState(stream: stream)
    for event in bench.events(of: stream) { _ = state.apply(event) }
    #expect(
      state == StreamState(stream: stream, objects: bench.snapshot(of: stream)),
      "seed \(seed) \(stream)")
  }

  /// Returns all posts, tags and the head, without the values that every change moves on.
  private func content(of stream: StreamID, in bench: LedgerBench) -> [Object] {
    let objects =
      bench.objects(.post, in: stream) + bench.objects(.category, in: stream)
      + bench.objects(.tag, in: stream)
    return objects.map { object in
      // The fate of a deadline follows from the due, and no undo brings it back.
      if case .category(var category) = object {
        category.counters.overdue = 0
        return .category(category)
      }
      guard case .post(var post) = object else { return object }
      post.version = 0
      post.overdue = nil
      post.claim = nil
      // Runs tell what happened meanwhile.
      (post.run, post.lastRun) = (nil, nil)
      // A field that is taken back is a person's now.
      post.source = nil
      post.updatedAt = Timestamp(milliseconds: 0)
      post.assignees = post.assignees.map { Assignment(user: $0.user, seq: 0) }
      // The same holds for a completion that comes back, but for the one who completed and the moment.
      post.completed = post.completed.map { Completion(at: $0.at, by: $0.by, seq: 0) }
      // A part that comes back is of the event that brings it.
      post.parts = post.parts.map {
        PostPart(user: $0.user, at: Timestamp(milliseconds: 0), seq: 0)
      }
      // An undo leaves who is in a contest and who has which step.
      post.entries = post.entries.filter { $0.amount > 0 }.map {
        ContestEntry(user: $0.user, seq: 0, amount: $0.amount, isIn: nil)
      }
      post.shares = []
      return .post(post)
    }.sorted { $0.key < $1.key }
  }
}
