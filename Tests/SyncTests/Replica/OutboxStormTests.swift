import Domain
import TestRandom
import Testing
import Wire

@testable import Sync

/// A person works, loses the connection and the program at any moment, and others write.
@Suite("outbox: P2, P3, P10 through crashes of the client")
struct OutboxStormTests {
  @Test(
    "every queued command takes effect exactly once or is in not sent, in order, and all agree",
    arguments: 0..<80)
  func storm(seed: UInt64) throws {
    var random = SeededRandom(seed: seed &+ 77_000)
    var person = Person()
    person.server.tailMax = Int64(random.below(8))
    let lists = (1...2).map { person.server.addList($0) }
    var known: [(list: CategoryID, post: PostID)] = []
    var asked: [Int64] = []
    person.connect()
    for step in 0..<250 {
      switch random.below(12) {
      case 0...3:
        asked.append(person.ask(command(&random, lists, &known, step)))
      case 4, 5: try person.serve(eventsFirst: random.below(2) == 0, lost: random.below(4) == 0)
      case 6...8: person.receive()
      case 9: others(&person, &random, lists, known)
      case 10:
        if random.below(3) == 0 { person.saveCopies() }
        person.settle()
      default:
        switch random.below(6) {
        case 0: person.crash(lost: random.below(400))
        case 1, 2:
          person.cut()
          person.comeBack()
        default: break
        }
      }
    }
    person.cut()
    person.comeBack()
    try person.exchange()
    check(&person, asked, seed)
  }

  private func command(
    _ random: inout SeededRandom, _ lists: [CategoryID],
    _ known: inout [(list: CategoryID, post: PostID)], _ step: Int
  ) -> Command {
    guard !known.isEmpty, random.below(3) > 0 else {
      let post = PostID(UUID(high: 9, low: UInt64(step)))
      let list = lists[random.below(lists.count)]
      known.append((list, post))
      return .post(.add(list, post, title: "post \(step)", notes: ""))
    }
    let (list, post) = known[random.below(known.count)]
    switch random.below(6) {
    case 0: return .completePost(list, post, ifVersion: nil)
    case 1: return .reopenPost(list, post, ifVersion: nil)
    case 2: return .editPost(list, post, PostEdit(title: "title \(step)"), ifVersion: nil)
    default: return .editPost(list, post, PostEdit(notes: "notes \(step)"), ifVersion: nil)
    }
  }

  private func others(
    _ person: inout Person, _ random: inout SeededRandom, _ lists: [CategoryID],
    _ known: [(list: CategoryID, post: PostID)]
  ) {
    guard !known.isEmpty else { return }
    let (list, id) = known[random.below(known.count)]
    guard case .post(let post) = person.server.logs[.category(list)]?.state.object(.post, id.uuid)
    else { return }
    let edit =
      random.below(2) == 0
      ? PostEdit(title: "theirs") : PostEdit(notes: "theirs \(random.below(9))")
    let event = person.server.write(
      .category(list), [.post(.edited(id, version: post.version + 1, edit))])
    if random.below(2) == 0 {
      person.toClient.append(
        person.server.push(StreamPosition(stream: .category(list), seq: event.seq)))
    }
  }

  private func check(_ person: inout Person, _ asked: [Int64], _ seed: UInt64) {
    #expect(person.isLevel, "seed \(seed)")
    #expect(person.local.outbox.waiting.isEmpty, "seed \(seed)")
    #expect(person.local.overlay.states.isEmpty, "seed \(seed)")
    #expect(person.server.effects.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    // Every command has its result or is kept as refused, and none is both.
    let unsent = Set(person.local.outbox.unsent.map(\.queued.key))
    for number in asked {
      let key = CommandKey("k\(number)")
      let hasEffect = key.map { person.server.effects[$0] != nil } == true
      let isUnsent = key.map { unsent.contains($0) } == true
      let isSettled = person.resolved.contains(number)
      #expect(
        [hasEffect, isUnsent, isSettled].count { $0 } == 1, "seed \(seed), command \(number)")
    }
    // Posts of one list are numbered as they were asked for.
    for log in person.server.logs.values {
      let added = log.events.flatMap(\.ops).compactMap { op in
        if case .post(.added(let post, _)) = op { post.id.uuid.low } else { nil }
      }
      #expect(added == added.sorted(), "seed \(seed)")
    }
  }
}
