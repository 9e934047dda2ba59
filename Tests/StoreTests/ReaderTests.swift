import Domain
import Testing
import Wire

@testable import Store
@testable import Sync

/// A reader beside a desk, on every store.
private struct Reading {
  let desk: Desk
  let reader: Reader<[UInt8]>
  let author: UserID
  let bert: UserID
  let category: CategoryID

  init(_ pair: StorePair) throws {
    desk = Desk(pair.writer)
    author = try desk.person("author")
    bert = try desk.person("bert")
    category = try desk.category("groceries", by: author)
    let tools = ReaderTools<[UInt8]>(
      server: ServerName(name: "tests", version: "1"), tokenHash: { _ in nil },
      startOfDay: { _, _ in nil }, frame: { $0 })
    reader = Reader(
      pair.reader, hellos: UserLimits(TokenRate(count: 60, everyMilliseconds: 60_000, burst: 60)),
      snapshotBytesMax: 1 << 24, tools)
  }

  var stream: StreamID { .category(category) }

  func ask(_ want: HubRead.Want, as user: UserID) throws -> HubReadAnswer<[UInt8]> {
    try reader.answer(
      HubRead(
        connection: HubConnection(1), user: user, stream: stream, watch: 1, want: want))
  }

  /// The first page of the newest snapshot.
  func snapshot(as user: UserID) throws -> SnapshotPlace {
    let answer = try ask(.page(0, seq: nil), as: user)
    guard case .page(_, let place) = answer else { throw Unexpected() }
    return place
  }

  func fill(_ count: Int) throws {
    let notes = String(repeating: "n", count: 16_000)
    for number in 1...count {
      let id = PostID(desk.name())
      try desk.run(.addPost(category, id, title: "post \(number)", notes: notes), by: author)
    }
  }
}

private struct Unexpected: Error {}

@Suite("DESIGN §6: what a reader answers")
struct ReaderTests {
  @Test("a tail is every event after the cursor", arguments: StoreKind.allCases)
  func tail(_ kind: StoreKind) throws {
    let it = try Reading(try StorePair(kind))
    for number in 1...4 { _ = try it.desk.post("post \(number)", in: it.category, by: it.author) }
    for after in Int64(1)...4 {
      guard case .tail(let frame?, through: 5) = try it.ask(.tail(after: after), as: it.author)
      else { throw Unexpected() }
      let push = try eventsPush(frame)
      #expect(push.from == after + 1)
      #expect(push.events.map(\.seq) == Array(after + 1...5))
    }
  }

  @Test(
    "a kept snapshot is not given out when the stream has gone on", arguments: StoreKind.allCases)
  func stale(_ kind: StoreKind) throws {
    let it = try Reading(try StorePair(kind))
    #expect(try it.snapshot(as: it.author).seq == 1)
    #expect(try it.snapshot(as: it.author).seq == 1)
    #expect(it.reader.snapshotHits == 1)
    _ = try it.desk.post("milk", in: it.category, by: it.author)
    #expect(try it.snapshot(as: it.author).seq == 2)
  }

  @Test("whoever came in after the cursor gets a snapshot", arguments: StoreKind.allCases)
  func rejoined(_ kind: StoreKind) throws {
    let it = try Reading(try StorePair(kind))
    guard case .gone = try it.ask(.tail(after: 1), as: it.bert) else { throw Unexpected() }
    try it.desk.bring(it.bert, "bert", to: it.stream, by: it.author)
    _ = try it.desk.post("milk", in: it.category, by: it.author)
    guard case .page = try it.ask(.tail(after: 1), as: it.bert) else { throw Unexpected() }
    guard case .tail = try it.ask(.tail(after: 1), as: it.author) else { throw Unexpected() }
  }

  @Test(
    "a snapshot from before somebody came in again goes on for others, not for them",
    arguments: StoreKind.allCases)
  func pagesFromBefore(_ kind: StoreKind) throws {
    let it = try Reading(try StorePair(kind))
    try it.desk.bring(it.bert, "bert", to: it.stream, by: it.author)
    try it.fill(10)
    let place = try it.snapshot(as: it.bert)
    try #require(place.pages > 1)
    let next = HubRead.Want.page(1, seq: place.seq)
    guard case .page = try it.ask(next, as: it.bert) else { throw Unexpected() }
    try it.desk.run(.removeMember(it.stream, it.bert), by: it.author)
    guard case .gone = try it.ask(next, as: it.bert) else { throw Unexpected() }
    try it.desk.bring(it.bert, "bert", to: it.stream, by: it.author)
    guard case .lost = try it.ask(next, as: it.bert) else { throw Unexpected() }
    guard case .page = try it.ask(next, as: it.author) else { throw Unexpected() }
  }
}
