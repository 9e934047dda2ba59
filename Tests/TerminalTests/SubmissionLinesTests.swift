import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("the terminal tells what an admin confirms")
struct SubmissionLinesTests {
  /// `milk` comes again every day and is confirmed by an admin; the author has this role.
  private func situation(_ role: Role, submitted: Bool = false) throws -> Situation {
    var situation = Demo.situation()
    let milk = Demo.post(1, "").id
    let wish = Repetition(
      try RecurrenceRule("FREQ=DAILY"), confirms: true,
      occurrence: Occurrence(number: 1, due: .day(Day(number: 0)), start: Day(number: 0)))
    let edit = PostEdit(due: .set(.day(Day(number: 0))), repeats: .set(wish))
    _ = Demo.applied(.post(.edited(milk, version: 2, edit)), by: Demo.editor, &situation)
    _ = Demo.applied(
      .member(.granted(Demo.author, Grants(direct: role))), by: Demo.editor, &situation)
    guard submitted else { return situation }
    let stamp = Stamp(at: Demo.start, by: Demo.editor)
    _ = Demo.applied(
      .post(.marked(milk, version: 3, .submitted(stamp))), by: Demo.editor, &situation)
    return situation
  }

  @Test("completing it does no more than say so, unless one is an admin")
  func completed() throws {
    for (role, said) in [
      (Role.doer, "? #1 milk: an admin confirms it"), (.editor, "? #1 milk: an admin confirms it"),
      (.admin, "✔ #1 milk"), (.owner, "✔ #1 milk"),
    ] {
      let situation = try situation(role)
      guard
        case .send(let requests) = try Planner(situation: situation).plan(
          .post(.complete(nil, [1])))
      else { throw Problem("no request") }
      let answer = ReplicaAnswer.command(
        CommandResult(changed: true, parts: []))
      let lines = AnswerLines.lines(requests[0].report, answer, situation, chat: false)
      #expect(lines.map(\.plain) == [said], "\(role)")
    }
  }

  @Test("who says that it is done stands behind it, and in what scripts read")
  func shown() throws {
    let situation = try situation(.owner, submitted: true)
    let list = try #require(situation.openList)
    let rows = ListLines.posts(of: list, done: false, situation).map(\.plain)
    #expect(
      rows.contains { $0.contains("milk") && $0.contains("↻ daily confirmed  ? @editor says done") }
    )
    let json = JSONOutput.view(.posts(list, done: false), situation)
    #expect(json.contains(#""submittedBy":\#(Demo.person(Demo.editor))"#))
    #expect(json.contains(#""confirm":"admin""#))
  }
}
