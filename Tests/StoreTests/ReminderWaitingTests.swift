import Calendar
import Domain
import Sync
import Testing
import Wire

@testable import Store

private let day = Day(number: 20_781)
private let hour: Int64 = 3_600_000

/// Returns the moment so many hours before the end of that day in UTC.
private func end(_ hours: Int64) -> Timestamp {
  Timestamp(milliseconds: Int64(day.number + 1) * 86_400_000 - hours * hour)
}

extension LedgerDriver {
  fileprivate func set(
    _ due: Due, _ post: PostID, in list: CategoryID, by user: UserID
  ) throws {
    try run(.editPost(list, post, PostEdit(due: .set(due)), ifVersion: nil), by: user)
  }

  fileprivate func say(
    _ change: PersonalChange, _ post: PostID, in list: CategoryID, by user: UserID
  ) throws {
    try run(.changePersonal(list, post, change), by: user)
  }
}

@Suite("protocol §5.10: reminders that wait")
struct ReminderWaitingTests {
  @Test(
    "a clock that was ahead takes none of those that come", arguments: StoreKind.allCases,
    [true, false])
  func clock(_ kind: StoreKind, _ isPausedBefore: Bool) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("post", in: list, by: author)
    driver.pass(to: end(30))
    // For an hour the clock is two days ahead, and the scheduler knows it.
    let wrong = LedgerDriver(pair.writer, from: 3)
    wrong.pass(to: end(30 - 48))
    wrong.ahead = 48 * hour
    try wrong.set(.day(day), post, in: list, by: author)
    try wrong.say(.remind(.at(end(26))), post, in: list, by: author)
    if isPausedBefore { try wrong.look() }
    let right = LedgerDriver(pair.writer, from: 5)
    try right.remind(at: end(26))
    #expect(try right.told(author) == [Alarm(kind: .reminder, at: end(26))])
    try right.remind(at: end(24))
    #expect(try right.told(author).last == Alarm(kind: .reminder, at: end(24)))
    try right.remind(at: end(0))
    #expect(try right.told(author).last == Alarm(kind: .overdue, at: end(0)))
    #expect(try right.told(author).count == 3)
  }

  @Test("a clock that is put back takes none of those that come", arguments: StoreKind.allCases)
  func putBack(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let people = try ["author", "editor"].map { try driver.person($0) }
    let list = try driver.category("list", by: people[0])
    try driver.bring(people[1], "editor", to: .category(list), by: people[0])
    let post = try driver.post("post", in: list, by: people[0])
    // Nobody knows that the clock is two days ahead: by it everything is past.
    let wrong = LedgerDriver(pair.writer, from: 3)
    wrong.pass(to: end(30 - 48))
    try wrong.set(.day(day), post, in: list, by: people[0])
    let time = Due.time(day, minute: 600, zone: "UTC")
    try wrong.say(.plan(Plan(at: time)), post, in: list, by: people[1])
    try wrong.remind(at: end(29 - 48))
    let right = LedgerDriver(pair.writer, from: 5)
    try right.store.lookAtAllAgain()
    try right.remind(at: end(26))
    #expect(try right.told(people[0]) == [])
    try right.remind(at: end(0))
    let told = [Alarm(kind: .reminder, at: end(24)), Alarm(kind: .overdue, at: end(0))]
    #expect(try right.told(people[0]) == told)
    #expect(try right.told(people[1]) == [Alarm(kind: .planned, at: end(14))])
  }

  @Test(
    "A reminder that waits goes along with a post to another list, whichever is seen to first",
    arguments: StoreKind.allCases, [true, false])
  func moved(_ kind: StoreKind, _ tellsFirst: Bool) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let people = try ["author", "editor"].map { try driver.person($0) }
    let lists = try ["list", "other"].map { try driver.category($0, by: people[0]) }
    try driver.bring(people[1], "editor", to: .category(lists[0]), by: people[0])
    let post = try driver.post("post", in: lists[0], by: people[0])
    try driver.set(.day(day), post, in: lists[0], by: people[0])
    for person in people { try driver.say(.remind(.at(end(25))), post, in: lists[0], by: person) }
    try driver.look()
    driver.pass(to: end(20))
    try driver.run(.movePost(lists[0], post, to: lists[1]), by: people[0])
    if tellsFirst { try driver.tell(through: end(20)) }
    try driver.remind(at: end(20))
    #expect(
      try driver.told(people[0]) == [
        Alarm(kind: .reminder, at: end(25)), Alarm(kind: .reminder, at: end(24)),
      ])
    #expect(try driver.told(people[1]) == [], "who may not see it there")
    try driver.remind(at: end(0))
    #expect(try driver.told(people[0]).count == 3)
    if let store = driver.store as? SQLiteStore { #expect(try store.verify().differences == []) }
  }

  @Test("A reminder whose moment has come is told at once", arguments: StoreKind.allCases)
  func late(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let posts = try ["one", "two", "three"].map { try driver.post($0, in: list, by: author) }
    driver.pass(to: end(20))
    try driver.say(.remind(.at(end(21))), posts[0], in: list, by: author)
    try driver.say(.snooze(until: end(22)), posts[1], in: list, by: author)
    // Past moments of a due are no news.
    try driver.set(.time(day, minute: 60, zone: "UTC"), posts[2], in: list, by: author)
    try driver.remind(at: end(19))
    #expect(
      Set(try driver.told(author)) == [
        Alarm(kind: .reminder, at: end(21)), Alarm(kind: .snoozed, at: end(22)),
      ])
    #expect(try pair.reader.objects(.personal, in: .user(author)) == [])
    // The same moment again is told already, as only the store knows now.
    let next = LedgerDriver(pair.writer, from: 3)
    next.pass(to: end(18))
    try next.say(.remind(.at(end(21))), posts[0], in: list, by: author)
    try next.remind(at: end(17))
    #expect(try next.told(author).count == 2)
  }

  @Test("Nothing is lost of a list whose days are others that came before it was looked at")
  func zone() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("post", in: list, by: author)
    try driver.set(.day(day), post, in: list, by: author)
    try driver.look()
    try driver.remind(at: end(14))
    // There the day ends thirteen hours earlier.
    try driver.run(.category(.edit(list, CategoryEdit(zone: "Pacific/Auckland"))), by: author)
    let later = LedgerDriver(pair.writer, from: 3)
    try later.remind(at: end(6))
    let told = [Alarm(kind: .reminder, at: end(24)), Alarm(kind: .overdue, at: end(13))]
    #expect(try later.told(author) == told)
  }

  @Test("other rules of the time zones are looked at for what is planned, too")
  func zones() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("post", in: list, by: author)
    let time = Due.time(day, minute: 600, zone: "Europe/Lisbon")
    try driver.say(.plan(Plan(at: time)), post, in: list, by: author)
    try driver.look()
    #expect(try driver.store.zonesAre("first"))
    #expect(try driver.store.reminderChecks(limit: 9, butAbout: []).map(\.rows.count) == [1])
    #expect(try driver.store.reminderChecks(limit: 9, butAbout: [.person(author)]) == [])
    try driver.look()
    #expect(try driver.store.reminderChecks(limit: 9, butAbout: []) == [])
  }
}
