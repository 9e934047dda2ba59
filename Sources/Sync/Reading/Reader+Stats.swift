// stats.get (protocol §8): what the members of a list or a group have completed between two midnights, by the log and
// as far as the asker may read it now. Bots are in no score. Each list has a read transaction of its own. The events
// are read without what was there before them; that is looked up only for events that complete something, because only
// it says which deadline was met.

import Domain
import Wire

/// The facts that one question about some days has gathered so far.
private struct StatsScan {
  let user: UserID
  let window: StatsWindow
  var budget = ReadingLimits.stats
  var achievements: [Achievement] = []
  var added: [UserID: Int] = [:]
  var addedInAll = 0
  /// The lists that were looked at, in their order.
  var lists: [StreamID] = []
  var isCut = false

  /// The users who completed or added anything.
  var users: Set<UserID> { Set(achievements.map(\.user)).union(added.keys) }

  mutating func take(_ tally: ScoreTally) {
    achievements += tally.held
    added.merge(tally.added, uniquingKeysWith: +)
    addedInAll += tally.addedInAll
  }
}

/// The facts that are known before the lists are read.
private struct StatsPlaces {
  let zone: String
  let lists: [StreamID]
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
    var scan = StatsScan(user: identity.user, window: window)
    for list in places.lists {
      try store.read { () throws(StoreError) in try score(of: list, for: query.stream, &scan) }
    }
    let known = try store.read { () throws(StoreError) in
      try members(scan.users, in: [query.stream] + scan.lists, for: identity.user)
    }
    let bots = Set(known.values.filter { $0.kind == .bot }.map(\.id))
    let statistics = Statistics(
      scan.achievements.filter { !bots.contains($0.user) },
      added: scan.added.filter { !bots.contains($0.key) }, in: window)
    let people = statistics.people.lazy.compactMap { score in
      known[score.user].map { StatsPerson(username: $0.username, score: score) }
    }.prefix(StatsResult.peopleMax)
    return .answer(
      Answer.stats(
        id,
        StatsResult(
          query, zone: places.zone, added: scan.addedInAll, statistics, people: Array(people),
          more: scan.isCut)))
  }

  /// Returns the zone and the lists that count. For a group they are all its lists, whether or not the asker is in
  /// them. Call it within a read transaction.
  private func statsPlaces(
    _ query: StatsQuery, _ identity: Identity, at now: Timestamp
  ) throws(StoreError) -> Result<StatsPlaces, Failure> {
    if let failure = try refusal(identity, query.stream, .query(.stats)) {
      return .failure(failure)
    }
    guard let zone = try zone(of: identity.user, named: query.zone, now: now) else {
      return .failure(.refused(.invalid(field: "zone", reason: "names no time zone")))
    }
    guard case .group = query.stream else {
      return .success(StatsPlaces(zone: zone, lists: [query.stream]))
    }
    var lists: [StreamID] = []
    for body in try store.objects(.groupCategory, in: query.stream) {
      if case .groupCategory(let it) = try object(body) { lists.append(.category(it.id)) }
    }
    return .success(StatsPlaces(zone: zone, lists: lists))
  }

  /// Adds what was done in a list. A list that the user is not in adds nothing, and neither does a removed list of a
  /// group. Call it within a read transaction.
  private func score(
    of list: StreamID, for asked: StreamID, _ scan: inout StatsScan
  ) throws(StoreError) {
    guard let access = try store.access(of: scan.user, to: list),
      let body = try store.object(list.headKey, in: list),
      case .category(let category) = try object(body), list == asked || category.removed == nil
    else { return }
    scan.lists.append(list)
    guard access.head.at >= scan.window.start else { return }
    let floor = try store.firstRead(access)
    let last = try last(of: access, before: scan.window.end, from: floor, &scan.budget)
    var walk = LogWalk(
      stream: list, through: last, floor: floor, eventsMax: Int64(max(0, scan.budget.events)),
      bytesMax: max(0, scan.budget.bytes))
    var tally = ScoreTally(
      start: scan.window.start, categoryZone: category.zone, almanac: tools.almanac)
    var isCut = true
    while let stored = try walk.next(in: store) {
      let event = try stored.decoded()
      guard event.at >= scan.window.start else {
        isCut = false
        break
      }
      scan.budget.spend(stored)
      tally.add(event, before: try before(event, in: list, &scan.budget))
    }
    if isCut && walk.isCut { scan.isCut = true }
    scan.take(tally)
  }

  /// Returns the posts of an event as they were before it, where that matters; else an empty array.
  private func before(
    _ event: Event, in stream: StreamID, _ budget: inout NewsBudget
  ) throws(StoreError) -> [Object?] {
    guard event.asksWhatWas else { return [] }
    let past = try store.past(at: StreamPosition(stream: stream, seq: event.seq))
    guard let past else { return [] }
    budget.bytes -= past.bytes
    return past.before.objects
  }

  /// Returns the members among these users, in places where the asker may know of them. Call it within a read
  /// transaction.
  private func members(
    _ users: Set<UserID>, in places: [StreamID], for user: UserID
  ) throws(StoreError) -> [UserID: Member] {
    var members: [UserID: Member] = [:]
    var unknown = users
    for place in places where try store.access(of: user, to: place) != nil {
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
  /// The amount that one `stats.get` looks through, as much as one question about the past.
  static let stats = NewsBudget(events: Int(historyEvents), bytes: historyBytes)
}
