import Calendar
import Domain
import Sync
import TestRandom
import Testing
import Wire

@testable import Store

/// A post as the judge has it: without any code of views.
private struct Judged {
  let category: CategoryID
  let post: Post
  let deadline: Int64?
  let day: Day?
}

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = [91, 92, 93, 94]

private let zones = ["UTC", "Etc/GMT-14", "Etc/GMT+11"]

/// Returns the hours that such a zone is ahead of UTC, written down a second time.
private func ahead(_ zone: String) -> Int64 { ["Etc/GMT-14": 14, "Etc/GMT+11": -11][zone] ?? 0 }

private func judged(_ post: Post, in category: CategoryID, zone: String, reader: String) -> Judged {
  let hour: Int64 = 3_600_000
  switch post.due {
  case nil: return Judged(category: category, post: post, deadline: nil, day: nil)
  case .day(let day)?:
    let deadline = Int64(day.number + 1) * 24 * hour - ahead(zone) * hour
    return Judged(category: category, post: post, deadline: deadline, day: day)
  case .time(let day, let minute, let zone)?:
    let deadline = Int64(day.number) * 24 * hour + Int64(minute) * 60_000 - ahead(zone) * hour
    let local = Int(deadline + ahead(reader) * hour)
    return Judged(
      category: category, post: post, deadline: deadline,
      day: Day(number: local.floorDivided(by: 24 * Int(hour))))
  }
}

/// The same world on both stores, in which things happen.
private struct Twins {
  let stores: [StorePair]
  let drivers: [LedgerDriver]
  let author: UserID
  let friend: UserID
  let tag: TagID
  private(set) var lists: [(id: CategoryID, zone: String)] = []
  private var posts: [(CategoryID, PostID)] = []

  init() throws {
    stores = try StoreKind.allCases.map { try StorePair($0) }
    drivers = stores.map { LedgerDriver($0.writer) }
    let people = try drivers.map { [try $0.person("author"), try $0.person("friend")] }
    (author, friend) = (people[0][0], people[0][1])
    tag = TagID(drivers.map { $0.name() }[0])
    for zone in zones {
      let id = CategoryID(drivers.map { $0.name() }[0])
      lists.append((id, zone))
      for driver in drivers {
        try driver.run(.category(.add(id, NewCategory(name: "list", zone: zone))), by: author)
        try driver.bring(friend, "friend", to: .category(id), by: author)
        try driver.run(.changeTag(id, tag, .add(name: "uni")), by: author)
      }
    }
    lists.sort { $0.id < $1.id }
  }

  private func settle(_ command: Command, by user: UserID) throws {
    for driver in drivers { try driver.run([try driver.work(command, by: user)]) }
  }

  mutating func happen(_ step: Int, _ random: inout SeededRandom) throws {
    let list = lists.randomElement(using: &random)!.id
    let (home, post) = posts.randomElement(using: &random) ?? (list, PostID(UUID(high: 8, low: 0)))
    func change(_ change: PostChange) throws {
      try settle(
        .post(.change(PostAddress(category: home, post: post), change, ifVersion: nil)), by: author)
    }
    switch Int.random(in: 0..<15, using: &random) {
    case 14:
      let others = posts.filter { $0.0 == home && $0.1 != post }
      if let other = others.randomElement(using: &random) {
        try change(.move(after: nil, before: other.1))
      }
    case 0...4:
      let new = PostAddress(category: list, post: PostID(UUID(high: 8, low: UInt64(step))))
      posts.append((new.category, new.post))
      try settle(
        .post(.add(new, NewPost(title: "p\(step)", fields: Twins.fields(&random)))),
        by: Bool.random(using: &random) ? author : friend)
    case 5, 6:
      let edit = Twins.fields(&random)
      if edit != PostEdit() { try change(.edit(edit)) }
    case 7: try change(.complete)
    case 8: try change(.reopen)
    case 9: try change(.remove)
    case 10: try change(.restore)
    case 11: try change(Bool.random(using: &random) ? .tag(tag) : .untag(tag))
    case 12: try change(Bool.random(using: &random) ? .assign(friend) : .unassign(friend))
    default:
      if Int.random(in: 0..<4, using: &random) > 0 { return try change(.erase) }
      try settle(.member(.leave(.category(list))), by: friend)
      for driver in drivers { try driver.bring(friend, "friend", to: .category(list), by: author) }
    }
  }

