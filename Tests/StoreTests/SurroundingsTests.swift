import Calendar
import Domain
import Sync
import Testing

@testable import Store

private let day = Day(number: 20_781)

@Suite("EventStore contract: zones and clock of the machine")
struct SurroundingsTests {
  @Test(
    "other rules of time zones have all deadlines looked at again", arguments: StoreKind.allCases)
  func zones(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    #expect(try !pair.writer.zonesAre("2025b"), "there is nothing to look at")
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("post", in: list, by: author)
    try driver.run(
      .editPost(list, post, PostEdit(due: .set(.day(day))), ifVersion: nil), by: author)
    #expect(try !pair.writer.zonesAre("2025b"))
    #expect(try pair.reader.dueCheck(limit: 9) == nil)
    #expect(try pair.writer.zonesAre("2026a"))
    let part = try pair.reader.dueCheck(limit: 9)
    #expect(part == DueCheckPart(category: list, posts: [post], through: nil))
    #expect(try driver.checkDues() == 1)
    #expect(try !pair.writer.zonesAre("2026a"))
    #expect(try pair.reader.dueCheck(limit: 9) == nil)
  }

  @Test("a row that other rules made is put right, and until then verify does not compare it")
  func otherRules() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    _ = try store.zonesAre("2025b")
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    // The second was due in a zone that nobody knew then.
    let posts = try (0..<2).map { _ in
      let post = try driver.post("post", in: list, by: author)
      let edit = PostEdit(due: .set(.time(day, minute: 60, zone: "Africa/Casablanca")))
      try driver.run(.editPost(list, post, edit, ifVersion: nil), by: author)
      return post
    }
    try store.write { (database) throws(DatabaseError) in
      try database.execute(
        "UPDATE post_due SET at = at + 3600000 WHERE post = 1; DELETE FROM post_due WHERE post = 2")
    }
    #expect(try store.verify(.system, zones: "2025b").differences.count == 2)
    let elsewhere = try store.verify(.system, zones: "2026a")
    #expect(elsewhere.isSound && elsewhere.remarks.count == 1)
    #expect(try store.zonesAre("2026a"))
    #expect(try store.verify(.system, zones: "2026a").isSound, "they are still to be looked at")
    #expect(try driver.checkDues() == 1)
    let report = try store.verify(.system, zones: "2026a")
    #expect(report.isSound && report.remarks.isEmpty && report.dues == 2)
    let found = try store.untoldDues(through: .distantFuture, limit: 9).map(\.post)
    #expect(found == posts)
  }

  @Test("when the operator said that the clock is right", arguments: StoreKind.allCases)
  func clock(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    #expect(try pair.reader.confirmedClock() == nil)
    for milliseconds in [Int64(1_700_000_000_000), 5] {
      let confirmation = ClockConfirmation(
        at: Timestamp(milliseconds: milliseconds), newest: Timestamp(milliseconds: -7))
      try pair.writer.confirmClock(confirmation)
      #expect(try pair.reader.confirmedClock() == confirmation)
    }
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().isSound) }
  }

  @Test("a process that has zones reads them again")
  func again() {
    let before = Zones.startOfDay(day, zone: "Europe/Lisbon")
    Zones.readAgain()
    #expect(before != nil && Zones.startOfDay(day, zone: "Europe/Lisbon") == before)
  }
}
