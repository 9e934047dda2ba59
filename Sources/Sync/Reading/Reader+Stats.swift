// stats.get (protocol §8): what the members of a list or a group have achieved between two midnights, or what somebody
// has achieved in all their lists, as far as the asker may read it now. Bots are in no score. Each list has a read
// transaction of its own. Achievements are counted by their rows (Domain/Stats/AchievementRow.swift). Only for the
// number of posts that were added the log is walked.

import Domain
import Wire

/// The facts that one question about some days has gathered so far.
private struct StatsScan {
  let user: UserID
  let query: StatsQuery
  let window: StatsWindow
  var budget = ReadingLimits.stats
  var rowsLeft = ReadingLimits.statsRows
  var achievements: [Achievement] = []
  var contests: [UserID: ContestScore] = [:]
  /// The posts that people added. Nil when so many days are asked for that these are not counted.
  var added: [UserID: Int]?
  var addedInAll = 0
  /// The lists that were looked at, in their order.
  var lists: [StreamID] = []
  var isCut = false

  init(_ user: UserID, _ query: StatsQuery, _ window: StatsWindow) {
    (self.user, self.query, self.window) = (user, query, window)
    let days = query.to.number - query.from.number + 1
    added = days <= Limits.statsAddedDaysMax ? [:] : nil
  }

  /// Whether only the asker's own achievements are asked for.
  var isOwn: Bool { query.stream == .user(user) }

  /// The users who completed or added anything.
  var users: Set<UserID> {
    Set(achievements.map(\.user)).union((added ?? [:]).keys).union(contests.keys)
  }

  mutating func take(_ event: Event) {
    for case .post(.added) in event.ops where !isOwn || event.by == user {
      addedInAll += 1
      if let by = event.by { added?[by, default: 0] += 1 }
    }
  }
}

/// The facts that are known before the lists are read.
private struct StatsPlaces {
  let zone: String
  let lists: [StreamID]
}

/// The deadlines of a list's dues, each computed once.
private struct ListDeadlines {
  let zone: String
  let almanac: Almanac
  private var known: [Due: Timestamp?] = [:]

  init(_ zone: String, _ almanac: Almanac) { (self.zone, self.almanac) = (zone, almanac) }

  /// Returns the milliseconds from the deadline that the post had to the moment at which it was done.
  mutating func lateness(of row: AchievementRow) -> Int64? {
    guard let due = row.due else { return nil }
    let deadline = known[due] ?? due.deadline(categoryZone: zone, almanac: almanac)
    known[due] = .some(deadline)
    return deadline.map { row.doneAt.milliseconds - $0.milliseconds }
  }
}

extension Reader {
  /// Answers a question for statistics. Begins and ends its own read transactions.
  func stats(
    _ id: RequestID, _ identity: Identity, _ query: StatsQuery, at now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    let found = try store.read { () throws(StoreError) in
      try statsPlaces(query, identity, at: now)
    }
    let places: StatsPlaces
    switch found {
    case .failure(let failure): return .failed(failure)
    case .success(let it): places = it
    }
    let window = StatsWindow(from: query.from, to: query.to, now: now) {
      midnight(before: $0, places.zone)
    }
    var scan = StatsScan(identity.user, query, window)
    for list in places.lists {
      try store.read { () throws(StoreError) in try score(of: list, &scan) }
    }
    return .answer(Answer.stats(id, try result(of: scan, places)))
  }

  private func result(
    of scan: StatsScan, _ places: StatsPlaces
  ) throws(StoreError) -> StatsResult {
    let known = try store.read { () throws(StoreError) in
      try members(scan.users, in: [scan.query.stream] + scan.lists, for: scan.user)
    }
    let bots = Set(known.values.filter { $0.kind == .bot }.map(\.id))
    let statistics = Statistics(
      scan.achievements.filter { !bots.contains($0.user) },
      added: scan.added?.filter { !bots.contains($0.key) },
      contests: scan.contests.filter { !bots.contains($0.key) }, in: scan.window)
    let people = statistics.people.lazy.compactMap { score in
      known[score.user].map { StatsPerson(username: $0.username, score: score) }
    }.prefix(StatsResult.peopleMax)
    return StatsResult(
      scan.query, zone: places.zone, added: scan.added == nil ? nil : scan.addedInAll, statistics,
      people: Array(people), more: scan.isCut)
  }

