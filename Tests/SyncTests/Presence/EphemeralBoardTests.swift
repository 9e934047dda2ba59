import Domain
import Testing
import Wire

@testable import Sync

private let list = StreamID.category(CategoryID(UUID(high: 2, low: 1)))
private let other = StreamID.category(CategoryID(UUID(high: 2, low: 2)))
private let category = CategoryID(UUID(high: 2, low: 1))
private let author = UserID(UUID(high: 1, low: 1))
private let editor = UserID(UUID(high: 1, low: 2))
private let milk = PostID(UUID(high: 5, low: 1))
private let bread = PostID(UUID(high: 5, low: 2))

private let here = EphemeralRequest.presence(list, isHere: true)
private let left = EphemeralRequest.presence(list, isHere: false)
private let typing = EphemeralRequest.typing(category, nil, isTyping: true)
private let stopped = EphemeralRequest.typing(category, nil, isTyping: false)

private func progress(_ done: Int?, _ post: PostID = milk) -> EphemeralRequest {
  .progress(category, post, done.map { Progress(done: $0) })
}

private func user(_ number: Int) -> UserID { UserID(UUID(high: 1, low: UInt64(number))) }

/// Returns a set in a word: `presence 2`, `typing 1-2`, `progress 1=40/100`.
private func word(_ set: EphemeralSet) -> String {
  guard let entries = set.entries else { return "\(set.kind) \(set.count) unlisted" }
  let names = entries.map { entry in
    let done = entry.progress.map { "=\($0.done)/\($0.of)" } ?? ""
    return "\(entry.user.uuid.low)\(entry.post.map { ":\($0.uuid.low)" } ?? "")\(done)"
  }
  return ([set.kind.rawValue] + names).joined(separator: " ")
}

/// A board at a moment.
private struct BoardFixture {
  var board = EphemeralBoard(
    loop: 0, rate: TokenRate(count: 1_000, everyMilliseconds: 1, burst: 1_000))
  var now: Int64 = 0

  /// Returns the sets that are told when this is said at that moment.
  @discardableResult
  mutating func say(
    _ request: EphemeralRequest, _ user: UserID = author, from connection: UInt64 = 1,
    at moment: Int64
  ) -> [String] {
    now = moment
    #expect(board.set(request, by: HubConnection(connection), user, at: now) == nil)
    return board.due(at: now).map(word)
  }

  mutating func told(at moment: Int64) -> [String] {
    now = moment
    return board.due(at: now).map(word)
  }
}

