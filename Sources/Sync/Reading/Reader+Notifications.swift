// notification.list (DESIGN §8). Progress is derived from the events after the read mark, by the same rule that clients
// apply to what arrives; nothing is written for each member. The person's day total comes from today's events. Events
// are read from the newest back, until all is known or the budget is spent. A stream in which nothing happened since is
// not read at all. Each list has a read transaction of its own, which checks itself whether the user is still a member,
// because readers are few and others wait for them.

package import Domain
package import Wire

/// The amounts that may still be read.
package struct NewsBudget: Sendable {
  package var events: Int
  package var bytes: Int

  package init(events: Int, bytes: Int) {
    self.events = events
    self.bytes = bytes
  }

  var isSpent: Bool { events <= 0 || bytes <= 0 }

  mutating func spend(_ event: StoredEvent) {
    events -= 1
    bytes -= event.body.count
  }

  /// Returns this part of the budget, but no more than is left.
  func part(_ part: NewsBudget) -> NewsBudget {
    NewsBudget(events: min(events, part.events), bytes: min(bytes, part.bytes))
  }

  mutating func spend(_ given: NewsBudget, left: NewsBudget) {
    events -= given.events - left.events
    bytes -= given.bytes - left.bytes
  }
}

/// The facts that are read before the lists.
private struct Overview {
  let dayStart: Timestamp
  let marks: [StreamID: Int64]
  let levels: NotificationLevels
  let directed: [Notification]
  let reminders: [Notification]
  let streams: [StreamAccess]
}

/// The facts that a request has gathered so far.
struct NewsScan {
  var today: DayTally
  /// How much the user is told. It is not looked at where notifications are only counted.
  let levels: NotificationLevels
  var budget: NewsBudget
  /// Whether some events of today were not looked at.
  var missesToday = false

  /// Answers false where everything is read and nothing happened today.
  func mayChange(_ access: StreamAccess, mark: Int64?) -> Bool {
    access.head.seq > max(mark ?? 0, access.joinedSeq) || access.head.at >= today.start
  }
}

extension Reader {
  /// Returns what a user has not read. Begins and ends its own read transactions.
  package func notifications(
    of user: UserID, _ limit: Int, _ budget: NewsBudget, at now: Timestamp
  ) throws(StoreError) -> NotificationsResult {
    let known = try store.read { () throws(StoreError) in try overview(of: user, limit, at: now) }
    var scan = NewsScan(
      today: DayTally(user: user, start: known.dayStart), levels: known.levels, budget: budget)
    var lists: [UnreadList] = []
    for access in known.streams where scan.mayChange(access, mark: known.marks[access.stream]) {
      let list = try store.read { () throws(StoreError) in
        try unread(in: access.stream, known.marks[access.stream] ?? 0, keep: limit, &scan)
      }
      if let list { lists.append(list) }
    }
    return NotificationsResult(
      lists: lists, directed: known.directed, reminders: known.reminders, today: scan.today.total,
      more: scan.missesToday)
  }

  private func overview(
    of user: UserID, _ limit: Int, at now: Timestamp
  ) throws(StoreError) -> Overview {
    let zone = try profile(of: user)?.zone ?? "UTC"
    // In a zone that the system no longer knows, days are those of UTC.
    let start = tools.startOfDay(now, zone) ?? Timestamp.startOfDayUTC(now)
    let marks = try readMarks(of: user)
    let levels = try levels(of: user, at: now)
    return Overview(
      dayStart: start, marks: marks, levels: levels,
      directed: try directed(to: user, limit, levels),
      reminders: try reminders(of: user, after: marks[.user(user)] ?? 0, at: now),
      streams: try store.streams(of: user).filter { $0.stream != .user(user) })
  }

  /// Returns what is unread in a stream; nil when nothing is, or the user is no member any more. It counts today's
  /// events on the way. Call it within a read transaction.
  func unread(
    in stream: StreamID, _ mark: Int64, keep: Int, _ scan: inout NewsScan
  ) throws(StoreError) -> UnreadList? {
    let user = scan.today.user
    guard let access = try store.access(of: user, to: stream) else { return nil }
    let category = try category(stream)
    let group = category?.group.map { StreamID.group($0) }
    let chosen = scan.levels.chosen(of: stream, in: group)
    // A list of which nothing is told is only counted.
    let kept = chosen == NotificationLevel.none ? 0 : keep
    // Members are counted only for a list about which nothing is chosen, when it has something to tell.
    var members: Int? = chosen == nil ? nil : 0
    var tally = UnreadTally(
      viewer: Viewer(user: user, joinedSeq: access.joinedSeq), mark: mark, keep: kept)
    var concerned: [ConcernedKey: Bool] = [:]
    let given = scan.budget.part(ReadingLimits.newsOfList)
    var left = given
    // Events of an archived list are no news any more, but still count for the day.
    let isArchived = category?.archived != nil
    // Events up to `end` have not been looked at.
    var (end, isToday) = (access.head.seq, access.head.at >= scan.today.start)
    while end > access.head.horizon, !left.isSpent,
      isToday || (!isArchived && end > tally.start && !tally.isFull)
    {
      let events = try window(of: stream, through: end, &left)
      for event in events.reversed() {
        try tally.add(event, in: stream) { (it) throws(StoreError) in
          if members == nil { members = try memberCount(of: stream) }
          return try scan.levels.tells(it, in: group, members: members ?? 0) {
            (it) throws(StoreError) in
            let key = ConcernedKey(post: it.post, isComment: it.kind == .commented)
            if let isKnown = concerned[key] { return isKnown }
            let isConcerned = try concerns(it, user)
            concerned[key] = isConcerned
            return isConcerned
          }
        }
        scan.today.add(event, in: stream)
      }
      guard let first = events.first else { break }
      (end, isToday) = (first.seq - 1, first.at >= scan.today.start)
    }
    scan.budget.spend(given, left: left)
    if end > access.head.horizon, isToday { scan.missesToday = true }
    let isCut = end > max(tally.start, access.head.horizon) && !tally.isFull
    guard !isArchived, tally.unread.count > 0 || isCut else { return nil }
    return UnreadList(
      stream: stream, name: try name(of: stream),
      unread: Unread(count: tally.unread.count, more: tally.unread.more || isCut),
      notifications: tally.notifications)
  }

