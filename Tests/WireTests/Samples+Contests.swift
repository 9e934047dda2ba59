import Domain

@testable import Wire

// Races and coops (protocol §3.6), by the names of the vectors.

extension Samples {
  static let pages = Goal(amount: 300, unit: "pages")

  static let contestCommands: [Sample<Command>] = [
    contest("contest.join", .join, ifVersion: 3),
    contest("contest.withdraw", .withdraw, ifVersion: 3),
    contest("contest.reach", .reach(.init(120)), ifVersion: 3),
    contest("contest.reach: a correction", .reach(.init(0, isCorrection: true))),
    contest("contest.reach: for the owner of a bot", .reach(.init(120, user: ID.editor))),
    Sample(
      "contest.reach: in one occurrence",
      .changeOccurrence(ID.category, ID.post, 3, .reach(.init(120)))),
    contest("contest.claim", .claim(ID.step), ifVersion: 3),
    contest("contest.release", .release(ID.step), ifVersion: 3),
    edit("post.edit: a race with a goal", PostEdit(contest: .set(.race), goal: .set(pages))),
    edit("post.edit: a coop", PostEdit(contest: .set(.coop))),
    edit("post.edit: no contest any more", PostEdit(contest: .clear)),
    edit("post.edit: another goal from the beginning", restarted),
    Sample(
      "post.add: a race with a goal",
      .post(
        .add(
          PostAddress(category: ID.category, post: ID.post),
          NewPost(
            title: "Milk", fields: PostEdit(contest: .set(.race), goal: .set(pages)))))),
  ]

  private static let restarted: PostEdit = {
    var edit = PostEdit(goal: .set(Goal(amount: 1, unit: "km")))
    edit.restart = true
    return edit
  }()

  private static func contest(
    _ name: String, _ change: ContestChange, ifVersion: Int? = nil
  ) -> Sample<Command> {
    Sample(name, .post(.change(ID.category, ID.post, .contest(change), ifVersion: ifVersion)))
  }

  private static func edit(_ name: String, _ edit: PostEdit) -> Sample<Command> {
    Sample(name, .editPost(ID.category, ID.post, edit, ifVersion: nil))
  }

  static let contestObjects: [Sample<Object>] = [
    Sample("post: a race", .post(race)),
    Sample("post: a race without a goal", .post(freeRace)),
    Sample("post: a coop", .post(coop)),
    Sample("post: a race whose text is erased", Object.post(race).without(.post(ID.post))),
  ]

  /// A race in which one person is ahead, and one has withdrawn.
  static let race: Post = {
    var post = milk
    post.mode = .each
    post.contest = .race
    post.goal = pages
    post.parts = [PostPart(user: ID.author, at: ID.time(3), seq: 7)]
    post.entries = [
      ContestEntry(user: ID.author, seq: 7, amount: 300, isIn: true),
      ContestEntry(user: ID.editor, seq: 9, amount: 0, isIn: false),
    ]
    return post
  }()

  private static let freeRace: Post = {
    var post = milk
    post.mode = .each
    post.contest = .race
    return post
  }()

  static let coop: Post = {
    var post = milk
    post.steps = [
      Step(id: ID.step, content: "Oat milk"), Step(id: ID.otherStep, content: "Rye \"bread\""),
    ]
    post.contest = .coop
    post.goal = pages
    post.entries = [ContestEntry(user: ID.editor, seq: 9, amount: 120, isIn: nil)]
    post.shares = [
      StepShare(step: ID.step, user: ID.author, seq: 8),
      StepShare(step: ID.otherStep, user: ID.editor, seq: 10),
    ]
    return post
  }()

  static let contestOps: [Sample<Op>] = [
    op("contest.joined", .joined(ID.editor)),
    op("contest.withdrew", .withdrew(ID.editor)),
    op("contest.reached", .reached(ID.editor, amount: 120, was: 50)),
    op("contest.reached: for the first time", .reached(ID.editor, amount: 120, was: 0)),
    op("contest.reached: a correction", .reached(ID.editor, amount: 0, was: 120)),
    op("contest.claimed", .claimed(ID.step, ID.editor)),
    op("contest.released", .released(ID.step)),
    edited(
      "post.edited: a race with a goal",
      PostEdit(mode: .set(.each), contest: .set(.race), goal: .set(pages))),
    edited("post.edited: a goal whose unit is erased", PostEdit(goal: .set(erasedGoal))),
    edited("post.edited: no contest any more", PostEdit(mode: .clear, contest: .clear)),
  ]

  private static let erasedGoal = Goal(amount: 300, unit: "")

  private static func op(_ name: String, _ op: ContestOp) -> Sample<Op> {
    Sample(name, .post(.contest(ID.post, op)))
  }

  private static func edited(_ name: String, _ edit: PostEdit) -> Sample<Op> {
    Sample(name, .post(.edited(ID.post, version: 2, edit)))
  }
}
