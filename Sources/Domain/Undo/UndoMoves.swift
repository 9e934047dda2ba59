// Takes back moves of posts to another list or from one: the posts go back as they are now. So nothing is overwritten
// that somebody has changed since. A post that went on to a third list, or came back already, stays where it is. The
// undo is judged as if its author now moved the posts, in both lists.
//
// A caller who is not in the list to which a post went takes it back from there within `Limits.takeBackDays`, wherever
// it is by then, as it was when it went (`TakeBack`). So the list that it was taken from does not lose it, and nobody
// learns by this what has become of it elsewhere.

/// A post that shall go back.
private struct MoveBack {
  let post: Post
  let from: CategoryID
  let to: CategoryID
  /// The stream of whose event it is taken back first.
  let stream: StreamID

  /// Answers whether the event here and the one there belong to one move.
  func isSame(as other: MoveBack) -> Bool {
    (post.id, from, to) == (other.post.id, other.from, other.to)
  }
}

extension PastEvent {
  /// Whether it did nothing but move posts between lists, with the tags that they needed.
  var onlyMoves: Bool {
    event.ops.contains(where: \.movesBetweenLists)
      && event.ops.allSatisfy { op in
        if case .tag(.added) = op { true } else { op.movesBetweenLists }
      }
  }
}

/// Returns skips for posts that went to another list or came from one among other changes: such an event is taken back
/// only by itself. Posts that are back where they were are left out.
func movedPosts(
  _ past: [PastEvent], of list: CategoryID, _ world: inout World
) throws(Halt) -> [UndoSkip] {
  var steps: [PostID: Int] = [:]
  for op in past.flatMap(\.event.ops) {
    switch op {
    case .post(.movedOut(let post, _, _, _)): steps[post, default: 0] -= 1
    case .post(.movedIn(let post, _)): steps[post.id, default: 0] += 1
    default: continue
    }
  }
  let ids = steps.filter { $0.value != 0 }.keys
  guard ids.count <= Limits.undoPostsMax else {
    throw .refused(.quota(limit: "undoPosts", max: Limits.undoPostsMax))
  }
  let stream = StreamID.category(list)
  let sorted = ids.sorted { $0.uuid < $1.uuid }
  try world.require(sorted.map { .object(stream, ObjectKey(kind: .post, id: $0.uuid)) })
  var skipped: [UndoSkip] = []
  for id in sorted {
    let number = try world.post(id, in: list)?.number
    skipped.append(UndoSkip(stream: stream, post: id, number: number, reason: .never))
  }
  return skipped
}

/// Plans taking back such events of one command, each in its stream. `mark` gets everything that is looked at.
func planMovesBack(
  _ events: [(stream: StreamID, past: PastEvent)], by caller: Caller, to plan: inout UndoPlan,
  _ mark: (String) -> Void, _ world: inout World
) throws(Halt) {
  var moves: [MoveBack] = []
  var taken: [TakeBack] = []
  for (stream, past) in events {
    guard case .category(let list) = stream else { continue }
    let (more, gone, left) = try movesBack(past, in: list, for: caller, &world)
    taken += gone
    moves += more.filter { move in
      !moves.contains { $0.isSame(as: move) } && !events.passes(move.post.id, through: move.to)
    }
    for skip in left where !plan.skipped.contains(where: { $0.post == skip.post }) {
      mark("\(String(describing: skip.post)) \(skip.reason)")
      plan.skipped.append(skip)
    }
  }
  var going = Going(caller: caller)
  try world.tryingOut { (world) throws(Halt) in
    for move in moves {
      mark("\(move.post.id) \(move.post.version) \(move.from) \(move.to)")
      let number = try world.number(of: move)
      try going.add(move.post.id, number, in: move.stream, &world) { (world) throws(Halt) in
        let target = PostTarget(
          address: PostAddress(category: move.from, post: move.post.id), ifVersion: nil)
        return try transferPost(target, to: move.to, by: caller, in: &world)
      }
    }
    for it in taken {
      // Nothing is told of the other list, so nothing of it is compared with the preview.
      mark("\(it.rest.id) \(it.rest.version) back to \(it.list)")
      let stream = StreamID.category(it.list)
      try going.add(it.rest.id, it.rest.number, in: stream, &world) { (world) throws(Halt) in
        try takeBack(it, by: caller, in: &world)
      }
    }
  }
  plan.unseen = going.unseen
  plan.steps = going.steps
  plan.skipped += going.refused
  plan.drafts = try going.drafting.drafts().map { draft in
    var draft = draft
    draft.undoes = events.filter { $0.stream == draft.stream }.map(\.past.event.seq)
    return draft
  }
}