@Suite("protocol §5.5: presence, typing and progress hold for a moment")
struct EphemeralBoardTests {
  @Test("A quiet topic is told at once, and then at most once a second, the newest only")
  func coalesced() {
    var fixture = BoardFixture()
    #expect(fixture.say(progress(1), at: 0) == ["progress 1:1=1/100"])
    #expect(fixture.board.dueAt != nil)
    for done in 2...9 { #expect(fixture.say(progress(done), at: Int64(done) * 100) == []) }
    #expect(fixture.told(at: 999) == [])
    #expect(fixture.told(at: 1_000) == ["progress 1:1=9/100"])
    #expect(fixture.told(at: 5_000) == [])
    #expect(fixture.say(progress(10), at: 6_000) == ["progress 1:1=10/100"])
  }

  @Test("Topics that go on are told together, four times a second at most")
  func together() {
    var fixture = BoardFixture()
    for (number, moment) in [(1, 3), (2, 117), (3, 249)] as [(UInt64, Int64)] {
      let list = StreamID.category(CategoryID(UUID(high: 2, low: number)))
      fixture.say(.presence(list, isHere: true), at: moment)
      fixture.say(.presence(list, isHere: false), at: moment + 1)
    }
    #expect(fixture.told(at: 1_249) == [])
    #expect(fixture.board.dueAt == 1_250)
    #expect(fixture.told(at: 1_250) == ["presence", "presence", "presence"])
  }

  @Test("Kinds and streams are told apart, and do not wait for each other")
  func apart() {
    var fixture = BoardFixture()
    #expect(fixture.say(here, at: 0) == ["presence 1"])
    #expect(fixture.say(typing, at: 1) == ["typing 1"])
    #expect(fixture.say(.presence(other, isHere: true), at: 2) == ["presence 1"])
    #expect(fixture.board.topics(of: list).map(\.kind) == [.presence, .typing])
  }

  @Test("To say it again is no news and makes it hold longer")
  func renewed() {
    var fixture = BoardFixture()
    fixture.say(typing, at: 0)
    _ = fixture.board.takeNotes()
    #expect(fixture.say(typing, at: 4_000) == [])
    #expect(fixture.board.takeNotes() == [])
    #expect(fixture.told(at: 5_000) == [])
    #expect(fixture.told(at: 8_999) == [])
    #expect(fixture.told(at: 9_000) == ["typing"])
    #expect(fixture.told(at: 20_000) == [] && fixture.board.isEmpty)
    #expect(fixture.board.dueAt == nil)
  }

  private static let times: [(EphemeralRequest, Int64)] = [
    (typing, 5_000), (here, 45_000), (progress(3), 600_000),
  ]

  @Test("It is over after its time", arguments: times)
  func over(_ request: EphemeralRequest, _ after: Int64) {
    var fixture = BoardFixture()
    fixture.say(request, at: 100)
    #expect(fixture.told(at: 99 + after) == [])
    #expect(fixture.board.dueAt == 100 + after)
    #expect(fixture.told(at: 100 + after) == [request.kind.rawValue])
    #expect(fixture.board.set(of: EphemeralTopic(stream: list, kind: request.kind)).count == 0)
  }

  @Test(
    "It is over when it is taken back, the connection goes, or follows the stream no longer",
    arguments: 0...3)
  func ended(_ how: Int) {
    var fixture = BoardFixture()
    fixture.say(here, at: 0)
    switch how {
    case 0: _ = fixture.board.set(left, by: HubConnection(1), author, at: 2_000)
    case 1: fixture.board.remove(HubConnection(1), at: 2_000)
    case 2: fixture.board.end(HubConnection(1), in: list, at: 2_000)
    default: fixture.board.ended(author, in: list, at: 2_000)
    }
    #expect(fixture.told(at: 2_000) == ["presence"])
    #expect(fixture.board.takeNotes().map(\.value) == [.set(nil, at: 0), .ended])
  }

  @Test("A stream that is followed no longer takes nothing of another one away")
  func otherStream() {
    var fixture = BoardFixture()
    fixture.say(here, at: 0)
    fixture.say(.presence(other, isHere: true), at: 0)
    fixture.board.end(HubConnection(1), in: other, at: 1)
    fixture.board.ended(author, in: other, at: 2)
    fixture.board.ended(editor, in: list, at: 2)
    #expect(fixture.board.topics(of: list).count == 1 && fixture.board.topics(of: other).isEmpty)
  }

  @Test("A person is here as long as one of the connections is")
  func twoDevices() {
    var fixture = BoardFixture()
    #expect(fixture.say(here, from: 1, at: 0) == ["presence 1"])
    #expect(fixture.say(here, from: 2, at: 2_000) == [])
    fixture.board.remove(HubConnection(1), at: 4_000)
    #expect(fixture.told(at: 4_000) == [])
    fixture.board.remove(HubConnection(2), at: 6_000)
    #expect(fixture.told(at: 6_000) == ["presence"])
  }

  @Test("The value said last counts, and the one before when its connection goes")
  func lastCounts() {
    var fixture = BoardFixture()
    fixture.say(progress(10), from: 1, at: 0)
    #expect(fixture.say(progress(20), from: 2, at: 2_000) == ["progress 1:1=20/100"])
    #expect(fixture.say(progress(15), from: 1, at: 4_000) == ["progress 1:1=15/100"])
    fixture.board.remove(HubConnection(1), at: 6_000)
    #expect(fixture.told(at: 6_000) == ["progress 1:1=20/100"])
  }

  @Test("Progress of a post that is done or removed is over, other posts' is not")
  func closed() {
    var fixture = BoardFixture()
    fixture.say(progress(10), at: 0)
    fixture.say(progress(30, bread), at: 0)
    fixture.say(.typing(category, milk, isTyping: true), at: 0)
    fixture.board.closed([milk], in: list, at: 3_000)
    #expect(fixture.told(at: 3_000) == ["progress 1:2=30/100"])
    #expect(fixture.board.set(of: EphemeralTopic(stream: list, kind: .typing)).count == 1)
  }

  @Test("Entries stand by user, then post")
  func order() {
    var fixture = BoardFixture()
    fixture.say(.typing(category, bread, isTyping: true), editor, from: 2, at: 0)
    fixture.say(.typing(category, milk, isTyping: true), editor, from: 2, at: 0)
    fixture.say(typing, editor, from: 2, at: 0)
    fixture.say(typing, author, from: 1, at: 0)
    let set = fixture.board.set(of: EphemeralTopic(stream: list, kind: .typing))
    #expect(word(set) == "typing 1 2 2:1 2:2" && set.count == 4)
  }

  @Test("More than fifty are counted, not listed", arguments: [50, 51])
  func many(_ count: Int) {
    var fixture = BoardFixture()
    for number in 1...count { fixture.say(here, user(number), from: UInt64(number), at: 0) }
    let set = fixture.board.set(of: EphemeralTopic(stream: list, kind: .presence))
    #expect(set.count == count && set.entries?.count == (count == 50 ? 50 : nil))
  }

  @Test("The first fifty progress notes are listed")
  func manyBots() {
    var fixture = BoardFixture()
    for number in 1...51 {
      fixture.say(progress(number), user(number), from: UInt64(number), at: 0)
    }
    let set = fixture.board.set(of: EphemeralTopic(stream: list, kind: .progress))
    #expect(set.count == 51 && set.entries?.count == 50)
    #expect(set.entries?.last?.user == user(50))
  }

  @Test("One connection holds fifty values at a time", arguments: [49, 50, 51])
  func held(_ count: Int) {
    var board = BoardFixture().board
    for number in 1..<count {
      let post = PostID(UUID(high: 5, low: UInt64(number)))
      #expect(board.set(progress(1, post), by: HubConnection(1), author, at: 0) == nil)
    }
    let refused = board.set(here, by: HubConnection(1), author, at: 0)
    let quota = Failure.refused(.quota(limit: "ephemerals", max: 50))
    #expect(refused == (count > 50 ? quota : nil))
    // An entry that it holds may change, and another connection has room.
    #expect(board.set(progress(2), by: HubConnection(1), author, at: 0) == nil)
    #expect(board.set(here, by: HubConnection(2), author, at: 0) == nil)
  }

  @Test("A user has one limit for all connections, and others have their own")
  func rate() {
    var board = EphemeralBoard(loop: 0)
    for number in 1...20 {
      #expect(board.set(here, by: HubConnection(UInt64(number)), author, at: 0) == nil)
    }
    #expect(
      board.set(here, by: HubConnection(30), author, at: 0)
        == .rateLimited(afterMilliseconds: 200))
    #expect(board.set(here, by: HubConnection(31), editor, at: 0) == nil)
    #expect(board.set(here, by: HubConnection(30), author, at: 200) == nil)
  }

