import Calendar
import Domain
import Testing
import Wire

@testable import Store
@testable import Sync

/// A reader beside a driver, on every store.
private struct Reading {
  let driver: LedgerDriver
  let reader: Reader<[UInt8]>
  let author: UserID
  let editor: UserID
  let category: CategoryID

  init(_ pair: StorePair, snapshotBytesMax: Int = 1 << 24) throws {
    driver = LedgerDriver(pair.writer)
    author = try driver.person("author")
    editor = try driver.person("editor")
    category = try driver.category("groceries", by: author)
    reader = Reading.reader(pair.reader, snapshotBytesMax: snapshotBytesMax)
  }

  private static func reader(
    _ store: any EventStore, snapshotBytesMax: Int = 1 << 24
  ) -> Reader<[UInt8]> {
    return Reader(of: store, snapshotBytesMax: snapshotBytesMax)
  }

  var stream: StreamID { .category(category) }

  func ask(
    _ want: HubRead.Want, as user: UserID, of other: StreamID? = nil
  ) throws -> HubReadAnswer<[UInt8]> {
    try reader.answer(
      HubRead(
        connection: HubConnection(1), user: user, stream: other ?? stream, watch: 1, want: want))
  }

  /// Returns the bytes of one page.
  func page(_ page: Int, seq: Int64?, of stream: StreamID) throws -> ([UInt8], SnapshotPlace) {
    guard case .page(let bytes, let place) = try ask(.page(page, seq: seq), as: author, of: stream)
    else { throw Unexpected() }
    return (bytes, place)
  }

  /// Returns the first page of the newest snapshot.
  func snapshot(as user: UserID) throws -> SnapshotPlace {
    let answer = try ask(.page(0, seq: nil), as: user)
    guard case .page(_, let place) = answer else { throw Unexpected() }
    return place
  }

  func fill(_ count: Int, _ other: CategoryID? = nil) throws {
    let notes = String(repeating: "n", count: 16_000)
    for number in 1...count {
      let id = PostID(driver.name())
      try driver.run(
        .post(.add(other ?? category, id, title: "post \(number)", notes: notes)), by: author)
    }
  }
}

private struct Unexpected: Error {}

@Suite("DESIGN §6: a reader answers from the store")
struct ReaderTests {
  @Test("a tail is every event after the cursor", arguments: StoreKind.allCases)
  func tail(_ kind: StoreKind) throws {
    let it = try Reading(try StorePair(kind))
    for number in 1...4 { _ = try it.driver.post("post \(number)", in: it.category, by: it.author) }
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
    _ = try it.driver.post("milk", in: it.category, by: it.author)
    #expect(try it.snapshot(as: it.author).seq == 2)
  }

  @Test("whoever came in after the cursor gets a snapshot", arguments: StoreKind.allCases)
  func rejoined(_ kind: StoreKind) throws {
    let it = try Reading(try StorePair(kind))
    guard case .gone = try it.ask(.tail(after: 1), as: it.editor) else { throw Unexpected() }
    try it.driver.bring(it.editor, "editor", to: it.stream, by: it.author)
    _ = try it.driver.post("milk", in: it.category, by: it.author)
    guard case .page = try it.ask(.tail(after: 1), as: it.editor) else { throw Unexpected() }
    guard case .tail = try it.ask(.tail(after: 1), as: it.author) else { throw Unexpected() }
  }

