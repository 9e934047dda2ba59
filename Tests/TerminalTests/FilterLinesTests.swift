import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("filters: views with names")
struct FilterLinesTests {
  private func request(_ step: FilterAction, _ situation: Situation) throws -> PlannedRequest {
    guard case .send(let requests) = try Planner(situation: situation).plan(.filter(step)) else {
      throw Problem("it is no request")
    }
    return try #require(requests.first)
  }

  /// Saves it; what it is then, and a situation that has it.
  private func saved(
    _ name: String, _ words: String, _ situation: inout Situation
  ) throws -> Filter {
    let wish = try #require(FilterWish(words.split(separator: " ").map(String.init)))
    guard
      case .command(.filter(.save(let filter)), key: _, base: _) = try request(
        .save(name, wish), situation
      ).request
    else { throw Problem("it is not saved") }
    _ = Demo.applied(
      .filter(.saved(filter)), by: Demo.author, in: .user(Demo.author), &situation)
    return filter
  }

  @Test(
    "a filter is told in the words that make it",
    arguments: [
      "mine", "assigned !high", "done mine", "any", "!low week by due", "+urgent #groceries",
      "overdue", "today", "tomorrow by priority", "month", "#groceries by position",
      "mine assigned !medium +urgent week #groceries by due", "open",
    ])
  func words(_ text: String) throws {
    var situation = Demo.situation()
    let filter = try saved("one", text, &situation)
    #expect(filter.words(situation) == text)
    #expect(ListLines.filters(situation).map(\.plain).first?.contains(text) == true)
  }

  @Test("it asks for what it says, with the days of today, in the lists that are left")
  func view() throws {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 20_000 * 86_400_000))
    let filter = try saved("Soon", "mine week #groceries #big-shop by due", &situation)
    #expect(filter.categories?.count == 2)
    let due = DueWindow(until: .day(Day(number: 20_006)))
    let expected = ViewQuery(
      PostWhere(by: .me, due: due), in: filter.categories, sort: .due, zone: "UTC")
    #expect(try request(.show("soon"), situation).request == .query(.view(expected)))
    situation.streams[.category(Demo.bigShop)] = nil
    guard case .query(.view(let query)) = try request(.show("SOON"), situation).request else {
      Issue.record("it asks for something else")
      return
    }
    #expect(query.categories == [Demo.groceries])
    situation.streams[.category(Demo.groceries)] = nil
    #expect(throws: Problem("its lists are gone: /filter remove Soon")) {
      try request(.show("soon"), situation)
    }
  }

  @Test("one of the same name is changed, and removed by it")
  func same() throws {
    var situation = Demo.situation()
    let first = try saved("Mine", "mine", &situation)
    let second = try saved("mine", "mine !high", &situation)
    #expect(first.id == second.id && situation.ownStream?.filters == [second])
    #expect(
      try request(.remove("MINE"), situation).request.command == .filter(.remove(first.id)))
    #expect(throws: Problem("no filter is called other; /filters shows them")) {
      try request(.show("other"), situation)
    }
    #expect(throws: Problem("there is no tag +nothing in #groceries")) {
      try request(.save("x", FilterWish(["+nothing"]) ?? FilterWish()), situation)
    }
    #expect(throws: Problem("one list has an order: name it (#list)")) {
      try request(.save("x", FilterWish(["by", "position"]) ?? FilterWish()), situation)
    }
  }
}

extension Request {
  fileprivate var command: Command? {
    if case .command(let command, key: _, base: _) = self { command } else { nil }
  }
}