  /// Returns the zone and the lists that count. For a group they are all its lists, whether or not the asker is in
  /// them; for the asker's own stream all lists that they are in. Call it within a read transaction.
  private func statsPlaces(
    _ query: StatsQuery, _ identity: Identity, at now: Timestamp
  ) throws(StoreError) -> Result<StatsPlaces, Failure> {
    if let failure = try refusal(identity, query.stream, .query(.stats)) {
      return .failure(failure)
    }
    guard let zone = try zone(of: identity.user, named: query.zone, now: now) else {
      return .failure(.refused(.invalid(field: "zone", reason: "names no time zone")))
    }
    var lists: [StreamID] = []
    switch query.stream {
    case .category: lists = [query.stream]
    case .user:
      lists = try store.streams(of: identity.user).map(\.stream).filter { $0.category != nil }
    case .group:
      for body in try store.objects(.groupCategory, in: query.stream) {
        if case .groupCategory(let it) = try object(body) { lists.append(.category(it.id)) }
      }
    }
    return .success(StatsPlaces(zone: zone, lists: lists))
  }

  /// Adds what was done in a list. A list that the user is not in adds nothing, and neither does a removed list of a
  /// group. Call it within a read transaction.
  private func score(of list: StreamID, _ scan: inout StatsScan) throws(StoreError) {
    guard let access = try store.access(of: scan.user, to: list),
      let body = try store.object(list.headKey, in: list),
      case .category(let category) = try object(body),
      list == scan.query.stream || category.removed == nil
    else { return }
    scan.lists.append(list)
    guard access.head.at >= scan.window.start, scan.window.start < scan.window.end else { return }
    // Rows outlive their events, so what is forgotten still counts.
    try count(category, from: category.history.begins(joinedSeq: access.joinedSeq), &scan)
    guard scan.added != nil else { return }
    let floor = try store.firstRead(access)
    let last = try last(of: access, before: scan.window.end, from: floor, &scan.budget)
    var walk = LogWalk(
      stream: list, through: last, floor: floor, eventsMax: Int64(max(0, scan.budget.events)),
      bytesMax: max(0, scan.budget.bytes))
    var isCut = true
    while let stored = try walk.next(in: store) {
      let event = try stored.decoded()
      guard event.at >= scan.window.start else {
        isCut = false
        break
      }
      scan.budget.spend(stored)
      scan.take(event)
    }
    if isCut && walk.isCut { scan.isCut = true }
  }

  /// Counts the rows of achievement of a list. Call it within a read transaction.
  private func count(
    _ category: Category, from floor: Int64, _ scan: inout StatsScan
  ) throws(StoreError) {
    let rows = try store.achievements(
      in: category.id,
      AchievementSpan(
        moments: scan.window.start..<scan.window.end, floor: floor,
        user: scan.isOwn ? scan.user : nil, limit: max(0, scan.rowsLeft)))
    scan.rowsLeft -= rows.count
    if scan.rowsLeft <= 0 { scan.isCut = true }
    var deadlines = ListDeadlines(category.zone, tools.almanac)
    var amounts: [PostID: [(user: UserID, amount: Int64)]] = [:]
    for row in rows {
      switch row.kind {
      case .completion, .part:
        scan.achievements.append(
          Achievement(user: row.user, at: row.at, lateness: deadlines.lateness(of: row)))
        if row.value > 0 { scan.contests[row.user, default: .init()].addFinish(at: row.value) }
      case .steps: scan.contests[row.user, default: .init()].addSteps(row.value)
      case .amount: amounts[row.post, default: []].append((row.user, row.value))
      }
    }
    for (post, amounts) in amounts.sorted(by: { $0.key < $1.key }) {
      guard let unit = try unit(of: post, in: category.id) else { continue }
      for it in amounts { scan.contests[it.user, default: .init()].add(it.amount, unit: unit) }
    }
  }

  /// Returns the unit of a post's goal. Nil when it has none any more.
  private func unit(
    of post: PostID, in category: CategoryID
  ) throws(StoreError) -> String? {
    let key = ObjectKey(kind: .post, id: post.uuid)
    guard let body = try store.object(key, in: .category(category)),
      case .post(let post) = try object(body), let unit = post.goal?.unit, !unit.isEmpty
    else { return nil }
    return unit
  }

  /// Returns the members among these users, in places where the asker may know of them. Call it within a read
  /// transaction.
  private func members(
    _ users: Set<UserID>, in places: [StreamID], for user: UserID
  ) throws(StoreError) -> [UserID: Member] {
    var members: [UserID: Member] = [:]
    var unknown = users
    for place in places {
      guard !unknown.isEmpty, try store.access(of: user, to: place) != nil else { continue }
      for person in unknown {
        let key = ObjectKey(kind: .member, id: person.uuid)
        guard let body = try store.object(key, in: place),
          case .member(let member) = try object(body)
        else { continue }
        members[person] = member
      }
      unknown.subtract(members.keys)
    }
    return members
  }
}

extension ReadingLimits {
  /// The amount that one `stats.get` looks through to count the posts that were added, as much as one question about
  /// the past.
  static let stats = NewsBudget(events: Int(historyEvents), bytes: historyBytes)
  /// The number of rows of achievement that one `stats.get` counts.
  static let statsRows = 400_000
}
