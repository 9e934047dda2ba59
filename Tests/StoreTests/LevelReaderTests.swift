import Domain
import Testing
import Wire

@testable import Store
@testable import Sync

private struct Unexpected: Error {}

/// A friend does things in two lists of a group and in one beside it, and an author asks what is new.
private struct World {
  private let pair: StorePair
  let driver: LedgerDriver
  let reader: Reader<[UInt8]>
  let author: UserID
  let friend: UserID
  let group: GroupID
  /// `chores` and `shop` of the group, and `alone`.
  let lists: [CategoryID]
  private let post = PostID(UUID(high: 8, low: 0))

  init(_ kind: StoreKind) throws {
    pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    reader = Reader(of: pair.reader, snapshotBytesMax: 0)
    author = try driver.person("author")
    friend = try driver.person("friend")
    let home = try driver.group("home", by: author)
    group = home
    lists = [
      try driver.category("chores", by: author, in: home),
      try driver.category("shop", by: author, in: home),
      try driver.category("alone", by: author),
    ]
    try driver.bring(friend, "friend", to: .group(home), by: author)
    try driver.bring(friend, "friend", to: .category(lists[2]), by: author)
    for list in lists { try read(.category(list)) }
    try read(.group(home))
    for list in lists {
      try settle(.post(.add(list, post, title: "Post", notes: "")), by: friend)
    }
  }

  func settle(_ command: Command, by user: UserID) throws {
    _ = try driver.run(command, by: user)
  }

  /// Brings a person of this number into a list or group.
  func admit(_ number: Int, to stream: StreamID) throws -> UserID {
    let user = try driver.person("guest\(number)")
    try driver.bring(user, "guest\(number)", to: stream, by: author)
    return user
  }

  private func read(_ stream: StreamID) throws {
    let head = try #require(try pair.reader.head(of: stream))
    try settle(.markRead(stream, seq: head.seq), by: author)
  }

  func choose(
    _ about: StreamID, _ level: NotificationLevel, until: Timestamp? = nil
  ) throws {
    var edit = SettingsEdit()
    edit.levels = [.choose(LevelChoice(about: about, level: level, until: until))]
    try settle(.account(.editSettings(edit)), by: author)
  }

  /// Takes the choice about a place away.
  func forget(_ about: StreamID) throws {
    var edit = SettingsEdit()
    edit.levels = [.clear(about)]
    try settle(.account(.editSettings(edit)), by: author)
  }

  func change(_ change: PostChange, in list: Int, by user: UserID) throws {
    let address = PostAddress(category: lists[list], post: post)
    try settle(.post(.change(address, change, ifVersion: nil)), by: user)
  }

  /// Returns the answer of notification.list, at the moment of the last command or `later`.
  func news(later: Int64 = 0) throws -> NotificationsResult {
    let identity = Identity(user: author, session: SessionID(UUID(high: 9, low: 9)))
    let wall = Timestamp(milliseconds: driver.now + later)
    let moment = SessionMoment(milliseconds: driver.now + later, wall: wall)
    let query = Query.notifications(limit: 20)
    guard case .answer(let bytes) = try reader.answer(.number(1), identity, query, at: moment),
      case .result(_, let node) = try ServerMessage(decoding: bytes)
    else { throw Unexpected() }
    return try NotificationsResult(decoding: node)
  }

  /// Returns the number of unread notifications of each list, and of those that are told.
  func counts(later: Int64 = 0) throws -> [[Int]] {
    let told = try news(later: later).lists
    return lists.map { list in
      let it = told.first { $0.stream == .category(list) }
      return [it?.unread.count ?? 0, it?.notifications.count ?? 0]
    }
  }
}

@Suite("protocol §5.16: notification.list leaves out what is muted, and counts it")
struct LevelReaderTests {
  @Test("A list, a group or a person is muted", arguments: StoreKind.allCases)
  func muted(_ kind: StoreKind) throws {
    let world = try World(kind)
    #expect(try world.counts() == [[1, 1], [1, 1], [1, 1]])
    try world.choose(.category(world.lists[0]), .none)
    #expect(try world.counts() == [[1, 0], [1, 1], [1, 1]])
    try world.choose(.group(world.group), .directed)
    #expect(try world.counts() == [[1, 0], [1, 0], [1, 1]])
    try world.choose(.category(world.lists[0]), .all)
    #expect(try world.counts() == [[1, 1], [1, 0], [1, 1]])
    try world.choose(.user(world.friend), .none)
    #expect(try world.counts() == [[1, 0], [1, 0], [1, 0]])
  }

