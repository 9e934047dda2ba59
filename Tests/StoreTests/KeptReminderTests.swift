import Calendar
import Domain
import Sync
import Testing
import Wire

@testable import Store

private let day = Day(number: 20_781)

private func at(_ hour: Int64) -> Timestamp {
  Timestamp(milliseconds: Int64(day.number) * 86_400_000 + hour * 3_600_000)
}

/// A fixture of two members of a list, of whom one asks for news.
private final class ReminderFixture {
  let pair: StorePair
  let driver: LedgerDriver
  let author: UserID
  let editor: UserID
  let list: CategoryID
  private let reader: Reader<[UInt8]>
  private var asked: Int64 = 0

  init(_ kind: StoreKind) throws {
    pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    author = try driver.person("author")
    editor = try driver.person("editor")
    list = try driver.category("list", by: author)
    try driver.bring(editor, "editor", to: .category(list), by: author)
    reader = Reader(
      pair.reader, hellos: UserLimits(TokenRate(count: 60, everyMilliseconds: 60_000, burst: 60)),
      snapshotBytesMax: 0,
      ReaderTools(
        server: ServerName(name: "tests", version: "1"), tokenHash: { _ in nil },
        startOfDay: { _, _ in nil }, frame: { $0 }, almanac: .system))
  }

  func post(_ title: String, due: Day? = nil) throws -> PostID {
    let post = try driver.post(title, in: list, by: author)
    if let due {
      let edit = PostEdit(due: .set(.day(due)))
      try driver.run(.editPost(list, post, edit, ifVersion: nil), by: author)
    }
    return post
  }

  func say(_ change: PersonalChange, _ post: PostID) throws {
    try driver.run(.changePersonal(list, post, change), by: author)
  }

  func news(limit: Int = 10) throws -> NotificationsResult {
    asked += 60_000
    let identity = Identity(user: author, session: SessionID(UUID(high: 9, low: 9)))
    let moment = SessionMoment(milliseconds: asked, wall: Timestamp(milliseconds: driver.now))
    let answer = try reader.answer(
      .number(1), identity, .notifications(limit: limit), at: moment)
    guard case .answer(let bytes) = answer,
      case .result(_, let node) = try ServerMessage(decoding: bytes)
    else { throw WireError.malformed("") }
    return try NotificationsResult(decoding: node)
  }

  func shown() throws -> [PostID] { try news().reminders.compactMap(\.post) }

  func kept() throws -> Int { try driver.store.objects(.reminder, in: .user(author)).count }

  func verify() throws {
    if let store = driver.store as? SQLiteStore { #expect(try store.verify().differences == []) }
  }
}

@Suite("protocol §5.10: a reminder that was asked for stays in sight")
struct KeptReminderTests {
  @Test(
    "it is shown after 250 assignments and 250 overdue posts that came behind it",
    arguments: StoreKind.allCases)
  func flood(_ kind: StoreKind) throws {
    let it = try ReminderFixture(kind)
    let call = try it.post("call the dentist")
    try it.say(.remind(.at(at(9))), call)
    try it.driver.remind(at: at(10))
    for number in 0..<250 {
      let post = try it.post("flood \(number)", due: day)
      try it.driver.run(.post(.change(it.list, post, .assign(it.author))), by: it.editor)
    }
    try it.driver.remind(at: at(25))
    let news = try it.news(limit: 200)
    #expect(news.directed.count == 200)
    #expect(!news.directed.contains { $0.post == call })
    #expect(news.reminders.map(\.post) == [call])
    let one = try #require(news.reminders.first)
    #expect(one.kind == .reminder && one.by == nil && one.about == .category(it.list))
    #expect(try it.kept() == 1, "what settings say of all posts is not kept")
    try it.verify()
  }

  @Test(
    "each kind that is asked for is kept, and of each post the newest",
    arguments: StoreKind.allCases)
  func kinds(_ kind: StoreKind) throws {
    let it = try ReminderFixture(kind)
    let (first, second) = (try it.post("first", due: day), try it.post("second"))
    try it.say(.remind(.before(minutes: 60)), first)
    try it.say(.plan(Plan(at: .time(day, minute: 8 * 60, zone: "UTC"))), second)
    try it.driver.remind(at: at(8))
    #expect(try it.news().reminders.map(\.kind) == [.planned])
    try it.driver.remind(at: at(23))
    #expect(try it.shown() == [first, second])
    try it.say(.snooze(until: at(30)), second)
    #expect(try it.shown() == [first], "it is quiet until then")
    try it.driver.remind(at: at(31))
    #expect(try it.news().reminders.map(\.kind) == [.snoozed, .reminder])
    #expect(try it.kept() == 2)
    try it.verify()
  }

  @Test("one event tells it to old clients and keeps it", arguments: StoreKind.allCases)
  func event(_ kind: StoreKind) throws {
    let it = try ReminderFixture(kind)
    let post = try it.post("call")
    try it.say(.remind(.at(at(9))), post)
    try it.driver.remind(at: at(10))
    let stored = try it.driver.store.events(
      in: .user(it.author), after: 0, through: .max, bytesMax: 1 << 24)
    let last = try #require(stored.last)
    let event = try EventCodec.decode(last.body, seq: last.seq)
    let told = Reminded(
      address: PostAddress(category: it.list, post: post), kind: .reminder, at: at(9))
    #expect(event.ops == [.personal(.fired(told)), .personal(.kept(told))])
    #expect(event.by == nil && event.key == nil)
  }

  @Test("it is shown until it is read or done, and not of a list that is put away")
  func over() throws {
    let it = try ReminderFixture(.sqlite)
    let posts = try ["read", "done", "removed", "open"].map { try it.post($0) }
    for (index, post) in posts.enumerated() {
      try it.say(.remind(.at(at(Int64(index)))), post)
      try it.driver.remind(at: at(Int64(index)))
    }
    #expect(try it.shown() == posts.reversed())
    let first = try #require(try it.news().reminders.last)
    try it.driver.run(.markRead(.user(it.author), seq: first.seq), by: it.author)
    try it.driver.run(.completePost(it.list, posts[1], ifVersion: nil), by: it.editor)
    try it.driver.run(.removePost(it.list, posts[2], ifVersion: nil), by: it.editor)
    #expect(try it.shown() == [posts[3]])
    try it.driver.run(.category(.archive(it.list)), by: it.author)
    #expect(try it.shown() == [])
    try it.driver.run(.category(.unarchive(it.list)), by: it.author)
    #expect(try it.shown() == [posts[3]])
    // The mark of a list says nothing of what people asked for themselves.
    let seq = try #require(try it.driver.store.head(of: .category(it.list))?.seq)
    try it.driver.run(.markRead(.category(it.list), seq: seq), by: it.author)
    #expect(try it.shown() == [posts[3]])
    try it.verify()
  }

  @Test("the newest notifications are told, also behind a batch that had many in one event")
  func newest() throws {
    let it = try ReminderFixture(.sqlite)
    let posts = try (0..<20).map { try it.post("post \($0)") }
    let commands = posts.map { Command.post(.change(it.list, $0, .assign(it.author))) }
    try it.driver.run(.batch(commands), by: it.editor)
    let last = try it.post("last")
    try it.driver.run(.post(.change(it.list, last, .assign(it.author))), by: it.editor)
    #expect(try it.news(limit: 3).directed.map(\.post) == [last, posts[19], posts[18]])
  }
}
