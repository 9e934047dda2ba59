import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("lines: runs of posts, and how they went")
struct RunLinesTests {
  private static let stream = StreamID.category(Demo.groceries)
  private static let run = RunID(UUID(high: 8, low: 1))
  private let milk = Demo.post(1, "").id
  private let bread = Demo.post(2, "").id

  private static let startedAt = Timestamp(milliseconds: 0)
  private static let endedAt = Timestamp(milliseconds: 245_000)

  private static func ended(
    _ outcome: RunOutcome, text: String? = nil, recovers: Bool = false
  ) -> RunOp {
    .ended(
      RunEnd(
        run: run, user: Demo.editor, outcome: outcome, startedAt: startedAt, text: text,
        recovers: recovers))
  }

  /// Returns the lines of an op about milk that happened at `endedAt`: of what happens now, or of a history.
  private func lines(_ op: RunOp, by user: UserID? = Demo.editor, past: Bool = false) -> [String] {
    var situation = Demo.situation()
    let event = Event(
      seq: 20, transaction: TransactionID(UUID(high: 7, low: 1)), at: Self.endedAt, by: user,
      key: nil, ops: [.run(milk, op)])
    let changes = situation.streams[Self.stream]?.apply(event) ?? []
    let applied = AppliedEvent(event: event, changes: changes, notifications: [])
    return EventLines(situation: situation, titles: [milk: "milk"], past: past ? [event] : nil)
      .lines(applied, in: Self.stream).map(\.plain)
  }

  // MARK: Events

  static let ends: [(RunOp, UserID?, String)] = [
    (ended(.ok), Demo.editor, "@editor ✔ ok after 4 min: milk (#1 in #groceries)"),
    (ended(.ok), Demo.author, "✔ ok after 4 min: milk (#1 in #groceries)"),
    (
      ended(.ok, text: "812 tests"), Demo.editor,
      "@editor ✔ ok after 4 min: milk (#1 in #groceries): 812 tests"
    ),
    (
      ended(.ok, recovers: true), Demo.editor,
      "@editor ✔ ok again, after 4 min: milk (#1 in #groceries)"
    ),
    (
      ended(.failed, text: "exit status 2"), Demo.editor,
      "@editor ✘ failed after 4 min: milk (#1 in #groceries): exit status 2"
    ),
    (
      ended(.failed, text: "failed with exit status 2"), Demo.editor,
      "@editor ✘ failed after 4 min: milk (#1 in #groceries): with exit status 2"
    ),
    (
      ended(.cancelled), Demo.author, "✘ cancelled after 4 min: milk (#1 in #groceries)"
    ),
    (ended(.lost), nil, "✘ the run of @editor is lost: milk (#1 in #groceries)"),
    // Its program has begun again.
    (ended(.lost), Demo.editor, "✘ the run of @editor is lost: milk (#1 in #groceries)"),
  ]

  @Test("an end is told when it happens and in a history", arguments: ends)
  func end(op: RunOp, by: UserID?, line: String) {
    #expect(lines(op, by: by) == [line])
    #expect(lines(op, by: by, past: true) == [line])
  }

