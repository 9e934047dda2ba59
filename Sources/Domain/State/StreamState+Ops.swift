extension StreamState {
  /// Applies one op. This is the whole meaning of every kind of op (protocol §7). An op about an object that is not
  /// there changes nothing but counters.
  mutating func apply(
    _ op: Op, at index: Int, of event: Event, into changes: inout [ObjectChange]
  ) {
    switch op {
    case .category(let op): apply(op, into: &changes)
    case .post(let op): apply(op, of: event, into: &changes)
    case .step(let id, let version, let op):
      changePost(id, to: version, at: event.at, into: &changes) { $0.apply(op) }
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
