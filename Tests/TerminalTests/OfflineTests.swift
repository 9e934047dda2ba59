import Client
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("without a connection")
struct OfflineTests {
  private static func queued(_ number: Int64, _ command: Command) throws -> QueuedCommand {
    QueuedCommand(
      number: number, command: command, key: try #require(CommandKey("k\(number)")),
      at: Demo.start)
  }

  @Test("the newest change that waits is taken back, of all or of one list")
  func newest() throws {
    let milk = Demo.post(1, "").id
    let waiting = [
      try Self.queued(1, .completePost(Demo.groceries, milk, ifVersion: nil)),
      try Self.queued(2, .changePersonal(Demo.groceries, milk, .watch(true))),
      try Self.queued(
        3, .post(.add(Demo.bigShop, PostID(UUID(high: 9, low: 9)), title: "x", notes: ""))),
    ]
    let situation = Demo.situation()
    #expect(try situation.newestWaiting(waiting, in: nil).number == 3)
    #expect(try situation.newestWaiting(waiting, in: Reference("#groceries")).number == 2)
    #expect(throws: Problem.self) { try situation.newestWaiting([], in: nil) }
    #expect(throws: Problem.self) {
      try situation.newestWaiting(Array(waiting.prefix(2)), in: Reference("#big-shop"))
    }
  }

  @Test("views are answered from the copies, by the same rules")
  func views() throws {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 20_000 * 86_400_000))
    let edit = PostEdit(due: .set(.day(Day(number: 20_000))))
    _ = Demo.applied(
      .post(.edited(Demo.post(2, "").id, version: 2, edit)), by: Demo.editor, &situation)
    func found(_ line: String) throws -> [Int]? {
      guard case .action(let action) = Input(command: line),
        case .send(let requests) = try Planner(situation: situation).plan(action),
        case .query(.view(let query))? = requests.first?.request
      else { return nil }
      return situation.viewed(query)?.found.map(\.post.number)
    }
    #expect(try found("today") == [2])
    #expect(try found("day tomorrow") == [])
    #expect(try found("mine") == [1])
  }

  @Test("a change that no server can have had is taken back, another stays")
  func withdraw() throws {
    var queue = Replica(
      client: ClientName(name: "test", version: "1"), token: "t", streams: .all)
    let one = try Self.queued(1, .group(.add(Demo.home, name: "x")))
    _ = queue.queue(one)
    #expect(queue.withdraw(1).contains { if case .withdrawn(1, true) = $0 { true } else { false } })
    #expect(
      queue.withdraw(1).contains { if case .withdrawn(1, false) = $0 { true } else { false } })
    // What an earlier program kept may have been sent by it.
    var later = Replica(
      client: ClientName(name: "test", version: "1"), token: "t", streams: .all, waiting: [one])
    #expect(
      later.withdraw(1).contains { if case .withdrawn(1, false) = $0 { true } else { false } })
  }
}
