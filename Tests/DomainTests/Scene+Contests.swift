import Testing

@testable import Domain

// Parts that the tests of races and coops share: the post is 1, in category 1.
extension Scene {
  /// Returns a scene with a race. a is the owner, b an editor, c and d are doers, v is a viewer, and x is b's bot and a
  /// doer. Without assignees a, b, c and d are in.
  static func race(_ assigned: [UserID] = ["c", "d"], goal: Int64? = 300) -> Scene {
    var scene = Scene.withPlayers()
    for user in assigned { scene.must(.post(.change(1, 1, .assign(user))), by: "a") }
    scene.amend(PostEdit(contest: .set(.race), goal: goal.wish))
    return scene
  }

  /// Returns a scene with a coop of the same people, and with the steps 1, 2 and 3.
  static func coop(goal: Int64? = 300) -> Scene {
    var scene = Scene.withPlayers()
    for step in 1...3 {
      scene.must(.changeStep(1, 1, StepID(step), .add(content: "s")), by: "a")
    }
    scene.amend(PostEdit(contest: .set(.coop), goal: goal.wish))
    return scene
  }

  /// Returns the same people with a post that is nothing special.
  static func withPlayers() -> Scene {
    var scene = Scene.house()
    scene.must(.account(.register(Registration("v"))), by: "v")
    let people: [(UserID, Role)] = [("b", .editor), ("c", .doer), ("d", .doer), ("v", .viewer)]
    for (number, (user, role)) in people.enumerated() {
      scene.admit(user, to: .category(1), as: role, by: "a", number: 960 + number)
    }
    scene.addBot("x", "nightly", of: "b")
    scene.admit("x", to: .category(1), as: .doer, by: "a", number: 970)
    return scene
  }

  var contested: Post? { post(1, in: 1) }
  var finishers: [UserID] { contested?.parts.map(\.user) ?? [] }
  var isOver: Bool { contested?.completed != nil }

  func amount(_ user: UserID) -> Int64? { contested?.amount(of: user) }

  /// Edits the post, and returns the ops.
  @discardableResult
  mutating func amend(
    _ edit: PostEdit, by user: UserID = "a", sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Op] {
    must(.editPost(1, 1, edit, ifVersion: nil), by: user, sourceLocation: sourceLocation)
      .drafts.flatMap(\.ops)
  }

  /// Does something in the contest, and returns the ops.
  @discardableResult
  mutating func play(
    _ change: ContestChange, by user: UserID, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Op] {
    must(.inContest(change), by: user, sourceLocation: sourceLocation).drafts.flatMap(\.ops)
  }

  /// Sets a person's own amount, and returns the ops.
  @discardableResult
  mutating func reach(
    _ amount: Int64, by user: UserID, correcting: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Op] {
    play(
      .reach(.init(amount, isCorrection: correcting)), by: user, sourceLocation: sourceLocation)
  }

  /// Puts somebody out and lets them in again.
  mutating func comeInAnew(_ user: UserID, as role: Role = .doer, number: Int) {
    must(.member(.remove(.category(1), user)), by: "a")
    admit(user, to: .category(1), as: role, by: "a", number: number)
  }

  /// Returns the sentence of a conflict that shows the post as it is now; nil when there is none.
  func conflict(of command: Command, by user: UserID) -> String? {
    guard case .postConflict(let post, let sentence) = refusal(of: command, by: user),
      post == contested
    else { return nil }
    return sentence
  }

  func conflict(of change: ContestChange, by user: UserID) -> String? {
    conflict(of: .inContest(change), by: user)
  }

  /// Returns whether it would change something; nil when it is refused.
  func alters(_ change: ContestChange, by user: UserID) -> Bool? {
    changes(.inContest(change), by: user)
  }

  func isForbidden(_ change: ContestChange, by user: UserID) -> Bool {
    guard case .forbidden = refusal(of: .inContest(change), by: user) else { return false }
    return true
  }

  /// Takes back one event of the list.
  @discardableResult
  mutating func takeBack(
    _ event: Int64, by user: UserID, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Decision {
    must(.takingBack(event), by: user, sourceLocation: sourceLocation)
  }

  /// Returns where these people stand; all parts of members count.
  func standing(of people: [UserID]) -> [RaceStanding] {
    contested?.standing(of: people) { part in
      member(part.user, of: .category(1))?.holds(part) == true
    } ?? []
  }

  /// Makes the post come again every day, before it is a contest. Returns the number of its occurrence.
  mutating func repeatDaily() throws -> Int {
    let wish = Repetition(try RecurrenceRule("FREQ=DAILY"), missed: .kept)
    amend(PostEdit(due: .set(.day(Day(number: 1_000))), repeats: .set(wish)))
    return contested?.occurrence?.number ?? 0
  }
}

extension Command {
  static func inContest(_ change: ContestChange) -> Command {
    .post(.change(1, 1, .contest(change)))
  }

  static func takingBack(_ event: Int64) -> Command {
    .undo(UndoTarget(stream: .category(1), events: [event], seen: nil))
  }

  static func amending(_ edit: PostEdit) -> Command { .editPost(1, 1, edit, ifVersion: nil) }
}

extension Optional where Wrapped == Int64 {
  fileprivate var wish: FieldChange<Goal> {
    map { .set(Goal(amount: $0, unit: "pages")) } ?? .keep
  }
}
