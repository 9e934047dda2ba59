import Testing

@testable import Domain

private func runID(_ number: UInt64) -> RunID { RunID(UUID(high: 0xA, low: number)) }

extension Command {
  fileprivate static func start(
    _ number: UInt64 = 1, of post: PostID = 1, phase: String? = nil
  ) -> Command {
    .changeRun(1, post, runID(number), .start(lease: 60_000, phase: phase))
  }

  fileprivate static func phase(
    _ phase: String, _ number: UInt64 = 1, of post: PostID = 1
  ) -> Command {
    .changeRun(1, post, runID(number), .phase(phase))
  }

  fileprivate static func end(
    _ outcome: RunOutcome, _ text: String? = nil, _ number: UInt64 = 1, of post: PostID = 1
  ) -> Command {
    .changeRun(1, post, runID(number), .end(outcome, text: text))
  }
}

extension Scene {
  /// Returns the house with b and d (doers) and c (editor) in category 1, where post 1 is open.
  fileprivate static func atWork() -> Scene {
    var scene = Scene.house()
    let people: [(UserID, Role)] = [("b", .doer), ("d", .doer), ("c", .editor)]
    for (number, (user, role)) in people.enumerated() {
      scene.admit(user, to: .category(1), as: role, by: "a", number: 60 + number)
    }
    return scene
  }

  fileprivate var job: Post? { post(1, in: 1) }

  fileprivate mutating func pass(_ milliseconds: Int64) {
    now = Timestamp(milliseconds: now.milliseconds + milliseconds)
  }

  /// Writes as the system does; nil when there is nothing to write.
  @discardableResult
  fileprivate mutating func lose(_ number: UInt64 = 1, by user: UserID = "b") -> Op? {
    let lost = LiveRun(
      address: PostAddress(category: 1, post: 1), id: runID(number), user: user, lease: 60_000)
    let draft = answered { world throws(Halt) in try loseRun(lost, in: &world) }
    guard case .success(let draft?) = draft else { return nil }
    carryOut(Decision(drafts: [draft]), by: "a")
    return draft.ops.first
  }

  /// Returns what the newest event of the list tells a member.
  fileprivate func told(_ user: UserID) -> [Notification.Kind] {
    guard let event = events[.category(1)]?.last else { return [] }
    return notify(event, in: .category(1), viewer: Viewer(user: user, joinedSeq: 1)).map(\.kind)
  }

  fileprivate func conflict(_ command: Command, by user: UserID) -> String? {
    guard case .postConflict(let post, let sentence) = refusal(of: command, by: user) else {
      return nil
    }
    return post == self.post(1, in: 1) ? sentence : nil
  }
}

@Suite("protocol §5.15 runs") struct RunTests {
  @Test("A run starts, says its phases and ends, and the post stays as it was")
  func goes() throws {
    var scene = Scene.atWork()
    let before = try #require(scene.job)
    #expect(scene.must(.start(), by: "b").version == before.version)
    let seq = try #require(scene.heads[.category(1)]?.seq)
    var going = PostRun(id: runID(1), user: "b", startedAt: scene.now, seq: seq, lease: 60_000)
    #expect(scene.job?.run == going)
    scene.pass(1_000)
    scene.must(.phase("linking"), by: "b")
    going.phase = "linking"
    #expect(scene.job?.run == going)
    #expect(scene.changes(.phase("linking"), by: "b") == false)
    #expect(scene.told("c") == [], "only an end is news")
    scene.pass(3_000)
    scene.must(.end(.ok, "all green"), by: "b")
    let ended = try #require(scene.heads[.category(1)]?.seq)
    var after = before
    after.lastRun = EndedRun(
      id: runID(1), user: "b", outcome: .ok, startedAt: going.startedAt, endedAt: scene.now,
      seq: ended, text: "all green", usual: 4_000)
    #expect(scene.job == after, "no new version, and nothing else is different")
    #expect(scene.told("c") == [.runOk] && scene.told("b") == [])
    #expect(scene.changes(.end(.ok, "all green"), by: "b") == false, "the same once more")
    #expect(scene.conflict(.end(.failed), by: "b") == "This run has ended.")
    #expect(scene.conflict(.phase("late"), by: "b") == "This run has ended.")
    #expect(scene.refusal(of: .phase("late", 2), by: "b") == .notFound("run"))
    #expect(scene.refusal(of: .start(), by: "b") == .exists(field: "run"))
  }

  @Test("The usual time is an average of runs that ended well")
  func usual() {
    var scene = Scene.atWork()
    for (number, (milliseconds, outcome)) in [
      (8_000, RunOutcome.ok), (1_000, .failed), (4_000, .ok), (60_000, .cancelled),
    ].enumerated() {
      scene.must(.start(UInt64(number + 1)), by: "b")
      scene.pass(Int64(milliseconds))
      scene.must(.end(outcome, nil, UInt64(number + 1)), by: "b")
    }
    #expect(scene.job?.lastRun?.usual == 7_000, "(8 s × 3 + 4 s) / 4")
  }