/// The posts that go, one after the other, each on top of those before it.
private struct Going {
  let caller: Caller
  private(set) var drafting = Drafting()
  private(set) var steps: [UndoStep] = []
  private(set) var refused: [UndoSkip] = []
  private(set) var unseen: Set<StreamID> = []

  init(caller: Caller) { self.caller = caller }

  mutating func add(
    _ post: PostID, _ number: Int?, in stream: StreamID, _ world: inout World,
    _ decide: (inout World) throws(Halt) -> Decision
  ) throws(Halt) {
    do throws(Halt) {
      let decision = try decide(&world)
      try world.require(decision.drafts.flatMap(\.needs))
      for draft in decision.drafts {
        try world.tryOut(draft, by: caller.user, at: caller.now)
        drafting.add(draft)
      }
      unseen.formUnion(decision.unseen)
      steps.append(UndoStep(stream: stream, post: post, number: number, does: [.move]))
    } catch {
      guard case .refused(let refusal) = error else { throw error }
      if case .quota = refusal { throw error }
      refused.append(UndoSkip(stream: stream, post: post, number: number, reason: .forbidden))
    }
  }
}

extension World {
  /// Returns the number of the post in the list where it goes back, or to which it came.
  fileprivate mutating func number(of move: MoveBack) throws(Halt) -> Int? {
    guard case .category(let list) = move.stream else { return nil }
    return try post(move.post.id, in: list)?.number
  }
}

extension [(stream: StreamID, past: PastEvent)] {
  /// Answers whether the post came to the list and went on by the same command, so that it never stayed there.
  fileprivate func passes(_ post: PostID, through list: CategoryID) -> Bool {
    contains { stream, past in stream == .category(list) && past.event.turns(post, in: stream) > 1 }
  }
}

extension Event {
  /// Returns the number of its ops that are about the post.
  fileprivate func turns(_ post: PostID, in stream: StreamID) -> Int {
    let key = ObjectKey(kind: .post, id: post.uuid)
    return ops.count { $0.touches(in: stream).first == key }
  }
}

/// Returns the posts that are still where the event took them, the last one first, and those that are taken back from a
/// list which the caller is not in. Nothing of such a list is looked at here, so neither a reason nor `seen` tells what
/// has become of a post there.
private func movesBack(
  _ past: PastEvent, in list: CategoryID, for caller: Caller, _ world: inout World
) throws(Halt) -> ([MoveBack], [TakeBack], [UndoSkip]) {
  let seq = past.event.seq
  var (moves, taken, skipped): ([MoveBack], [TakeBack], [UndoSkip]) = ([], [], [])
  for (index, op) in past.event.ops.enumerated().reversed() {
    let id: PostID
    switch op {
    case .post(.movedOut(let post, _, _, _)): id = post
    case .post(.movedIn(let post, _)): id = post.id
    default: continue
    }
    // A post that went and came in the same event is where it was.
    guard past.event.turns(id, in: .category(list)) == 1 else { continue }
    guard let other = past.before.trails.lists(of: id).last, let here = try world.post(id, in: list)
    else { continue }
    func skip(_ reason: UndoSkip.Reason) -> UndoSkip {
      UndoSkip(stream: .category(list), post: id, number: here.number, reason: reason)
    }
    let isOfEvent = here.moved == seq || here.came == seq && here.moved == nil
    let isThere = try world.member(caller.user, of: .category(other))?.role != nil
    guard isThere || !isOfEvent else {
      let back = TakeBack(index, of: past, rest: here, in: list, at: caller.now)
      if let back { taken.append(back) } else { skipped.append(skip(.forbidden)) }
      continue
    }
    guard let there = try world.post(id, in: other) else { continue }
    if here.moved == seq, there.moved == nil {
      moves.append(MoveBack(post: there, from: other, to: list, stream: .category(list)))
    } else if here.came == seq, here.moved == nil, there.moved != nil {
      moves.append(MoveBack(post: here, from: list, to: other, stream: .category(list)))
    } else if here.moved != nil {
      skipped.append(skip(.later))
    }
  }
  return (moves, taken, skipped)
}
