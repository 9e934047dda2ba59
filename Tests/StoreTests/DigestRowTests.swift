import Domain
import Sync
import Testing
import Wire

@testable import Store

private let day = Day(number: 20_781)

/// Returns a time of that day in UTC, or of one so many days after it.
private func at(_ hour: Int64, _ minute: Int64 = 0, days: Int = 0) -> Timestamp {
  Timestamp(
    milliseconds: day.adding(days: days).startUTC.milliseconds + hour * 3_600_000
      + minute * 60_000)
}

extension LedgerDriver {
  fileprivate func wants(_ time: String?, _ user: UserID) throws {
    var edit = SettingsEdit()
    edit.digest = time.flatMap { ClockTime($0) }.map { .set($0) } ?? .clear
    try run(.account(.editSettings(edit)), by: user)
  }

  fileprivate func verify() throws {
    if let store = store as? SQLiteStore { #expect(try store.verify().differences == []) }
  }
}

/// A fixture with an author and an editor in one list, at the beginning of the day.
private struct DigestFixture {
  let pair: StorePair
  var driver: LedgerDriver
  let author: UserID
  let editor: UserID
  let list: CategoryID

  init(_ kind: StoreKind) throws {
    pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    author = try driver.person("author")
    editor = try driver.person("editor")
    list = try driver.category("list", by: author)
    try driver.bring(editor, "editor", to: .category(list), by: author)
    driver.pass(to: at(1))
  }

  /// Starts the server again. It knows only what the store does.
  mutating func restart(_ number: UInt64) {
    let now = driver.now
    driver = LedgerDriver(pair.writer, from: number)
    driver.pass(to: Timestamp(milliseconds: now))
  }

  func happens() throws { _ = try driver.post("post", in: list, by: editor) }
}

@Suite("protocol §5.10: digests in a store")
struct DigestRowTests {
  @Test(
    "a day is told at its time, once, also by a server that has just started",
    arguments: StoreKind.allCases)
  func once(_ kind: StoreKind) throws {
    var it = try DigestFixture(kind)
    try it.driver.wants("18:00", it.author)
    try it.happens()
    try it.driver.remind(at: at(17, 59))
    #expect(try it.driver.digests(it.author) == [])
    try it.driver.remind(at: at(18))
    #expect(try it.driver.digests(it.author) == [day])
    it.restart(3)
    try it.driver.remind(at: at(23))
    #expect(try it.driver.digests(it.author) == [day])
    try it.driver.verify()
    it.driver.pass(to: at(9, days: 1))
    try it.happens()
    try it.driver.remind(at: at(18, days: 1))
    #expect(try it.driver.digests(it.author) == [day, day.adding(days: 1)])
    #expect(try it.driver.digests(it.editor) == [], "who wants none")
    try it.driver.verify()
  }

  @Test("before noon it is about the day that is over", arguments: StoreKind.allCases)
  func morning(_ kind: StoreKind) throws {
    let it = try DigestFixture(kind)
    try it.driver.wants("08:00", it.author)
    try it.happens()
    try it.driver.remind(at: at(9, days: 1))
    #expect(try it.driver.digests(it.author) == [day])
  }

  @Test("The last one of several that were missed is told", arguments: StoreKind.allCases)
  func missed(_ kind: StoreKind) throws {
    let it = try DigestFixture(kind)
    try it.driver.wants("18:00", it.author)
    for days in 0...3 {
      it.driver.pass(to: at(9, days: days))
      try it.happens()
    }
    try it.driver.remind(at: at(19, days: 3))
    #expect(try it.driver.digests(it.author) == [day.adding(days: 3)])
    try it.driver.remind(at: at(23, days: 3))
    #expect(try it.driver.digests(it.author) == [day.adding(days: 3)])
    try it.driver.verify()
  }

  @Test("a day on which nothing was written is not told", arguments: StoreKind.allCases)
  func nothing(_ kind: StoreKind) throws {
    let it = try DigestFixture(kind)
    try it.driver.wants("18:00", it.author)
    it.driver.pass(to: at(9, days: 1))
    try it.driver.remind(at: at(18, days: 1))
    #expect(try it.driver.digests(it.author) == [])
    it.driver.pass(to: at(9, days: 2))
    try it.happens()
    try it.driver.remind(at: at(18, days: 2))
    #expect(try it.driver.digests(it.author) == [day.adding(days: 2)])
    // Changes in a list that a person has left are nobody's news.
    try it.driver.wants("18:00", it.editor)
    try it.driver.run(.member(.leave(.category(it.list))), by: it.editor)
    it.driver.pass(to: at(9, days: 3))
    _ = try it.driver.post("post", in: it.list, by: it.author)
    try it.driver.remind(at: at(18, days: 3))
    #expect(try it.driver.digests(it.editor) == [])
  }

