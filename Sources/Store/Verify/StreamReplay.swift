// Computes the rows that a stream must have, from its events alone.
//
// The state is that of a replica: complete, from nothing, by the same `apply` (P6). Beside it live the rows that have
// left the state: removed posts, and completed posts, notices and numbers of comments beyond the newest. A replica does
// not see changes of those, so an op that edits or removes an older completed post is applied here to that post alone,
// and the removal of a comment to the number of that post's comments.

import Domain
import Wire

struct StreamReplay {
  struct Row: Equatable {
    let object: Object
    let inState: Bool
  }

  private let stream: StreamID
  private var state: StreamState
  private(set) var rows: [ObjectKey: Row] = [:]
  /// The rows of achievement.
  private(set) var achievements: AchievementReplay

  /// Begins with the rows that the events before the first had made.
  init(stream: StreamID, rows: [Row] = []) {
    self.stream = stream
    achievements = AchievementReplay(at: rows)
    state = StreamState(stream: stream, objects: rows.filter(\.inState).map(\.object))
    for row in rows { self.rows[row.object.key] = row }
  }

  /// Applies an event, and returns what was before it, which `was` must hold.
  mutating func apply(_ event: Event) -> Before {
    var before = Before()
    let subjects = Set(event.ops.compactMap { $0.touches(in: stream).first })
    var crossing = Set(subjects.filter(isBeyondEdge).map { PostID($0.id) })
    for index in event.ops.indices {
      let op = event.ops[index]
      let subject = op.keepsSubject ? op.touches(in: stream).first : nil
      before.objects.append(subject.flatMap { rows[$0]?.object })
      let old = subject.flatMap { post($0) }
      let outside = subjectOutside(op)
      for change in state.apply(event, ops: index..<index + 1) {
        note(change)
        guard !subjects.contains(change.key) else { continue }
        switch (change.key.kind, change.effect) {
        case (.post, .dropped): crossing.insert(PostID(change.key.id))
        case (.line, .deleted): before.droppedLines.append(TalkLine.number(of: change.key))
        case (.comments, .dropped): before.droppedComments.append(PostID(change.key.id))
        default: break
        }
      }
      if let outside { apply(op, of: event, to: outside.object, outside.key) }
      if case .post(let postOp) = op {
        achievements.note(postOp, of: event, old: old, new: subject.flatMap { post($0) })
      }
    }
    before.crossing = crossing.sorted()
    return before
  }

  /// Leaves out of `before`, of the event that was applied last, what the store has left out of it. False when that
  /// cannot be, because a post differs after the event.
  func leaves(out kept: Before, of before: inout Before, _ event: Event) -> Bool {
    before.leftOut = kept.leftOut
    var seen: Set<ObjectKey> = []
    for (index, op) in event.ops.enumerated() {
      guard let key = op.touches(in: stream).first else { continue }
      let isFirst = seen.insert(key).inserted
      guard let fields = kept.leftOut[index], case .post(let post)? = before.objects[index],
        kept.objects.indices.contains(index), case .post(let stored)? = kept.objects[index]
      else { continue }
      let kept = KeptElements(in: stored)
      if isFirst {
        guard case .post(let after)? = rows[key]?.object,
          post.mayLeaveOut(fields, keeping: kept, after: after)
        else { return false }
      }
      before.objects[index] = .post(post.leavingOut(fields, keeping: kept))
    }
    return true
  }

  private func post(_ key: ObjectKey) -> Post? {
    guard case .post(let post)? = rows[key]?.object else { return nil }
    return post
  }

  /// Answers whether a completed post has left the state.
  private func isBeyondEdge(_ key: ObjectKey) -> Bool {
    guard key.kind == .post, let row = rows[key] else { return false }
    return !row.inState && row.object.rank != nil
  }

  private mutating func note(_ change: ObjectChange) {
    switch change.effect {
    case .put(let object): rows[change.key] = Row(object: object, inState: true)
    case .putOutside(let object): rows[change.key] = Row(object: object, inState: false)
    case .dropped:
      rows[change.key] = rows[change.key].map { Row(object: $0.object, inState: false) }
    case .deleted: rows[change.key] = nil
    }
  }

  /// Returns the object outside of the state that the op changes in place. Nil for every other op.
  private func subjectOutside(_ op: Op) -> (key: ObjectKey, object: Object)? {
    switch op {
    case .post(let op):
      let key = ObjectKey(kind: .post, id: op.post.uuid)
      guard let row = rows[key], !row.inState, case .post(let post) = row.object,
        op.changesOutside(post)
      else { return nil }
      return (key, row.object)
    case .line(.removed(_, let post?, .some)):
      let key = Comments.key(of: post)
      guard let row = rows[key], !row.inState else { return nil }
      return (key, row.object)
    default: return nil
    }
  }

  private mutating func apply(_ op: Op, of event: Event, to object: Object, _ key: ObjectKey) {
    var alone = StreamState(stream: stream, objects: [object])
    let single = Event(
      seq: event.seq, transaction: event.transaction, at: event.at, by: event.by, key: event.key,
      ops: [op])
    for change in alone.apply(single) where change.key == key {
      rows[key] = change.effect.object.map { Row(object: $0, inState: false) }
    }
  }
}

extension StreamReplay {
  /// Returns the state that the forgotten events of a stream had made.
  static func rowsAtHorizon(_ number: Int64, of database: Database) throws(DatabaseError) -> [Row] {
    let select = try database.prepare(
      "SELECT in_state, body FROM horizon_object WHERE stream = \(number)")
    return try select.rows { (row) throws(DatabaseError) in
      let object = try undamaged("a state at a horizon") { () throws(WireError) in
        try ObjectCodec.decode(row.bytes(1))
      }
      return Row(object: object, inState: row.int64(0) == 1)
    }
  }
}
