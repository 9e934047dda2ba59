// The meaning of every op about a post (protocol §7). An op about a post that is not there changes counters only.

extension StreamState {
  mutating func apply(_ op: PostOp, of event: Event, into changes: inout [ObjectChange]) {
    applyToPost(op, of: event, into: &changes)
    guard let counters = op.counters else { return }
    changeCategory(into: &changes) {
      if case .added(let post, _) = op { $0.lastPost = max($0.lastPost, post.number) }
      if case .movedIn(let post, _) = op { $0.lastPost = max($0.lastPost, post.number) }
      $0.counters = counters
    }
  }

  private mutating func applyToPost(
    _ op: PostOp, of event: Event, into changes: inout [ObjectChange]
  ) {
    switch op {
    case .added(let post, _), .movedIn(let post, _), .reopened(let post, _),
      .restored(let post, _):
      put(.post(post), into: &changes)
    case .edited(let id, let version, let edit):
      changePost(id, to: version, at: event.at, into: &changes) { $0 = $0.edited(by: edit) }
    case .completed(let id, let version, let stamp, _):
      complete(id, to: version, stamp, by: event, into: &changes)
    case .removed(let id, let version, let stamp, _):
      remove(id, to: version, stamp, at: event.at, into: &changes)
    case .movedOut(let id, let version, let stamp, _):
      if case .post(let post) = object(.post, id.uuid) {
        putOutside(.post(post.left(stamp, by: event, version: version)), into: &changes)
      }
    case .erased(let id, let version, let stamp):
      changePost(id, to: version, at: event.at, into: &changes) {
        $0 = $0.withoutText
        $0.erased = stamp
      }
    case .purged(let id, let source):
      if case .post(let post) = object(.post, id.uuid), post.removed != nil {
        putOutside(.post(post.purged(at: event.at, source)), into: &changes)
      }
    case .imported(let id, let version, let edit, let source):
      changePost(id, to: version, at: event.at, into: &changes) {
        $0 = $0.edited(by: edit)
        $0.source = source ?? $0.source
      }
    case .marked(let id, let version, let mark):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(mark, of: event) }
    case .occurred(let id, let version, let news, _):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(news) }
    case .moved(let id, let version, let position):
      changePost(id, to: version, at: event.at, into: &changes) { $0.position = position }
    case .overdue(let id, let mark, _):
      changePost(id, into: &changes) { $0.overdue = mark.overdue }
    case .step(let id, let version, let op):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(op) }
    case .claim(let id, let op):
      changePost(id, into: &changes) { $0.apply(op, of: event) }
    case .run(let id, let op):
      changePost(id, into: &changes) { $0.apply(op, of: event) }
    case .contest(let id, let op):
      changePost(id, into: &changes) { $0.apply(op, seq: event.seq) }
    }
  }

  mutating func changePost(
    _ id: PostID, to version: Int, at time: Timestamp, into changes: inout [ObjectChange],
    _ change: (inout Post) -> Void
  ) {
    changePost(id, into: &changes) { post in
      change(&post)
      post.version = version
      post.updatedAt = time
    }
  }

  /// Changes a post. Any new version is made by the change itself.
  private mutating func changePost(
    _ id: PostID, into changes: inout [ObjectChange], _ change: (inout Post) -> Void
  ) {
    guard case .post(var post) = object(.post, id.uuid) else { return }
    change(&post)
    replace(post, into: &changes)
  }

  private mutating func complete(
    _ id: PostID, to version: Int, _ stamp: Stamp, by event: Event,
    into changes: inout [ObjectChange]
  ) {
    guard case .post(var post) = object(.post, id.uuid) else { return }
    post.completed = Completion(at: stamp.at, by: stamp.by, seq: event.seq)
    post.endWork()
    post.submitted = nil
    post.version = version
    post.updatedAt = event.at
    put(.post(post), into: &changes)
  }

  private mutating func remove(
    _ id: PostID, to version: Int, _ stamp: Stamp, at time: Timestamp,
    into changes: inout [ObjectChange]
  ) {
    guard case .post(var post) = object(.post, id.uuid) else { return }
    post.removed = stamp
    post.endWork()
    post.version = version
    post.updatedAt = time
    putOutside(.post(post), into: &changes)
  }
}
