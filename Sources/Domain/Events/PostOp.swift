/// A change of a post (protocol §7, `post.…`), of its steps, of its claim, of its run or of its contest.
///
/// An `Int` called `version` is that of the post after the op.
package indirect enum PostOp: Equatable, Sendable {
  case added(Post, Counters)
  case edited(PostID, version: Int, PostEdit)
  case completed(PostID, version: Int, Stamp, Counters)
  case reopened(Post, Counters)
  case removed(PostID, version: Int, Stamp, Counters)
  case restored(Post, Counters)
  /// The text of the post is erased, here and in all earlier events (protocol §5.6).
  case erased(PostID, version: Int, Stamp)
  /// The system has erased a removed post whose time in the bin is over: nothing brings it back any more. The source by
  /// which an import finds it stays, so that a repeated import does not add it again.
  case purged(PostID, Source?)
  /// Something was put on the post, or taken off it.
  case marked(PostID, version: Int, PostMark)
  /// An occurrence of a post that comes again was completed or left out, and the post is due the next time.
  case occurred(PostID, version: Int, NextOccurrence, Counters)
  case overdue(PostID, OverdueMark, Counters)
  /// The post has another place. Nil: the place that its number gives, as before anybody moved it.
  case moved(PostID, version: Int, Position?)
  /// The post went to another list, which is not named here. This list keeps a post without text, as removed.
  case movedOut(PostID, version: Int, Stamp, Counters)
  /// The post came from another list and is written as it is now. If it was in this list before, it has the number that
  /// it had here.
  case movedIn(Post, Counters)
  /// Another program says something else of the post now. The source also names the fields that are left to people. It
  /// is nil when the text of the post was erased.
  case imported(PostID, version: Int, PostEdit, Source?)
  case step(PostID, version: Int, StepOp)
  case claim(PostID, ClaimOp)
  case run(PostID, RunOp)
  case contest(PostID, ContestOp)

  package var post: PostID {
    switch self {
    case .added(let post, _), .reopened(let post, _), .restored(let post, _),
      .movedIn(let post, _):
      post.id
    case .edited(let id, _, _), .completed(let id, _, _, _), .removed(let id, _, _, _),
      .erased(let id, _, _), .purged(let id, _), .marked(let id, _, _),
      .occurred(let id, _, _, _), .overdue(let id, _, _), .moved(let id, _, _),
      .movedOut(let id, _, _, _), .imported(let id, _, _, _), .step(let id, _, _),
      .claim(let id, _), .run(let id, _), .contest(let id, _):
      id
    }
  }

  /// The counters of the list after the op. Nil when it changes none.
  package var counters: Counters? {
    switch self {
    case .added(_, let counters), .reopened(_, let counters), .restored(_, let counters),
      .movedIn(_, let counters), .completed(_, _, _, let counters), .removed(_, _, _, let counters),
      .movedOut(_, _, _, let counters), .occurred(_, _, _, let counters),
      .overdue(_, _, let counters):
      counters
    case .edited, .erased, .purged, .marked, .moved, .imported, .step, .claim, .run, .contest: nil
    }
  }
}

