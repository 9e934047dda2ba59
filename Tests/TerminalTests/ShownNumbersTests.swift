import Client
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("numbers on the screen")
struct ShownNumbersTests {
  private static func refused(_ number: Int64) -> UnsentCommand {
    let command = Command.completePost(Demo.groceries, Demo.post(1, "").id, ifVersion: nil)
    return UnsentCommand(
      queued: QueuedCommand(
        number: number, command: command, key: CommandKey("k\(number)")!, at: Demo.start),
      reason: ServerError(kind: .gone, code: -32005, retry: .no, sentence: "Gone."))
  }

  private func dropped(_ line: String, _ situation: Situation) throws -> Int64? {
    guard case .action(let action) = Input(chat: line),
      case .decide(let unsent, _) = try Planner(situation: situation).plan(action)
    else { return nil }
    return unsent.queued.number
  }

  @Test("No unsent change takes the number of one that is gone, until they are shown anew")
  func unsent() throws {
    var situation = Demo.situation()
    situation.unsent = [3, 5, 8].map(Self.refused)
    // Shown or not, the first is 1.
    #expect(try dropped("/unsent 1 drop", situation) == 3)
    situation.shown.note(.unsent, situation)
    situation.unsent.removeFirst()
    #expect(try dropped("/unsent 2 drop", situation) == 5)
    #expect(throws: Problem("there is no 1 in /unsent")) {
      try dropped("/unsent 1 drop", situation)
    }
    // What comes now is behind them.
    situation.unsent.append(Self.refused(9))
    situation.shown.unsent.add(situation.unsent[2])
    #expect(try dropped("/unsent 4 drop", situation) == 9)
    let lines = UnsentLines.all(situation).map(\.plain)
    #expect(lines.contains("     /unsent 2 again or drop"))
    #expect(lines.contains("     /unsent 4 again or drop"))
    situation.shown.note(.unsent, situation)
    #expect(try dropped("/unsent 1 drop", situation) == 5)
  }

  @Test("invitations keep the numbers that they were shown with")
  func invitations() throws {
    var situation = Demo.situation(invitations: 3)
    situation.shown.note(.lists, situation)
    let second = situation.invitations[1].id
    let rest = Demo.situation(invitations: 3)
    situation.streams[.user(Demo.author)] = StreamState(
      stream: .user(Demo.author), objects: rest.invitations.dropFirst().map { .invitation($0) })
    guard case .send(let requests) = try Planner(situation: situation).plan(.people(.accept(2))),
      case .command(let command, key: _, base: _)? = requests.first?.request
    else {
      Issue.record("nothing is sent")
      return
    }
    #expect(command == .invitation(.accept(second)))
    #expect(throws: Problem("there is no invitation 1")) {
      try Planner(situation: situation).plan(.people(.accept(1)))
    }
  }

  @Test("steps keep the numbers that they were shown with, also where others take one away")
  func steps() throws {
    var situation = Demo.withSteps(Demo.situation())
    func list() throws -> Domain.Category { try situation.list(nil) }
    func step(_ place: Int) throws -> String? {
      try situation.post(PostNumber(2, step: place), in: list()).1?.content
    }
    #expect(try step(1) == "flour")
    situation.shown.note(.post(try situation.post(2, in: list()), try list()), situation)
    let removed = Demo.applied(
      .step(Demo.post(2, "").id, version: 3, .removed(Demo.flour)), by: Demo.editor, &situation)
    #expect(try step(2) == "salt")
    #expect(throws: Problem("#2 has no step 2.1")) { try step(1) }
    // Another one comes behind.
    let sugar = Step(id: StepID(UUID(high: 6, low: 99)), content: "sugar")
    let added = Demo.applied(
      .step(Demo.post(2, "").id, version: 4, .added(sugar)), by: Demo.editor, &situation)
    #expect(try step(3) == "sugar")
    let told = [removed, added].flatMap {
      EventLines(situation: situation).lines($0, in: .category(Demo.groceries)).map(\.plain)
    }
    #expect(told.contains { $0.contains("2.3 sugar") }, "\(told)")
    situation.shown.note(.post(try situation.post(2, in: list()), try list()), situation)
    #expect(try step(1) == "salt")
  }

  @Test("removed groups are found by what /bin lists showed")
  func removedGroups() throws {
    let groups = (1...3).map { number in
      var group = Group(
        id: GroupID(UUID(high: 3, low: UInt64(number))), name: "house",
        added: Stamp(at: Demo.start, by: Demo.author))
      group.removed = Stamp(at: Timestamp(milliseconds: Int64(number)), by: Demo.author)
      return group
    }
    var situation = Demo.situation()
    for group in groups {
      situation.streams[.group(group.id)] = StreamState(
        stream: .group(group.id), objects: [.group(group)])
    }
    situation.shown.note(.removedLists, .categories([]), situation)
    situation.streams[.group(groups[0].id)] = nil
    #expect(try situation.catalog.removedGroup(Reference("2")).id == groups[1].id)
    #expect(throws: Problem("there is no removed group 1; /bin lists shows them")) {
      try situation.catalog.removedGroup(Reference("1"))
    }
  }

  @Test("sessions, codes, links and removed lists are found by what was shown")
  func asked() throws {
    var shown = ShownNumbers()
    let lists = (1...3).map { number in
      var list = Demo.category(CategoryID(UUID(high: 9, low: UInt64(number))), "list \(number)")
      list.removed = Stamp(at: Timestamp(milliseconds: Int64(number)), by: Demo.author)
      return list
    }
    shown.note(.removedLists, .categories(lists), Demo.situation())
    let left = Array(lists.dropFirst())
    let found = try ListLines.removedList(
      Reference("2"), among: left, numbered: shown.removedLists)
    #expect(found.id == lists[1].id)
    #expect(throws: Problem.self) {
      try ListLines.removedList(Reference("1"), among: left, numbered: shown.removedLists)
    }
    #expect(try ListLines.removedList(Reference("1"), among: left).id == lists[1].id)
  }
}

@Suite("a change that is refused at once is not kept")
struct LiveChangesTests {
  @Test("is forgotten, and what waited for a connection is kept")
  func forgets() {
    var live = LiveChanges()
    live.asked(1)
    live.asked(2)
    live.asked(3)
    let atOnce = live.forgets(1, isWork: false)
    // Both texts are somebody's work.
    let conflict = live.forgets(2, isWork: true)
    let offline = live.forgets(7, isWork: false)
    live.lost()
    let broken = live.forgets(3, isWork: false)
    #expect([atOnce, conflict, offline, broken] == [true, false, false, false])
  }

  @Test("is told without a number and without a choice")
  func told() throws {
    let command = Command.invitation(
      .send(
        InvitationID(UUID(high: 1, low: 1)), .category(Demo.groceries), username: "nobody", .editor
      ))
    let key = try #require(CommandKey("k"))
    let unsent = UnsentCommand(
      queued: QueuedCommand(number: 4, command: command, key: key, at: Demo.start),
      reason: ServerError(
        kind: .notFound, code: -32003, retry: .no, sentence: "There is no such user."))
    var situation = Demo.situation()
    situation.unsent = [unsent]
    #expect(
      UnsentLines.forgotten(unsent, situation).map(\.plain)
        == ["✘ invite @nobody to #groceries: There is no such user."])
    #expect(UnsentLines.refused(unsent, situation).count == 2)
  }
}
