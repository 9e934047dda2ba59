import Client
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

/// Milk and bread come every week, for the seventh time; bread has the steps flour, which is done, and salt.
private struct Weekly {
  static let today = Day(number: 20_000)
  static let now = Timestamp(milliseconds: 20_000 * 86_400_000)
  static let milk = Demo.post(1, "").id
  static let bread = Demo.post(2, "").id

  static func occurrence(_ number: Int, in weeks: Int = 0, last: Stamp? = nil) -> Occurrence {
    Occurrence(
      number: number, due: .day(today.adding(days: 7 * weeks)), start: today, last: last)
  }

  /// `last`: who completed the sixth time, how long ago.
  static func situation(last: (by: UserID, seconds: Int64)? = nil) throws -> Situation {
    var situation = Demo.withSteps(Demo.situation())
    let wish = try #require(RepeatWish("every week")?.repetition(today: today))
    let stamp = last.map {
      Stamp(at: Timestamp(milliseconds: now.milliseconds - $0.seconds * 1_000), by: $0.by)
    }
    for post in [milk, bread] {
      let edit = PostEdit(
        due: .set(.day(today)), repeats: .set(wish.at(occurrence(7, last: stamp))))
      _ = Demo.applied(.post(.edited(post, version: 2, edit)), by: Demo.editor, &situation)
    }
    situation.clock = Clock(zone: "UTC", now: now)
    return situation
  }

  static func over(_ post: PostID) -> Op {
    let stamp = Stamp(at: now, by: Demo.author)
    let next = NextOccurrence(7, .completed(stamp), occurrence(8, in: 1, last: stamp))
    return .post(.occurred(post, version: 9, next, Counters(open: 2, done: 1)))
  }

  static let salted = Op.step(
    bread, version: 8, .completed([Demo.salt], StepFinish(at: now, by: Demo.author)))

  static func completed(_ post: PostID) -> Op {
    .post(
      .completed(
        post, version: 9, Stamp(at: now, by: Demo.author), Counters(open: 1, done: 2)))
  }

  static func request(
    _ line: String, _ situation: Situation, seen: Situation? = nil, isMeant: Bool = false
  ) throws -> PlannedRequest {
    guard case .action(let action) = Input(command: line),
      case .send(let requests) = try Planner(situation: situation, seen: seen, isMeant: isMeant)
        .plan(action)
    else { throw Problem("\(line) is not sent") }
    return try #require(requests.first)
  }
}

@Suite("The terminal tells what a completion ends")
struct PostEndsTests {
  /// Returns the outcome of a line and its event, in words and as JSON.
  private func told(
    _ line: String, _ ops: [Op], _ situation: Situation, by user: UserID = Demo.author,
    key other: CommandKey? = nil
  ) throws -> (lines: [String], json: String) {
    let planned = try Weekly.request(line, situation)
    guard case .command(let command, let key, base: _) = planned.request else { return ([], "") }
    let event = Event(
      seq: 30, transaction: TransactionID(UUID(high: 7, low: 2)), at: Weekly.now, by: user,
      key: other ?? key, ops: ops)
    let applied = AppliedEvent(event: event, changes: [], notifications: [])
    let outcome = PostEnds(
      of: planned.request, by: Demo.author,
      in: [.happened(.category(Demo.groceries), [applied], caughtUp: true)])
    var result = CommandResult(changed: true)
    if case .batch(let commands) = command {
      result = CommandResult(
        changed: true, parts: commands.map { _ in CommandPart(changed: true) })
    }
    let answer = ReplicaAnswer.command(result)
    let report = outcome.told(in: planned.report, situation)
    return (
      AnswerLines.lines(report, answer, situation, chat: false).map(\.plain),
      JSONOutput.answers(
        [(planned.report, answer)],
        noting: result.each.indices.map { ChangeNote(end: outcome.ends[$0]) })
    )
  }