  @Test("a beginning and a phase are told in a history only")
  func between() {
    let started = RunOp.started(Self.run, Demo.editor, lease: 60_000, phase: "compiling")
    let phase = RunOp.phase(Self.run, "linking")
    for op in [started, phase] { #expect(lines(op) == []) }
    #expect(lines(started, past: true) == ["@editor ▶ started a run: milk (#1 in #groceries)"])
    #expect(lines(phase, past: true) == ["@editor ▶ linking: milk (#1 in #groceries)"])
    #expect(lines(.phase(Self.run, ""), past: true) == [], "its text was erased")
  }

  // MARK: Posts

  /// Returns a situation three minutes after editor has begun a run of milk.
  private func running(
    phase: String? = nil, progress: Progress? = nil, by user: UserID = Demo.editor
  ) -> Situation {
    var situation = Demo.situation()
    _ = Demo.applied(
      .run(milk, .started(Self.run, user, lease: 60_000, phase: phase)), by: user, &situation)
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 185_000))
    if let progress {
      let topic = EphemeralTopic(stream: Self.stream, kind: .progress)
      // Somebody else at the post, and the same one at another, are not meant.
      let entries = [
        EphemeralEntry(user: Demo.author, post: milk, progress: Progress(done: 1)),
        EphemeralEntry(user: user, post: milk, progress: progress),
        EphemeralEntry(user: user, post: bread, progress: Progress(done: 2)),
      ]
      situation.ephemerals[topic] = EphemeralSet(
        stream: Self.stream, kind: .progress, count: entries.count, entries: entries)
    }
    return situation
  }

  private func mark(_ situation: Situation) throws -> String {
    let post = try #require(situation.streams[Self.stream]?.post(milk))
    return situation.runMark(of: post, in: Self.stream).plain
  }

  @Test("A run that goes on stands behind its post, with a bar, the phase and the time")
  func goesOn() throws {
    let rows: [(String?, Progress?, String)] = [
      (nil, nil, "running, 3 min"), ("linking", nil, "linking, 3 min"),
      ("linking", Progress(done: 64), "▓▓▓░ 64 % linking, 3 min"),
      ("linking", Progress(done: 37, of: 109, text: "[37/109]"), "▓░░░ 33 % linking, 3 min"),
      (nil, Progress(done: 0, text: "main.c"), "░░░░ 0 % main.c, 3 min"),
      (nil, Progress(done: 5, of: 5), "▓▓▓▓ 100 %, 3 min"),
    ]
    for (phase, progress, shown) in rows {
      let situation = running(phase: phase, progress: progress)
      #expect(try mark(situation) == "  ▶ \(shown)")
      let list = try #require(situation.openList)
      let shownRows = ListLines.posts(of: list, done: false, situation).map(\.plain)
      #expect(shownRows.contains { $0.hasSuffix("#1  milk  ▶ \(shown)") }, "\(shownRows)")
    }
  }

  /// Ends the run of milk at `endedAt`.
  private func take(_ end: RunEnd, _ situation: inout Situation) {
    let event = Event(
      seq: 21, transaction: TransactionID(UUID(high: 7, low: 2)), at: Self.endedAt, by: Demo.editor,
      key: nil, ops: [.run(milk, .ended(end))])
    _ = situation.streams[Self.stream]?.apply(event)
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 3_600_000))
  }

  private func last(_ outcome: RunOutcome, text: String? = nil, usual: Int64? = nil) -> RunEnd {
    RunEnd(
      run: Self.run, user: Demo.editor, outcome: outcome, startedAt: Self.startedAt, text: text,
      usual: usual)
  }

  @Test(
    "the usual time stands behind the time that it has taken, if it is a second at least",
    arguments: [(300_000, " of about 5 min"), (1_000, " of about 1 s"), (999, "")])
  func usual(milliseconds: Int64, words: String) throws {
    var situation = running()
    take(last(.ok, usual: milliseconds), &situation)
    let next = RunID(UUID(high: 8, low: 2))
    _ = Demo.applied(
      .run(milk, .started(next, Demo.editor, lease: 60_000, phase: "linking")), by: Demo.editor,
      &situation)
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 185_000))
    #expect(try mark(situation) == "  ▶ linking, 3 min\(words)")
  }

  @Test("the end of the last run stands behind the post until that is completed")
  func over() throws {
    for (outcome, text, shown) in [
      (.ok, nil, "  ✔ ok, 00:04"), (.failed, "exit status 2", "  ✘ failed: exit status 2, 00:04"),
      (.failed, "failed with exit status 2", "  ✘ failed with exit status 2, 00:04"),
      (.cancelled, nil, "  ✘ cancelled, 00:04"), (.lost, nil, "  ✘ lost, 00:04"),
    ] as [(RunOutcome, String?, String)] {
      var situation = running(phase: "linking")
      take(last(outcome, text: text), &situation)
      #expect(try mark(situation) == shown)
      let op = PostOp.completed(
        milk, version: 2, Stamp(at: Self.endedAt, by: Demo.editor), Counters(open: 1, done: 2))
      _ = Demo.applied(.post(op), by: Demo.editor, &situation)
      #expect(try mark(situation).isEmpty)
    }
    #expect(try mark(Demo.situation()).isEmpty)
  }

  @Test("a run of somebody who is no member any more does not show")
  func gone() throws {
    var situation = running(phase: "linking")
    _ = Demo.applied(.member(.removed(Demo.editor, .left)), by: Demo.editor, &situation)
    #expect(try mark(situation).isEmpty)
    let list = try #require(situation.openList)
    #expect(!JSONOutput.view(.posts(list, done: false), situation).contains(#""run""#))
  }

  @Test("bars and times are short")
  func words() {
    for (percent, bar) in [
      (0, "░░░░"), (12, "░░░░"), (13, "▓░░░"), (50, "▓▓░░"), (64, "▓▓▓░"), (87, "▓▓▓░"),
      (88, "▓▓▓▓"), (100, "▓▓▓▓"),
    ] {
      #expect(RunTime.bar(Progress(done: percent)) == bar, "\(percent)")
    }
    for (seconds, words) in [
      (-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min"), (3_599, "59 min"), (3_600, "1 h"),
      (7_500, "2 h 5 min"), (172_799, "47 h 59 min"), (172_800, "2 days"), (604_800, "7 days"),
    ] as [(Int64, String)] {
      #expect(RunTime.words(seconds * 1_000) == words)
    }
  }

  // MARK: Scripts

  @Test("--json has the run that goes on, and the last one")
  func json() throws {
    var situation = running(phase: "linking", progress: Progress(done: 64))
    let list = try #require(situation.openList)
    let live = JSONOutput.view(.posts(list, done: false), situation)
    let by = #""by":\#(Demo.person(Demo.editor))"#
    #expect(live.contains(#""run":{\#(by),"startedAt":0,"phase":"linking","percent":64}"#))
    #expect(!live.contains("lastRun"))
    take(last(.failed, text: "exit status 2", usual: 300_000), &situation)
    let over = JSONOutput.view(.posts(list, done: false), situation)
    let told =
      #""lastRun":{\#(by),"outcome":"failed","startedAt":0,"endedAt":245000,"#
      + #""text":"exit status 2","usualMs":300000}"#
    #expect(over.contains(told), "\(over)")
    #expect(!over.contains(#""run":"#))
    take(last(.lost), &situation)
    let lost = JSONOutput.view(.posts(list, done: false), situation)
    let end = #""outcome":"lost","startedAt":0,"endedAt":245000"#
    #expect(lost.contains(#""lastRun":{\#(by),\#(end)}"#))
  }

  // MARK: News

  private func note(
    _ kind: Notification.Kind, _ seq: Int64, of post: Int, by user: UserID? = Demo.editor
  ) -> Notification {
    Notification(
      kind: kind, stream: Self.stream, seq: seq, opIndex: 0,
      at: Timestamp(milliseconds: seq * 3_600_000), by: user, about: Self.stream,
      post: Demo.post(post, "").id, user: Demo.editor)
  }

  /// Returns the lines of `n` for these, the oldest first.
  private func news(_ notes: [Notification], _ situation: Situation) -> [String] {
    let list = UnreadList(
      stream: Self.stream, name: "groceries", unread: Unread(count: notes.count, more: false),
      notifications: notes.reversed())
    let result = NotificationsResult(
      lists: [list], directed: [], today: DayTotal(done: 0, of: 0))
    return ListLines.news(result, situation).map(\.plain).dropFirst().map { $0 }
  }

  /// The runs of one night: milk failed, and five others went well.
  private var night: [Notification] {
    [note(.runOk, 1, of: 2), note(.runFailed, 2, of: 1)]
      + (3...6).map { note(.runOk, Int64($0), of: $0) }
  }

  @Test("the runs of a bot are one line for those whom their posts do not concern")
  func folded() {
    let situation = Demo.situation()
    #expect(news(night, situation) == ["  06:00 @editor ✘ runs: 1 failed, 5 ok: 6 posts"])
    let others = [note(.runLost, 1, of: 1, by: nil), note(.runRecovered, 2, of: 2)]
    #expect(
      news(others, situation)
        == ["  02:00 @editor ✘ runs: 1 lost, 1 ok again: 2 posts: milk, bread"])
    #expect(news([note(.runOk, 1, of: 1)], situation) == ["  01:00 @editor ✔ ok: milk"])
    #expect(
      news([note(.runCancelled, 1, of: 1)], situation) == ["  01:00 @editor ✘ cancelled: milk"])
    // The newest of a kind stands for the others of its post.
    let again = (1...3).map { note(.runFailed, Int64($0), of: 1) }
    #expect(news(again, situation) == ["  03:00 @editor ✘ failed: milk"])
  }

  @Test("A failure has a line of its own for a person who has to do the post or watches it")
  func concerned() throws {
    var assigned = Demo.situation()
    _ = Demo.applied(
      .post(.marked(milk, version: 2, .assigned(Demo.author))), by: Demo.editor, &assigned)
    var watched = Demo.situation()
    let address = PostAddress(category: Demo.groceries, post: milk)
    var personal = Personal(address)
    personal.watch = true
    _ = Demo.applied(
      .personal(.edited(address, PersonalEdit(from: Personal(address), to: personal))),
      by: Demo.author, in: .user(Demo.author), &watched)
    for situation in [assigned, watched] {
      #expect(
        news(night, situation)
          == ["  02:00 @editor ✘ failed: milk", "  06:00 @editor ✔ runs: 5 ok: 5 posts"])
      let lost = [note(.runLost, 1, of: 1, by: nil), note(.runRecovered, 2, of: 1)]
      #expect(
        news(lost, situation)
          == ["  01:00 @editor ✘ lost: milk", "  02:00 @editor ✔ ok again: milk"])
      #expect(
        news([note(.runOk, 1, of: 1), note(.runOk, 2, of: 2)], situation)
          == ["  02:00 @editor ✔ runs: 2 ok: 2 posts: milk, bread"], "what went well waits")
    }
  }
}