  private static func fields(_ random: inout SeededRandom) -> PostEdit {
    let day = Day(number: 20_780 + Int.random(in: 0..<6, using: &random))
    let time = Due.time(
      day, minute: 60 * Int.random(in: 0..<24, using: &random),
      zone: zones.randomElement(using: &random)!)
    let dues: [FieldChange<Due>] = [.keep, .clear, .set(.day(day)), .set(time)]
    let priorities: [FieldChange<Priority>] = [.keep, .set(.low), .set(.medium), .set(.high)]
    return PostEdit(
      priority: priorities.randomElement(using: &random)!, due: dues.randomElement(using: &random)!)
  }

  /// Returns every post of every list, as the first store has it.
  func all(reader: String) throws -> [Judged] {
    var all: [Judged] = []
    for (list, zone) in lists {
      for shelf in PostShelf.allCases {
        for body in try stores[0].reader.posts(in: list, on: shelf, before: nil, limit: 999) {
          guard case .post(let post) = try ObjectCodec.decode(body) else { continue }
          all.append(judged(post, in: list, zone: zone, reader: reader))
        }
      }
    }
    return all
  }

  func holds(_ judged: Judged, for assignee: UserID) throws -> Bool {
    let key = ObjectKey(kind: .member, id: assignee.uuid)
    guard let body = try stores[0].reader.object(key, in: .category(judged.category)),
      case .member(let member) = try ObjectCodec.decode(body)
    else { return false }
    return judged.post.assignees.contains { $0.user == assignee && member.holds($0) }
  }

  func isWanted(_ judged: Judged, _ criteria: PostWhere) throws -> Bool {
    let post = judged.post
    guard judged.isIn(criteria.state) else { return false }
    if let by = criteria.by, post.addedBy != by.id(me: author) { return false }
    if let assignee = criteria.assignee, try !holds(judged, for: assignee.id(me: author)) {
      return false
    }
    if let tag = criteria.tag, !post.tags.contains(tag) { return false }
    let levels: [Priority?: Int] = [.low: 1, .medium: 2, .high: 3]
    if let least = criteria.priority, levels[post.priority] ?? 0 < levels[least] ?? 0 {
      return false
    }
    guard let window = criteria.due else { return true }
    return judged.isIn(window)
  }

  func viewedLists(for assignee: UserID?) throws -> [ViewedList] {
    try lists.map { list in
      let user = assignee ?? author
      let access = try stores[0].reader.access(of: user, to: .category(list.id))
      return ViewedList(
        category: list.id, zone: list.zone, assignedFrom: access?.joinedSeq ?? .max)
    }
  }
}

private func wanted(_ tag: TagID, _ friend: UserID, _ random: inout SeededRandom) -> PostWhere {
  var it = PostWhere(state: PostState.allCases.randomElement(using: &random)!)
  if Bool.random(using: &random) { it.state = .open }
  func sometimes() -> Bool { Int.random(in: 0..<4, using: &random) == 0 }
  if sometimes() { it.by = Bool.random(using: &random) ? .me : .user(friend) }
  if sometimes() { it.assignee = Bool.random(using: &random) ? .me : .user(friend) }
  if sometimes() { it.tag = tag }
  if sometimes() { it.priority = Priority.allCases.randomElement(using: &random) }
  func bound() -> DueBound? {
    let day = Day(number: 20_780 + Int.random(in: 0..<6, using: &random))
    let moment =
      Int64(day.number) * 86_400_000 + 3_600_000 * Int64.random(in: 0..<24, using: &random)
    let bounds: [DueBound?] = [nil, .day(day), .moment(Timestamp(milliseconds: moment))]
    return bounds.randomElement(using: &random)!
  }
  if Bool.random(using: &random) { it.due = DueWindow(from: bound(), until: bound()) }
  return it
}