  @Test(
    "in a list whose history is `joined` the bin begins with the member",
    arguments: StoreKind.allCases)
  func bin(_ kind: StoreKind) throws {
    let it = try Reading(try StorePair(kind))
    func ask(_ query: Query, as user: UserID) throws -> JSONNode {
      let identity = Identity(user: user, session: SessionID(UUID(high: 0, low: 1)))
      let now = SessionMoment(milliseconds: 0, wall: Timestamp(milliseconds: it.driver.now))
      guard case .answer(let bytes) = try it.reader.answer(.number(1), identity, query, at: now),
        case .result(_, let node) = try ServerMessage(decoding: bytes)
      else { throw Unexpected() }
      return node
    }
    func titles(_ user: UserID) throws -> [String] {
      let query = PostsQuery(category: it.category, show: .removed, before: nil, limit: 10)
      let listed = try PostsResult(decoding: ask(.posts(query), as: user)).posts.map(\.title)
      // A search finds everything that is listed, however it is asked for.
      for lists in [nil, [it.category]] {
        let search = try #require(SearchQuery("milk", in: lists, place: .bin))
        let found = try SearchResult(decoding: ask(.search(search), as: user)).found
        #expect(found.map(\.post.title) == listed)
      }
      return listed
    }
    func remove(_ title: String) throws {
      let id = try it.driver.post(title, in: it.category, by: it.author)
      try it.driver.run(.removePost(it.category, id, ifVersion: nil), by: it.author)
    }
    try remove("milk before")
    try it.driver.bring(it.editor, "editor", to: it.stream, by: it.author)
    try remove("milk after")
    #expect(try titles(it.editor) == ["milk after", "milk before"])
    try it.driver.run(.category(.edit(it.category, history: .joined)), by: it.author)
    #expect(try titles(it.editor) == ["milk after"])
    #expect(try titles(it.author) == ["milk after", "milk before"])
  }

  @Test(
    "a snapshot from before somebody came in again goes on for others, not for them",
    arguments: StoreKind.allCases)
  func pagesFromBefore(_ kind: StoreKind) throws {
    let it = try Reading(try StorePair(kind))
    try it.driver.bring(it.editor, "editor", to: it.stream, by: it.author)
    try it.fill(10)
    let place = try it.snapshot(as: it.editor)
    try #require(place.pages > 1)
    let next = HubRead.Want.page(1, seq: place.seq)
    guard case .page = try it.ask(next, as: it.editor) else { throw Unexpected() }
    try it.driver.run(.member(.remove(it.stream, it.editor)), by: it.author)
    guard case .gone = try it.ask(next, as: it.editor) else { throw Unexpected() }
    try it.driver.bring(it.editor, "editor", to: it.stream, by: it.author)
    guard case .lost = try it.ask(next, as: it.editor) else { throw Unexpected() }
    guard case .page = try it.ask(next, as: it.author) else { throw Unexpected() }
  }

  @Test(
    "Two who page through lists that do not go into the cache together both come to the end",
    arguments: StoreKind.allCases)
  func thrash(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let it = try Reading(pair, snapshotBytesMax: 1)
    let other = try it.driver.category("books", by: it.author)
    try it.fill(10)
    try it.fill(10, other)
    let streams = [it.stream, StreamID.category(other)]
    var whole: [[[UInt8]]] = []
    for stream in streams {
      // The newest snapshot is kept alone, whatever its size.
      let (first, place) = try it.page(0, seq: nil, of: stream)
      try #require(place.pages > 1)
      whole.append(
        try [first] + (1..<place.pages).map { try it.page($0, seq: place.seq, of: stream).0 })
    }
    var seqs: [Int64] = []
    for (stream, pages) in zip(streams, whole) {
      let (first, place) = try it.page(0, seq: nil, of: stream)
      #expect(first == pages[0])
      seqs.append(place.seq)
    }
    for page in 1..<whole[0].count {
      for (index, stream) in streams.enumerated() {
        #expect(try it.page(page, seq: seqs[index], of: stream).0 == whole[index][page])
      }
    }
    // It is another state by now: no page of it is given out as one of the old state.
    try it.fill(1, other)
    guard case .page = try it.ask(.page(1, seq: seqs[0]), as: it.author, of: streams[0]),
      case .lost = try it.ask(.page(1, seq: seqs[1]), as: it.author, of: streams[1])
    else { throw Unexpected() }
  }

