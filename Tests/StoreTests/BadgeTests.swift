import Calendar
import Domain
import TestRandom
import Testing
import Wire

@testable import Store
@testable import Sync

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = [51, 52, 53]

private struct Unexpected: Error {}

/// A person who asks one store.
private final class Asker {
  let pair: StorePair
  let driver: LedgerDriver
  let reader: Reader<[UInt8]>
  private var asked: Int64 = 0

  init(_ kind: StoreKind) throws {
    pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    reader = Reader(of: pair.reader, snapshotBytesMax: 0)
  }

  private func answer(_ query: Query, as user: UserID) throws -> (JSONNode, bytes: Int) {
    // So much time passes that it is never asked too often.
    asked += 60_000
    let identity = Identity(user: user, session: SessionID(UUID(high: 9, low: 9)))
    let moment = SessionMoment(milliseconds: asked, wall: Timestamp(milliseconds: driver.now))
    guard case .answer(let bytes) = try reader.answer(.number(1), identity, query, at: moment),
      case .result(_, let node) = try ServerMessage(decoding: bytes)
    else { throw Unexpected() }
    return (node, bytes.count)
  }

  /// Returns all pages in one, and their number.
  func badges(of user: UserID) throws -> (all: [Badge], pages: Int) {
    var (all, pages, after): ([Badge], Int, StreamID?) = ([], 0, nil)
    repeat {
      let (node, bytes) = try answer(.badges(BadgesQuery(after: after)), as: user)
      #expect(bytes <= Limits.messageBytesMax)
      let page = try BadgesResult(decoding: node)
      all += page.badges
      pages += 1
      after = page.after
    } while after != nil
    return (all, pages)
  }

  /// Returns the answer of notification.list.
  func unread(of user: UserID) throws -> [StreamID: Unread] {
    let (node, _) = try answer(.notifications(limit: 1), as: user)
    let lists = try NotificationsResult(decoding: node).lists
    return Dictionary(uniqueKeysWithValues: lists.map { ($0.stream, $0.unread) })
  }

  /// Reads a whole state.
  func state(of stream: StreamID) throws -> [Object] {
    try #require(try pair.reader.snapshot(of: stream)).objects.map { try ObjectCodec.decode($0) }
  }
}

/// A group with two lists and a list beside it, on both stores, in which things happen.
private struct Twins {
  let askers: [Asker]
  let author: UserID
  let friend: UserID
  let group: GroupID
  let lists: [CategoryID]
  private var posts: [(CategoryID, PostID)] = []

  init() throws {
    askers = try StoreKind.allCases.map { try Asker($0) }
    let worlds = try askers.map { asker in
      let driver = asker.driver
      let people = [try driver.person("author"), try driver.person("friend")]
      let group = try driver.group("home", by: people[0])
      let lists = [
        try driver.category("chores", by: people[0], in: group),
        try driver.category("shop", by: people[0], in: group),
        try driver.category("alone", by: people[0]),
      ]
      try driver.bring(people[1], "friend", to: .group(group), by: people[0])
      try driver.bring(people[1], "friend", to: .category(lists[2]), by: people[0])
      return (people, group, lists)
    }
    (author, friend) = (worlds[0].0[0], worlds[0].0[1])
    (group, lists) = (worlds[0].1, worlds[0].2)
  }

  private func settle(_ command: Command, by user: UserID) throws {
    for asker in askers { try asker.driver.run([try asker.driver.work(command, by: user)]) }
  }

