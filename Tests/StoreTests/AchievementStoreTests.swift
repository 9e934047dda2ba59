import Domain
import Testing

@testable import Store
@testable import Sync

/// A race between two people in a list.
private struct Contests {
  let driver: LedgerDriver
  let author: UserID
  let editor: UserID
  let list: CategoryID

  init(_ store: any EventStore) throws {
    driver = LedgerDriver(store)
    author = try driver.person("author")
    editor = try driver.person("editor")
    list = try driver.category("track", by: author)
    try driver.bring(editor, "editor", to: .category(list), by: author)
  }

  func post(_ contest: Contest) throws -> PostID {
    let id = PostID(driver.name())
    let goal = Goal(amount: 300, unit: "pages")
    let fields = PostEdit(contest: .set(contest), goal: .set(goal))
    let address = PostAddress(category: list, post: id)
    try driver.run(.post(.add(address, NewPost(title: "read", fields: fields))), by: author)
    return id
  }

  func reach(
    _ amount: Int64, _ post: PostID, by user: UserID, correcting: Bool = false
  ) throws {
    let change = ContestChange.reach(.init(amount, isCorrection: correcting))
    let address = PostAddress(category: list, post: post)
    try driver.run(.post(.change(address, .contest(change), ifVersion: nil)), by: user)
  }

  func rows() throws -> [AchievementRow] { try Contests.rows(of: list, in: driver.store) }

  /// Returns all rows of a list, by post, kind and user.
  static func rows(
    of list: CategoryID, in store: any EventStore
  ) throws -> [AchievementRow] {
    let all = AchievementSpan(
      moments: Timestamp(milliseconds: 0)..<Timestamp.distantFuture, floor: 0, user: nil,
      limit: .max)
    return try store.achievements(in: list, all).sorted {
      ($0.post, $0.kind.rawValue, $0.user, $0.slot) < ($1.post, $1.kind.rawValue, $1.user, $1.slot)
    }
  }
}

@Suite("A store keeps the rows of achievement") struct AchievementStoreTests {
  @Test("Both stores have the same rows, also after corrections", arguments: StoreKind.allCases)
  func rows(_ kind: StoreKind) throws {
    let it = try Contests(try StorePair(kind).writer)
    let (race, coop) = (try it.post(.race), try it.post(.coop))
    for user in [it.editor, it.author] { try it.reach(300, race, by: user) }
    for amount: Int64 in [10, 40] { try it.reach(amount, coop, by: it.editor) }
    func values(_ kind: AchievementRow.Kind, _ post: PostID) throws -> [UserID: Int64] {
      try it.rows().filter { $0.kind == kind && $0.post == post }
        .reduce(into: [:]) { $0[$1.user, default: 0] += $1.value }
    }
    #expect(try values(.part, race) == [it.editor: 1, it.author: 2])
    #expect(try values(.amount, coop) == [it.editor: 40])
    try it.reach(200, race, by: it.editor, correcting: true)
    try it.reach(15, coop, by: it.editor, correcting: true)
    #expect(try values(.part, race) == [it.author: 1])
    #expect(try values(.amount, race) == [it.editor: 200, it.author: 300])
    #expect(try values(.amount, coop) == [it.editor: 15])
  }

  @Test(
    "A question is bounded by its moments, its first event, its user and its limit",
    arguments: StoreKind.allCases)
  func bounds(_ kind: StoreKind) throws {
    let it = try Contests(try StorePair(kind).writer)
    let coop = try it.post(.coop)
    try it.reach(10, coop, by: it.editor)
    it.driver.pass(to: Timestamp(milliseconds: it.driver.now + 3_600_000))
    try it.reach(20, coop, by: it.author)
    let rows = try it.rows().sorted { $0.at < $1.at }
    #expect(rows.map(\.value) == [10, 20])
    func found(
      _ moments: Range<Timestamp>, floor: Int64 = 0, user: UserID? = nil, limit: Int = 9
    ) throws -> [Int64] {
      let span = AchievementSpan(moments: moments, floor: floor, user: user, limit: limit)
      return try it.driver.store.achievements(in: it.list, span).map(\.value)
    }
    let all = Timestamp(milliseconds: 0)..<Timestamp.distantFuture
    #expect(try found(rows[0].at..<rows[1].at) == [10])
    #expect(try found(all, floor: rows[1].seq) == [20])
    #expect(try found(all, user: it.author) == [20])
    #expect(try found(all, limit: 1).count == 1)
  }

  @Test("A post that moves counts where it was done, and once", arguments: StoreKind.allCases)
  func moved(_ kind: StoreKind) throws {
    let it = try Contests(try StorePair(kind).writer)
    let other = try it.driver.category("other", by: it.author)
    let coop = try it.post(.coop)
    func amounts(in list: CategoryID) throws -> [Int64] {
      try Contests.rows(of: list, in: it.driver.store).filter { $0.at.milliseconds > 0 }
        .map(\.value)
    }
    func change(_ amount: Int64, in list: CategoryID) throws {
      let change = ContestChange.reach(.init(amount, isCorrection: true))
      let address = PostAddress(category: list, post: coop)
      try it.driver.run(.post(.change(address, .contest(change), ifVersion: nil)), by: it.author)
    }
    try change(200, in: it.list)
    for _ in 1...3 {
      try it.driver.run(.movePost(it.list, coop, to: other, ifVersion: nil), by: it.author)
      #expect(try amounts(in: it.list) == [200] && amounts(in: other) == [])
      try change(199, in: other)
      #expect(try amounts(in: other) == [], "a correction brings nothing that was done elsewhere")
      try change(0, in: other)
      try it.driver.run(.movePost(other, coop, to: it.list, ifVersion: nil), by: it.author)
      #expect(try amounts(in: it.list) == [], "at home it is what the post tells")
      try change(200, in: it.list)
      #expect(try amounts(in: it.list) == [200])
    }
  }

  @Test("A database without rows gets them from its log when it is opened")
  func filled() throws {
    let folder = try TemporaryFolder()
    let (list, rows) = try written(to: folder)
    #expect(rows.count == 3)
    do {
      let database = try Database(path: folder.data.databasePath, access: .readWrite)
      try database.execute(
        """
        DELETE FROM achievement;
        INSERT INTO achievement_check(stream)
          SELECT number FROM stream WHERE substr(name, 1, 1) = x'63'
        """)
    }
    let again = try writer(folder.data)
    #expect(try Contests.rows(of: list, in: again) == rows)
    #expect(try again.verify().differences == [])
  }

  /// Writes a race, and returns its list and rows. The store is closed again.
  private func written(to folder: TemporaryFolder) throws -> (CategoryID, [AchievementRow]) {
    let it = try Contests(try writer(folder.data))
    let race = try it.post(.race)
    for user in [it.editor, it.author] { try it.reach(300, race, by: user) }
    try it.reach(290, race, by: it.editor, correcting: true)
    return (it.list, try it.rows())
  }
}