  @Test(
    "Two who page through lists that change all the time both come to the end without beginning again",
    arguments: StoreKind.allCases)
  func changing(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    // Room for both while they are in use, for none of them afterwards.
    let it = try Reading(pair, snapshotBytesMax: 1 << 20)
    let other = try it.driver.category("books", by: it.author)
    let streams = [it.stream, StreamID.category(other)]
    for list in [nil, other] { try it.fill(90, list) }
    var pages = [Int](repeating: 0, count: 2)
    var places: [SnapshotPlace] = []
    for stream in streams { places.append(try it.page(0, seq: nil, of: stream).1) }
    try #require(places[0].pages > 15)
    for page in 1..<places[0].pages {
      for (index, stream) in streams.enumerated() where page < places[index].pages {
        try it.fill(1, index == 0 ? nil : other)
        guard
          case .page = try it.ask(.page(page, seq: places[index].seq), as: it.author, of: stream)
        else { throw Unexpected() }
        pages[index] += 1
      }
    }
    #expect(pages == places.map { $0.pages - 1 })
    #expect(it.reader.snapshotBytes == 0)
  }

  @Test(
    "A list that finds no room is read page by page, and whole when there is room",
    arguments: StoreKind.allCases)
  func noRoom(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let it = try Reading(pair, snapshotBytesMax: 1)
    let other = try it.driver.category("books", by: it.author)
    let streams = [it.stream, StreamID.category(other)]
    for list in [nil, other] { try it.fill(20, list) }
    var first: [SnapshotPlace] = []
    for stream in streams { first.append(try it.page(0, seq: nil, of: stream).1) }
    let kept = it.reader.snapshotBytes
    #expect(kept < 1 << 20)
    _ = try it.page(1, seq: first[1].seq, of: streams[1])
    #expect(it.reader.snapshotBytes == kept)
    for page in 1..<first[0].pages { _ = try it.page(page, seq: first[0].seq, of: streams[0]) }
    #expect(it.reader.snapshotBytes == 0)
    _ = try it.page(2, seq: first[1].seq, of: streams[1])
    #expect(it.reader.snapshotBytes > 0)
    // From here on it may change.
    try it.fill(1, other)
    for page in 3..<first[1].pages { _ = try it.page(page, seq: first[1].seq, of: streams[1]) }
    #expect(it.reader.snapshotMisses == 2)
  }

  @Test("An outline names what a snapshot holds, in its order", arguments: StoreKind.allCases)
  func outline(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let world = try busyWorld(LedgerDriver(pair.writer))
    for stream in world.streams {
      let snapshot = try #require(try pair.reader.snapshot(of: stream))
      let outline = try #require(try pair.reader.outline(of: stream))
      #expect(outline.head == snapshot.head)
      #expect(outline.objects.map(\.bytes) == snapshot.objects.map(\.count))
      let bodies = try outline.objects.map { try pair.reader.object($0.key, in: stream) }
      #expect(bodies == snapshot.objects)
      let bytes = try pair.reader.stateBytes(of: stream)
      #expect(bytes == Int64(snapshot.objects.reduce(0) { $0 + $1.count }))
    }
  }

  /// A person with as many lists, and a reader that knows everybody by any token.
  private func crowd(
    _ kind: StoreKind, lists: Int, subscriptionsMax: Int = Limits.subscriptionsMax
  ) throws -> (
    reader: Reader<[UInt8]>, counted: FaultyStore, identity: Identity, streams: [StreamID],
    pair: StorePair
  ) {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let session = try driver.session(of: author, token: 5)
    let streams = try (0..<lists).map {
      StreamID.category(try driver.category("l\($0)", by: author))
    }
    let counted = FaultyStore(pair.reader, failing: .max, with: .refuses)
    let reader = Reader(
      counted,
      hellos: UserLimits(TokenRate(count: 60, everyMilliseconds: 60_000, burst: 60)),
      snapshotBytesMax: 1 << 20, subscriptionsMax: subscriptionsMax,
      ReaderTools<[UInt8]>(
        server: ServerName(name: "tests", version: "1"),
        tokenHash: { _ in Array(repeating: 5, count: 32) }, startOfDay: { _, _ in nil },
        frame: { $0 }, almanac: .system))
    return (reader, counted, Identity(user: author, session: session.id), streams.sorted(), pair)
  }

