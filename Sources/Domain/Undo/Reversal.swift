// Takes events back from the posts, the tags and the head of one category, newest event first.
//
// Only what an event changed counts, field by field: the fields that people set on a post (`PostField`), its steps,
// place, completion and removal, and the name, zone, color, talk, removal and archiving of the category. A field goes
// back to its value before the event when it still has the value that the event gave it. When it has another value,
// somebody has set it since, and it stays (`later`). A post that the event added is removed when nothing at all has
// happened to it since. So the value decides, not who wrote last: a title that was changed and changed back counts as
// untouched.

struct Reversal {
  /// The category, the posts and the tags as they shall be.
  private(set) var category: Category
  private(set) var posts: [PostID: Post]
  private(set) var tags: [TagID: Tag]
  /// The objects in which somebody has set what should have gone back.
  private(set) var later: Set<ObjectKey> = []
  /// The events of which something went back, or already was as before.
  private(set) var events: [Int64] = []
  /// The posts that the role may not bring to what they should be.
  private(set) var forbidden: Set<PostID> = []
  /// The sets of posts that go back all or not at all.
  private var together: [Set<PostID>] = []
  /// The posts in which amounts went back that were said while the post was open.
  private var lowered: Set<PostID> = []
  /// The posts whose occurrence stays after all.
  private var stuck: Set<PostID> = []
  /// The ends of the occurrences between, for posts that go from one occurrence to another. Posts for which they are
  /// not known are left out.
  var endings: [PostID: [Ending]] = [:]
  private let occurrences: OccurrenceHistory

