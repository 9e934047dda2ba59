import Domain

@testable import Wire

extension RandomValues {
  /// Gives a post a contest or none. Only a contest has a goal, entries and shares.
  mutating func enterContest(_ post: inout Post) {
    guard bool() else { return }
    post.contest = contest()
    post.goal = bool() ? goal() : nil
    post.entries = (0..<numbers.next() % 3).map { _ in contestEntry() }
    post.shares = (0..<numbers.next() % 3).map { _ in
      StepShare(step: StepID(uuid()), user: UserID(uuid()), seq: seq())
    }
  }

  mutating func contest() -> Contest { bool() ? .race : .coop }
  mutating func goal() -> Goal { Goal(amount: 1 + seq(), unit: string()) }

  /// Makes an entry with an amount, with a word about who is in, or with both.
  mutating func contestEntry() -> ContestEntry {
    let hasAmount = bool()
    let isIn: Bool? = !hasAmount || bool() ? bool() : nil
    return ContestEntry(
      user: UserID(uuid()), seq: seq(), amount: hasAmount ? 1 + seq() : 0, isIn: isIn)
  }

  mutating func contestOp() -> ContestOp {
    let user = UserID(uuid())
    let ops: [ContestOp] = [
      .joined(user), .withdrew(user), .reached(user, amount: seq(), was: bool() ? 0 : seq()),
      .claimed(StepID(uuid()), user), .released(StepID(uuid())),
    ]
    return ops[Int(numbers.next() % 5)]
  }
}