  static let again =
    #","again":{"due":{"date":"2024-10-11"},"date":"2024-10-11","occurrence":8}"#
  static let rows: [(String, [Op], [String], [String])] = [
    ("done 1", [Weekly.over(Weekly.milk)], ["✔ #1 milk (again 10-11)"], [again]),
    (
      "done 2.2", [Weekly.salted, Weekly.over(Weekly.bread)],
      ["✔ 2.2 salt (#2 bread: again 10-11)"], [again]
    ),
    // Somebody added a step meanwhile: nothing is over.
    ("done 2.2", [Weekly.salted], ["✔ 2.2 salt"], [""]),
    // The last time of all.
    (
      "done 2.2", [Weekly.salted, Weekly.completed(Weekly.bread)],
      ["✔ 2.2 salt (#2 bread: all of it is done)"], [#","completed":true"#]
    ),
    ("done 1", [Weekly.completed(Weekly.milk)], ["✔ #1 milk"], [#","completed":true"#]),
    (
      "done 1 2.2", [Weekly.over(Weekly.milk), Weekly.salted, Weekly.over(Weekly.bread)],
      ["✔ #1 milk (again 10-11)", "✔ 2.2 salt (#2 bread: again 10-11)"], [again, again]
    ),
    ("done 2.2 1", [Weekly.salted], ["✔ 2.2 salt", "✔ #1 milk"], ["", ""]),
  ]

  @Test("in words of the command and as JSON, by its own event", arguments: rows)
  func tells(line: String, ops: [Op], lines: [String], json: [String]) throws {
    let told = try told(line, ops, Weekly.situation())
    #expect(told.lines == lines)
    let results = json.map { #"{"changed":true\#($0)}"# }.joined(separator: ",")
    #expect(told.json == #"{"ok":true,"results":[\#(results)]}"#)
  }

  @Test("the last part says when the post comes again, and an earlier one does not")
  func parts() throws {
    var situation = try Weekly.situation()
    _ = Demo.applied(
      .post(.edited(Weekly.milk, version: 3, PostEdit(mode: .set(.each)))), by: Demo.editor,
      &situation)
    let part = Op.post(.marked(Weekly.milk, version: 8, .partCompleted(Demo.author)))
    let first = try told("done 1", [part], situation)
    #expect(first.lines == ["✔ #1 milk: your part"])
    let last = try told("done 1", [part, Weekly.over(Weekly.milk)], situation)
    #expect(last.lines == ["✔ #1 milk: your part (again 10-11)"])
    #expect(last.json.contains(Self.again))
    let forGood = try told("done 1", [part, Weekly.completed(Weekly.milk)], situation)
    #expect(forGood.lines == ["✔ #1 milk: your part (all of it is done)"])
  }

  @Test("an event of somebody else, or of another command, says nothing of this one")
  func others() throws {
    let situation = try Weekly.situation()
    let ops = [Weekly.over(Weekly.milk)]
    #expect(try told("done 1", ops, situation, by: Demo.editor).lines == ["✔ #1 milk"])
    let key = try #require(CommandKey("another"))
    #expect(try told("done 1", ops, situation, key: key).lines == ["✔ #1 milk"])
  }

  @Test("a time that was left out is marked in JSON, and its line says it itself")
  func skipped() throws {
    let skip = NextOccurrence(
      7, .skipped(Stamp(at: Weekly.now, by: Demo.author)), Weekly.occurrence(8, in: 1))
    let op = Op.post(.occurred(Weekly.milk, version: 9, skip, Counters(open: 2, done: 1)))
    let told = try told("skip 1", [op], Weekly.situation())
    #expect(told.lines == ["↷ #1 milk: not this time (again 10-11)"])
    #expect(told.json.contains(Self.again))
  }

  @Test("a chat shows the step and the next time as two lines")
  func chat() throws {
    var situation = try Weekly.situation()
    let applied = Demo.applied(
      [Weekly.salted, Weekly.over(Weekly.bread)], by: Demo.author, &situation)
    let lines = EventLines(situation: situation).lines(
      applied, in: .category(Demo.groceries))
    #expect(
      lines.map(\.plain) == [
        "✔ 2.2 salt (bread, 2/2 steps in #groceries)", "✔ bread (again 10-11, in #groceries)",
      ])
  }

  @Test("without a connection the copies say what waits has ended")
  func waiting() throws {
    let before = try Weekly.situation()
    var after = before
    _ = Demo.applied([Weekly.salted, Weekly.over(Weekly.bread)], by: Demo.author, &after)
    guard
      case .command(let command, key: _, base: _) = try Weekly.request("done 2.2", before).request
    else { return }
    let outcome = PostEnds(of: command, from: before, to: after)
    #expect(outcome.lines(after).map(\.plain) == ["#2 bread: again 10-11"])
    #expect(PostEnds(of: command, from: before, to: before).lines(before).isEmpty)
  }
}

@Suite("the time after one that was done a moment ago")
struct HabitTests {
  private static let asked = "was done a moment ago, next is today: complete that one too?"

  private func problem(
    _ line: String, _ situation: Situation, seen: Situation? = nil, isMeant: Bool = false
  ) -> Problem? {
    do {
      _ = try Weekly.request(line, situation, seen: seen, isMeant: isMeant)
      return nil
    } catch {
      return error as? Problem ?? Problem("\(error)")
    }
  }

  static let rows: [(line: String, by: UserID, seconds: Int64, asks: Bool)] = [
    ("done 1", Demo.author, 0, true), ("done 1", Demo.author, 59, true),
    ("done 1", Demo.author, 60, false), ("done 1", Demo.author, 86_400, false),
    // The server's clock may be somewhat ahead of this machine's.
    ("done 1", Demo.author, -30, true),
    ("done 1", Demo.editor, 5, false), ("done #groceries 1", Demo.author, 5, true),
    ("done 1 all", Demo.author, 5, true), ("done 3 1", Demo.author, 5, true),
    // The last open step completes it, too.
    ("done 2.2", Demo.author, 5, true), ("done 2.1", Demo.author, 5, false),
    ("skip 1", Demo.author, 5, false), ("done 3", Demo.author, 5, false),
  ]

  @Test("is asked about by whoever has just done that one", arguments: rows)
  func asks(row: (line: String, by: UserID, seconds: Int64, asks: Bool)) throws {
    let situation = try Weekly.situation(last: (by: row.by, seconds: row.seconds))
    let title = row.line.contains("2.") ? "#2 bread" : "#1 milk"
    let expected = row.asks ? Problem("\(title) \(Self.asked)", remedy: .again) : nil
    #expect(problem(row.line, situation) == expected)
    // Whoever means it says so.
    #expect(problem(row.line, situation, isMeant: true) == nil)
  }

  @Test("somebody who was asked means the time on the screen, and no later one")
  func later() throws {
    let seen = try Weekly.situation(last: (by: Demo.author, seconds: 5))
    var now = seen
    _ = Demo.applied([Weekly.over(Weekly.milk)], by: Demo.editor, &now)
    #expect(problem("done 1", seen, seen: seen, isMeant: true) == nil)
    #expect(
      problem("done 1", now, seen: seen, isMeant: true)
        == Problem("somebody was faster: #1 is another time now; nothing was done"))
  }

  @Test("an event that this device heard counts by its own clock, whatever the stamp says")
  func heard() throws {
    var situation = try Weekly.situation()
    let old = Stamp(at: Demo.start, by: Demo.editor)
    let next = Weekly.occurrence(8, in: 1, last: old)
    let op = Op.post(
      .occurred(
        Weekly.milk, version: 9, NextOccurrence(7, .completed(old), next),
        Counters(open: 2, done: 1)))
    // An admin confirmed what the editor had submitted long ago.
    let confirmed = Demo.applied([op], by: Demo.author, &situation)
    #expect(problem("done 1", situation) == nil)
    situation.hear(endingsOf: confirmed.event, in: .category(Demo.groceries))
    #expect(problem("done 1", situation)?.remedy == .again)
    situation.clock = Clock(
      zone: "UTC", now: Timestamp(milliseconds: Weekly.now.milliseconds + 60_000))
    #expect(problem("done 1", situation) == nil)
  }

  @Test("a script has an exit status of its own for it")
  func status() {
    #expect(ExitCode.doneJustNow.rawValue == 5)
    #expect(Options.help.contains("--again"))
  }

  @Test(
    "Each kind of refusal has the exit status of what helps against it",
    arguments: ErrorKind.allCases)
  func statuses(_ kind: ErrorKind) {
    let error = ServerError(kind: kind, code: kind.code, retry: kind.retry, sentence: "")
    let status = ExitCode(.refused(error))
    switch kind {
    case .unauthenticated: #expect(status == .notSignedIn)
    case .unknownOutcome: #expect(status == .noConnection)
    case .rateLimited, .unavailable, .internal, .draining: #expect(status == .later)
    default: #expect(status == .refused)
    }
  }
}