extension PostOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    [ObjectKey(kind: .post, id: post.uuid)]
      + (counters == nil ? [] : [ObjectKey(kind: .category, id: stream.uuid)])
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { needsRanks ? [.post] : [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, of: event, into: &changes)
  }

  package var undo: UndoRole {
    switch self {
    case .added, .edited, .completed, .reopened, .removed, .restored, .marked, .occurred, .moved,
      .imported, .step:
      .takenBack
    case .movedOut, .movedIn: .movedBack
    case .erased, .purged: .left
    // It follows from the due. A run tells what happened, which an undo cannot change.
    case .overdue, .run: .passedOver
    case .claim(_, let op): op.undo
    case .contest(_, let op): op.undo
    }
  }

  package func without(_ subject: ErasedSubject) -> PostOp {
    subject == .post(post) ? withoutText : self
  }

  package var erased: ErasedSubject? {
    switch self {
    case .erased(let id, _, _), .purged(let id, _): .post(id)
    case .added, .edited, .completed, .reopened, .removed, .restored, .marked, .occurred, .overdue,
      .moved, .movedOut, .movedIn, .imported, .step, .claim, .run, .contest:
      nil
    }
  }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? {
    switch self {
    case .added(let post, _): Meaning(kind: .added, post: post.id)
    case .completed(let id, _, _, _): Meaning(kind: .completed, post: id)
    case .occurred(let id, _, let news, _):
      if case .completed = news.reason { Meaning(kind: .completed, post: id) } else { nil }
    case .marked(let id, _, .submitted): Meaning(kind: .submitted, post: id)
    case .marked(let id, _, .partCompleted(let user)):
      event.completes(id) ? nil : Meaning(kind: .partCompleted, post: id, user: user)
    case .step(let id, _, .completed):
      event.completes(id) ? nil : Meaning(kind: .stepCompleted, post: id)
    case .claim(let id, .taken): Meaning(kind: .claimed, post: id)
    case .claim(let id, .released): Meaning(kind: .released, post: id)
    case .run(let id, let op): op.meaning(of: id)
    case .contest(let id, let op): op.meaning(of: id, in: event)
    case .reopened(let post, _): Meaning(kind: .reopened, post: post.id)
    case .removed(let id, _, _, _): Meaning(kind: .removed, post: id)
    case .restored(let post, _): Meaning(kind: .restored, post: post.id)
    case .edited, .erased, .purged, .marked, .overdue, .moved, .movedOut, .movedIn, .imported,
      .step, .claim:
      nil
    }
  }
}

extension PostOp {
  /// Whether the ranks of posts must be known to apply the op. A post that is open or removed has none, and only open
  /// posts are claimed.
  private var needsRanks: Bool {
    switch self {
    case .edited, .completed, .reopened, .removed, .erased, .marked, .occurred, .overdue, .moved,
      .movedOut, .imported, .step, .run, .contest:
      true
    case .restored(let post, _), .movedIn(let post, _): post.completed != nil
    case .added, .purged, .claim: false
    }
  }

  /// Returns the op without the text of the post.
  private var withoutText: PostOp {
    switch self {
    case .added(let post, let counters): .added(post.withoutText, counters)
    case .reopened(let post, let counters): .reopened(post.withoutText, counters)
    case .restored(let post, let counters): .restored(post.withoutText, counters)
    case .movedIn(let post, let counters): .movedIn(post.withoutText, counters)
    case .edited(let id, let version, let edit): .edited(id, version: version, edit.withoutText)
    case .imported(let id, let version, let edit, _):
      .imported(id, version: version, edit.withoutText, nil)
    case .step(let id, let version, let op): .step(id, version: version, op.withoutText)
    case .run(let id, let op): .run(id, op.withoutText)
    case .completed, .removed, .erased, .purged, .marked, .occurred, .overdue, .moved, .movedOut,
      .claim, .contest:
      self
    }
  }

  /// Whether the op changes a post that has left the state because newer ones are completed. A removed post can only be
  /// erased or purged, or go to another list when it is taken back from there (`TakeBack`).
  package func changesOutside(_ post: Post) -> Bool {
    switch self {
    case .edited, .removed, .marked, .occurred, .overdue, .moved, .imported, .step, .run, .contest:
      Object.post(post).rank != nil
    case .erased, .purged, .movedOut: true
    case .added, .completed, .reopened, .restored, .movedIn, .claim: false
    }
  }
}

extension Event {
  /// Whether the event completes the post or an occurrence of it. That tells of its last step or part, too.
  func completes(_ post: PostID) -> Bool {
    ops.contains { op in
      switch op {
      case .post(.completed(post, _, _, _)): true
      case .post(.occurred(post, _, let news, _)):
        if case .completed = news.reason { true } else { false }
      default: false
      }
    }
  }
}

extension PostEdit {
  fileprivate var withoutText: PostEdit {
    var edit = self
    if title != nil { edit.title = "" }
    if notes != nil { edit.notes = "" }
    if location != .keep { edit.location = .clear }
    if case .set(let goal) = goal { edit.goal = .set(goal.withoutText) }
    return edit
  }
}
