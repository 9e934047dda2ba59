// Takes back what an event did to the amounts in a contest. Each person's amount is a field of the post by itself: it
// goes back only if it still is as the event made it. Who joined, who withdrew and who took a step stays as it is.

extension Post {
  /// How far each person is who has said it.
  var amounts: [UserID: Int64] {
    entries.isEmpty
      ? [:]
      : Dictionary(
        entries.filter { $0.amount > 0 }.map { ($0.user, $0.amount) },
        uniquingKeysWith: { first, _ in first })
  }

  func hasContest(of other: Post) -> Bool { contest == other.contest && goal == other.goal }

  /// Takes back amounts. They count for one occurrence and one goal: those of another stay.
  mutating func takeBackAmounts(_ after: Post, to before: Post) -> Bool {
    let (old, made) = (before.amounts, after.amounts)
    let changed = Set(old.keys).union(made.keys).filter { old[$0] != made[$0] }
    guard occurrence?.number == before.occurrence?.number, mode == before.mode,
      hasContest(of: before)
    else { return changed.allSatisfy { amount(of: $0) == old[$0] ?? 0 } }
    var isDone = true
    for user in changed.sorted() {
      let (was, now) = (old[user] ?? 0, amount(of: user))
      guard now != was else { continue }
      guard now == made[user] ?? 0, hasRoom(for: user) else {
        isDone = false
        continue
      }
      set(was, of: user)
    }
    return isDone
  }

  private mutating func set(_ amount: Int64, of user: UserID) {
    let known = entries.first { $0.user == user }
    entries = entries.with(
      ContestEntry(user: user, seq: known?.seq ?? 0, amount: amount, isIn: known?.isIn))
  }

  /// Takes the amounts of the other post.
  mutating func keepAmounts(of other: Post) {
    guard contest != nil else { return }
    entries = other.entries
    shares = other.shares
  }

  /// Keeps mode, contest and goal of the post as it is now, with all that was done, where they should not go back: what
  /// went back of them does not fit together (a race is for each, and a coop is not), or people have done something
  /// under them since the event. False then.
  mutating func keepContest(of now: Post, since after: Post) -> Bool {
    let isFit =
      switch contest {
      case .race: mode == .each
      case .coop: mode == nil
      case nil: true
      }
    let isOther = mode != now.mode || !hasContest(of: now)
    let isContest = contest != nil || now.contest != nil
    guard !isFit || isOther && isContest && now.hasWork(since: after) else { return true }
    mode = now.mode
    modeRole = now.modeRole
    parts = now.parts
    contesting = now.contesting
    return false
  }

  /// Answers whether people have done something of the contest, or their part, that they had not done after the event.
  func hasWork(since after: Post) -> Bool {
    parts != after.parts || amounts != after.amounts || shares != after.shares
  }

  /// The post open, where amounts reached the goal of a coop and do so no more. Amounts that were said when the post
  /// was completed already did not complete it, so the caller leaves those out. `present` is the post as it is now.
  func openedBelowGoal(from present: Post) -> Post {
    guard contest == .coop, let goal, completed != nil, completed == present.completed,
      present.contestTotal >= goal.amount, contestTotal < goal.amount
    else { return self }
    return opened
  }

  /// Returns the ops that bring the amounts to those of the other, by user.
  func amounts(to wanted: Post) -> [ContestOp] {
    amountsUnlike(wanted).map {
      .reached($0, amount: wanted.amount(of: $0), was: amount(of: $0))
    }
  }

  /// Returns the people whose amounts differ.
  func amountsUnlike(_ other: Post) -> [UserID] {
    let (mine, theirs) = (amounts, other.amounts)
    return Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.sorted()
  }
}