  mutating func happen(_ step: Int, _ random: inout SeededRandom) throws {
    let list = try #require(lists.randomElement(using: &random))
    let known = posts.randomElement(using: &random)
    let (home, post) = known ?? (list, PostID(UUID(high: 8, low: 0)))
    let user = Bool.random(using: &random) ? author : friend
    let other = Bool.random(using: &random) ? author : friend
    func change(_ change: PostChange) throws {
      let address = PostAddress(category: home, post: post)
      try settle(.post(.change(address, change, ifVersion: nil)), by: user)
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0...5:
      let new = PostAddress(category: list, post: PostID(UUID(high: 8, low: UInt64(step + 1))))
      posts.append((new.category, new.post))
      let isEach = Int.random(in: 0..<3, using: &random) == 0
      let due = FieldChange.set(Due.day(Day(number: 19_000)))
      let role: FieldChange<Role> =
        isEach ? pick([.keep, .set(.editor), .set(.owner)], &random) : .keep
      let fields = PostEdit(
        due: step % 5 == 0 ? due : .keep, mode: isEach ? .set(.each) : .keep, modeRole: role)
      try settle(.post(.add(new, NewPost(title: "p\(step)", fields: fields))), by: user)
    case 6...9: try change(.assign(other))
    case 10: try change(.unassign(other))
    case 11, 12: try change(.complete)
    case 13: try change(.reopen)
    case 14: try change(.remove)
    case 15: try change(.restore)
    case 16:
      let isArchived = Bool.random(using: &random)
      try settle(isArchived ? .category(.archive(list)) : .category(.unarchive(list)), by: author)
    case 17:
      let stream = StreamID.category(list)
      let head = try #require(try askers[0].pair.reader.head(of: stream)).seq
      try settle(.markRead(stream, seq: Int64.random(in: 1...head, using: &random)), by: user)
    case 18:
      let role: FieldChange<Role> = pick([.clear, .set(.doer), .set(.editor)], &random)
      let edit = PostEdit(mode: .set(.each), modeRole: role)
      try settle(
        .post(.change(.init(category: home, post: post), .edit(edit), ifVersion: nil)), by: author)
    case 19 where Bool.random(using: &random):
      let place = pick([.group(group), .category(lists[2])] as [StreamID], &random)
      let role = pick([.doer, .editor], &random) as Role
      try settle(.member(.setRole(place, friend, role)), by: author)
    default: try comeAndGo(&random)
    }
  }

  private func pick<Element>(_ all: [Element], _ random: inout SeededRandom) -> Element {
    all[Int.random(in: 0..<all.count, using: &random)]
  }

  /// Lets the friend go and come. Everything that the friend had to do ends with that.
  private func comeAndGo(_ random: inout SeededRandom) throws {
    let stream: StreamID =
      Bool.random(using: &random) ? .group(group) : .category(lists[2])
    try settle(.member(.leave(stream)), by: friend)
    if Int.random(in: 0..<4, using: &random) == 0 { return }
    for asker in askers { try asker.driver.bring(friend, "friend", to: stream, by: author) }
  }
}

// The judge counts every object of every snapshot, without a rule of the code.
extension Twins {
  private func recount(_ stream: StreamID, for user: UserID, _ asker: Asker) throws -> (
    Counters, mine: Int, head: Domain.Category
  ) {
    let objects = try asker.state(of: stream)
    var (posts, people, head): ([Post], [UserID: Member], Domain.Category?) = ([], [:], nil)
    for object in objects {
      switch object {
      case .post(let post): posts.append(post)
      case .member(let member): people[member.id] = member
      case .category(let category): head = category
      default: break
      }
    }
    func counts(_ user: UserID, _ seq: Int64) -> Bool {
      guard let member = people[user], member.grants.direct != nil || member.grants.viaGroup != nil
      else { return false }
      return seq >= member.joinedSeq
    }
    let open = posts.filter { $0.completed == nil }
    let mine = open.count { post in
      let working = post.assignees.filter { counts($0.user, $0.seq) }.map(\.user)
      let hasDone = post.parts.contains { $0.user == user && counts($0.user, $0.seq) }
      guard post.mode == .each else { return working.contains(user) }
      let grants = people[user]?.grants
      let role = max(grants?.direct ?? .viewer, grants?.viaGroup ?? .viewer)
      let isFor = working.isEmpty ? (post.modeRole ?? role) == role : working.contains(user)
      return isFor && !hasDone
    }
    let counters = Counters(
      open: open.count, done: posts.count - open.count, overdue: open.count { $0.overdue != nil })
    return (counters, mine, try #require(head))
  }

  /// Compares the stores. Returns how many things of one's own there were.
  func check(_ seed: UInt64, _ step: Int) throws -> Int {
    var found = 0
    for user in [author, friend] {
      let all = try askers.map { try $0.badges(of: user).all }
      #expect(all[0] == all[1], "seed \(seed), step \(step)")
      for (asker, badges) in zip(askers, all) {
        found += try check(badges, of: user, asker, "seed \(seed), step \(step)")
      }
    }
    return found
  }

  private func check(
    _ badges: [Badge], of user: UserID, _ asker: Asker, _ place: String
  ) throws -> Int {
    let unread = try asker.unread(of: user)
    let access = try asker.pair.reader.streams(of: user)
    #expect(
      Set(badges.map(\.stream)) == Set(access.map(\.stream)).subtracting([.user(user)]), "\(place)")
    var (sum, work) = (Counters(), 0)
    for badge in badges {
      guard case .category = badge.stream else { continue }
      let (counters, mine, head) = try recount(badge.stream, for: user, asker)
      #expect(badge.counters == counters, "\(place)")
      #expect(badge.isArchived == (head.archived != nil) && badge.name == head.name)
      #expect(badge.role == access.first { $0.stream == badge.stream }?.role)
      guard !badge.isArchived else {
        #expect(badge.mine == nil && badge.unread == nil, "\(place)")
        continue
      }
      #expect(badge.mine == WorkCount(count: mine, more: false), "\(place)")
      #expect(badge.unread == unread[badge.stream] ?? Unread(count: 0, more: false), "\(place)")
      guard head.group != nil else { continue }
      (sum, work) = (sum + counters, work + mine)
    }
    if let badge = badges.first(where: { $0.stream == .group(group) }) {
      #expect(badge.counters == sum && badge.mine?.count == work, "\(place)")
      #expect(badge.unread == unread[badge.stream] ?? Unread(count: 0, more: false), "\(place)")
    }
    return badges.reduce(0) { $0 + ($1.mine?.count ?? 0) }
  }
}

