import Domain
import PowerLoss
import Glibc
import Sync
import Testing
import Wire

@testable import Store

/// Writes the database that `Fixtures/make` freezes; does nothing otherwise.
@Suite("fixture")
struct FixtureTests {
  @Test(
    "the busy world, a session and a spent code", .enabled(if: getenv("WHATTODO_FIXTURE") != nil))
  func write() throws {
    let path = String(cString: try #require(getenv("WHATTODO_FIXTURE")))
    let driver = LedgerDriver(try writer(DataFolder(path: path)))
    let world = try busyWorld(driver)
    _ = try driver.session(of: world.people[0], token: 1)
    try driver.store.commit(
      LedgerTransaction(accounts: [.codeSpent("code", by: world.people[1])]))
  }
}

/// Returns a database of that version. Before version 13 no page had a sum.
func frozen(_ version: Int64) throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  let fixtures = #filePath.split(separator: "/").dropLast().joined(separator: "/")
  let sql = try readFile("/\(fixtures)/Fixtures/version-\(version).sql")
  try writeFile(folder.data.databasePath, [])
  let database = try Database(
    path: folder.data.databasePath, access: .readWrite,
    sumsPages: version >= Schema.versionWithPageSums)
  try database.execute(String(decoding: sql, as: UTF8.self))
  return folder
}

@Suite("migrations")
struct MigrationTests {
  static let versions = 1...Schema.version

  @Test("a database of every version is brought up to date, whole and sound", arguments: versions)
  func upToDate(_ version: Int64) throws {
    let folder = try frozen(version)
    let store = try writer(folder.data)
    // The secret from which codes are derived lay in the database, and lies beside it now.
    let secret = testIdentity.secret
    #expect(
      store.identity == StoreIdentity(epoch: testIdentity.epoch, secret: Array(secret.prefix(16))))
    #expect(try folder.data.secret() == StoreSecret(codes: secret, names: secret))
    let report = try store.verify()
    #expect(report.differences == [])
    #expect(report.streams == 6)
    #expect(try Database(path: folder.data.databasePath, access: .readOnly).hasSums())
    let author = try #require(try store.account(username: "author"))
    #expect(try store.session(tokenHash: Array(repeating: 1, count: 32))?.user == author.id)
    #expect(try store.isSpent(code: "code"))
    #expect(try store.streams(of: author.id).count == 3)
    #expect(report.words == 12)
    let query = try #require(SearchQuery("post"))
    let lists = try store.searchedLists(of: author.id).map(\.category)
    let found = try store.found(
      PostSearch(query.words, in: lists, .lists, after: nil, limit: 50))
    #expect(found.map(\.post.title) == ["post 6", "post 5", "post 3", "post 2"])
    #expect(try store.binnedPosts(through: .distantFuture, limit: 9).count == 2)
    _ = try LedgerDriver(store, from: 5).person("later")
    #expect(try store.verify().differences == [])
  }

  @Test("posts that had dues before there was a table of them are found by them")
  func dues() throws {
    let folder = try TemporaryFolder()
    _ = try busyWorld(LedgerDriver(try writer(folder.data)))
    do {
      let database = try Database(path: folder.data.databasePath, access: .readWrite)
      try database.execute(
        """
        DROP TABLE post_due; DROP TABLE due_check; DROP INDEX post_claimed; DROP INDEX post_placed;
        DROP INDEX post_binned; DROP INDEX post_running;
        DROP TABLE achievement; DROP TABLE achievement_check;
        DROP TABLE webhook; DROP INDEX account_owned; ALTER TABLE account DROP COLUMN owner;
        ALTER TABLE session DROP COLUMN limits;
        DROP INDEX account_guest; DROP TABLE account_end; DROP INDEX post_imported; DROP TABLE reminder; DROP TABLE reminder_check;
        ALTER TABLE stream DROP COLUMN stored_bytes; ALTER TABLE stream DROP COLUMN state_bytes;
        ALTER TABLE stream DROP COLUMN own_sum; ALTER TABLE event DROP COLUMN sum;
        ALTER TABLE event DROP COLUMN was_sum; ALTER TABLE object DROP COLUMN sum;
        ALTER TABLE command_key DROP COLUMN sum;
        DROP TABLE words_check; DROP TABLE untold_name; ALTER TABLE object DROP COLUMN traits;
        PRAGMA user_version = 5
        """)
    }
    let driver = LedgerDriver(try writer(folder.data), from: 5)
    #expect(try driver.store.untoldDues(through: .distantFuture, limit: 9) == [])
    try driver.checkDues()
    #expect(try driver.store.untoldDues(through: .distantFuture, limit: 9).count == 1)
    let report = try SQLiteStore(reading: folder.data).verify()
    #expect(report.differences == [])
    #expect(report.dues == 1, "the other list is removed")
  }

  @Test("a step makes today what it made when its version was frozen", arguments: versions)
  func unedited(_ version: Int64) throws {
    let folder = try TemporaryFolder()
    _ = try writer(folder.data)
    let upgraded = try frozen(version)
    _ = try writer(upgraded.data)
    #expect(try schema(of: upgraded) == (try schema(of: folder)))
  }

  private func schema(of folder: TemporaryFolder) throws -> [String] {
    let database = try Database(path: folder.data.databasePath, access: .readOnly)
    return try database.prepare(
      "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY type, name"
    ).rows { (row) throws(DatabaseError) in row.text(0) }
  }

  @Test("a step that fails leaves the version before it")
  func failedStep() throws {
    let recording = Recording()
    let folder = try TemporaryFolder()
    recording.fail([.sync], ofFilesEndingIn: "-wal", with: 10)
    #expect(throws: StoreOpenError.self) {
      try writer(folder.data, SQLiteOptions(vfs: recording.vfs))
    }
    recording.stopFailing()
    let store = try writer(folder.data, SQLiteOptions(vfs: recording.vfs))
    #expect(try store.verify().isSound)
  }

  @Test("a file of ours without tables is nothing to read before a writer has opened it")
  func withoutTables() throws {
    let folder = try TemporaryFolder()
    try writeFile(folder.data.databasePath, [])
    let path = folder.data.databasePath
    do {
      let database = try Database(path: path, access: .readWrite)
      try database.execute("PRAGMA application_id = \(Schema.applicationID)")
    }
    #expect(throws: StoreOpenError.noDatabase(path: path)) { try SQLiteStore(reading: folder.data) }
    _ = try writer(folder.data)
    _ = try SQLiteStore(reading: folder.data)
  }
}

