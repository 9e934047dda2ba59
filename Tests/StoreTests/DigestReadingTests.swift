import Calendar
import Domain
import Testing
import Wire

@testable import Store
@testable import Sync

private let day = Day(number: 20_781)

private func at(_ hour: Int64, days: Int = 0) -> Timestamp {
  Timestamp(
    milliseconds: day.adding(days: days).startUTC.milliseconds + hour * 3_600_000)
}

/// The reading of an author and an editor, who share a list.
private struct Reading {
  let driver: LedgerDriver
  let reader: Reader<[UInt8]>
  let author: UserID
  let editor: UserID
  let list: CategoryID

  init(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    author = try driver.person("author")
    editor = try driver.person("editor")
    list = try driver.category("groceries", by: author)
    try driver.bring(editor, "editor", to: .category(list), by: author)
    reader = Reader(of: pair.reader)
  }

  func outcome(_ query: DigestQuery, as user: UserID) throws -> RequestOutcome {
    let identity = Identity(user: user, session: SessionID(UUID(high: 0, low: 1)))
    return try reader.digest(.number(1), identity, query, at: Timestamp(milliseconds: driver.now))
  }

  func digest(_ day: Day, as user: UserID, zone: String? = nil) throws -> DigestResult {
    guard case .answer(let bytes) = try outcome(DigestQuery(day: day, zone: zone), as: user),
      case .result(_, let node) = try ServerMessage(decoding: bytes)
    else { throw Unexpected() }
    return try DigestResult(decoding: node)
  }

  func complete(_ post: PostID, by user: UserID) throws {
    try driver.run(.completePost(list, post, ifVersion: nil), by: user)
  }
}

private struct Unexpected: Error {}

@Suite("protocol §8: a reader answers what happened on a day")
struct DigestReadingTests {
  @Test(
    "The digest has what others did, and apart from it what one did oneself, of that day only",
    arguments: StoreKind.allCases)
  func whose(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    it.driver.pass(to: at(23, days: -1))
    let milk = try it.driver.post("milk", in: it.list, by: it.author)
    it.driver.pass(to: at(9))
    let bread = try it.driver.post("bread", in: it.list, by: it.author)
    try it.complete(milk, by: it.editor)
    try it.complete(bread, by: it.editor)
    it.driver.pass(to: at(1, days: 1))
    for number in 1...40 { _ = try it.driver.post("\(number)", in: it.list, by: it.editor) }
    let result = try it.digest(day, as: it.author)
    #expect(result.zone == "Europe/Lisbon" && !result.more)
    let list = try #require(result.lists.first)
    #expect(result.lists.count == 1 && list.name == "groceries" && !list.more)
    #expect(list.total == DigestCounts(added: 1, completed: 2))
    #expect(list.mine == DigestCounts(added: 1))
    #expect(
      list.people == [
        DigestPerson(id: it.editor, username: "editor", counts: DigestCounts(completed: 2))
      ])
    #expect(result.today == DayTotal(done: 1, of: 1))
    let other = try it.digest(day, as: it.editor)
    #expect(other.lists.first?.people.map(\.username) == ["author"])
    #expect(other.lists.first?.mine == DigestCounts(completed: 2))
    #expect(other.today == DayTotal(done: 2, of: 2))
    #expect(
      try it.digest(day.adding(days: -1), as: it.author).lists.first?.total
        == DigestCounts(added: 1))
    #expect(
      try it.digest(day.adding(days: 1), as: it.author).lists.first?.total
        == DigestCounts(added: 40))
    #expect(try it.digest(day.adding(days: 2), as: it.author).lists == [])
    #expect(try it.digest(day.adding(days: -2), as: it.author).lists == [])
  }

  @Test("a day is between the midnights of the zone", arguments: StoreKind.allCases)
  func zones(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    it.driver.pass(to: at(23))
    _ = try it.driver.post("milk", in: it.list, by: it.author)
    #expect(try it.digest(day, as: it.editor).lists.count == 1)
    #expect(try it.digest(day, as: it.editor, zone: "Etc/GMT-2").lists == [])
    #expect(
      try it.digest(day.adding(days: 1), as: it.editor, zone: "Etc/GMT-2").lists.count == 1)
    guard
      case .failed(let failure) = try it.outcome(
        DigestQuery(day: day, zone: "No/Zone"), as: it.editor)
    else {
      Issue.record("there is no such zone")
      return
    }
    #expect(failure == .refused(.invalid(field: "zone", reason: "names no time zone")))
  }

  @Test("only what a member may read of: present members, and from the beginning of their history")
  func rights() throws {
    let it = try Reading(.sqlite)
    let third = try it.driver.person("third")
    it.driver.pass(to: at(9))
    _ = try it.driver.post("milk", in: it.list, by: it.author)
    var edit = CategoryEdit()
    edit.history = .joined
    try it.driver.run(.category(.edit(it.list, edit)), by: it.author)
    #expect(try it.digest(day, as: third).lists == [])
    try it.driver.bring(third, "third", to: .category(it.list), by: it.author)
    #expect(try it.digest(day, as: third).lists == [], "before they came")
    _ = try it.driver.post("bread", in: it.list, by: it.author)
    #expect(try it.digest(day, as: third).lists.first?.total == DigestCounts(added: 1))
    try it.driver.run(.member(.leave(.category(it.list))), by: third)
    #expect(try it.digest(day, as: third).lists == [])
    #expect(try it.digest(day, as: it.editor).lists.first?.total == DigestCounts(added: 2))
  }

  @Test("an archived and a removed list are left out, and what one did there is not")
  func archived() throws {
    let it = try Reading(.sqlite)
    it.driver.pass(to: at(9))
    let milk = try it.driver.post("milk", in: it.list, by: it.author)
    try it.complete(milk, by: it.author)
    func isTold(_ told: Bool, after command: Command) throws {
      try it.driver.run(command, by: it.author)
      let result = try it.digest(day, as: it.author)
      #expect(result.lists.isEmpty != told && result.today == DayTotal(done: 1, of: 1))
    }
    try isTold(false, after: .category(.archive(it.list)))
    try isTold(true, after: .category(.unarchive(it.list)))
    try isTold(false, after: .category(.remove(it.list)))
  }

  @Test("The newest of the day is told of more than one request may look through")
  func bounded() throws {
    let it = try Reading(.memory)
    it.driver.pass(to: at(9))
    let count = ReadingLimits.digestOfList.events + 20
    for number in 1...count { _ = try it.driver.post("\(number)", in: it.list, by: it.author) }
    let result = try it.digest(day, as: it.editor)
    #expect(result.more)
    let list = try #require(result.lists.first)
    #expect(list.more && list.total.added < count && list.total.added > count - 40)
    it.driver.pass(to: at(1, days: 1))
    _ = try it.driver.post("next", in: it.list, by: it.author)
    #expect(try it.digest(day.adding(days: 1), as: it.editor).more == false)
  }
}