  @Test("Notes of another loop are told here, and are over when that loop says so")
  func otherLoop() {
    var (mine, theirs) = (BoardFixture(), EphemeralBoard(loop: 1))
    #expect(theirs.set(here, by: HubConnection(1), editor, at: 0) == nil)
    mine.board.take(theirs.takeNotes(), at: 10)
    #expect(mine.told(at: 10) == ["presence 2"])
    // The same connection number on this loop is another connection.
    #expect(mine.say(here, author, from: 1, at: 2_000) == ["presence 1 2"])
    mine.board.remove(HubConnection(1), at: 4_000)
    #expect(mine.told(at: 4_000) == ["presence 2"])
    // It does not fall to this loop to end it by time.
    #expect(mine.told(at: 100_000) == [])
    theirs.remove(HubConnection(1), at: 100_000)
    mine.board.take(theirs.takeNotes(), at: 100_001)
    #expect(mine.told(at: 100_001) == ["presence"])
  }

  @Test("A note of a removed member that comes after the news is ended by its own loop")
  func lateNote() {
    var (mine, theirs) = (BoardFixture(), EphemeralBoard(loop: 1))
    #expect(theirs.set(here, by: HubConnection(1), editor, at: 0) == nil)
    let late = theirs.takeNotes()
    mine.board.ended(editor, in: list, at: 1)
    mine.board.take(late, at: 2)
    theirs.ended(editor, in: list, at: 3)
    mine.board.take(theirs.takeNotes(), at: 4)
    #expect(mine.board.topics(of: list) == [])
  }
}
