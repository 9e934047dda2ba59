import Domain

@testable import Wire

// Runs (protocol §5.15), by the names of the vectors.

extension Samples {
  static let runCommands: [Sample<Command>] = [
    run("run.start", .start(lease: 90_000, phase: fetching), ifVersion: 3),
    run("run.start: for ten minutes, without a phase", .start(lease: 600_000, phase: nil)),
    run("run.phase", .phase("Run the tests"), ifVersion: 3),
    run("run.end", .end(.ok, text: passed), ifVersion: 3),
    run("run.end: without a word", .end(.failed, text: nil)),
    run("run.end: cancelled", .end(.cancelled, text: nil)),
  ]

  private static func run(
    _ name: String, _ change: RunChange, ifVersion: Int? = nil
  ) -> Sample<Command> {
    Sample(name, .post(.change(ID.category, ID.post, .run(ID.run, change), ifVersion: ifVersion)))
  }

  private static let fetching = "Fetch the sources"
  private static let passed = "All 812 tests passed."

  /// A post with a run that goes on and one that ended before.
  static let running: Post = {
    var post = milk
    post.run = PostRun(
      id: ID.run, user: ID.editor, startedAt: ID.time(5), seq: 9, lease: 90_000, phase: fetching)
    post.lastRun = EndedRun(
      id: ID.otherRun, user: ID.editor, outcome: .ok, startedAt: ID.time(1), endedAt: ID.time(4),
      seq: 8, text: passed, usual: 3)
    return post
  }()

  static let runObjects: [Sample<Object>] = [
    Sample("post: a run of it goes on", .post(running)),
    Sample("post: its first run begins", .post(begun)),
    Sample("post: its last run was lost", .post(lost)),
  ]

  private static let begun: Post = {
    var post = running
    post.run?.phase = nil
    post.lastRun = nil
    return post
  }()

  private static let lost: Post = {
    var post = milk
    post.lastRun = EndedRun(
      id: ID.otherRun, user: ID.editor, outcome: .lost, startedAt: ID.time(1), endedAt: ID.time(4),
      seq: 8)
    return post
  }()

  static let runOps: [Sample<Op>] = [
    op("run.started", .started(ID.run, ID.editor, lease: 90_000, phase: fetching)),
    op("run.started: without a phase", .started(ID.run, ID.editor, lease: 90_000, phase: nil)),
    op("run.started: of an erased phase", .started(ID.run, ID.editor, lease: 90_000, phase: "")),
    op("run.phase", .phase(ID.run, "Run the tests")),
    op("run.phase: of an erased phase", .phase(ID.run, "")),
    op("run.ended", .ended(end(.ok, passed, usual: 184_000))),
    op("run.ended: after one that failed", .ended(end(.ok, usual: 184_000, recovers: true))),
    op("run.ended: lost", .ended(end(.lost))),
    op("run.ended: of an erased text", .ended(end(.failed, ""))),
    Sample(
      "post.restored: with the runs that it has by now",
      .post(.restored(running, Counters(open: 1, done: 0)))),
  ]

  private static func op(_ name: String, _ op: RunOp) -> Sample<Op> {
    Sample(name, .run(ID.post, op))
  }

  private static func end(
    _ outcome: RunOutcome, _ text: String? = nil, usual: Int64? = nil, recovers: Bool = false
  ) -> RunEnd {
    RunEnd(
      run: ID.run, user: ID.editor, outcome: outcome, startedAt: ID.time(5), text: text,
      usual: usual, recovers: recovers)
  }
}
