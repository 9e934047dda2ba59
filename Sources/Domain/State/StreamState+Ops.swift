extension StreamState {
  /// Applies one op. This is the whole meaning of every kind of op (protocol §7). An op about an object that is not
  /// there changes nothing but counters.
  mutating func apply(
    _ op: Op, at index: Int, of event: Event, into changes: inout [ObjectChange]
  ) {
    switch op {
    case .categoryAdded(let category): put(.category(category), into: &changes)
    case .categoryEdited(let edit): changeCategory(into: &changes) { $0 = $0.edited(by: edit) }
    case .categoryRemoved(let stamp): changeCategory(into: &changes) { $0.removed = stamp }
    case .categoryRestored: changeCategory(into: &changes) { $0.removed = nil }
    case .categoryArchived(let stamp): changeCategory(into: &changes) { $0.archived = stamp }
    case .categoryUnarchived: changeCategory(into: &changes) { $0.archived = nil }
    case .postAdded, .postReopened, .postRestored, .postEdited, .postCompleted, .postRemoved,
      .postErased, .postPurged, .postMarked, .postOccurred, .postOverdue, .postMovedOut,
      .postMovedIn, .postImported:
      applyToPost(op, of: event, into: &changes)
    case .step(let id, let version, let op):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(op) }
    case .postMoved(let id, let version, let position):
      changePost(id, to: version, at: event.at, into: &changes) { $0.position = position }
    case .tag(let op): apply(op, into: &changes)
    case .claim(let id, let op): apply(op, to: id, of: event, into: &changes)
    case .group(let op): apply(op, into: &changes)
    case .member(let op): apply(op, into: &changes)
    case .code(let op): apply(op, into: &changes)
    case .person(let op): apply(op, into: &changes)
    case .invitation(let op): apply(op, at: index, of: event, into: &changes)
    case .link(let op): apply(op, into: &changes)
    case .account(let op): apply(op, into: &changes)
    case .membership(let op): apply(op, at: index, of: event, into: &changes)
    case .assignmentAdded(let place, let post):
      tell(.assigned, about: place, post: post, at: index, of: event, into: &changes)
    case .readMarked(let mark): moveForward(mark, into: &changes)
    case .declinesCounted(let it): count(it, into: &changes)
    case .block(let op): apply(op, into: &changes)
    case .filter(let op): apply(op, into: &changes)
    case .personal(let op): apply(op, at: index, of: event, into: &changes)
    case .unknown: break
    }
  }

  private mutating func apply(_ op: LinkOp, into changes: inout [ObjectChange]) {
    switch op {
    case .made(let link): put(.link(link), into: &changes)
    case .ended(let id): delete(ObjectKey(kind: .link, id: id.uuid), into: &changes)
    }
  }

  // MARK: Posts

  private mutating func applyToPost(
    _ op: Op, of event: Event, into changes: inout [ObjectChange]
  ) {
    switch op {
    case .postAdded(let post, let counters), .postMovedIn(let post, let counters):
      put(.post(post), into: &changes)
      changeCategory(into: &changes) {
        $0.lastPost = max($0.lastPost, post.number)
        $0.counters = counters
      }
    case .postReopened(let post, let counters), .postRestored(let post, let counters):
      put(.post(post), into: &changes)
      changeCategory(into: &changes) { $0.counters = counters }
    case .postEdited(let id, let version, let edit):
      changePost(id, to: version, at: event.at, into: &changes) { $0 = $0.edited(by: edit) }
    case .postCompleted(let id, let version, let stamp, let counters):
      complete(id, to: version, stamp, by: event, into: &changes)
      changeCategory(into: &changes) { $0.counters = counters }
    case .postRemoved(let id, let version, let stamp, let counters):
      remove(id, to: version, stamp, at: event.at, into: &changes)
      changeCategory(into: &changes) { $0.counters = counters }
    case .postMovedOut(let id, let version, let stamp, let counters):
      if case .post(let post) = object(.post, id.uuid) {
        putOutside(.post(post.left(stamp, by: event, version: version)), into: &changes)
      }
      changeCategory(into: &changes) { $0.counters = counters }
    case .postErased(let id, let version, let stamp):
      changePost(id, to: version, at: event.at, into: &changes) {
        $0 = $0.withoutText
        $0.erased = stamp
      }
    case .postPurged(let id, let source):
      if case .post(let post) = object(.post, id.uuid), post.removed != nil {
        putOutside(.post(post.purged(at: event.at, source)), into: &changes)
      }
    case .postImported(let id, let version, let edit, let source):
      changePost(id, to: version, at: event.at, into: &changes) {
        $0 = $0.edited(by: edit)
        $0.source = source ?? $0.source
      }
    case .postMarked(let id, let version, let mark):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(mark, of: event) }
    case .postOccurred(let id, let version, let news, let counters):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(news) }
      changeCategory(into: &changes) { $0.counters = counters }
    case .postOverdue(let id, let mark, let counters):
      if case .post(var post) = object(.post, id.uuid) {
        post.overdue = mark.overdue
        replace(post, into: &changes)
      }
      changeCategory(into: &changes) { $0.counters = counters }
    default: preconditionFailure("an op about posts")
    }
  }

  private mutating func changePost(
    _ id: PostID, to version: Int, at time: Timestamp, into changes: inout [ObjectChange],
    _ change: (inout Post) -> Void
  ) {
    guard case .post(var post) = object(.post, id.uuid) else { return }
    change(&post)
    post.version = version
    post.updatedAt = time
    replace(post, into: &changes)
  }

  private mutating func complete(
    _ id: PostID, to version: Int, _ stamp: Stamp, by event: Event,
    into changes: inout [ObjectChange]
  ) {
    guard case .post(var post) = object(.post, id.uuid) else { return }
    post.completed = Completion(at: stamp.at, by: stamp.by, seq: event.seq)
    post.claim = nil
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
    post.claim = nil
    post.version = version
    post.updatedAt = time
    putOutside(.post(post), into: &changes)
  }

  // MARK: c: and g:

  mutating func changeCategory(
    into changes: inout [ObjectChange], _ change: (inout Category) -> Void
  ) {
    guard case .category(var category) = object(.category, stream.uuid) else { return }
    change(&category)
    put(.category(category), into: &changes)
  }

  private mutating func apply(_ op: TagOp, into changes: inout [ObjectChange]) {
    switch op {
    case .added(let tag), .restored(let tag): put(.tag(tag), into: &changes)
    case .edited(let id, let edit):
      guard case .tag(let tag) = object(.tag, id.uuid) else { return }
      put(.tag(tag.edited(by: edit)), into: &changes)
    case .removed(let id): delete(ObjectKey(kind: .tag, id: id.uuid), into: &changes)
    }
  }

  // MARK: u:

  private mutating func moveForward(_ mark: ReadMark, into changes: inout [ObjectChange]) {
    if case .readMark(let held) = object(.readMark, mark.stream.uuid), held.seq >= mark.seq {
      return
    }
    put(.readMark(mark), into: &changes)
  }

  private mutating func count(_ declines: Declines, into changes: inout [ObjectChange]) {
    let object = Object.declines(declines)
    if declines.times > 0 {
      put(object, into: &changes)
    } else {
      delete(object.key, into: &changes)
    }
  }

  mutating func tell(
    _ kind: Notice.Kind, about place: StreamID, post: PostID? = nil, at index: Int,
    of event: Event, into changes: inout [ObjectChange]
  ) {
    let notice = Notice(
      kind: kind, seq: event.seq, opIndex: index, at: event.at, by: event.by, stream: place,
      post: post)
    put(.notice(notice), into: &changes)
  }
}
