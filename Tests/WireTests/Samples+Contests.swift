import Domain

@testable import Wire

// Races and coops (protocol §5.21), by the names of the vectors.

extension Samples {
  static let pages = Goal(amount: 300, unit: "pages")

  static let contestCommands: [Sample<Command>] = [
    contest("contest.join", .join, ifVersion: 3),
    contest("contest.withdraw", .withdraw, ifVersion: 3),
    contest("contest.reach", .reach(.init(120)), ifVersion: 3),
    contest("contest.reach: nothing", .reach(.init(0, isCorrection: true))),
    contest("contest.reach: a bot for its owner", .reach(.init(120, user: ID.author))),
    Sample(
      "contest.reach: one occurrence",
      .post(
        .change(
          PostAddress(category: ID.category, post: ID.post),
          .occurrence(OccurrenceName(3, due: due), .reach(.init(120))), ifVersion: nil))),
    contest("contest.claim", .claim(ID.step), ifVersion: 3),
    contest("contest.release", .release(ID.step), ifVersion: 3),
    edit("post.edit: a coop that begins anew", PostEdit(contest: .set(.coop), restart: true)),
    edit("post.edit: no contest", PostEdit(contest: .clear)),
    edit("post.edit: no goal", PostEdit(goal: .clear)),
    Sample(
      "post.add: a coop with a goal",
      .post(
        .add(
          PostAddress(category: ID.category, post: ID.post),
          NewPost(
            title: "Read the book",
            fields: PostEdit(contest: .set(.coop), goal: .set(pages)))))),
  ]

  private static let due = Day("2026-12-24").map(Due.day)

  private static func contest(
    _ name: String, _ change: ContestChange, ifVersion: Int? = nil
  ) -> Sample<Command> {
    Sample(name, .contest(ID.category, ID.post, change, ifVersion: ifVersion))
  }

  private static func edit(_ name: String, _ edit: PostEdit) -> Sample<Command> {
    Sample(name, .editPost(ID.category, ID.post, edit, ifVersion: nil))
  }

  static let contestObjects: [Sample<Object>] = [
    Sample("post: a race", .post(book(as: .race))),
    Sample("post: a race with a goal, of which one has finished", .post(race)),
    Sample("post: a coop with claimed steps", .post(coop)),
    Sample("post: a coop, erased", .post(erasedCoop)),
  ]

  private static func book(as contest: Contest, goal: Goal? = nil) -> Post {
    var post = Post(
      id: ID.post, number: 1, title: "Read the book", notes: "", addedBy: ID.author,
      createdAt: ID.time(0), updatedAt: ID.time(0), version: 1)
    post.mode = contest == .race ? .each : nil
    post.contest = contest
    post.goal = goal
    return post
  }

  /// A race that one person has finished. A second is at it, and a third has withdrawn.
  static let race: Post = {
    var post = book(as: .race, goal: pages)
    post.parts = [PostPart(user: ID.author, at: ID.time(3), seq: 7)]
    post.entries = [
      ContestEntry(user: ID.author, seq: 7, amount: 300),
      ContestEntry(user: ID.editor, seq: 9, amount: 120, isIn: true),
      ContestEntry(user: UserID(ID.uuid(0xc3)), seq: 8, isIn: false),
    ]
    return post
  }()

  static let coop: Post = {
    var post = book(as: .coop)
    post.steps = [
      Step(id: ID.step, content: "Chapter 1"), Step(id: ID.otherStep, content: "Chapter 2"),
    ]
    post.shares = [
      StepShare(step: ID.step, user: ID.author, seq: 7),
      StepShare(step: ID.otherStep, user: ID.editor, seq: 8),
    ]
    return post
  }()

  static let begunRace: Post = {
    var post = book(as: .race, goal: pages)
    post.entries = [ContestEntry(user: ID.author, seq: 7, amount: 300)]
    return post
  }()

  static let takenCoop: Post = {
    var post = book(as: .coop)
    post.shares = [StepShare(step: ID.step, user: ID.author, seq: 7)]
    return post
  }()

  private static let erasedCoop: Post = {
    var post = book(as: .coop, goal: pages)
    post.entries = [ContestEntry(user: ID.editor, seq: 9, amount: 120)]
    post = post.withoutText
    post.erased = ID.stamp(5, ID.author)
    return post
  }()

  static let contestOps: [Sample<Op>] = [
    op("contest.joined", .joined(ID.editor)),
    op("contest.withdrew", .withdrew(ID.editor)),
    op("contest.reached: first", .reached(ID.editor, amount: 120, was: 0)),
    op("contest.reached", .reached(ID.editor, amount: 300, was: 120)),
    op("contest.reached: nothing any more", .reached(ID.editor, amount: 0, was: 300)),
    op("contest.claimed", .claimed(ID.step, ID.editor)),
    op("contest.released", .released(ID.step)),
    edited(
      "post.edited: a race",
      PostEdit(mode: .set(.each), contest: .set(.race), goal: .set(pages))),
    edited(
      "post.edited: another goal, of an erased unit",
      PostEdit(goal: .set(Goal(amount: 200, unit: "")))),
    edited("post.edited: no contest", PostEdit(mode: .clear, contest: .clear)),
  ]

  private static func op(_ name: String, _ op: ContestOp) -> Sample<Op> {
    Sample(name, .post(.contest(ID.post, op)))
  }

  private static func edited(_ name: String, _ edit: PostEdit) -> Sample<Op> {
    Sample(name, .post(.edited(ID.post, version: 2, edit)))
  }
}
