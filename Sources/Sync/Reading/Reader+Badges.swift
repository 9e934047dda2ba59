// category.list with `mine` (protocol §8 `category.list`): a summary of every list and group for one person, without a
// snapshot. The counters are in the heads. New events are counted as notification.list does, with the same bound. Work
// is looked for among the open posts that name the person or that each person completes. A group is told together with
// its lists, whose sums it has. One answer has as many of these as one request may read. Each is read in a moment of
// its own, because readers are few and others wait for them.

import Domain
import Wire

/// A group with its lists that the person sees, or one list; it is told as a whole, and the next page begins behind it.
private struct BadgeUnit {
  let stream: StreamID
  /// The lists, in stream order.
  var lists: [StreamID] = []
}

/// The amounts that a request may still read.
private struct BadgeScan {
  var news: NewsScan
  var looks: ViewLooks
  /// The open posts whose bytes may still be looked at.
  var rows: Int
  /// The bytes that are left for the answer.
  var bytes: Int

  var isSpent: Bool { news.budget.isSpent || looks.isSpent || rows <= 0 || bytes <= 0 }
}

extension Reader {
  /// Returns the badges of a person's lists and groups. Begins and ends its own read transactions.
  func badges(
    _ id: RequestID, _ identity: Identity, _ query: BadgesQuery
  ) throws(StoreError) -> RequestOutcome {
    let user = identity.user
    let (units, marks) = try store.read { () throws(StoreError) in
      (try badgeUnits(of: user), try readMarks(of: user))
    }
    // The person's day is not asked for, so the day begins after every event.
    let never = DayTally(user: user, start: Timestamp(milliseconds: .max))
    var scan = BadgeScan(
      news: NewsScan(today: never, levels: .standard, budget: ReadingLimits.newsOfRequest),
      looks: ReadingLimits.viewLooks, rows: ReadingLimits.viewRows, bytes: Limits.pageBytesMax)
    var badges: [Badge] = []
    var last: StreamID?
    for unit in units where query.after.map({ $0 < unit.stream }) ?? true {
      if last != nil, scan.isSpent {
        return .answer(Answer.badges(id, BadgesResult(badges: badges, after: last)))
      }
      badges += try self.badges(of: unit, for: user, marks, &scan)
      last = unit.stream
    }
    return .answer(Answer.badges(id, BadgesResult(badges: badges, after: nil)))
  }

  /// Returns the units of a person's lists and groups. Call it within a read transaction.
  private func badgeUnits(of user: UserID) throws(StoreError) -> [BadgeUnit] {
    let streams = try store.streams(of: user).map(\.stream)
    var units: [StreamID: BadgeUnit] = [:]
    for stream in streams {
      if case .group = stream { units[stream] = BadgeUnit(stream: stream) }
    }
    for stream in streams {
      guard case .category = stream, case .category(let list)? = try head(of: stream) else {
        continue
      }
      let group = list.group.map { StreamID.group($0) }
      if let group, units[group] != nil {
        units[group]?.lists.append(stream)
      } else {
        units[stream] = BadgeUnit(stream: stream, lists: [stream])
      }
    }
    return units.values.sorted { $0.stream < $1.stream }
  }

  /// Returns the badges of a unit, without lists that have gone meanwhile.
  private func badges(
    of unit: BadgeUnit, for user: UserID, _ marks: [StreamID: Int64], _ scan: inout BadgeScan
  ) throws(StoreError) -> [Badge] {
    var badges = try store.read { () throws(StoreError) in
      var lists: [Badge] = []
      for stream in unit.lists {
        if let badge = try listBadge(stream, for: user, &scan) { lists.append(badge) }
      }
      guard case .group = unit.stream else { return lists }
      guard let group = try groupBadge(unit.stream, of: lists, for: user) else { return lists }
      return [group] + lists
    }
    for index in badges.indices {
      scan.bytes -= ReadingLimits.badgeBytes + badges[index].name.utf8.count
      guard !badges[index].isArchived else { continue }
      let stream = badges[index].stream
      badges[index] = badges[index].with(
        try store.read { () throws(StoreError) in
          try unread(in: stream, marks[stream] ?? 0, keep: 0, &scan.news)?.unread
        })
    }
    return badges
  }

  private func listBadge(
    _ stream: StreamID, for user: UserID, _ scan: inout BadgeScan
  ) throws(StoreError) -> Badge? {
    guard let access = try store.access(of: user, to: stream),
      case .category(let list)? = try head(of: stream), list.removed == nil
    else { return nil }
    let isArchived = list.archived != nil
    scan.rows -= isArchived ? 0 : list.counters.open
    return Badge(
      stream: stream, name: list.name, group: list.group, color: list.color, role: access.role,
      isArchived: isArchived, counters: list.counters, unread: nil,
      mine: isArchived ? nil : try work(of: user, in: list.id, &scan.looks))
  }

  private func groupBadge(
    _ stream: StreamID, of lists: [Badge], for user: UserID
  ) throws(StoreError) -> Badge? {
    guard let access = try store.access(of: user, to: stream),
      case .group(let group)? = try head(of: stream), group.removed == nil
    else { return nil }
    let active = lists.filter { !$0.isArchived }
    return Badge(
      stream: stream, name: group.name, role: access.role,
      counters: active.reduce(Counters()) { $0 + $1.counters }, unread: nil,
      mine: active.reduce(.none) { $0 + ($1.mine ?? .none) })
  }

  /// Counts the open posts that are a person's work, up to a maximum.
  private func work(
    of user: UserID, in list: CategoryID, _ looks: inout ViewLooks
  ) throws(StoreError) -> WorkCount {
    let stream = StreamID.category(list)
    guard let me = try member(user, of: stream) else { return .none }
    var (count, after): (Int, Int?) = (0, 0)
    while let number = after, count <= Limits.workCountMax {
      guard !looks.isSpent else { return WorkCount(count: count, more: true) }
      let page = try store.openWork(
        of: user, in: list, after: number, limit: ReadingLimits.workPage)
      for body in page {
        looks.spend(bytes: body.count)
        guard case .post(let post) = try object(body) else { continue }
        after = post.number
        let isMine = try post.isWork(of: me) { (other) throws(StoreError) in
          try member(other, of: stream)
        }
        count += isMine ? 1 : 0
      }
      if page.count < ReadingLimits.workPage { after = nil }
    }
    let most = min(count, Limits.workCountMax)
    return WorkCount(count: most, more: count > most)
  }

  /// Returns a member, also one who has left.
  func member(_ user: UserID, of stream: StreamID) throws(StoreError) -> Member? {
    let key = ObjectKey(kind: .member, id: user.uuid)
    guard let body = try store.object(key, in: stream), case .member(let it) = try object(body)
    else { return nil }
    return it
  }

  private func head(of stream: StreamID) throws(StoreError) -> Object? {
    guard let body = try store.object(stream.headKey, in: stream) else { return nil }
    return try object(body)
  }
}

extension Badge {
  /// Returns the badge with the number of new events; nil means none.
  fileprivate func with(_ unread: Unread?) -> Badge {
    Badge(
      stream: stream, name: name, group: group, color: color, role: role, isArchived: isArchived,
      counters: counters, unread: unread ?? Unread(count: 0, more: false), mine: mine)
  }
}
