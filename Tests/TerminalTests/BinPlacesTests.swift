import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("terminal: lists and groups that were removed")
struct BinPlacesTests {
  private static let minute: Int64 = 60_000

  /// Called so, and removed so many minutes after midnight.
  private func list(_ number: UInt64, _ name: String, at minute: Int64) -> Domain.Category {
    var list = Demo.category(CategoryID(UUID(high: 2, low: 20 + number)), name)
    list.removed = Stamp(at: Timestamp(milliseconds: minute * Self.minute), by: Demo.author)
    return list
  }

  private func plan(_ line: String, _ situation: Situation) throws -> WhattodoTerminal.Plan {
    guard case .action(let action) = Input(command: line) else { throw Problem("no action") }
    return try Planner(situation: situation).plan(action)
  }

  /// Returns the outcome of a line when the server says that these lists are removed.
  private func answered(
    _ line: String, _ lists: [Domain.Category], _ situation: Situation = Demo.situation()
  ) throws -> (commands: [Command], lines: [String]) {
    guard case .send(let requests) = try plan(line, situation), let first = requests.first,
      case .query(.removedCategories) = first.request
    else { throw Problem("the removed lists are not asked for") }
    let answer = ReplicaAnswer.categories(lists)
    let next = try Planner(situation: situation).followUp(first.report, answer) ?? []
    let commands = next.compactMap { planned -> Command? in
      if case .command(let command, _, _) = planned.request { command } else { nil }
    }
    let lines = AnswerLines.lines(first.report, answer, situation, chat: true).map(\.plain)
    return (commands, lines)
  }

  @Test("None of two that are called the same is meant before it is said which")
  func twins() throws {
    // As the server says them: in an order of its own.
    let lists = [list(1, "Garden", at: 30), list(2, "Attic", at: 20), list(3, "garden", at: 10)]
    #expect(
      throws: Problem(
        "several removed lists are called garden: /restore list NUMBER, as /bin lists says")
    ) { try answered("restore #garden", lists) }
    #expect(try answered("restore #attic", lists).commands == [.category(.restore(lists[1].id))])
    #expect(try answered("restore list 1", lists).commands == [.category(.restore(lists[2].id))])
    #expect(
      try answered("restore list 3 2", lists).commands
        == [.batch([.category(.restore(lists[0].id)), .category(.restore(lists[1].id))])])
    #expect(throws: Problem("there is no removed list 4; /bin lists shows them")) {
      try answered("restore list 4", lists)
    }
  }

  /// With two groups called home that are removed.
  private func withGroups() -> Situation {
    var situation = Demo.situation()
    for number in 1...2 {
      let id = GroupID(UUID(high: 3, low: 20 + UInt64(number)))
      var group = Group(
        id: id, name: "attic", added: Stamp(at: Demo.start, by: Demo.author))
      group.removed = Stamp(
        at: Timestamp(milliseconds: Int64(90 - number) * Self.minute), by: Demo.author)
      situation.streams[.group(id)] = StreamState(stream: .group(id), objects: [.group(group)])
    }
    return situation
  }

  @Test("each with its number, since when it is there, and what brings it back")
  func shown() throws {
    let lists = [list(1, "Garden", at: 30), list(2, "Attic", at: 20), list(3, "garden", at: 10)]
    #expect(
      try answered("bin lists", lists, withGroups()).lines == [
        "removed lists and groups, the last ones at the bottom:",
        "  1  #garden                 since 00:10    /restore list 1",
        "  2  #Attic                  since 00:20    /restore #Attic",
        "  3  #Garden                 since 00:30    /restore list 3",
        "  1  attic                   since 01:28    /group restore 1",
        "  2  attic                   since 01:29    /group restore 2",
      ])
    #expect(
      try answered("bin lists", [], Demo.situation(open: nil)).lines
        == ["no list or group of yours is removed"])
    #expect(try answered("bin", [list(1, "A", at: 1)], Demo.situation(open: nil)).lines.count == 2)
  }

  @Test("The number says which of two groups that are called the same")
  func groups() throws {
    let situation = withGroups()
    #expect(
      throws: Problem(
        "several removed groups are called attic: /group restore NUMBER, as /bin lists says")
    ) { try plan("group restore attic", situation) }
    guard case .send(let requests) = try plan("group restore 2", situation),
      case .command(let command, _, _)? = requests.first?.request
    else {
      Issue.record("nothing is sent")
      return
    }
    #expect(command == .group(.restore(GroupID(UUID(high: 3, low: 21)))))
    #expect(throws: Problem("there is no removed group 3; /bin lists shows them")) {
      try plan("group restore 3", situation)
    }
  }

  @Test("a group that is there is shown by its name; a new one is made where none is called so")
  func named() throws {
    for line in ["group home", "group HOME", "group 3"] {
      guard case .show(let view) = try plan(line, Demo.situation()) else {
        Issue.record("\(line) shows nothing")
        continue
      }
      #expect(
        view.lines(Demo.situation()).map(\.plain) == [
          "home  group of @author @editor", "  2 ▸#groceries              2 open              ",
        ])
    }
    for (line, name) in [("group attic", "attic"), ("group ho", "ho"), ("group new home", "home")] {
      guard case .send(let requests) = try plan(line, Demo.situation()),
        case .command(.group(.add(_, name: let made)), _, _)? = requests.first?.request
      else {
        Issue.record("\(line) makes nothing")
        continue
      }
      #expect(made == name)
    }
    #expect(
      throws: Problem(
        "attic is removed: /group restore attic brings it back, /group new attic makes another")
    ) { try plan("group attic", withGroups()) }
  }
}
