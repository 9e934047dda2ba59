// digest.get (protocol §8): what happened between two midnights in the lists of the asker, by the log and as far as
// they may read it now. A few looks find where a day ends in a list, so a day of long ago costs as much as yesterday. A
// list whose newest event is older is not read at all. Each list has a read transaction of its own, as for
// `notification.list`.

import Domain
import Wire

/// A day as one person sees it.
private struct DigestScan {
  let user: UserID
  let start: Timestamp
  let end: Timestamp
  var today: DayTally
  var budget = ReadingLimits.newsOfRequest
  var isCut = false

  /// Answers whether the stream can have something of the day: groups have nothing to count, and the newest event must
  /// not be before the day.
  func mayTell(of access: StreamAccess) -> Bool {
    guard case .category = access.stream else { return false }
    return access.head.at >= start
  }
}

extension Reader {
  /// Returns the digest of a day. Begins and ends its own read transactions.
  func digest(
    _ id: RequestID, _ identity: Identity, _ query: DigestQuery, at now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    let user = identity.user
    let (found, streams) = try store.read { () throws(StoreError) in
      (try zone(of: user, named: query.zone, now: now), try store.streams(of: user))
    }
    guard let zone = found else {
      return .failed(.refused(.invalid(field: "zone", reason: "names no time zone")))
    }
    let start = midnight(before: query.day, zone)
    var scan = DigestScan(
      user: user, start: start, end: midnight(before: query.day.adding(days: 1), zone),
      today: DayTally(user: user, start: start))
    var lists: [DigestList] = []
    for access in streams where scan.mayTell(of: access) {
      let list = try store.read { () throws(StoreError) in try digest(of: access.stream, &scan) }
      if let list { lists.append(list) }
    }
    return .answer(
      ShortAnswer.digest(
        id,
        DigestResult(
          day: query.day, zone: zone, lists: lists, today: scan.today.total, more: scan.isCut)))
  }

  /// Returns the first moment of a day. In a zone that the system no longer knows, days are those of UTC.
  func midnight(before day: Day, _ zone: String) -> Timestamp {
    tools.almanac.startOfDay(day, zone) ?? day.startUTC
  }

  /// Returns the digest of one list; nil when nothing happened, or the user is no member any more. What the user did in
  /// an archived or removed list still counts for their day. Call it within a read transaction.
  private func digest(
    of stream: StreamID, _ scan: inout DigestScan
  ) throws(StoreError) -> DigestList? {
    guard let access = try store.access(of: scan.user, to: stream),
      let body = try store.object(stream.headKey, in: stream),
      case .category(let category) = try object(body)
    else { return nil }
    let given = scan.budget.part(ReadingLimits.digestOfList)
    var left = given
    let floor = try store.firstRead(access)
    let last = try last(of: access, before: scan.end, from: floor, &left)
    var walk = LogWalk(
      stream: stream, through: last, floor: floor, eventsMax: Int64(max(0, left.events)),
      bytesMax: max(0, left.bytes))
    var (tally, isCut) = (DigestTally(), true)
    while let stored = try walk.next(in: store) {
      let event = try stored.decoded()
      guard event.at >= scan.start else {
        isCut = false
        break
      }
      left.spend(stored)
      tally.add(event, in: stream)
      scan.today.add(event, in: stream)
    }
    scan.budget.spend(given, left: left)
    isCut = isCut && walk.isCut
    if isCut { scan.isCut = true }
    guard category.isActive, !tally.total.isEmpty || isCut else { return nil }
    return try list(category, tally, of: scan.user, isCut: isCut)
  }

  /// Returns the last event before a moment, among those from `floor` on. It goes back in growing steps, then by
  /// halves.
  func last(
    of access: StreamAccess, before end: Timestamp, from floor: Int64, _ budget: inout NewsBudget
  ) throws(StoreError) -> Int64 {
    guard access.head.at >= end else { return access.head.seq }
    var (low, high, step) = (floor - 1, access.head.seq, Int64(1))
    while high - low > 1 {
      let probe = step > 0 ? max(low + 1, high - step) : low + (high - low) / 2
      let found = try store.events(
        in: access.stream, after: probe - 1, through: probe, bytesMax: 1)
      guard let stored = found.first else { return low }
      budget.spend(stored)
      if try stored.decoded().at >= end {
        (high, step) = (probe, step * 2)
      } else {
        (low, step) = (probe, 0)
      }
    }
    return low
  }

  private func list(
    _ category: Category, _ tally: DigestTally, of user: UserID, isCut: Bool
  ) throws(StoreError) -> DigestList {
    let stream = StreamID.category(category.id)
    let others = tally.people.filter { $0.key != user && !$0.value.isEmpty }.sorted {
      ($1.value.sum, $0.key) < ($0.value.sum, $1.key)
    }
    var people: [DigestPerson] = []
    for (id, counts) in others.prefix(ReadingLimits.digestPeople) {
      guard let body = try store.object(ObjectKey(kind: .member, id: id.uuid), in: stream),
        case .member(let member) = try object(body)
      else { continue }
      people.append(DigestPerson(id: id, username: member.username, counts: counts))
    }
    return DigestList(
      stream: stream, name: category.name, total: tally.total,
      mine: tally.people[user] ?? DigestCounts(), people: people, more: isCut)
  }
}

extension DigestCounts {
  fileprivate var sum: Int { added + completed + reopened + removed }
}

extension ReadingLimits {
  /// The amount of one list that one `digest.get` looks through: a read transaction of some 10 ms.
  static let digestOfList = NewsBudget(events: 1_000, bytes: 1 << 20)
  /// The number of people that are named in a list, those who did most.
  static let digestPeople = 20
}