  /// Begins at the present. `tags` are all of the category, when an event is about one of them.
  init(category: Category, posts: [Post], tags: [TagID: Tag], occurrences: OccurrenceHistory) {
    self.occurrences = occurrences
    self.category = category
    self.tags = tags
    self.posts = Dictionary(posts.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Takes back an event. `stamp` is for the removal of a post that the event added.
  mutating func takeBack(_ past: PastEvent, in stream: StreamID, stamp: Stamp) {
    let present = posts
    let changes = past.changes(in: stream).filter { !past.event.adds($0.key) }
    var undone: Set<ObjectKey> = []
    for change in changes {
      let isDone: Bool
      switch (change.before, change.after) {
      case (.post(let before)?, .post(let after)): isDone = takeBack(after, to: before)
      case (nil, .post(let after)): isDone = takeBack(added: after, stamp: stamp)
      case (.category(let before)?, .category(let after)): isDone = takeBack(after, to: before)
      case (.tag(let before)?, .tag(let after)): isDone = tags.takeBack(before, after)
      case (.tag(let before)?, nil): isDone = tags.takeBack(before, nil)
      case (nil, .tag(let after)): isDone = tags.takeBack(nil, after)
      default: continue
      }
      if isDone { undone.insert(change.key) } else { later.insert(change.key) }
    }
    for apart in past.timesApart(changes, in: stream, occurrences) {
      if undone.isSuperset(of: apart.keys), apart.mayGoBack(changes, present) {
        together.append(Set(apart.keys.map { PostID($0.id) }))
      } else {
        undone.subtract(apart.keys)
        keep(apart.keys, as: present)
      }
    }
    if !undone.isEmpty { events.append(past.event.seq) }
  }

  private mutating func keep(_ keys: [ObjectKey], as present: [PostID: Post]) {
    for key in keys { posts[PostID(key.id)] = present[PostID(key.id)] }
    later.formUnion(keys)
  }

  /// Keeps posts consistent with their steps. A post with an open step is open, and a completion that should have come
  /// back stays away. An undo does not complete an open post either, as finishing a step does. `present` holds the
  /// posts as they are now.
  mutating func settle(_ present: [Post]) {
    for post in present {
      guard let goal = posts[post.id], goal != post else { continue }
      var settled = goal.settled
      if lowered.contains(post.id) { settled = settled.openedBelowGoal(from: post) }
      if settled.completed != goal.completed, post.completed != goal.completed {
        later.insert(ObjectKey(kind: .post, id: post.id.uuid))
      }
      posts[post.id] = settled
    }
  }

  /// Looks up the ends of the occurrences that a post goes over. `present` holds the posts as they are now.
  mutating func follow(_ present: [Post]) {
    for post in present {
      guard let goal = posts[post.id] else { continue }
      endings[post.id] = occurrences.endings(between: post, and: goal)
    }
  }

  mutating func take(_ settled: PartsSettling) {
    let id = settled.post.id
    posts[id] = settled.goal
    if settled.isLater { later.insert(ObjectKey(kind: .post, id: id.uuid)) }
    if settled.isForbidden { forbidden.insert(id) }
    if settled.isStuck {
      endings[id] = []
      stuck.insert(id)
    }
  }

  /// Keeps posts that go together with one that stays. `present` holds the posts as they are now.
  mutating func keepTogether(_ present: [Post]) {
    let present = Dictionary(present.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for id in companions(of: stuck) {
      posts[id] = present[id]
      later.insert(ObjectKey(kind: .post, id: id.uuid))
    }
  }

  /// Returns all other posts that stay when these do.
  func companions(of ids: Set<PostID>) -> Set<PostID> {
    var found = ids
    while let more = together.first(where: {
      !$0.isDisjoint(with: found) && !$0.isSubset(of: found)
    }) {
      found.formUnion(more)
    }
    return found.subtracting(ids)
  }

  /// Keeps people who may not have work in a post out of it. A person who has left since, even if they came back, is
  /// not assigned again, and no part of theirs is done. `present` holds the posts as they are now.
  mutating func dismissFormer(
    _ present: [Post], in stream: StreamID, _ world: inout World
  ) throws(Halt) {
    let people = present.flatMap { post in
      let goal = posts[post.id] ?? post
      return (post.parts + goal.parts).map(\.user) + goal.assignees.map(\.user)
    }
    try world.require(Set(people).sorted().map { .member($0, of: stream) })
    for post in present {
      guard let goal = posts[post.id] else { continue }
      for assignment in goal.assignees where !post.assignees.contains(assignment.user) {
        if try world.counts(assignment, in: stream) { continue }
        posts[post.id]?.assignees.removeAll { $0 == assignment }
        later.insert(ObjectKey(kind: .post, id: post.id.uuid))
      }
      for part in goal.parts where !post.parts.contains(part.user) {
        if try world.member(part.user, of: stream)?.holds(part) == true { continue }
        posts[post.id]?.parts.removeAll { $0 == part }
        later.insert(ObjectKey(kind: .post, id: post.id.uuid))
      }
    }
  }

  /// Takes back the changes of a post. False when a field stays because it was set since.
  private mutating func takeBack(_ after: Post, to before: Post) -> Bool {
    // Nothing goes back in the rest of a post that is in another list now, or nowhere.
    guard var post = posts[after.id], !post.isGone else { return false }
    // A completion that was made again has the number of its new event.
    let after = after.completedAs(post)
    var before = before.completedAs(post)
    // The text was erased: a text that somebody wrote in its place stays, since nobody writes an empty title.
    if before.title.isEmpty { before.title = after.title }
    if before.goal?.unit.isEmpty == true { before.goal = after.goal }
    let isCompletion = post.completionGoesBack(from: after, to: before)
    let moment = isCompletion ? post.momentReversal(from: after, to: before) : .stays
    if moment != .goesBack { before = before.keepingMoment(of: after) }
    if !isCompletion { before.completed = after.completed }
    let set = PostField.all.map { $0.takeBack(in: &post, from: after, to: before) }
    let fields = [
      post.steps.takeBack(after.steps, to: before.steps),
      post.takeBackMarks(after, to: before),
      back(&post.position, from: after.position, to: before.position),
      back(&post.completed, from: after.completed, to: before.completed),
      back(&post.removed, from: after.removed, to: before.removed),
    ]
    guard let now = posts[after.id] else { return false }
    let isFit = post.keepContest(of: now, since: after)
    if after.completed == nil, post.contestTotal < now.contestTotal { lowered.insert(post.id) }
    post.leaveProgress(of: now, for: before)
    posts[after.id] = post
    return moment != .stays && isFit && !(set + fields).contains(false)
  }

  private mutating func takeBack(added after: Post, stamp: Stamp) -> Bool {
    guard var post = posts[after.id] else { return false }
    guard post.removed == nil, after.removed == nil else { return true }
    guard post.hasContent(of: after) else { return false }
    post.removed = stamp
    posts[after.id] = post
    return true
  }

  private mutating func takeBack(_ after: Category, to before: Category) -> Bool {
    let fields = [
      back(&category.name, from: after.name, to: before.name),
      back(&category.zone, from: after.zone, to: before.zone),
      back(&category.color, from: after.color, to: before.color),
      back(&category.removed, from: after.removed, to: before.removed),
      back(&category.archived, from: after.archived, to: before.archived),
      back(&category.talk, from: after.talk, to: before.talk),
    ]
    return !fields.contains(false)
  }

  private func back<Value: Equatable>(
    _ now: inout Value, from after: Value, to before: Value
  ) -> Bool {
    guard after != before, now != before else { return true }
    guard now == after else { return false }
    now = before
    return true
  }
}

extension Post {
  /// Answers whether everything that a person can set is the same.
  func hasContent(of other: Post) -> Bool {
    hasFields(of: other) && steps == other.steps && hasMarks(of: other)
      && position == other.position
      && completed?.stamp == other.completed?.stamp && removed == other.removed
  }

  /// Returns the post with the completion of the other, when it is the same one.
  fileprivate func completedAs(_ other: Post) -> Post {
    var post = self
    if let known = other.completed, known.stamp == completed?.stamp { post.completed = known }
    return post
  }
}
