// A past list is found by taking its events back from the present, newest first. Each event says what its objects were
// before it (`was`). So the cost is that of the events since, however old the list is, and the beginning of the log is
// not needed: it may be trimmed one day.
//
// Only objects that the events taken back were about are held here, so the cost does not grow with the list either. All
// others are as they are now, wherever that is kept.
//
// The result is exactly the effect of the events 1…n (P6) but for talk, which a past state has none of: the log says
// what was said when. Tests compare the two on random histories. The state holds
// the newest 500 completed posts, and `Before.crossing` says where each post stood. A post that comes back over the
// edge has the value that the next event about it found there, or else its present value.

/// The state of a `c:` stream after some event. It moves back event by event.
package struct PastState: Sendable {
  private let stream: StreamID
  /// The category and the objects that the events taken back were about, as they were then. A value is nil when the
  /// object was not in the state. All other objects of the past state are those of the present one.
  package private(set) var changed: [ObjectKey: Object?]
  /// The posts beyond the edge of the state, or in the bin, that an event taken back was about.
  private var beyond: [PostID: Object] = [:]

  /// Begins at the present. `category` is the category as it is now.
  package init(of category: Category) {
    stream = .category(category.id)
    let object = Object.category(category)
    changed = [object.key: object]
  }

  /// Takes back this event, the newest that is not taken back yet. `present` answers a post as it is now, wherever it
  /// is.
  package mutating func takeBack<Fault>(
    _ past: PastEvent, present: (PostID) throws(Fault) -> Object?
  ) throws(Fault) {
    takeBackNumbers(past)
    var crossing = Set(past.before.crossing)
    for subject in past.subjects(in: stream) where !subject.key.kind.isTalk {
      let key = subject.key
      let before = subject.whole(after: try after(subject, present))
      switch (changed[key] ?? nil, before) {
      case (.category(let now)?, .category(var old)?):
        // The category's numbers are taken back already. In `old` they stand as the ops before it in this event left
        // them.
        old.counters = now.counters
        old.lastPost = now.lastPost
        changed[key] = .category(old)
      case (_, .post(let post)?) where crossing.remove(post.id) != nil || post.removed != nil:
        changed.updateValue(nil, forKey: key)
        beyond[post.id] = before
      case (_, let old):
        changed.updateValue(old, forKey: key)
        if key.kind == .post { beyond[PostID(key.id)] = nil }
      }
    }
    for id in crossing.sorted() {
      let found = if let known = beyond.removeValue(forKey: id) { known } else { try present(id) }
      if let found { changed[found.key] = found }
    }
  }

  /// Returns the subject as it was after its event. It is needed where `was` leaves something of it out. The events
  /// that are taken back say it, or else the present does, since no later event was about it.
  private func after<Fault>(
    _ subject: PastSubject, _ present: (PostID) throws(Fault) -> Object?
  ) throws(Fault) -> Object? {
    guard !subject.leftOut.isEmpty else { return nil }
    let id = PostID(subject.key.id)
    if let known = (changed[subject.key] ?? nil) ?? beyond[id] { return known }
    return try present(id)
  }

  /// Takes back the changes that ops about posts made to the category: its counters and the last number.
  private mutating func takeBackNumbers(_ past: PastEvent) {
    let key = ObjectKey(kind: .category, id: stream.uuid)
    guard case .category(var category)?? = changed[key] else { return }
    for change in past.changes(in: stream) {
      guard case .post(let after) = change.after else { continue }
      category.counters.add(after, -1)
      if case .post(let before)? = change.before {
        category.counters.add(before, 1)
      } else {
        category.lastPost = min(category.lastPost, after.number - 1)
      }
    }
    changed[key] = .category(category)
  }
}

/// The place of an object among those of a past state: the category, its members, its posts by number, its invitations,
/// its tags and links.
package struct PastOrder: Comparable, Sendable {
  private let rank: Int
  private let id: UUID

  /// Finds the place of an object by its key. `number` is the number of a post.
  package init(_ key: ObjectKey, number: Int?) {
    id = key.id
    rank =
      switch key.kind {
      case .category, .group, .profile: 0
      case .member, .groupCategory: 1
      case .post: 1 + (number ?? 0)
      case .invitation, .invitationCode, .membership, .readMark, .notice, .declines, .block,
        .filter, .personal, .settings, .reminder, .reactions, .line, .comments:
        Int.max - 1
      case .tag, .link: Int.max
      }
  }

  package init(_ object: Object) {
    let number: Int? = if case .post(let post) = object { post.number } else { nil }
    self.init(object.key, number: number)
  }

  package static func < (one: PastOrder, other: PastOrder) -> Bool {
    (one.rank, one.id) < (other.rank, other.id)
  }
}
