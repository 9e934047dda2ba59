import Domain
import PowerLoss
import Sync
import Testing

@testable import Store

/// A database of version 14, brought up to date.
@Suite("the step from version 14")
struct EarlierVersionTests {
  @Test("posts of a database without traits are found by their claims, places and sources")
  func traits() throws {
    let folder = try TemporaryFolder()
    let list = CategoryID(UUID(high: 7, low: 7))
    let key = SourceKey(name: "forge", id: "1")
    let (claimed, imported) = try rarePosts(LedgerDriver(try writer(folder.data)), list, key)
    func bits() throws -> [[Int64]] {
      let database = try Database(path: folder.data.databasePath, access: .readOnly)
      return try database.prepare(
        "SELECT number, traits FROM object WHERE kind = 6 ORDER BY number"
      ).rows { (row) throws(DatabaseError) in [row.int64(0), row.int64(1)] }
    }
    let expected: [[Int64]] = [[1, 1], [2, 2], [3, 0], [4, 0], [5, 4]]
    #expect(try bits() == expected)
    try makeEarlier(folder)
    let store = try writer(folder.data)
    #expect(try bits() == expected)
    #expect(try store.verify().differences == [])
    #expect(try store.endedClaims(through: .distantFuture, limit: 9).map(\.post) == [claimed])
    #expect(try store.load([.domain(.imported(list, key))]) == [.domain(.post(imported))])
  }

  /// Makes a code and a link, and ends both. Returns their author, the time, the commands that made them, and a command
  /// that would make another link.
  private func endedOnes(_ driver: LedgerDriver) throws -> (UserID, Timestamp, [Command], Command) {
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let group = StreamID.group(try driver.group("group", by: author))
    let code = InvitationID(UUID(high: 8, low: 1))
    let links = (2...3).map { LinkID(UUID(high: 8, low: $0)) }
    let commands = [
      Command.invitation(.makeCode(code, group, NewCode(role: .editor, uses: 1, days: 1))),
      .link(.make(links[0], list, NewLink(days: 1))),
    ]
    for command in commands { try driver.run(command, by: author) }
    try driver.run(.invitation(.revoke(code, group)), by: author)
    try driver.run(.link(.revoke(links[0], list)), by: author)
    let now = Timestamp(milliseconds: driver.now)
    return (author, now, commands, .link(.make(links[1], list, NewLink(days: 1))))
  }

  /// Makes five posts: one claimed, one that was put somewhere, two with words that look like these, one imported.
  private func rarePosts(
    _ driver: LedgerDriver, _ list: CategoryID, _ key: SourceKey
  ) throws -> (claimed: PostID, imported: PostID) {
    let author = try driver.person("author")
    try driver.run(.category(.add(list, name: "list", group: nil)), by: author)
    let posts = try (0..<4).map {
      try driver.post(#""claim":{"until":1 "position":" \#($0)"#, in: list, by: author)
    }
    try driver.run(.post(.change(list, posts[0], .claim(milliseconds: 60_000))), by: author)
    try driver.run(.movePost(list, posts[1], after: posts[2], before: nil), by: author)
    let imported = PostAddress(category: list, post: PostID(driver.name()))
    let item = ImportedPost(source: key, url: "https://f/1", fields: PostEdit(title: "bread"))
    try driver.run(.post(.importUpsert(imported, item)), by: author)
    return (posts[0], imported.post)
  }

  @Test("ids of codes and links that ended before there were marks are good for nothing else")
  func usedOnce() throws {
    let folder = try TemporaryFolder()
    let (author, now, ended, other) = try endedOnes(LedgerDriver(try writer(folder.data)))
    try makeEarlier(folder)
    let store = try writer(folder.data)
    let next = LedgerDriver(store, from: 5)
    next.pass(to: now)
    for command in ended {
      #expect(throws: Refusal.exists(field: "id")) { try next.run(command, by: author) }
    }
    try next.run(other, by: author)
    #expect(try store.verify().differences == [])
  }

  /// Changes the database into one of version 14.
  private func makeEarlier(_ folder: TemporaryFolder) throws {
    let database = try Database(path: folder.data.databasePath, access: .readWrite)
    try database.execute(
      """
      DROP INDEX post_claimed; DROP INDEX post_placed; DROP INDEX post_imported;
      DROP TABLE achievement; DROP TABLE achievement_check;
      DROP INDEX post_running; DROP INDEX account_owned; DROP TABLE webhook;
      ALTER TABLE account DROP COLUMN owner; ALTER TABLE session DROP COLUMN limits;
      ALTER TABLE object DROP COLUMN traits;
      DELETE FROM spent_code;
      \(Schema.work) \(Schema.imports)
      PRAGMA user_version = 14
      """.replacing("CREATE INDEX account_guest ON account(user) WHERE password = '';", with: ""))
  }
}
