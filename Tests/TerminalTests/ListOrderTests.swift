import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("protocol §8: /move and /lists with an order of one's own")
struct ListOrderTests {
  private static let chores = CategoryID(UUID(high: 2, low: 3))

  /// An almanac for situations in which nobody asks for days.
  private static let almanac = Almanac(
    visitDays: { _, _, _, _ in }, startOfDay: { _, _ in nil }, moment: { _, _, _ in nil },
    day: { _, _ in nil })

  /// Groceries, Big Shop and chores, in this order.
  private static func situation() -> Situation {
    var situation = Demo.situation()
    situation.streams[.category(chores)] = StreamState(
      stream: .category(chores), objects: [.category(Demo.category(chores, "chores"))])
    for (number, list) in [Demo.groceries, Demo.bigShop, chores].enumerated() {
      let membership = Membership(
        stream: .category(list), role: .owner, position: .of(number: number + 1))
      _ = Demo.applied(
        .membership(.added(membership)), by: Demo.author, in: .user(Demo.author), &situation)
    }
    return situation
  }

  private static func tags(_ situation: Situation) -> [String] {
    situation.catalog.lists.map(\.tag)
  }

  /// Plans a line, decides what it sends as a server does, and shows what comes of it.
  private func order(after line: String) throws -> (tags: [String], planned: PlannedRequest) {
    var situation = Self.situation()
    let planned = try plan(line, situation)
    guard case .command(let command, let key, base: _) = planned.request else {
      throw Problem("it is no command")
    }
    let queued = QueuedCommand(
      number: 1, command: command, key: key, at: Demo.start)
    let shown = situation
    let overlay = Overlay(
      of: [queued], by: Demo.author, landed: [:], almanac: Self.almanac
    ) { stream in
      shown.streams[stream].map { state in
        (state, CursorPosition(epoch: Epoch("e"), seq: 9, transaction: nil))
      }
    }
    for (stream, state) in overlay.states { situation.streams[stream] = state }
    return (Self.tags(situation), planned)
  }

  private func plan(_ line: String, _ situation: Situation) throws -> PlannedRequest {
    guard case .action(let action) = Input(chat: line),
      case .send(let requests) = try Planner(situation: situation).plan(action)
    else {
      throw Problem("it is no request")
    }
    return try #require(requests.first)
  }

  @Test("lists are shown in the order that their person gave them")
  func shown() {
    #expect(Self.tags(Self.situation()) == ["#groceries", "#Big-Shop", "#chores"])
    let completed = Completion(of: "#", in: Self.situation()).candidates
    #expect(completed == ["#groceries", "#Big-Shop", "#chores"])
    // Where nothing is known of an order, by name.
    #expect(Self.tags(Demo.situation()) == ["#Big-Shop", "#groceries"])
    let rows = ListLines.overview(Self.situation()).map(\.plain)
    #expect(rows.prefix(3).map { $0.contains("1 ") } == [true, false, false])
  }

  @Test(
    "lists go where they are put, several as they are named",
    arguments: [
      ("/move #chores top", ["#chores", "#groceries", "#Big-Shop"]),
      ("/move #groceries bottom", ["#Big-Shop", "#chores", "#groceries"]),
      ("/move #chores before #big-shop", ["#groceries", "#chores", "#Big-Shop"]),
      ("/move #chores before 2", ["#groceries", "#chores", "#Big-Shop"]),
      ("/move #chores #big-shop top", ["#chores", "#Big-Shop", "#groceries"]),
      ("/move #big-shop #groceries bottom", ["#chores", "#Big-Shop", "#groceries"]),
      ("/move #chores #big-shop #groceries top", ["#chores", "#Big-Shop", "#groceries"]),
    ])
  func moved(line: String, tags: [String]) throws {
    #expect(try order(after: line).tags == tags)
  }

  @Test("it says what was done, also in a chat, where no event shows it")
  func told() throws {
    let one = try order(after: "/move #chores top").planned
    #expect(
      one.report
        == .told(
          made: "#chores: at the top of your lists now",
          same: "#chores: at the top of your lists already"))
    let two = try order(after: "/move #chores #groceries before #big-shop").planned
    guard case .command(.batch(let commands), key: _, base: _) = two.request else {
      throw Problem("it is no batch")
    }
    #expect(commands.count == 2)
    #expect(
      two.report
        == .told(
          made: "#chores #groceries: before #Big-Shop now",
          same: "#chores #groceries: before #Big-Shop already"))
  }

  @Test("a list does not stand before itself, nor before one that is none")
  func refused() throws {
    #expect(throws: Problem("#chores is one of those that shall stand before it")) {
      try plan("/move #chores before #chores", Self.situation())
    }
    #expect(throws: Problem.self) { try plan("/move #chores before #none", Self.situation()) }
  }
}
