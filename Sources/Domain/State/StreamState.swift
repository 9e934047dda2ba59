// The state of a stream is what its events made out of nothing (P6):
//   apply(snapshot(n), events n+1…m) == snapshot(m)
// So every rule here uses only the state and the event, never a clock, a setting or the person who is looking:
// - counters are the values that the op carries;
// - only the newest 500 completed posts stay, and only the newest 200 notices, the newest 200 reminders that were asked
//   for, the newest 200 lines of talk with at most 256 KiB of text, and the comments on the 1 000 posts that were
//   commented on last, by `Rank`; an object that left does not come back by itself when there is room again, only by
//   an op that carries it whole;
// - a removed post leaves the state; a restored or reopened one comes whole;
// - read marks only move forward; they go with the membership;
// - members who left stay without grants; answered and revoked invitations go;
// - an op of an unknown kind, or about an object that is not there, changes nothing.
// The ledger applies the same code to a partial state: the objects that the ops touch, in the state or not, and the
// ranks. So the ranks answer whether a completed post is in the state, and an object that leaves the state stays known
// for the following ops of the same event.

/// The objects of one stream, with the rules above.
package struct StreamState: Equatable, Sendable {
  package let stream: StreamID
  package private(set) var objects: [ObjectKey: Object]
  /// The ranks of objects of which only the newest stay, ascending: completed posts in `c:`, lines of talk in `c:` and
  /// `g:`, counts of comments in `c:`, notices and kept reminders in `u:`.
  package private(set) var ranks: [Rank]
  /// Whether objects are held that are not in the state.
  private let isPartial: Bool

  /// Makes a complete state: a snapshot, or nothing before the first event.
  package init(stream: StreamID, objects: [Object] = []) {
    let ranks = objects.compactMap(\.rank).sorted()
    self.init(stream, objects: objects, ranks: ranks, isPartial: false)
  }

  /// Makes the part of a state that is needed to apply certain ops to it. `ranks` are ascending.
  init(partial stream: StreamID, objects: [Object], ranks: [Rank]) {
    self.init(stream, objects: objects, ranks: ranks, isPartial: true)
  }

  private init(_ stream: StreamID, objects: [Object], ranks: [Rank], isPartial: Bool) {
    self.stream = stream
    self.objects = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
    self.ranks = ranks
    self.isPartial = isPartial
  }

  /// Applies all ops of an event. Returns the changes in the order of the ops.
  package mutating func apply(_ event: Event) -> [ObjectChange] {
    apply(event, ops: event.ops.indices)
  }

  /// Applies some ops of an event. Those before them are applied already.
  package mutating func apply(_ event: Event, ops: Range<Int>) -> [ObjectChange] {
    var changes: [ObjectChange] = []
    for index in ops { apply(event.ops[index], at: index, of: event, into: &changes) }
    return changes
  }

  /// Applies all ops of an event. `before` gets what was there before it.
  package mutating func apply(_ event: Event, before: inout Before) -> [ObjectChange] {
    var subjects: Set<ObjectKey> = []
    var crossing: Set<PostID> = []
    for op in event.ops {
      guard let key = op.touches(in: stream).first, subjects.insert(key).inserted,
        key.kind == .post, objects[key]?.rank != nil, !ranks.contains(where: { $0.key == key })
      else { continue }
      crossing.insert(PostID(key.id))
    }
    var changes: [ObjectChange] = []
    for (index, op) in event.ops.enumerated() {
      let subject = op.keepsSubject ? op.touches(in: stream).first : nil
      before.objects.append(subject.flatMap { objects[$0] })
      apply(op, at: index, of: event, into: &changes)
    }
    for change in changes where !subjects.contains(change.key) {
      switch (change.key.kind, change.effect) {
      case (.post, .dropped): crossing.insert(PostID(change.key.id))
      case (.line, .deleted): before.droppedLines.append(TalkLine.number(of: change.key))
      case (.comments, .dropped): before.droppedComments.append(PostID(change.key.id))
      default: break
      }
    }
    before.crossing = crossing.sorted()
    before.leaveOut(event.ops, in: stream) { objects[$0] }
    return changes
  }

  package func object(_ kind: ObjectKind, _ id: UUID) -> Object? {
    objects[ObjectKey(kind: kind, id: id)]
  }

  // MARK: The few ways in which an object changes

  /// Sets an object. An object with a rank takes its place, and the oldest beyond the limit leaves.
  mutating func put(_ object: Object, into changes: inout [ObjectChange]) {
    let key = object.key
    let before = objects.updateValue(object, forKey: key)
    if before?.rank != nil { ranks.removeAll { $0.key == key } }
    changes.append(ObjectChange(key: key, before: before, effect: .put(object)))
    guard let rank = object.rank else { return }
    // The search begins at the end: a post that was completed just now is the newest.
    ranks.insert(rank, at: ranks.lastIndex { $0 < rank }.map { $0 + 1 } ?? ranks.startIndex)
    while dropOldest(of: key.kind, into: &changes) {}
  }

  mutating func delete(_ key: ObjectKey, into changes: inout [ObjectChange]) {
    guard let before = objects.removeValue(forKey: key) else { return }
    changes.append(ObjectChange(key: key, before: before, effect: .deleted))
  }

  /// Deletes an object that has a rank while it is in the state.
  mutating func deleteRanked(_ key: ObjectKey, into changes: inout [ObjectChange]) {
    guard objects[key] != nil else { return }
    ranks.removeAll { $0.key == key }
    delete(key, into: &changes)
  }

  /// Takes a removed post out of the state. Its row lives on in the bin.
  mutating func putOutside(_ object: Object, into changes: inout [ObjectChange]) {
    let key = object.key
    let before = objects.removeValue(forKey: key)
    if isPartial { objects[key] = object }
    if before?.rank != nil { ranks.removeAll { $0.key == key } }
    changes.append(ObjectChange(key: key, before: before, effect: .putOutside(object)))
  }

  /// Changes a post where it is: in the state or, in the ledger, out of it.
  mutating func replace(_ post: Post, into changes: inout [ObjectChange]) {
    let object = Object.post(post)
    let isOlder = post.completed != nil && !ranks.contains { $0.key == object.key }
    guard isOlder || post.removed != nil else { return put(object, into: &changes) }
    putOutside(object, into: &changes)
  }

  /// Drops the oldest object of the kind when there are too many, or too long ones. Each kind has its own limit, so
  /// none pushes another out. Answers whether one was dropped.
  private mutating func dropOldest(
    of kind: ObjectKind, into changes: inout [ObjectChange]
  ) -> Bool {
    guard let bound = kind.row.bound, isBeyond(bound, kind),
      let place = ranks.firstIndex(where: { $0.key.kind == kind })
    else { return false }
    let key = ranks.remove(at: place).key
    let isKept = bound.keepsOlder
    let before = isPartial && isKept ? objects[key] : objects.removeValue(forKey: key)
    changes.append(ObjectChange(key: key, before: before, effect: isKept ? .dropped : .deleted))
    return true
  }

  private func isBeyond(_ bound: ObjectKindRow.Bound, _ kind: ObjectKind) -> Bool {
    if ranks.count > bound.inStateMax,
      ranks.count(where: { $0.key.kind == kind }) > bound.inStateMax
    {
      return true
    }
    guard let sumMax = bound.sumMax else { return false }
    return ranks.reduce(0) { $1.key.kind == kind ? $0 + $1.number : $0 } > sumMax
  }
}