@Suite("queries")
struct QueryPlanTests {
  /// A scan would pass every other test, and fail in the first big store.
  @Test("no statement of the ledger or of a reader scans a table")
  func noScans() throws {
    let folder = try TemporaryFolder()
    _ = try writer(folder.data)
    let database = try Database(path: folder.data.databasePath, access: .readWrite)
    let reads = Mirror(reflecting: try ReadStatements(database)).children
    let writes = Mirror(reflecting: try WriteStatements(database)).children
    let words = [
      Mirror(reflecting: try WordStatements(database)),
      Mirror(reflecting: try RewordStatements(database)),
    ].flatMap(\.children)
    let erases = Mirror(reflecting: try EraseStatements(database)).children
    let trims = Mirror(reflecting: try TrimStatements(database)).children
    let dues = Mirror(reflecting: try DueStatements(database)).children
    let sweeps = Mirror(reflecting: try EraseKeyStatements(database)).children
    let reminders = Mirror(reflecting: try ReminderStatements(database)).children
    let ends =
      Array(Mirror(reflecting: try AccountEndStatements(database)).children)
      + Array(Mirror(reflecting: try NameStatements(database)).children)
      + Array(Mirror(reflecting: try StorageStatements(database)).children)
      + Array(Mirror(reflecting: try DropStatements(database)).children)
    let statements =
      Array(reads).filter { $0.value is Statement } + Array(writes).filter { $0.value is Statement }
      + Array(erases).filter { $0.value is Statement }
      + Array(sweeps).filter { $0.value is Statement } + Array(trims)
      + Array(words) + Array(dues) + Array(reminders) + Array(ends)
    #expect(statements.count > 40)
    for (label, value) in statements {
      let statement = try #require(value as? Statement)
      let plan = try database.prepare("EXPLAIN QUERY PLAN \(statement.sql)").rows {
        (row) throws(DatabaseError) in row.text(3)
      }
      for line in plan where line.hasPrefix("SCAN") {
        // These are rows that the statement has itself collected, and tables that are empty but for moments. Few posts
        // have a run.
        let own = [
          "SCAN post", "SCAN (subquery-", "SCAN account USING INDEX account_guest",
          "SCAN CONSTANT ROW", "SCAN erasure", "SCAN due_check", "SCAN reminder_check",
          "SCAN words_check", "SCAN untold_name", "SCAN object USING INDEX post_running",
        ]
        #expect(own.contains { line.hasPrefix($0) }, "\(label ?? ""): \(line)")
      }
    }
  }
}