  private func hello(
    _ reader: Reader<[UInt8]>, _ pair: StorePair, _ streams: StreamSelection
  ) throws -> HelloResult {
    let hello = Hello(
      token: "t", client: ClientName(name: "tests", version: "1"), cursors: [], streams: streams)
    let now = SessionMoment(milliseconds: 0, wall: Timestamp(milliseconds: 1_700_000_000_000))
    guard
      case .outcome(.welcome(let result, _, _, _), used: _) = try reader.greet(
        hello, at: now, counts: { _ in true })
    else { throw Unexpected() }
    return result
  }

  @Test(
    "Hello tells a person and a bot the rates that count for them", arguments: StoreKind.allCases)
  func toldRates(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let (person, bot) = (try driver.person("author"), try driver.person("ci", kind: .bot))
    for (user, token) in [(person, UInt8(5)), (bot, 6)] {
      _ = try driver.session(of: user, token: token)
    }
    let questions = KindLimits(
      people: TokenRate(count: 7, everyMilliseconds: 1_000, burst: 35),
      bots: TokenRate(count: 1, everyMilliseconds: 2_000, burst: 44))
    let reader = Reader(
      pair.reader,
      hellos: UserLimits(TokenRate(count: 8, everyMilliseconds: 60_000, burst: 60)),
      looks: UserLimits(TokenRate(count: 3, everyMilliseconds: 1_000, burst: 9)),
      questions: questions, snapshotBytesMax: 0,
      ReaderTools<[UInt8]>(
        server: ServerName(name: "tests", version: "1"),
        tokenHash: { Array(repeating: $0 == "bot" ? 6 : 5, count: 32) },
        startOfDay: { _, _ in nil },
        frame: { $0 }, almanac: .system))
    for (token, kind, rate, burst) in [("t", UserKind.person, 7, 35), ("bot", .bot, 1, 44)] {
      let hello = Hello(
        token: token, client: ClientName(name: "t", version: "1"), cursors: [], streams: .none)
      let now = SessionMoment(milliseconds: 0, wall: Timestamp(milliseconds: 1_700_000_000_000))
      guard
        case .outcome(.welcome(let told, let its, _, _), used: _) = try reader.greet(
          hello, at: now, counts: { _ in true })
      else { throw Unexpected() }
      #expect(its.kind == kind)
      let limits = Dictionary(uniqueKeysWithValues: told.limits.map { ($0.name, $0.value) })
      #expect(limits["commandsPerSecond"] == rate && limits["commandsBurst"] == burst)
      #expect(limits["hellosPerMinute"] == 8 && limits["historyPerMinute"] == 180)
      #expect(limits["historyBurst"] == 9)
      #expect(told.limits.map(\.name) == ToldLimit.standard.map(\.name))
    }
  }

  @Test("Hundreds of streams are asked for by one query", arguments: StoreKind.allCases)
  func oneQuery(_ kind: StoreKind) throws {
    let it = try crowd(kind, lists: 200)
    let stranger = StreamID.category(CategoryID(UUID(high: 9, low: 9)))
    let wanted = it.streams + [stranger]
    let greeted = try hello(it.reader, it.pair, .only(wanted))
    #expect(it.counted.lookups == 1)
    #expect(greeted.streams.map(\.stream) == wanted.sorted())
    #expect(greeted.streams.filter { $0.mode == .gone }.map(\.stream) == [stranger])
    let cursors = wanted.reversed().map { Cursor(stream: $0, position: nil) }
    guard case .opened(let opened, _) = try it.reader.open(it.identity, cursors) else {
      throw Unexpected()
    }
    #expect(it.counted.lookups == 2)
    #expect(opened.map(\.stream) == wanted.reversed())
    // A few are the same, one by one.
    for stream in [it.streams[7], stranger] {
      let one = try hello(it.reader, it.pair, .only([stream])).streams
      #expect(one == greeted.streams.filter { $0.stream == stream })
    }
  }