  /// Returns the number of members that a category or group has now. It counts no further than a level asks.
  private func memberCount(of place: StreamID) throws(StoreError) -> Int {
    var count = 0
    for body in try store.objects(.member, in: place)
    where count <= NotificationLevel.membersToldAll {
      if case .member(let member) = try object(body), member.role != nil { count += 1 }
    }
    return count
  }

  private func category(_ stream: StreamID) throws(StoreError) -> Domain.Category? {
    guard case .category = stream, let body = try store.object(stream.headKey, in: stream),
      case .category(let category) = try object(body)
    else { return nil }
    return category
  }

  private func levels(
    of user: UserID, at now: Timestamp
  ) throws(StoreError) -> NotificationLevels {
    let key = ObjectKey(kind: .settings, id: user.uuid)
    guard let body = try store.object(key, in: .user(user)),
      case .settings(let settings) = try object(body)
    else { return .standard }
    return NotificationLevels(settings, at: now)
  }

  /// Answers whether the post of a notification is a person's work, or watched by them.
  private func concerns(_ it: Notification, _ user: UserID) throws(StoreError) -> Bool {
    guard let id = it.post, case .category(let list) = it.stream,
      let body = try store.object(ObjectKey(kind: .post, id: id.uuid), in: it.stream),
      case .post(let post) = try object(body), let member = try member(user, of: it.stream)
    else { return false }
    let address = PostAddress(category: list, post: id)
    var personal: Personal?
    if let said = try store.object(address.personalKey, in: .user(user)),
      case .personal(let held) = try object(said), held.address == address
    {
      personal = held
    }
    return it.concerns(member, by: post, personal)
  }

  /// Returns the last events up to `end`, in order.
  private func window(
    of stream: StreamID, through end: Int64, _ budget: inout NewsBudget
  ) throws(StoreError) -> [Event] {
    var events: [Event] = []
    var cursor = max(0, end - ReadingLimits.newsWindow)
    while cursor < end {
      let page = try store.events(
        in: stream, after: cursor, through: end, bytesMax: Limits.pageBytesMax)
      guard let last = page.last else { break }
      for stored in page {
        budget.spend(stored)
        events.append(try stored.decoded())
      }
      cursor = last.seq
    }
    return events
  }

  private func name(of stream: StreamID) throws(StoreError) -> String {
    let kind: ObjectKind =
      switch stream {
      case .category: .category
      case .group: .group
      case .user: .profile
      }
    guard let body = try store.object(ObjectKey(kind: kind, id: stream.uuid), in: stream) else {
      return ""
    }
    switch try object(body) {
    case .category(let category): return category.name
    case .group(let group): return group.name
    case .profile(let profile): return profile.name
    case .groupCategory, .member, .post, .invitation, .invitationCode, .membership, .readMark,
      .notice, .declines, .block, .tag, .filter, .personal, .settings, .reminder, .link, .reactions,
      .line, .comments:
      return ""
    }
  }

  func readMarks(of user: UserID) throws(StoreError) -> [StreamID: Int64] {
    var marks: [StreamID: Int64] = [:]
    for body in try store.objects(.readMark, in: .user(user)) {
      if case .readMark(let mark) = try object(body) { marks[mark.stream] = mark.seq }
    }
    return marks
  }

  private func directed(
    to user: UserID, _ limit: Int, _ levels: NotificationLevels
  ) throws(StoreError) -> [Notification] {
    var found: [Notification] = []
    for body in try store.objects(.notice, in: .user(user)) {
      guard case .notice(let notice) = try object(body) else { continue }
      let it = Notification(notice, to: user)
      // Progress is in no `u:`, and only of that the number of members decides.
      let isTold = try levels.tells(it, in: group(of: it.about, levels), members: 0) { _ in false }
      if isTold { found.append(it) }
    }
    // The store orders notices by their places in their events. A batch is no newer than what came after it, so they
    // are sorted here.
    return Array(found.sorted { ($0.seq, $0.opIndex) > ($1.seq, $1.opIndex) }.prefix(limit))
  }

  /// Returns the group of a category; nil where no level asks for it.
  private func group(
    of place: StreamID, _ levels: NotificationLevels
  ) throws(StoreError) -> StreamID? {
    levels.isEmpty ? nil : try category(place)?.group.map { .group($0) }
  }
}

/// A comment also concerns the person who added its post, so the answer for it is another.
private struct ConcernedKey: Hashable {
  let post: PostID?
  let isComment: Bool
}

extension Timestamp {
  fileprivate static func startOfDayUTC(_ time: Timestamp) -> Timestamp {
    let day: Int64 = 24 * 3_600_000
    return Timestamp(milliseconds: time.milliseconds / day * day)
  }
}
