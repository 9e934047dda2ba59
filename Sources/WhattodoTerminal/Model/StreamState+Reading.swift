import Domain

// The objects of a stream as the screen wants them: typed, and in a fixed order.
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

  /// The open posts in the order that people gave them, else by number, oldest first.
  var openPosts: [Post] {
    // Each place is computed once, not at every comparison.
    posts.filter { $0.completed == nil }.map { (place: $0.place, post: $0) }
      .sorted { ($0.place, $0.post.number) < ($1.place, $1.post.number) }.map(\.post)
  }

  /// The completed posts that the state has, the newest completion first.
  var donePosts: [Post] {
    posts.filter { $0.completed != nil }.sorted { left, right in
      (left.completed?.seq ?? 0, left.number) > (right.completed?.seq ?? 0, right.number)
    }
  }

  func post(number: Int) -> Post? { posts.first { $0.number == number } }

  /// The present members, by username.
  var members: [Member] {
    let all: [Member] = objects.values.compactMap {
      if case .member(let it) = $0 { it } else { nil }
    }
    return all.filter { $0.role != nil }.sorted { $0.username < $1.username }
  }

  /// The invitations, the oldest first.
  var invitations: [Invitation] {
    let all: [Invitation] = objects.values.compactMap {
      if case .invitation(let it) = $0 { it } else { nil }
    }
    return all.sorted { ($0.sent.at, $0.id) < ($1.sent.at, $1.id) }
  }

  /// The people whose invitations one does not receive, by name.
  var blocks: [Block] {
    let all: [Block] = objects.values.compactMap { if case .block(let it) = $0 { it } else { nil } }
    return all.sorted { ($0.username, $0.user) < ($1.username, $1.user) }
  }

  func tag(_ id: TagID) -> Tag? {
    if case .tag(let it) = object(.tag, id.uuid) { it } else { nil }
  }

  /// The tags, by name.
  var tags: [Tag] {
    let all: [Tag] = objects.values.compactMap { if case .tag(let it) = $0 { it } else { nil } }
    return all.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
  }

  /// The tags of a post that still exist, by name.
  func tags(of post: Post) -> [Tag] { tags.filter { post.tags.contains($0.id) } }

  /// The people whose work a post is, without assignments that count no more.
  func assignees(of post: Post) -> [Member] {
    post.assignees.compactMap { assignment in
      member(assignment.user).flatMap { $0.holds(assignment) ? $0 : nil }
    }
  }

  /// Returns the person whose turn it is; nil for a post that is not done in turn.
  func turn(of post: Post) -> UserID? {
    post.whoseTurn { member($0.user)?.holds($0) ?? false }
  }

  /// Returns how far one has read a stream. Only one's own `u:` stream knows.
  func readMark(of stream: StreamID) -> Int64? {
    if case .readMark(let mark) = object(.readMark, stream.uuid) { mark.seq } else { nil }
  }

  /// The number of lists of a group.
  var listCount: Int { objects.keys.count { $0.kind == .groupCategory } }

  var posts: [Post] {
    objects.values.compactMap { if case .post(let it) = $0 { it } else { nil } }
  }
}
