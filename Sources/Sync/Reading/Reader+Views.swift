// post.query and agenda.get (protocol §8): over the lists that the asker may read at this moment.

import Domain
import Wire

extension Reader {
  /// Answers a post.query. Begins and ends its own read transaction.
  func view(
    _ id: RequestID, _ identity: Identity, _ query: ViewQuery, at now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    try store.read { () throws(StoreError) in
      try viewAtOnce(id, identity, query, now: now)
    }
  }

  /// Answers an agenda.get. Begins and ends its own read transaction.
  func agenda(
    _ id: RequestID, _ identity: Identity, _ query: AgendaQuery, at now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    try store.read { () throws(StoreError) in
      try agendaAtOnce(id, identity, query, now: now)
    }
  }

  private func viewAtOnce(
    _ id: RequestID, _ identity: Identity, _ query: ViewQuery, now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    let (zone, looked): (String, LookedLists)
    let budget: PostBudget = query.criteria.state == .open ? .open : .all
    switch try look(
      identity, zone: query.zone, now: now, query.categories, .query(.view), budget)
    {
    case .failure(let failure): return .failed(failure)
    case .success(let found): (zone, looked) = found
    }
    // One post more than asked for tells whether there is a next page.
    let view = PostView(
      query, in: try viewed(looked, identity.user, query.criteria), for: identity.user, zone: zone,
      limit: query.limit + 1, looks: ReadingLimits.viewLooks, tools.almanac)
    let found = try store.viewed(view)
    let page = page(of: found.posts, query.limit, \.post)
    let isCut = found.posts.count > page.count
    var lines: [ViewLine] = []
    for found in page {
      guard try isShown(found.post, in: found.place.category, to: identity.user) else { continue }
      lines.append(ViewLine(category: found.place.category, post: found.post))
    }
    let result = ViewResult(
      found: lines, after: (isCut ? page.last?.place : found.stoppedAt)?.text,
      omitted: looked.omitted)
    return .answer(Answer.view(id, result))
  }

  /// Returns the zone whose days count, and the lists that may be read.
  private func look(
    _ identity: Identity, zone named: String?, now: Timestamp, _ categories: [CategoryID]?,
    _ method: Method, _ budget: PostBudget
  ) throws(StoreError) -> Result<(zone: String, lists: LookedLists), Failure> {
    guard let zone = try zone(of: identity.user, named: named, now: now) else {
      return .failure(.refused(.invalid(field: "zone", reason: "names no time zone")))
    }
    return try lists(of: identity, categories, method, budget).map { (zone, $0) }
  }

  /// Returns the named zone, or the user's; nil for a zone that does not exist.
  func zone(
    of user: UserID, named: String?, now: Timestamp
  ) throws(StoreError) -> String? {
    guard let named else { return try profile(of: user)?.zone ?? Category.zoneOfOld }
    return tools.almanac.day(now, named) == nil ? nil : named
  }

  /// Returns the lists in which such posts may be.
  private func viewed(
    _ looked: LookedLists, _ me: UserID, _ criteria: PostWhere
  ) throws(StoreError) -> [ViewedList] {
    let assignee = criteria.assignee?.id(me: me)
    var lists: [ViewedList] = []
    for list in looked.lists {
      var assignedFrom = list.joinedSeq
      if let assignee, assignee != me {
        let access = try store.access(of: assignee, to: .category(list.category))
        guard let access else { continue }
        assignedFrom = access.joinedSeq
      }
      if let tag = criteria.tag,
        try store.object(ObjectKey(kind: .tag, id: tag.uuid), in: .category(list.category)) == nil
      {
        continue
      }
      lists.append(
        ViewedList(category: list.category, zone: list.zone, assignedFrom: assignedFrom))
    }
    return lists
  }

  private func agendaAtOnce(
    _ id: RequestID, _ identity: Identity, _ query: AgendaQuery, now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    let (zone, looked): (String, LookedLists)
    switch try look(identity, zone: query.zone, now: now, query.categories, .query(.agenda), .open)
    {
    case .failure(let failure): return .failed(failure)
    case .success(let found): (zone, looked) = found
    }
    let window = DueWindow(from: .day(query.from), until: .day(query.to))
    let found = try store.dues(
      DueRange(
        looked.lists.map { ViewedList(category: $0.category, zone: $0.zone) }, window.deadlines,
        now: now, tools.almanac))
    let result = AgendaResult(
      days: AgendaDay.all(of: found.marks, query, zone: zone, now: now, tools.almanac),
      overdue: found.overdue, omitted: looked.omitted)
    return .answer(Answer.agenda(id, result))
  }
}

extension AgendaDay {
  fileprivate static func all(
    of marks: [DueMark], _ query: AgendaQuery, zone: String, now: Timestamp, _ almanac: Almanac
  ) -> [AgendaDay] {
    var counts = Array(
      repeating: (open: 0, overdue: 0), count: query.to.number - query.from.number + 1)
    for mark in marks {
      guard let day = mark.day ?? almanac.day(mark.deadline, zone),
        (query.from...query.to).contains(day)
      else { continue }
      counts[day.number - query.from.number].open += 1
      if mark.deadline <= now { counts[day.number - query.from.number].overdue += 1 }
    }
    return counts.enumerated().filter { $0.element.open > 0 }.map { index, count in
      AgendaDay(
        day: query.from.adding(days: index), open: count.open, overdue: count.overdue)
    }
  }
}