  @Test("An end tells how it was, and that it is well again")
  func news() {
    var scene = Scene.atWork()
    let ends: [(RunOutcome, Notification.Kind)] = [
      (.ok, .runOk), (.failed, .runFailed), (.failed, .runFailed), (.ok, .runRecovered),
      (.ok, .runOk), (.cancelled, .runCancelled), (.ok, .runOk),
    ]
    for (number, (outcome, kind)) in ends.enumerated() {
      scene.must(.start(UInt64(number + 1)), by: "b")
      scene.must(.end(outcome, nil, UInt64(number + 1)), by: "b")
      #expect(scene.told("c") == [kind], "end \(number + 1)")
    }
    scene.must(.start(20), by: "b")
    #expect(scene.lose(20) != nil)
    #expect(scene.told("c") == [.runLost])
    scene.must(.start(21), by: "b")
    scene.must(.end(.ok, nil, 21), by: "b")
    #expect(scene.told("c") == [.runRecovered])
  }

  @Test("A post has one run, which belongs to who started it")
  func one() {
    var scene = Scene.atWork()
    scene.must(.start(), by: "b")
    #expect(scene.conflict(.start(2), by: "c") == "Another run of this post goes on.")
    #expect(scene.refusal(of: .start(1), by: "c") == .exists(field: "run"))
    #expect(scene.changes(.start(1), by: "b") == false, "the same run")
    for command in [Command.phase("x"), .end(.ok), .end(.failed), .end(.cancelled)] {
      guard case .forbidden = scene.refusal(of: command, by: "d") else {
        Issue.record("\(command) of a doer, about another's run")
        continue
      }
    }
    guard case .forbidden = scene.refusal(of: .end(.ok), by: "c") else {
      Issue.record("an editor does not know how it went")
      return
    }
    scene.must(.end(.cancelled), by: "c")
    scene.must(.member(.setRole(.category(1), "d", .viewer)), by: "a")
    guard case .forbidden = scene.refusal(of: .start(3), by: "d") else {
      Issue.record("a viewer has no runs")
      return
    }
    #expect(scene.job?.lastRun?.user == "b" && scene.job?.lastRun?.outcome == .cancelled)
  }

  @Test("A program that begins again has lost its run, and so has one without access")
  func again() {
    var scene = Scene.atWork()
    scene.must(.start(), by: "b")
    let decision = scene.must(.start(2), by: "b")
    #expect(decision.drafts[0].ops.count == 2)
    #expect(scene.job?.run?.id == runID(2) && scene.job?.lastRun?.outcome == .lost)
    scene.must(.member(.setRole(.category(1), "b", .commenter)), by: "a")
    scene.must(.start(3), by: "d")
    #expect(scene.job?.run?.user == "d" && scene.job?.lastRun?.id == runID(2))
    scene.must(.member(.remove(.category(1), "d")), by: "a")
    scene.admit("d", to: .category(1), as: .doer, by: "a", number: 90)
    scene.must(.start(4), by: "c")
    #expect(scene.job?.run?.user == "c", "who came in anew has none")
  }

  @Test("A run is lost once, and may turn out to be alive once")
  func lost() {
    var scene = Scene.atWork()
    scene.must(.start(), by: "b")
    #expect(scene.lose(2) == nil, "another run")
    #expect(scene.lose() != nil && scene.lose() == nil)
    #expect(scene.job?.lastRun?.outcome == .lost && scene.job?.run == nil)
    #expect(scene.conflict(.end(.ok), by: "c") == "This run has ended.")
    scene.must(.end(.ok, "late"), by: "b")
    #expect(scene.told("c") == [.runRecovered])
    #expect(scene.job?.lastRun?.outcome == .ok && scene.job?.lastRun?.usual == nil)
    #expect(scene.conflict(.end(.failed), by: "b") == "This run has ended.")
    scene.must(.start(2), by: "b")
    scene.must(.category(.remove(1)), by: "a")
    #expect(scene.lose(2) != nil, "also where nobody may change anything")
  }