@Suite("protocol §8 `category.list`: badges")
struct BadgeTests {
  @Test("are a recount of the states, over random histories, on both stores", arguments: seeds)
  func recount(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var it = try Twins()
    var found = 0
    for step in 0..<240 {
      try it.happen(step, &random)
      if step % 8 == 7 { found += try it.check(seed, step) }
    }
    #expect(found > 100, "seed \(seed)")
  }

  @Test("a group stands before its lists; what is removed is not there")
  func order() throws {
    let asker = try Asker(.memory)
    let author = try asker.driver.person("author")
    let (first, second) = (
      try asker.driver.group("a", by: author), try asker.driver.group("b", by: author)
    )
    let one = try asker.driver.category("1", by: author, in: second)
    let two = try asker.driver.category("2", by: author)
    let three = try asker.driver.category("3", by: author, in: first)
    let gone = try asker.driver.category("4", by: author, in: first)
    try asker.driver.run(.category(.remove(gone)), by: author)
    let badges = try asker.badges(of: author).all
    #expect(
      badges.map(\.stream) == [
        .category(two), .group(first), .category(three), .group(second), .category(one),
      ])
    #expect(badges.map(\.group) == [nil, nil, first, nil, second])
  }

  @Test("The count of very much is cut", arguments: StoreKind.allCases)
  func cut(_ kind: StoreKind) throws {
    let asker = try Asker(kind)
    let author = try asker.driver.person("author")
    let list = try asker.driver.category("all", by: author)
    for wanted in [Limits.workCountMax, Limits.workCountMax + 1] {
      let before = try #require(try asker.badges(of: author).all.first).counters.open
      let works = try (before..<wanted).map { number in
        let address = PostAddress(category: list, post: PostID(asker.driver.name()))
        let new = NewPost(title: "p\(number)", fields: PostEdit(mode: .set(.each)))
        return try asker.driver.work(.post(.add(address, new)), by: author, key: "post\(number)")
      }
      for result in try asker.driver.run(works) { _ = try result.get() }
      let badge = try #require(try asker.badges(of: author).all.first)
      #expect(badge.counters.open == wanted)
      #expect(
        badge.mine == WorkCount(count: Limits.workCountMax, more: wanted > Limits.workCountMax))
    }
  }

  @Test("More than one answer may hold comes page by page, each once")
  func pages() throws {
    let asker = try Asker(.memory)
    let author = try asker.driver.person("author")
    let name = String(repeating: "\u{1F34E}", count: 100)
    var lists: [StreamID] = []
    for _ in 0..<200 { lists.append(.category(try asker.driver.category(name, by: author))) }
    let it = try asker.badges(of: author)
    #expect(it.pages == 3)
    #expect(it.all.map(\.stream) == lists)
  }

  @Test(
    "The answer says that there is more where nobody looked any more", arguments: StoreKind.allCases
  )
  func budget(_ kind: StoreKind) throws {
    let asker = try Asker(kind)
    let (author, friend) = (try asker.driver.person("author"), try asker.driver.person("friend"))
    let list = try asker.driver.category("busy", by: author)
    try asker.driver.bring(friend, "friend", to: .category(list), by: author)
    let post = try asker.driver.post("milk", in: list, by: author)
    // Edits are no news, so all of them are looked through, some more than may be.
    let most = ReadingLimits.newsOfList.events + Int(ReadingLimits.newsWindow)
    for number in 0...most {
      let edit = PostEdit(title: "milk \(number)")
      try asker.driver.run(.editPost(list, post, edit, ifVersion: nil), by: author)
    }
    let badge = try #require(try asker.badges(of: friend).all.first)
    #expect(badge.unread == Unread(count: 0, more: true))
  }
}
