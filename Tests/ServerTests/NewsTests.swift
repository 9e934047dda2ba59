import Domain
import Foundation
import Net
import Store
import Sync
import Testing
import Wire

@testable import Server

private typealias ID = Domain.UUID

private func uuid(_ number: Int) -> ID { ID(high: .max, low: UInt64(number)) }

private func notification(_ stream: StreamID, _ seq: Int64) -> Domain.Notification {
  Domain.Notification(
    kind: .completed, stream: stream, seq: seq, opIndex: 700,
    at: Timestamp(milliseconds: 9_000_000_000_000), by: UserID(uuid(1)), about: stream,
    post: PostID(uuid(2)), user: UserID(uuid(3)))
}

private func resultNode(in answer: [UInt8]) throws -> JSONNode {
  let found = try JSONDocument(answer).root["result"]
  return try #require(found)
}

/// The longest name that there may be, in bytes of JSON.
private let longName = String(repeating: "\u{1F600}", count: Limits.nameScalarsMax)

@Suite("protocol §8 `member.list`, `notification.list`: no answer is larger than a message")
struct ShortAnswerTests {
  private func news(lists: Int, each: Int) throws -> (NotificationsResult, bytes: Int) {
    let lists = (0..<lists).map { number in
      let stream = StreamID.category(CategoryID(uuid(number)))
      return UnreadList(
        stream: stream, name: longName, unread: Unread(count: 100, more: true),
        notifications: (0..<each).map { notification(stream, 10_000 - Int64($0)) })
    }
    let own = (0..<Limits.notificationsPageMax).map {
      notification(.user(UserID(uuid(1))), Int64($0))
    }
    let result = NotificationsResult(lists: lists, directed: own, today: DayTotal(done: 1, of: 2))
    let answer = ShortAnswer.notifications(.text(String(repeating: "x", count: 64)), result)
    return (try NotificationsResult(decoding: try resultNode(in: answer)), answer.count)
  }

  @Test("few lists go out whole")
  func whole() throws {
    let (told, _) = try news(lists: 2, each: 200)
    #expect(told.lists.map(\.notifications.count) == [200, 200])
    #expect(!told.more)
  }

  @Test("more have fewer notifications each, the newest, and their counts")
  func fewerNotifications() throws {
    let (told, bytes) = try news(lists: 60, each: 200)
    #expect(bytes <= Limits.messageBytesMax)
    #expect(told.lists.count == 60 && !told.more)
    for list in told.lists {
      #expect((1..<200).contains(list.notifications.count))
      #expect(list.notifications.first?.seq == 10_000)
      #expect(list.unread == Unread(count: 100, more: true))
    }
  }

  @Test("the last lists are left out when one has all that one may, with the longest names")
  func fewerLists() throws {
    let most = Limits.categoriesPerUserMax + Limits.groupsPerUserMax
    let (told, bytes) = try news(lists: most, each: 200)
    #expect((Limits.messageBytesMax / 2...Limits.messageBytesMax).contains(bytes))
    #expect((1..<most).contains(told.lists.count))
    #expect(told.more && told.directed.count == Limits.notificationsPageMax)
  }

  @Test("a thousand members with the longest names are all there, with shorter ones")
  func members() throws {
    let lines = (0..<Limits.membersPerCategoryMax).map {
      MemberLine(
        id: UserID(uuid($0)), username: String(repeating: "u", count: 32), name: longName,
        kind: .person, role: .editor, added: 10_000, completed: 10_000, joinedSeq: 1_000_000)
    }
    #expect(Answer.members(.number(1), lines).count > 2 * Limits.messageBytesMax)
    let answer = ShortAnswer.members(.number(1), lines)
    #expect(answer.count <= Limits.messageBytesMax)
    let told = try MemberLine.decodeListResult(try resultNode(in: answer))
    #expect(told.map(\.id) == lines.map(\.id))
    #expect(told.allSatisfy { $0.name.hasSuffix("\u{1F600}…") })
    let few = Array(lines.prefix(300))
    let whole = try resultNode(in: ShortAnswer.members(.number(1), few))
    #expect(try MemberLine.decodeListResult(whole) == few)
  }
}

@Suite("protocol §8 `notification.list`: one request looks through a limited number of events")
struct NewsBudgetTests {
  /// Returns a member's reader, over lists with so many new posts by the author.
  private func reading(
    _ lists: [Int], notes: String = "", _ body: (Reader<SharedFrame>, UserID) throws -> Void
  ) throws {
    let server = try TestServer()
    let (author, member) = (
      try server.join("author", streams: "none"), try server.join("member", streams: "none")
    )
    for count in lists {
      let list = try author.addList()
      try author.invite(member, to: list.stream)
      for number in 0..<count {
        try author.client.change(
          "post.add",
          ["category": list.id, "id": newID(), "title": "post \(number)", "notes": notes])
      }
    }
    let store = try SQLiteStore(reading: DataFolder(path: server.folder))
    let reader = Reader(
      store, hellos: UserLimits(ServerOptions(dataFolder: "").helloRate), snapshotBytesMax: 0,
      ReaderThread.tools(Codes(secret: [])))
    let id = ID(member.id)
    try body(reader, UserID(try #require(id)))
  }

  private let now = Timestamp(milliseconds: MachineClock.wallMilliseconds())
  private let ample = NewsBudget(events: 1_000, bytes: 1 << 20)

  @Test("the newest of each list, counted to a hundred")
  func counted() throws {
    try reading([0, 3, 130]) { reader, member in
      let told = try reader.notifications(of: member, 5, ample, at: now)
      #expect(told.lists.map(\.unread.count).sorted() == [3, 100])
      #expect(told.lists.allSatisfy { $0.unread.more == ($0.unread.count == 100) })
      for list in told.lists {
        let seqs = list.notifications.map(\.seq)
        #expect(seqs == seqs.sorted(by: >) && seqs.count == min(5, list.unread.count))
        // The posts came after the member, the last of them is the newest.
        #expect(seqs.first == (list.unread.count == 3 ? 6 : 133))
      }
    }
  }

  @Test("Days beyond the events of a request are told as not counted")
  func events() throws {
    try reading([40, 40, 40]) { reader, member in
      let few = NewsBudget(events: 40, bytes: 1 << 20)
      let told = try reader.notifications(of: member, 5, few, at: now)
      #expect(told.lists.map(\.unread.more) == [false, true, true])
      #expect(told.lists.map(\.unread.count).first == 40)
      #expect(told.lists.last.map { $0.unread.count } == 0)
      #expect(told.more)
    }
  }

  @Test("long notes spend the bytes of a request")
  func bytes() throws {
    try reading([20, 20], notes: String(repeating: "n", count: 16_000)) { reader, member in
      let few = NewsBudget(events: 1_000, bytes: 100_000)
      let told = try reader.notifications(of: member, 5, few, at: now)
      #expect(told.lists.map(\.unread.count) == [16, 0])
      #expect(told.lists.allSatisfy { $0.unread.more })
    }
  }

  @Test("one list does not take what all have")
  func share() throws {
    try reading([2, 2]) { reader, member in
      let told = try reader.notifications(of: member, 5, ReadingLimits.newsOfRequest, at: now)
      #expect(told.lists.map(\.unread.count) == [2, 2] && !told.more)
    }
    #expect(ReadingLimits.newsOfList.events * 4 <= ReadingLimits.newsOfRequest.events)
    #expect(ReadingLimits.newsOfList.bytes * 4 <= ReadingLimits.newsOfRequest.bytes)
  }
}
