import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("lines: who is on what")
struct ClaimLinesTests {
  private static let stream = StreamID.category(Demo.groceries)

  private func told(_ result: CommandResult) throws -> [[String]] {
    let situation = Demo.situation()
    guard
      case .send(let requests) = try Planner(situation: situation).plan(
        .post(.claimNext(nil, minutes: nil)))
    else { throw Problem("nothing is asked for") }
    let report = try #require(requests.first).report
    #expect(report.isChange)
    return [true, false].map { chat in
      AnswerLines.lines(report, .command(result), situation, chat: chat).map(\.plain)
    }
  }

  @Test("the next post has its number and its title, in a chat and in a script")
  func next() throws {
    let line = ["▸ #2 bread (in #groceries)"]
    #expect(try told(CommandResult(changed: true, number: 2)) == [line, line])
    // It is gone by now.
    #expect(try told(CommandResult(changed: true, number: 9))[1] == ["▸ #9 (in #groceries)"])
    #expect(try told(CommandResult(changed: true))[1] == ["▸ the next post of #groceries"])
  }

  @Test("a script is told until when")
  func until() throws {
    let situation = Demo.situation()
    for (line, told) in [
      ("claim 1 2h", "▸ #1 milk until 02:00"), ("claim 1", "▸ #1 milk until 01:00"),
    ] {
      guard case .action(let action) = Input(command: line),
        case .send(let requests) = try Planner(situation: situation).plan(action),
        let report = requests.first?.report
      else { throw Problem("nothing is sent") }
      let lines = AnswerLines.lines(
        report, .command(CommandResult(changed: true)), situation, chat: false)
      #expect(lines.map(\.plain) == [told])
    }
  }

  /// Returns the lines that are told when the claims of these posts end in one event, after these ops.
  private func ended(_ posts: [Int], after ops: [Op] = []) -> [String] {
    var situation = Demo.situation()
    for op in ops { _ = Demo.applied(op, by: Demo.author, &situation) }
    let event = Event(
      seq: 30, transaction: TransactionID(UUID(high: 7, low: 2)), at: Demo.start, by: nil,
      key: nil, ops: posts.map { .claim(Demo.post($0, "").id, .ended) })
    let changes = situation.streams[Self.stream]?.apply(event) ?? []
    let applied = AppliedEvent(event: event, changes: changes, notifications: [])
    return EventLines(situation: situation).lines(applied, in: Self.stream).map(\.plain)
  }

  @Test("claims that end together are one line")
  func together() {
    #expect(ended([1]) == ["nobody is on milk any more (#1 in #groceries)"])
    #expect(ended([1, 2]) == ["nobody is on 2 posts any more: milk, bread (in #groceries)"])
    #expect(
      ended([2, 1, 3]) == ["nobody is on 3 posts any more: bread, milk … (in #groceries)"])
  }

  @Test("nothing is told of a list that is archived or removed, and again of one that is back")
  func inactive() {
    let stamp = Stamp(at: Demo.start, by: Demo.author)
    #expect(ended([1, 2], after: [.category(.archived(stamp))]) == [])
    #expect(ended([1], after: [.category(.removed(stamp))]) == [])
    #expect(ended([1], after: [.category(.archived(stamp)), .category(.unarchived)]).count == 1)
    #expect(ended([1], after: [.category(.removed(stamp)), .category(.restored)]).count == 1)
  }

  @Test("who is told of it in their own stream is told once")
  func own() {
    var situation = Demo.situation()
    let stream = StreamID.user(Demo.author)
    let op = Op.claim(Demo.post(1, "").id, .ended)
    let applied = Demo.applied(op, by: nil, in: stream, &situation)
    #expect(EventLines(situation: situation).lines(applied, in: stream) == [])
  }
}
