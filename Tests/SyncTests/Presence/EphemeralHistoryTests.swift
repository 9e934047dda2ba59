import Domain
import TestRandom
import Testing
import Wire

@testable import Sync

// Random histories of several loops whose notes arrive late. In the end every loop has the content of a simple model,
// and no topic was told more often than once a second.

private let lists = (1...3).map { CategoryID(UUID(high: 2, low: UInt64($0))) }
private let posts = (1...3).map { PostID(UUID(high: 5, low: UInt64($0))) }
private let users = (1...4).map { UserID(UUID(high: 1, low: UInt64($0))) }

private struct Cell: Hashable {
  let origin: EphemeralOrigin
  let topic: EphemeralTopic
  let post: PostID?
}

private struct BoardHistory {
  static let loops = 3
  var dice: SeededRandom
  var now: Int64 = 0
  var boards = (0..<loops).map {
    EphemeralBoard(loop: $0, rate: TokenRate(count: 1_000, everyMilliseconds: 1, burst: 1_000))
  }
  /// The notes on their way, by receiving loop, in the order of each sender.
  var mail: [[[EphemeralNote]]] = Array(repeating: [], count: loops)
  /// The model: who said what, when, and until when it holds.
  var model: [Cell: (user: UserID, progress: Progress?, at: Int64, over: Int64)] = [:]
  var toldAt: [Int: [EphemeralTopic: Int64]] = [:]
  var said = 0
  var expired = 0

  mutating func step() {
    now += Int64(dice.below(700))
    let loop = dice.below(BoardHistory.loops)
    let connection = HubConnection(UInt64(1 + dice.below(3)))
    let origin = EphemeralOrigin(loop: loop, connection: connection)
    // A connection is always the same user's.
    let user = users[(loop * 3 + Int(connection.value)) % users.count]
    switch dice.below(10) {
    case 0:
      boards[loop].remove(connection, at: now)
      model = model.filter { $0.key.origin != origin }
    case 1:
      let stream = StreamID.category(lists[dice.below(3)])
      boards[loop].end(connection, in: stream, at: now)
      model = model.filter { $0.key.origin != origin || $0.key.topic.stream != stream }
    default: say(origin, user)
    }
    tell(loop)
    deliver()
  }

  private mutating func say(_ origin: EphemeralOrigin, _ user: UserID) {
    let request = request()
    #expect(boards[origin.loop].set(request, by: origin.connection, user, at: now) == nil)
    let topic = EphemeralTopic(stream: request.stream, kind: request.kind)
    let cell = Cell(origin: origin, topic: topic, post: request.post)
    switch request {
    case .presence(_, true): model[cell] = (user, nil, now, now + 45_000)
    case .typing(_, _, true): model[cell] = (user, nil, now, now + 5_000)
    case .progress(_, _, let progress?): model[cell] = (user, progress, now, now + 600_000)
    case .presence, .typing, .progress: model[cell] = nil
    }
    said += 1
  }

  private mutating func request() -> EphemeralRequest {
    let list = lists[dice.below(3)]
    switch dice.below(3) {
    case 0: return .presence(.category(list), isHere: dice.below(4) > 0)
    case 1:
      return .typing(
        list, dice.below(2) == 0 ? nil : posts[dice.below(3)], isTyping: dice.below(4) > 0)
    default:
      let done = dice.below(6)
      return .progress(list, posts[dice.below(3)], done == 0 ? nil : Progress(done: done, of: 5))
    }
  }

  /// Runs a turn of this loop: entries that are over end, changes are told, and notes go to the others.
  mutating func tell(_ loop: Int) {
    for set in boards[loop].due(at: now) {
      let topic = EphemeralTopic(stream: set.stream, kind: set.kind)
      if let last = toldAt[loop]?[topic] {
        #expect(now - last >= EphemeralTimes.pushMilliseconds, "told too often")
      }
      toldAt[loop, default: [:]][topic] = now
    }
    let notes = boards[loop].takeNotes()
    guard !notes.isEmpty else { return }
    for other in 0..<BoardHistory.loops where other != loop { mail[other].append(notes) }
  }

  private mutating func deliver() {
    let loop = dice.below(BoardHistory.loops)
    guard dice.below(3) > 0, !mail[loop].isEmpty else { return }
    boards[loop].take(mail[loop].removeFirst(), at: now)
  }

  mutating func settle() {
    // This is longer than the time between two looks for ended entries, so every ended one is noticed.
    now += 2 * EphemeralTimes.lookMilliseconds
    for loop in 0..<BoardHistory.loops { tell(loop) }
    for loop in 0..<BoardHistory.loops {
      for notes in mail[loop] { boards[loop].take(notes, at: now) }
      mail[loop] = []
    }
    expired += model.count { $0.value.over <= now }
    model = model.filter { $0.value.over > now }
  }

  /// Returns the set that everybody should see of a topic.
  func expected(_ topic: EphemeralTopic) -> EphemeralSet {
    var newest: [EphemeralSubject: (progress: Progress?, at: Int64, origin: EphemeralOrigin)] = [:]
    for (cell, value) in model where cell.topic == topic {
      let subject = EphemeralSubject(user: value.user, post: cell.post)
      if let known = newest[subject], (known.at, known.origin) > (value.at, cell.origin) {
        continue
      }
      newest[subject] = (value.progress, value.at, cell.origin)
    }
    let entries = newest.keys.sorted().map {
      EphemeralEntry(user: $0.user, post: $0.post, progress: newest[$0]?.progress)
    }
    return EphemeralSet(
      stream: topic.stream, kind: topic.kind, count: entries.count, entries: entries)
  }
}

@Suite("protocol §5.5: several loops agree on what holds for a moment")
struct EphemeralHistoryTests {
  @Test("All loops come to the same, and tell no topic more than once a second", arguments: 1...30)
  func converge(_ seed: Int) {
    var history = BoardHistory(dice: SeededRandom(seed: UInt64(seed)))
    for _ in 0..<20 {
      for _ in 0..<40 { history.step() }
      history.settle()
      for list in lists {
        for kind in EphemeralKind.allCases {
          let topic = EphemeralTopic(stream: .category(list), kind: kind)
          let expected = history.expected(topic)
          for board in history.boards { #expect(board.set(of: topic) == expected, "seed \(seed)") }
        }
      }
    }
    #expect(history.said > 500 && history.expired > 20)
  }

  @Test("A pending topic is told once, and only when it can be")
  func pending() {
    var pending = PendingTopics()
    let (one, two) = (StreamID.category(lists[0]), StreamID.category(lists[1]))
    let connection = HubConnection(1)
    for stream in [two, one, one] {
      pending.add(connection, EphemeralTopic(stream: stream, kind: .typing))
      pending.add(connection, EphemeralTopic(stream: stream, kind: .presence))
    }
    #expect(pending.connections == [connection])
    #expect(pending.take(connection) { $0.stream == one }.map(\.kind) == [.presence, .typing])
    #expect(pending.take(connection) { $0.stream == one } == [])
    pending.forget(connection, two)
    #expect(pending.isEmpty)
  }
}