extension Judged {
  fileprivate func isIn(_ window: DueWindow) -> Bool {
    guard let deadline, let day else { return false }
    let isAfter =
      switch window.from {
      case nil: true
      case .day(let first)?: day.number >= first.number
      case .moment(let first)?: deadline >= first.milliseconds
      }
    let isBefore =
      switch window.until {
      case nil: true
      case .day(let last)?: day.number <= last.number
      case .moment(let last)?: deadline <= last.milliseconds
      }
    return isAfter && isBefore
  }

  fileprivate func isIn(_ state: PostState) -> Bool {
    switch state {
    case .open: post.completed == nil && post.removed == nil
    case .done: post.completed != nil && post.removed == nil
    case .any: post.removed == nil
    case .bin: post.removed != nil
    }
  }

  fileprivate func isBefore(_ other: Judged, _ sort: ViewSort) -> Bool {
    if sort == .position {
      return (standing, post.number, category) < (other.standing, other.post.number, other.category)
    }
    let (own, others) = (key(sort), other.key(sort))
    if own != others { return own.lexicographicallyPrecedes(others) }
    if category != other.category { return category < other.category }
    return post.number > other.post.number
  }

  /// Returns the values by which posts are sorted, the first first.
  fileprivate func key(_ sort: ViewSort) -> [Int64] {
    let level: Int64 =
      switch post.priority {
      case nil: 3
      case .low?: 2
      case .medium?: 1
      case .high?: 0
      }
    let added = -post.createdAt.milliseconds
    var due: [Int64] = [1, added]
    if let deadline { due = [0, deadline] }
    switch sort {
    case .created: return [added]
    case .due: return due
    case .priority: return [level] + due
    case .position: return []
    }
  }

  /// The post's place, as the specification has it (protocol §8 `post.move`): digits and small letters, so by bytes.
  fileprivate var standing: String {
    let number = "\(post.number)"
    let zeros = String(repeating: "0", count: 10 - number.count)
    return post.position?.text ?? "5\(zeros)\(number)i"
  }
}

extension Twins {
  /// Checks the views. Returns how many posts there were to be shown.
  fileprivate func check(_ seed: UInt64, _ step: Int, _ random: inout SeededRandom) throws -> Int {
    let criteria = wanted(tag, friend, &random)
    var sort = ViewSort.created
    if criteria.state == .open, let other = ViewSort.allCases.randomElement(using: &random) {
      sort = other
    }
    let reader = zones[Int.random(in: 0..<zones.count, using: &random)]
    var expected: [Judged] = []
    for judged in try all(reader: reader) where try isWanted(judged, criteria) {
      expected.append(judged)
    }
    expected.sort { $0.isBefore($1, sort) }
    let posts = expected.map(\.post)
    let view = PostView(
      ViewQuery(criteria, sort: sort), in: try viewedLists(for: criteria.assignee?.id(me: author)),
      for: author, zone: reader, limit: 999, .system)
    for store in stores {
      let found = try store.reader.viewed(view).posts.map(\.post)
      #expect(found == posts, "seed \(seed), step \(step): \(criteria)")
    }
    return posts.count
  }
}

@Suite("EventStore contract: views of random histories")
struct ViewHistoryTests {
  @Test("both stores show what a plain look at every post shows", arguments: seeds)
  func same(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var it = try Twins()
    var shown = 0
    for step in 0..<320 {
      try it.happen(step, &random)
      if step % 4 == 3 { shown += try it.check(seed, step, &random) }
    }
    #expect(shown > 300, "seed \(seed)")
    let store = try #require(it.stores[0].writer as? SQLiteStore)
    #expect(try store.verify(.system).differences == [])
  }
}
