/// The objects that were there before an event. They are kept beside it in the store and never sent.
package struct Before: Equatable, Sendable {
  /// For each op the object that it is about, as it was before that op. Nil where there was none, and where nothing
  /// asks for it (`Op.keepsSubject`).
  package var objects: [Object?] = []
  /// Completed posts at the edge of the state, which holds the newest (`StreamState`), ascending. They are the posts
  /// that the event is about and that were beyond the edge before it, and those that it is not about and that it put
  /// beyond the edge. No object says on which side it was.
  package var crossing: [PostID] = []
  /// The lines of talk that left the state because only the newest stay, by their numbers. Whoever asked for whole
  /// objects is told that they left.
  package var droppedLines: [Int64] = []
  /// The posts whose number of comments left the state because only the newest stay. They are told in the same way.
  package var droppedComments: [PostID] = []
  /// The trails of posts that came or went by the event, in the order of its ops.
  package var trails: [PostTrail] = []
  /// The fields that are left out of some of the objects, by their places, because they stand in the post after the
  /// event.
  package var leftOut: [Int: LeftOut] = [:]

  package init(
    objects: [Object?] = [], crossing: [PostID] = [], droppedLines: [Int64] = [],
    droppedComments: [PostID] = [], trails: [PostTrail] = [], leftOut: [Int: LeftOut] = [:]
  ) {
    self.droppedLines = droppedLines
    self.droppedComments = droppedComments
    self.trails = trails
    self.leftOut = leftOut
    self.objects = objects
    self.crossing = crossing
  }
}

/// A committed event with what was there before it. Nothing else is needed to take it back.
package struct PastEvent: Equatable, Sendable {
  package let event: Event
  package let before: Before
  /// The bytes of the store that were read for it.
  package let bytes: Int

  package init(event: Event, before: Before, bytes: Int) {
    self.event = event
    self.before = before
    self.bytes = bytes
  }

  /// Returns the objects that the ops are about, each once, in the order in which they first name it, as it was before
  /// the first of them. Earlier ops of the event may have changed a category's counters and `lastPost`.
  func subjects(in stream: StreamID) -> [PastSubject] {
    var seen: Set<ObjectKey> = []
    var subjects: [PastSubject] = []
    for (index, (op, object)) in zip(event.ops, before.objects).enumerated() {
      guard let key = op.touches(in: stream).first, seen.insert(key).inserted else { continue }
      subjects.append(
        PastSubject(key: key, before: object, leftOut: before.leftOut[index] ?? []))
    }
    return subjects
  }

  /// Returns the changes that the event as a whole made to posts, tags and the category, each object once, in the order
  /// in which the ops first name them. Left out fields are on neither side.
  func changes(in stream: StreamID) -> [PastChange] {
    let subjects = subjects(in: stream)
    var state = StreamState(stream: stream, objects: subjects.compactMap { $0.before })
    var before: [ObjectKey: Object] = [:]
    for subject in subjects { before[subject.key] = subject.before }
    var order: [ObjectKey] = []
    var after: [ObjectKey: Object] = [:]
    var seen: Set<ObjectKey> = []
    for change in state.apply(event) where change.effect != .dropped {
      if seen.insert(change.key).inserted { order.append(change.key) }
      after[change.key] = change.effect.object
    }
    for subject in subjects { after[subject.key] = subject.leavingOut(after[subject.key]) }
    return order.map { PastChange(key: $0, before: before[$0], after: after[$0]) }
  }
}

/// An object that an event is about.
struct PastSubject {
  let key: ObjectKey
  /// The object before the event. Nil where it was not there.
  let before: Object?
  let leftOut: LeftOut

  /// Returns the object after the event without the fields that are left out before it: an op may have set such a field
  /// to what it was.
  fileprivate func leavingOut(_ after: Object?) -> Object? {
    guard !leftOut.isEmpty, case .post(let old)? = before, case .post(let new)? = after else {
      return after
    }
    return .post(new.leavingOut(leftOut, keeping: KeptElements(in: old)))
  }

  /// Returns the object before the event, whole. `after` is the object after it.
  func whole(after: Object?) -> Object? {
    guard !leftOut.isEmpty, case .post(let old)? = before, case .post(let new)? = after else {
      return before
    }
    return .post(old.filled(leftOut, from: new))
  }
}

/// One object before and after an event.
struct PastChange: Equatable {
  let key: ObjectKey
  let before: Object?
  /// The object after the event. Nil when it is gone.
  let after: Object?
}
