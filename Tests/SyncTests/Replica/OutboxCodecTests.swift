import Domain
import Testing
import Wire

@testable import Sync

@Suite("outbox: records and copies are kept on disk")
struct OutboxCodecTests {
  private static let list = CategoryID(UUID(high: 2, low: 1))
  private static let post = PostID(UUID(high: 9, low: 1))
  private static let cursor = CursorPosition(
    epoch: Epoch("s.1"), seq: 4, transaction: TransactionID(UUID(high: 7, low: 1)))

  private static func queued(
    _ command: Command, base: CursorPosition? = nil, notes: String? = nil, follows: Int64? = nil
  ) throws -> OutboxRecord {
    let key = try #require(CommandKey("k"))
    return .queued(
      QueuedCommand(
        number: 7, command: command, key: key, at: Timestamp(milliseconds: 3), base: base,
        seenNotes: notes, follows: follows))
  }

  private static func records() throws -> [OutboxRecord] {
    let edit = PostEdit(title: "t", notes: "two\n\"lines\" \u{1F9C0}")
    return [
      try queued(.post(.add(list, post, title: "milk", notes: ""))),
      try queued(
        .editPost(list, post, edit, ifVersion: 3), base: cursor, notes: "a\nb", follows: 6),
      try queued(
        .member(.leave(.category(list))),
        base: CursorPosition(epoch: Epoch("e"), seq: 0, transaction: nil)),
      // An earlier version queued names of which nothing shows; what is kept is not judged again.
      try queued(.post(.add(list, post, title: "\u{3164}", notes: ""))),
      try queued(.batch([.category(.add(list, name: "\u{2800}\u{301}", group: nil))])),
      .settled(7, version: nil), .settled(7, version: 3), .discarded(7),
      .refused(
        7,
        ServerError(
          kind: .conflict, code: -32004, retry: .no, sentence: "The post is at version 4.",
          field: "f", limit: "l", max: 1, version: 4, afterMilliseconds: 5, place: 6)),
      .refused(7, ServerError(kind: nil, code: -32099, retry: .no, sentence: "New.")),
    ]
  }

  @Test("a record is read as it was written")
  func records() throws {
    for record in try Self.records() {
      #expect(OutboxCodec.decode(OutboxCodec.encode(record)) == record)
    }
  }

  @Test(
    "A text that is no record is none",
    arguments: [
      "", "{}", "[]", #"{"queued":1}"#, #"{"queued":1,"at":2,"request":{"id":1}}"#,
      #"{"refused":{}}"#,
    ])
  func noRecord(text: String) {
    #expect(OutboxCodec.decode(Array(text.utf8)) == nil)
  }

  @Test("cut off at any byte, the lines before the cut are whole and the rest is noticed")
  func torn() throws {
    let lines = try Self.records().map(OutboxCodec.encode)
    let bytes = CheckedLines.encode(lines)
    var ends = [0]
    for line in lines { ends.append(ends[ends.count - 1] + line.count + 10) }
    for length in 0...bytes.count {
      let read = CheckedLines.decode(Array(bytes.prefix(length)))
      #expect(read.lines == Array(lines.prefix(ends.count { $0 <= length } - 1)))
      #expect(read.isWhole == ends.contains(length))
    }
  }

  @Test("a changed byte costs its own line, or two when it is a line feed")
  func damaged() throws {
    let lines = try Self.records().map(OutboxCodec.encode)
    let bytes = CheckedLines.encode(lines)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1
      let read = CheckedLines.decode(damaged)
      #expect(!read.isWhole)
      #expect(read.lines.count >= lines.count - (bytes[index] == 10 ? 2 : 1))
      #expect(read.lines.allSatisfy(lines.contains))
    }
  }

  @Test("the checksum is CRC-32: its check value is in every table of checksums")
  func checkValue() {
    let line = CheckedLines.encode([Array("123456789".utf8)])
    #expect(String(decoding: line, as: UTF8.self) == "cbf43926 123456789\n")
  }

  @Test("an outbox is what its records make of nothing")
  func replay() throws {
    var outbox = Outbox()
    let key = try #require(CommandKey("k"))
    for number in 1...4 as ClosedRange<Int64> {
      let command = Command.post(.add(Self.list, Self.post, title: "post \(number)", notes: ""))
      outbox.apply(
        .queued(
          QueuedCommand(number: number, command: command, key: key, at: Timestamp(milliseconds: 0)))
      )
    }
    let gone = ServerError(kind: .gone, code: -32005, retry: .no, sentence: "Gone.")
    for record in [.settled(1, version: 1), .refused(3, gone)] as [OutboxRecord] {
      outbox.apply(record)
    }
    #expect(outbox.waiting.map(\.number) == [2, 4])
    #expect(outbox.unsent.map(\.queued.number) == [3])
    #expect(Outbox(outbox.records) == outbox)
  }

  @Test("copies are read as they were written, and only whole")
  func copies() {
    let user = UserID(UUID(high: 1, low: 1))
    let category = Category(
      id: Self.list, name: "n", group: nil, added: Stamp(at: Timestamp(milliseconds: 1), by: user))
    let state = StreamState(stream: .category(Self.list), objects: [.category(category)])
    let own = StreamState(stream: .user(user), objects: [])
    let saved = SavedCopies(
      user: user,
      copies: [state, own].map { SavedCopies.Copy(state: $0, cursor: Self.cursor) })
    let lines = CopyCodec.encode(saved)
    #expect(CopyCodec.decode(lines) == saved)
    for index in lines.indices {
      var less = lines
      less.remove(at: index)
      #expect(CopyCodec.decode(less) == nil)
    }
    var other = lines
    other[0] = Array(String(decoding: lines[0], as: UTF8.self).replacing("post", with: "past").utf8)
    #expect(CopyCodec.decode(other) == nil)
  }
}