  @Test(
    "A list with eleven members tells only what is meant for a person, unless they choose",
    arguments: StoreKind.allCases)
  func large(_ kind: StoreKind) throws {
    let world = try World(kind)
    let alone = StreamID.category(world.lists[2])
    for number in 3...10 { _ = try world.admit(number, to: alone) }
    // Each of them has joined, and that is news too.
    #expect(try world.counts()[2] == [9, 9])
    let last = try world.admit(11, to: alone)
    #expect(try world.counts() == [[1, 1], [1, 1], [10, 0]])
    try world.choose(alone, .all)
    #expect(try world.counts()[2] == [10, 10])
    try world.forget(alone)
    #expect(try world.counts()[2] == [10, 0])
    try world.change(.assign(world.author), in: 2, by: world.friend)
    #expect(try world.news().directed.contains { $0.kind == .assigned })
    try world.settle(.member(.remove(alone, last)), by: world.author)
    #expect(try world.counts()[2] == [10, 10])
  }

  @Test("Whoever comes into a group counts in its lists too", arguments: StoreKind.allCases)
  func largeGroup(_ kind: StoreKind) throws {
    let world = try World(kind)
    for number in 3...11 { _ = try world.admit(number, to: .group(world.group)) }
    #expect(try world.counts() == [[1, 0], [1, 0], [1, 1]])
    let ofGroup = try world.news().lists.first { $0.stream == .group(world.group) }
    #expect(ofGroup?.unread.count == 9 && ofGroup?.notifications == [])
    try world.choose(.group(world.group), .all)
    #expect(try world.counts() == [[1, 1], [1, 1], [1, 1]])
  }

  @Test("A level ends at its time", arguments: StoreKind.allCases)
  func until(_ kind: StoreKind) throws {
    let world = try World(kind)
    let end = Timestamp(milliseconds: world.driver.now + 3_600_000)
    try world.choose(.category(world.lists[2]), .none, until: end)
    #expect(try world.counts()[2] == [1, 0])
    #expect(try world.counts(later: 3_600_000)[2] == [1, 1])
  }

  @Test("One's own work is told at the level directed", arguments: StoreKind.allCases)
  func directed(_ kind: StoreKind) throws {
    let world = try World(kind)
    for list in [0, 2] {
      try world.change(.assign(world.author), in: list, by: world.friend)
    }
    let alone = StreamID.category(world.lists[2])
    try world.choose(.group(world.group), .none)
    try world.choose(alone, .directed)
    #expect(try world.news().directed.filter { $0.kind == .assigned }.map(\.about) == [alone])
    let run = RunID(UUID(high: 7, low: 1))
    for list in world.lists.indices {
      try world.change(.run(run, .start(lease: 60_000, phase: nil)), in: list, by: world.friend)
      try world.change(.run(run, .end(.failed, text: nil)), in: list, by: world.friend)
    }
    // A failed run of the author's own work is told; that of the list whose group is muted is not.
    #expect(try world.counts() == [[2, 0], [2, 0], [2, 1]])
    #expect(try world.news().lists.flatMap(\.notifications).map(\.kind) == [.runFailed])
    try world.choose(.user(world.friend), .none)
    #expect(try world.counts() == [[2, 0], [2, 0], [2, 0]])
    #expect(try world.news().directed.contains { $0.kind == .assigned } == false)
  }

  @Test("An invitation is told at any level", arguments: StoreKind.allCases)
  func asked(_ kind: StoreKind) throws {
    let world = try World(kind)
    try world.choose(.user(world.friend), .none)
    let other = try world.driver.category("other", by: world.friend)
    try world.settle(
      .invitation(
        .send(InvitationID(UUID(high: 6, low: 1)), .category(other), username: "author", .editor)),
      by: world.friend)
    #expect(try world.news().directed.map(\.kind) == [.invited])
  }
}