  @Test(
    "another time and another zone: each day once, none left out", arguments: StoreKind.allCases)
  func moved(_ kind: StoreKind) throws {
    let it = try DigestFixture(kind)
    try it.driver.wants("18:00", it.author)
    try it.driver.look()
    try it.happens()
    // To the east it is 19:00 already: everything that has come by that is told.
    it.driver.pass(to: at(17))
    var edit = ProfileEdit()
    edit.zone = "Etc/GMT-2"
    try it.driver.run(.account(.editProfile(edit)), by: it.author)
    try it.driver.remind(at: at(17, 1))
    #expect(try it.driver.digests(it.author) == [day])
    // To the west, where 18:00 of this day comes once more.
    edit.zone = "Etc/GMT+5"
    try it.driver.run(.account(.editProfile(edit)), by: it.author)
    try it.driver.remind(at: at(23, 30))
    #expect(try it.driver.digests(it.author) == [day])
    // This is an earlier time, which has passed, of a day that is not told yet.
    it.driver.pass(to: at(19, days: 1))
    try it.happens()
    try it.driver.wants("13:00", it.author)
    try it.driver.remind(at: at(19, 1, days: 1))
    #expect(try it.driver.digests(it.author) == [day, day.adding(days: 1)])
    try it.driver.verify()
  }

  @Test("none any more, and from then on again", arguments: StoreKind.allCases)
  func off(_ kind: StoreKind) throws {
    let it = try DigestFixture(kind)
    try it.driver.wants("18:00", it.author)
    try it.happens()
    try it.driver.wants(nil, it.author)
    try it.driver.remind(at: at(19))
    #expect(try it.driver.digests(it.author) == [])
    #expect(
      try it.driver.store.dueReminders(through: Timestamp(milliseconds: .max), limit: 9) == [])
    // The time of today has passed before anybody asked for it.
    try it.driver.wants("18:00", it.author)
    try it.driver.remind(at: at(20))
    #expect(try it.driver.digests(it.author) == [])
    it.driver.pass(to: at(10, days: 1))
    try it.happens()
    try it.driver.remind(at: at(18, days: 1))
    #expect(try it.driver.digests(it.author) == [day.adding(days: 1)])
    try it.driver.verify()
  }

  @Test("a clock that was put back tells no day again", arguments: StoreKind.allCases)
  func putBack(_ kind: StoreKind) throws {
    let it = try DigestFixture(kind)
    try it.driver.wants("18:00", it.author)
    try it.happens()
    try it.driver.remind(at: at(18))
    // The clock shows two hours more than it is: the time is to come once more.
    it.driver.ahead = 7_200_000
    try it.driver.store.lookAtAllAgain()
    try it.driver.look()
    let waiting = try it.driver.store.dueReminders(through: at(18), limit: 9)
    #expect(waiting.map(\.key) == [.digest(of: it.author)])
    try it.driver.tell(through: at(18))
    try it.driver.remind(at: at(18, 1))
    #expect(try it.driver.digests(it.author) == [day])
    try it.driver.verify()
  }

  @Test("a row that is gone is missed by verify")
  func verified() throws {
    let it = try DigestFixture(.sqlite)
    try it.driver.wants("18:00", it.author)
    let store = try #require(it.driver.store as? SQLiteStore)
    #expect(try store.verify().differences == [], "a note stands for it")
    try it.driver.look()
    #expect(try store.verify().differences == [])
    try store.inDatabase { (database) throws(DatabaseError) in
      try database.execute("DELETE FROM reminder")
    }
    #expect(try store.verify().differences.count == 1)
  }

  @Test("it is also a notification", arguments: StoreKind.allCases)
  func notice(_ kind: StoreKind) throws {
    let it = try DigestFixture(kind)
    try it.driver.wants("18:00", it.author)
    try it.happens()
    try it.driver.remind(at: at(18))
    let bodies = try it.driver.store.objects(.notice, in: .user(it.author))
    let notices = try bodies.map { try ObjectCodec.decode($0) }
    guard case .notice(let one)? = notices.last else {
      Issue.record("there is none")
      return
    }
    #expect(one.kind == .digest && one.stream == .user(it.author) && one.by == nil)
  }
}