  @Test(
    "A token with lists opens these alone, however many streams are asked for", arguments: [1, 9])
  func openedByToken(_ count: Int) throws {
    let it = try crowd(.memory, lists: 10)
    let (mine, others) = (it.streams.prefix(count), it.streams.dropFirst(count))
    let token = Token(
      id: TokenID(UUID(high: 3, low: 3)), lists: Set(mine.compactMap(\.category)),
      endsAt: Timestamp(milliseconds: .max))
    let user = it.identity.user
    let identity = Identity(user: user, session: it.identity.session, token: token)
    // One list that is asked for nine times goes the way of many, as nine lists do.
    for own in [Array(mine), Array(repeating: mine[0], count: 9)] {
      let wanted = own + others + [.user(user)]
      let outcome = try it.reader.open(identity, wanted.map { Cursor(stream: $0, position: nil) })
      guard case .opened(let statuses, let attachments) = outcome else { throw Unexpected() }
      #expect(attachments.map(\.stream) == own)
      #expect(statuses.filter { $0.mode == .gone }.map(\.stream) == others + [.user(user)])
    }
  }

  @Test("The answer says how many of too many streams are left out, and the own one is not")
  func omitted() throws {
    let all = try crowd(.memory, lists: 4)
    #expect(try hello(all.reader, all.pair, .all).omitted == 0)
    let few = try crowd(.memory, lists: 4, subscriptionsMax: 3)
    let greeted = try hello(few.reader, few.pair, .all)
    #expect(greeted.omitted == 2)
    #expect(greeted.streams.map(\.stream) == few.streams.prefix(2) + [.user(few.identity.user)])
  }

  @Test("a search looks through lists up to a limit, those that were changed last")
  func searchLimit() throws {
    let database = MemoryDatabase(identity: testIdentity)
    let store = MemoryStore(database)
    let it = try Reading(store, MemoryStore(database))
    var lists: [CategoryID] = [it.category]
    for number in 1...3 { lists.append(try it.driver.category("list \(number)", by: it.author)) }
    for list in lists { _ = try it.driver.post("milk", in: list, by: it.author) }
    #expect(try it.search("milk") == Found(["milk", "milk", "milk", "milk"], 0))
    for list in lists[1...] {
      let big = Domain.Category(
        id: list, name: "big", group: nil,
        added: Stamp(at: Timestamp(milliseconds: 1), by: it.author), lastPost: 100_000)
      let object = Object.category(big)
      try store.commit(
        LedgerTransaction(objects: [
          ObjectRecord(
            stream: .category(list), key: object.key,
            change: .put(ObjectRow(object, inState: true)))
        ]))
    }
    // The two that were changed last: a third one would be too much, and so is all that comes after it.
    #expect(try it.search("milk") == Found(["milk", "milk"], 2))
    #expect(try it.search("milk", in: lists) == Found(["milk", "milk"], 2))
    for list in lists { #expect(try it.search("milk", in: [list]) == Found(["milk"], 0)) }
  }
}

extension Reading {
  fileprivate init(_ store: MemoryStore, _ beside: MemoryStore) throws {
    driver = LedgerDriver(store)
    author = try driver.person("author")
    editor = try driver.person("editor")
    category = try driver.category("groceries", by: author)
    reader = Reading.reader(beside)
  }

  /// Returns the titles, and how many lists were left out.
  fileprivate func search(_ text: String, in lists: [CategoryID]? = nil) throws -> Found {
    let query = try #require(SearchQuery(text, in: lists))
    let outcome = try reader.answer(
      .number(1), Identity(user: author, session: SessionID(driver.name())), .search(query),
      at: SessionMoment(milliseconds: 0, wall: Timestamp(milliseconds: driver.now)))
    guard case .answer(let bytes) = outcome,
      case .result(_, let node) = try ServerMessage(decoding: bytes)
    else { throw Unexpected() }
    let result = try SearchResult(decoding: node)
    return Found(result.found.map(\.post.title), result.omitted)
  }
}

private struct Found: Equatable {
  let titles: [String]
  let omitted: Int

  init(_ titles: [String], _ omitted: Int) {
    self.titles = titles
    self.omitted = omitted
  }
}
