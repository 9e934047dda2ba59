// history.get (protocol §8): events as they were pushed, newest first, with the present names that are needed to read
// them. There is no index by person or post: events are looked through from `before` back, so a page may hold fewer
// than asked for, or none, and still have a `before`.

import Domain
import Wire

extension EventStore {
  /// Returns a page of events. Call it within a read.
  func historyPage(
    _ query: HistoryEventsQuery, for user: UserID
  ) throws(StoreError) -> Result<HistoryPage, Refusal> {
    guard let access = try access(of: user, to: query.stream) else {
      return .failure(.notFound(query.stream.noun))
    }
    let floor = try firstRead(access)
    var walk = LogWalk(
      stream: query.stream,
      through: min(access.head.seq, (query.before ?? .max) - 1), floor: floor,
      eventsMax: ReadingLimits.historyEvents, bytesMax: ReadingLimits.historyBytes)
    var (found, bytes, isOver): ([(Event, HistoryPage.Line)], Int, Bool) = ([], 0, false)
    while found.count < query.limit, let stored = try walk.next(in: self) {
      let event = try stored.decoded()
      if let from = query.from, event.at < from {
        isOver = true
        break
      }
      guard query.wants(event) else { continue }
      guard found.isEmpty || bytes + stored.body.count <= Limits.pageBytesMax else {
        walk.giveBack(stored)
        break
      }
      bytes += stored.body.count
      found.append((event, HistoryPage.Line(seq: stored.seq, body: stored.body)))
    }
    let events = found.map(\.0)
    // Two pages are more room than the names of the people need that so many events can have.
    let room = Limits.messageBytesMax - 2 * Limits.pageBytesMax - bytes
    return .success(
      HistoryPage(
        lines: found.map(\.1), people: try people(in: events, of: query.stream),
        posts: try posts(
          in: events, of: query.stream, isWhole: floor <= access.head.horizon + 1,
          bytesMax: min(Limits.pageBytesMax, room)),
        before: isOver ? nil : walk.rest.map { $0 + 1 }))
  }

  /// Returns the people who wrote these events, by id.
  private func people(
    in events: [Event], of stream: StreamID
  ) throws(StoreError) -> [HistoryPage.Person] {
    var people: [HistoryPage.Person] = []
    for user in Set(events.compactMap(\.by)).sorted() {
      let key =
        stream == .user(user)
        ? ObjectKey(kind: .profile, id: user.uuid) : ObjectKey(kind: .member, id: user.uuid)
      guard let body = try object(key, in: stream) else { continue }
      switch try decodedObject(body) {
      case .member(let it):
        people.append(HistoryPage.Person(id: it.id, username: it.username, name: it.name))
      case .profile(let it):
        people.append(HistoryPage.Person(id: it.id, username: it.username, name: it.name))
      case .category, .group, .groupCategory, .post, .invitation, .invitationCode, .membership,
        .readMark, .notice, .declines, .block, .tag, .filter, .personal, .settings, .reminder,
        .link, .reactions, .line, .comments:
        break
      }
    }
    return people
  }

  /// Returns the posts that these events are about, with their present titles, by number; as many as there is room for.
  /// `isWhole`: the reader may read all events that are kept.
  private func posts(
    in events: [Event], of stream: StreamID, isWhole: Bool, bytesMax: Int
  ) throws(StoreError) -> [HistoryPage.Subject] {
    var keys: Set<ObjectKey> = []
    // The posts that the ops name beside what they change.
    var others: Set<ObjectKey> = []
    for event in events {
      for op in event.ops {
        keys.formUnion(op.touches(in: stream).prefix(1))
        if let post = op.postNamed { others.insert(ObjectKey(kind: .post, id: post.uuid)) }
      }
    }
    var (posts, bytes): ([HistoryPage.Subject], Int) = ([], 0)
    for key in keys.union(others).sorted() where key.kind == .post && bytes < bytesMax {
      guard let body = try object(key, in: stream),
        case .post(let post) = try decodedObject(body)
      else { continue }
      // The post may have gone before the reader came, who does not find it then.
      guard isWhole || keys.contains(key) || post.removed == nil else { continue }
      bytes += post.title.utf8.count + 100
      posts.append(HistoryPage.Subject(id: post.id, number: post.number, title: post.title))
    }
    return posts.sorted { $0.number < $1.number }
  }

  func decodedObject(_ body: [UInt8]) throws(StoreError) -> Object {
    do throws(WireError) {
      return try ObjectCodec.decode(body)
    } catch {
      throw .unreadable(StoreFault(.damaged, "a stored object: \(error)"))
    }
  }
}

extension HistoryEventsQuery {
  fileprivate func wants(_ event: Event) -> Bool {
    if let person, event.by != person { return false }
    if let until, event.at > until { return false }
    return event.ops.contains { isOfKind($0) && isAboutPost($0) }
  }

  private func isOfKind(_ op: Op) -> Bool {
    guard let kinds else { return true }
    return OpKind(op).map { kinds.contains($0) } ?? false
  }

  private func isAboutPost(_ op: Op) -> Bool {
    post.map { op.isAbout($0, in: stream) } ?? true
  }
}

extension Op {
  /// The post that the op names without changing it: that of the work that it reacts to, or of a comment.
  fileprivate var postNamed: PostID? {
    switch self {
    case .reaction(.reacted(_, let work, _)): work.post
    case .line(let op): op.post
    default: nil
    }
  }
}
