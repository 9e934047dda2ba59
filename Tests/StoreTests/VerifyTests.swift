import Domain
import Sync
import Testing

@testable import Store

@Suite("verify")
struct VerifyTests {
  /// The busy world in one file: a writer that closes leaves no log behind.
  private static let soundFile = Result {
    let folder = try TemporaryFolder()
    do {
      let driver = LedgerDriver(try writer(folder.data))
      let world = try busyWorld(driver)
      _ = try driver.session(of: world.people[0], token: 1)
    }
    return try readFile(folder.data.databasePath)
  }

  @Test("a store that the ledger wrote is sound")
  func sound() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let world = try busyWorld(LedgerDriver(store))
    let report = try SQLiteStore(reading: folder.data).verify()
    #expect(report.differences == [])
    #expect(report.streams == world.streams.count)
    #expect(report.events > 50)
    #expect(report.objects > 30)
    #expect(report.keys > 30)
    #expect(report.words == 12)
    #expect(report.dues == 2, "one of them is still to be looked at: its list is removed")
  }

  /// Each row damages one thing behind the ledger's back.
  @Test(
    "every kind of difference is found",
    arguments: [
      "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), 'post 4', 'post 5') AS BLOB)",
      "UPDATE event SET was = CAST('[]' AS BLOB) WHERE place = (SELECT min(place) FROM event)",
      "UPDATE event SET at = at + 1 WHERE place = (SELECT min(place) FROM event)",
      "UPDATE event SET by = NULL WHERE place = (SELECT min(place) FROM event)",
      "UPDATE event SET tx = zeroblob(16) WHERE place = (SELECT min(place) FROM event)",
      "DELETE FROM event WHERE place = (SELECT max(place) FROM event)",
      "DELETE FROM event WHERE place = (SELECT min(place) FROM event)",
      "UPDATE event SET place = place + 4294967296 * 99 WHERE place = (SELECT max(place) FROM event)",
      "UPDATE event SET body = CAST('{' AS BLOB) WHERE place = (SELECT max(place) FROM event)",
      "UPDATE stream SET seq = seq + 1 WHERE number = 2",
      "UPDATE stream SET tx = zeroblob(16) WHERE number = 2",
      "UPDATE stream SET own = CAST('{}' AS BLOB) WHERE number = 2",
      "UPDATE stream SET own = NULL WHERE number = 2",
      "UPDATE object SET body = CAST('{}' AS BLOB) WHERE rowid = (SELECT min(rowid) FROM object)",
      "UPDATE object SET number = number + 100 WHERE kind = 6 AND number = 4",
      "UPDATE object SET rank = 1 WHERE kind = 6 AND number = 4",
      "UPDATE object SET in_state = 0 WHERE kind = 6 AND number = 4",
      "UPDATE object SET traits = 1 WHERE kind = 6 AND number = 4",
      "UPDATE object SET stream = 99 WHERE rowid = (SELECT min(rowid) FROM object)",
      "UPDATE object SET kind = 77 WHERE rowid = (SELECT min(rowid) FROM object)",
      "DELETE FROM object WHERE rowid = (SELECT min(rowid) FROM object)",
      "UPDATE access SET role = 40 WHERE rowid_first(user)",
      "UPDATE access SET joined_seq = joined_seq + 1 WHERE rowid_first(user)",
      "DELETE FROM access WHERE rowid_first(user)",
      "INSERT INTO access SELECT user, 99, role, joined_seq FROM access LIMIT 1",
      "UPDATE achievement SET at = at + 1",
      "UPDATE achievement SET stream = 99",
      "DELETE FROM achievement",
      "UPDATE command_key SET stream = 99 WHERE key = 'k9'",
      "UPDATE command_key SET mark = mark + 4 WHERE key = 'k9'",
      "UPDATE command_key SET events = CAST(substr(events, 1, 24) || x'FF' AS BLOB) WHERE length(events) = 25",
      "UPDATE account SET username = 'other' WHERE username = 'author'",
      "DELETE FROM account WHERE username = 'author'",
      "DELETE FROM account WHERE username = 'editor'",
      "DELETE FROM post_words WHERE place = (SELECT min(place) FROM post_words)",
      "UPDATE post_words SET place = place + 50 WHERE place = (SELECT min(place) FROM post_words)",
      "INSERT INTO post_words SELECT 99 << 32 | 1, at, removed, words FROM post_words LIMIT 1",
      "UPDATE post_words SET words = x'0061' WHERE place = (SELECT max(place) FROM post_words)",
      "UPDATE post_words SET removed = 1 - removed WHERE place = (SELECT min(place) FROM post_words)",
      "UPDATE post_words SET at = at + 1 WHERE place = (SELECT min(place) FROM post_words)",
      "DELETE FROM post_due WHERE stream = (SELECT min(stream) FROM post_due)",
      "UPDATE post_due SET at = at + 1 WHERE stream = (SELECT min(stream) FROM post_due)",
      "UPDATE post_due SET told = 1 - told WHERE stream = (SELECT min(stream) FROM post_due)",
      "UPDATE post_due SET post = post + 1 WHERE stream = (SELECT min(stream) FROM post_due)",
      "INSERT INTO post_due SELECT 99, at, post, told FROM post_due LIMIT 1",
    ])
  func differences(_ damage: String) throws {
    let folder = try TemporaryFolder()
    try writeFile(folder.data.databasePath, try VerifyTests.soundFile.get())
    let database = try Database(path: folder.data.databasePath, access: .readWrite)
    let first = "user = (SELECT user FROM access ORDER BY user LIMIT 1)"
    try database.execute(damage.replacing("rowid_first(user)", with: first))
    #expect(database.changedRows > 0, "the row damages nothing")
    let report = try SQLiteStore(reading: folder.data).verify()
    #expect(!report.isSound)
  }

  @Test("half of a change over two streams is found")
  func halfWritten() throws {
    let folder = try TemporaryFolder()
    let driver = LedgerDriver(try writer(folder.data))
    let author = try driver.person("author")
    let category = CategoryID(driver.name())
    var staged = try driver.staged([
      try driver.work(.category(.add(category, name: "list", group: nil)), by: author)
    ])
    staged.events.removeAll { $0.stream == .user(author) }
    staged.objects.removeAll { $0.stream == .user(author) }
    staged.keys = []
    try driver.store.commit(staged)
    let report = try SQLiteStore(reading: folder.data).verify()
    #expect(
      report.differences == [
        "\(StreamID.user(author)): its memberships are not those of the streams."
      ]
    )
  }

  @Test("the list of differences ends, the count does not")
  func manyDifferences() {
    var report = VerificationReport()
    for index in 0...VerificationReport.differencesListedMax { report.add("\(index)") }
    #expect(report.differences.count == VerificationReport.differencesListedMax)
    #expect(report.differenceCount == VerificationReport.differencesListedMax + 1)
  }
}