  @Test("A run ends with what its post was for, without an outcome, and no undo brings it back")
  func ends() {
    for (command, row) in [
      (Command.completePost(1, 1, ifVersion: nil), "completed"),
      (.removePost(1, 1, ifVersion: nil), "removed"), (.movePost(1, 1, to: 2), "elsewhere"),
    ] {
      var scene = Scene.atWork()
      scene.admit("a", to: .category(2), as: .editor, by: "b", number: 91)
      scene.must(.start(), by: "b")
      scene.must(.end(.failed, "text"), by: "b")
      scene.must(.start(2), by: "b")
      scene.must(command, by: "a")
      #expect(scene.job?.run == nil, "\(row)")
      #expect(scene.post(1, in: 2)?.lastRun == nil, "\(row)")
      #expect(scene.lose(2) == nil, "\(row)")
      scene.must(.undo(UndoTarget(stream: .category(1), events: [scene.head], seen: nil)), by: "a")
      #expect(scene.job?.run == nil, "\(row)")
      if row != "elsewhere" { #expect(scene.job?.lastRun?.outcome == .failed, "\(row)") }
    }
    var scene = Scene.atWork()
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
    let closed = "This post is completed, so nothing runs for it."
    #expect(scene.conflict(.start(), by: "b") == closed)
    #expect(scene.conflict(.end(.ok), by: "b") == closed)
  }

  @Test("An undo of what came before leaves a run alone")
  func undo() {
    var scene = Scene.atWork()
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
    scene.must(.reopenPost(1, 1, ifVersion: nil), by: "a")
    let reopening = scene.head
    scene.must(.editPost(1, 1, PostEdit(title: "new"), ifVersion: nil), by: "a")
    let edit = scene.head
    scene.must(.start(), by: "b")
    scene.must(.undo(UndoTarget(stream: .category(1), events: [edit], seen: nil)), by: "a")
    #expect(scene.job?.run?.id == runID(1) && scene.job?.title != "new")
    scene.must(.undo(UndoTarget(stream: .category(1), events: [reopening], seen: nil)), by: "a")
    #expect(scene.job?.completed != nil && scene.job?.run == nil)
  }

  @Test("An undo takes back the completion behind an end, and not the end")
  func undoOfBatch() {
    var scene = Scene.atWork()
    scene.must(.start(), by: "b")
    let alone = UndoTarget(stream: .category(1), events: [scene.head], seen: nil)
    guard case .forbidden = scene.refusal(of: .undo(alone), by: "b") else {
      Issue.record("a run alone")
      return
    }
    scene.must(.batch([.end(.ok), .completePost(1, 1, ifVersion: nil)]), by: "b")
    let both = UndoTarget(stream: .category(1), events: [scene.head], seen: nil)
    #expect(scene.must(.undo(both), by: "b").skipped ?? [] == [])
    #expect(scene.job?.completed == nil && scene.job?.lastRun?.outcome == .ok)
  }

  @Test("Words of runs are erased with the others, and new ones end the mark of an erasing")
  func erasing() throws {
    var scene = Scene.atWork()
    scene.must(.start(phase: "secret"), by: "b")
    scene.must(.end(.failed, "secret"), by: "b")
    scene.must(.start(2, phase: "secret"), by: "b")
    scene.must(.erasePost(1, 1), by: "a")
    let post = try #require(scene.job)
    #expect(post.run?.phase == nil && post.lastRun?.text == nil && post.run != nil)
    #expect(post.erased != nil && scene.changes(.erasePost(1, 1), by: "a") == false)
    scene.must(.phase("secret", 2), by: "b")
    #expect(scene.job?.erased == nil)
    scene.must(.erasePost(1, 1), by: "a")
    #expect(scene.job?.run?.phase == nil)
    scene.must(.end(.ok, nil, 2), by: "b")
    #expect(scene.job?.erased != nil, "no words, so nothing to erase")
    let ops: [RunOp] = [
      .started(runID(1), "b", lease: 1, phase: "x"), .phase(runID(1), "x"),
      .ended(RunEnd(run: runID(1), user: "b", outcome: .ok, startedAt: scene.now, text: "x")),
    ]
    for op in ops {
      let erased = Op.run(1, op).family?.without(.post(1)) as? PostOp
      #expect(erased != .run(1, op) && erased != nil, "\(op)")
    }
  }

  @Test("Runs are one line, and a person whom a failure concerns has a line of it")
  func folding() {
    let kinds: [Notification.Kind] = [.runOk, .runFailed, .runOk, .runLost, .runRecovered]
    let all = kinds.enumerated().map { index, kind in
      Notification(
        kind: kind, stream: .category(1), seq: Int64(index + 2), opIndex: 0,
        at: Timestamp(milliseconds: Int64(index) * 3_600_000), by: kind == .runLost ? nil : "b",
        about: .category(1), post: PostID(index), user: "b")
    }
    #expect(NotificationFold.fold(all).map { $0.notifications.map(\.kind) } == [kinds])
    let own = NotificationFold.fold(all, concerns: { _ in true })
    #expect(
      own.map { $0.notifications.map(\.kind) }
        == [[.runFailed], [.runOk, .runOk], [.runLost], [.runRecovered]])
  }
}
