// A list as it was, found by taking its events back from the present, newest first. Each event says what
// its objects were before it (`was`), so the cost is that of the events since, however old the list is;
// and the beginning of the log is not needed, which may be trimmed one day.
//
// Exact but for one thing: of completed posts the state holds the newest 500. One that has left it is
// found here only if an event since says what it was, and then also at moments at which it had left.
// Everything else is the effect of the events 1…n (P6); Tests compare the two on random histories.

/// The state of a `c:` stream after some event, going back.
package struct PastState: Sendable {
  private let stream: StreamID
  private var objects: [ObjectKey: Object]

  /// `objects`: the present state.
  package init(of category: CategoryID, objects: [Object]) {
    stream = .category(category)
    self.objects = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// To before this event, the newest that is not taken back yet.
  package mutating func takeBack(_ past: PastEvent) {
    takeBackNumbers(past)
    for (key, before) in past.subjects(in: stream) {
      switch (objects[key], before) {
      case (.category(let now)?, .category(var old)?):
        // Its numbers are back already; in `old` they are as the ops before it in this event left them.
        old.counters = now.counters
        old.lastPost = now.lastPost
        objects[key] = .category(old)
      case (_, .post(let post)?) where post.removed != nil: objects[key] = nil
      case (_, let old): objects[key] = old
      }
    }
  }

  /// What ops about posts did to the category: its counters and the last number.
  private mutating func takeBackNumbers(_ past: PastEvent) {
    let key = ObjectKey(kind: .category, id: stream.uuid)
    guard case .category(var category)? = objects[key] else { return }
    for change in past.changes(in: stream) {
      guard case .post(let after) = change.after else { continue }
      category.counters.add(after, -1)
      if case .post(let before)? = change.before {
        category.counters.add(before, 1)
      } else {
        category.lastPost = min(category.lastPost, after.number - 1)
      }
    }
    objects[key] = .category(category)
  }

  /// The category, its members, its posts by number, its invitations; of completed posts the newest.
  package var state: [Object] {
    let ranks = objects.values.compactMap(\.rank).sorted()
    let dropped = Set(ranks.dropLast(Limits.completedInStateMax).map(\.key))
    return objects.values.filter { !dropped.contains($0.key) }.sorted {
      ($0.place, $0.key.id) < ($1.place, $1.key.id)
    }
  }
}

extension Object {
  /// As in a snapshot: kinds in their order, posts by number.
  fileprivate var place: Int {
    switch self {
    case .category, .group, .profile: 0
    case .member, .groupCategory: 1
    case .post(let post): 1 + post.number
    case .invitation, .membership, .readMark, .notice: Int.max
    }
  }
}
