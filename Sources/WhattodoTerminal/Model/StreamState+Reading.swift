import Domain

// A stream's objects as the screen wants them: typed, and in a fixed order.
extension StreamState {
  var category: Category? {
    if case .category(let it) = object(.category, stream.uuid) { it } else { nil }
  }

  var group: Group? {
    if case .group(let it) = object(.group, stream.uuid) { it } else { nil }
  }

  var profile: Profile? {
    if case .profile(let it) = object(.profile, stream.uuid) { it } else { nil }
  }

  func post(_ id: PostID) -> Post? {
    if case .post(let it) = object(.post, id.uuid) { it } else { nil }
  }

  func member(_ id: UserID) -> Member? {
    if case .member(let it) = object(.member, id.uuid) { it } else { nil }
  }

  /// In the order that people gave them, else by number, oldest first.
  var openPosts: [Post] {
    // Each place is made once, not at every comparison.
    posts.filter { $0.completed == nil }.map { (place: $0.place, post: $0) }
      .sorted { ($0.place, $0.post.number) < ($1.place, $1.post.number) }.map(\.post)
  }

  /// Those of the state, the newest completion first.
  var donePosts: [Post] {
    posts.filter { $0.completed != nil }.sorted { left, right in
      (left.completed?.seq ?? 0, left.number) > (right.completed?.seq ?? 0, right.number)
    }
  }

  func post(number: Int) -> Post? { posts.first { $0.number == number } }

  /// Those who are there now, by username.
  var members: [Member] {
    let all: [Member] = objects.values.compactMap {
      if case .member(let it) = $0 { it } else { nil }
    }
    return all.filter { $0.role != nil }.sorted { $0.username < $1.username }
  }

  /// The oldest first.
  var invitations: [Invitation] {
    let all: [Invitation] = objects.values.compactMap {
      if case .invitation(let it) = $0 { it } else { nil }
    }
    return all.sorted { ($0.sent.at, $0.id) < ($1.sent.at, $1.id) }
  }

  /// Whose invitations one does not hear of, by name.
  var blocks: [Block] {
    let all: [Block] = objects.values.compactMap { if case .block(let it) = $0 { it } else { nil } }
    return all.sorted { ($0.username, $0.user) < ($1.username, $1.user) }
  }

  func tag(_ id: TagID) -> Tag? {
    if case .tag(let it) = object(.tag, id.uuid) { it } else { nil }
  }

  /// By name.
  var tags: [Tag] {
    let all: [Tag] = objects.values.compactMap { if case .tag(let it) = $0 { it } else { nil } }
    return all.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
  }

  /// Of what a post has been given, what still is a tag; by name.
  func tags(of post: Post) -> [Tag] { tags.filter { post.tags.contains($0.id) } }

  /// Whose work a post is, of those whose it counts as.
  func assignees(of post: Post) -> [Member] {
    post.assignees.compactMap { assignment in
      member(assignment.user).flatMap { $0.holds(assignment) ? $0 : nil }
    }
  }

  /// Of a post that its people do in turn; nil of any other.
  func turn(of post: Post) -> UserID? {
    post.whoseTurn { member($0.user)?.holds($0) ?? false }
  }

  /// How far one has read a stream, in one's own `u:`.
  func readMark(of stream: StreamID) -> Int64? {
    if case .readMark(let mark) = object(.readMark, stream.uuid) { mark.seq } else { nil }
  }

  /// Of a group: how many lists it has.
  var listCount: Int { objects.keys.count { $0.kind == .groupCategory } }

  private var posts: [Post] {
    objects.values.compactMap { if case .post(let it) = $0 { it } else { nil } }
  }
}
