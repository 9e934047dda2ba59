import Calendar
import Domain
import Testing
import Wire

@testable import Store
@testable import Sync

/// The copies of one list after each of its events, and a reader that brings each of them up to date.
private struct Copies {
  let driver: LedgerDriver
  let reader: Reader<[UInt8]>
  let author: UserID
  let category: CategoryID
  /// The state after each event, by its number.
  var states: [Int64: [ObjectKey: Object]] = [:]

  init(_ pair: StorePair) throws {
    driver = LedgerDriver(pair.writer)
    author = try driver.person("author")
    category = try driver.category("groceries", by: author)
    reader = Reader(of: pair.reader)
    try note()
  }

  var stream: StreamID { .category(category) }

  /// Keeps the present state.
  mutating func note() throws {
    let snapshot = try #require(try reader.store.snapshot(of: stream))
    states[snapshot.head.seq] = Dictionary(
      uniqueKeysWithValues: try snapshot.objects.map {
        let object = try ObjectCodec.decode($0)
        return (object.key, object)
      })
  }

  mutating func run(_ command: Command) throws {
    try driver.run(command, by: author)
    try note()
  }

  mutating func add(_ title: String) throws -> PostID {
    let id = try driver.post(title, in: category, by: author)
    try note()
    return id
  }

  /// Asks for the changes behind a cursor. Nil when the answer is a snapshot.
  func changes(after seq: Int64, in other: StreamID? = nil) throws -> [ServerMessage]? {
    let answer = try reader.answer(
      HubRead(
        connection: HubConnection(1), user: author, stream: other ?? stream, watch: 1,
        want: .tail(after: seq), wantsObjects: true))
    guard case .changes(let frames, _) = answer else { return nil }
    return try frames.map { try ServerMessage(decoding: $0) }
  }

  /// Returns the copy of `seq` after the changes behind it.
  func renewed(from seq: Int64) throws -> [ObjectKey: Object]? {
    var copy = try #require(states[seq])
    guard let messages = try changes(after: seq) else { return nil }
    var next = seq + 1
    for message in messages {
      switch message {
      case .events(let push):
        #expect(push.from == next)
        next += Int64(push.events.count)
      case .objects(let push):
        for object in push.objects { copy[object.key] = object }
        for gone in push.gone { copy[gone.key] = nil }
      default: Issue.record("\(message)")
      }
    }
    guard case .objects(let last)? = messages.last else { return nil }
    #expect(last.cursor?.seq == next - 1)
    return copy
  }
}

@Suite("protocol §5.4: the objects that a tail changed")
struct ObjectsReadingTests {
  @Test(
    "Whole objects bring a copy of every cursor to the present state", arguments: StoreKind.allCases
  )
  func everyCursor(_ kind: StoreKind) throws {
    var it = try Copies(try StorePair(kind))
    let editor = try it.driver.person("editor")
    let milk = try it.add("milk")
    let bread = try it.add("bread")
    try it.run(.completePost(it.category, milk, ifVersion: nil))
    try it.driver.bring(editor, "editor", to: it.stream, by: it.author)
    try it.note()
    try it.run(.removePost(it.category, bread, ifVersion: nil))
    try it.run(.restorePost(it.category, bread, ifVersion: nil))
    try it.run(.removePost(it.category, milk, ifVersion: nil))
    try it.run(.category(.edit(it.category, history: .joined)))
    let head = try #require(it.states.keys.max())
    #expect(it.states.count > 7)
    for seq in it.states.keys.sorted() where seq < head {
      #expect(try it.renewed(from: seq) == it.states[head], "after \(seq)")
    }
  }

  @Test("A completed post beyond the newest that are kept is gone")
  func crossing() throws {
    var it = try Copies(try StorePair(.memory))
    for number in 0...Limits.completedInStateMax {
      let id = try it.driver.post("post \(number)", in: it.category, by: it.author)
      if number == Limits.completedInStateMax { try it.note() }
      try it.driver.run(.completePost(it.category, id, ifVersion: nil), by: it.author)
    }
    let cursor = try #require(it.states.keys.max())
    try it.note()
    let head = try #require(it.states.keys.max())
    #expect(try it.renewed(from: cursor) == it.states[head])
    let last = try #require(try it.changes(after: cursor)?.last)
    guard case .objects(let push) = last else { return }
    #expect(push.gone.count == 1)
  }

  @Test("Changes that are too large are a snapshot, and so are those of one's own stream")
  func snapshot() throws {
    var it = try Copies(try StorePair(.memory))
    let own = StreamID.user(it.author)
    #expect(try it.changes(after: 1, in: own) == nil)
    let notes = String(repeating: "n", count: Limits.notesScalarsMax)
    func add(_ numbers: ClosedRange<Int>) throws {
      for number in numbers {
        let id = PostID(it.driver.name())
        try it.run(.post(.add(it.category, id, title: "\(number)", notes: notes)))
      }
    }
    try add(1...3)
    #expect(try it.changes(after: 1) != nil)
    try add(4...20)
    #expect(try it.changes(after: 1) == nil)
  }

  @Test("An object outside of the state is not one of its objects", arguments: StoreKind.allCases)
  func stateObject(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    var it = try Copies(pair)
    let milk = ObjectKey(kind: .post, id: try it.add("milk").uuid)
    #expect(try pair.reader.stateObject(milk, in: it.stream) != nil)
    #expect(try pair.reader.stateObject(it.stream.headKey, in: it.stream) != nil)
    try it.run(.removePost(it.category, PostID(milk.id), ifVersion: nil))
    #expect(try pair.reader.stateObject(milk, in: it.stream) == nil)
    #expect(try pair.reader.object(milk, in: it.stream) != nil)
  }
}
