import Domain
import Testing

@testable import Sync

extension RandomHistory {
  /// Makes a post a race or a coop, or ends that; also while there is work, with and without a restart.
  mutating func beginContest(_ post: PostID, in category: CategoryID) -> Command {
    let goal = Goal(amount: pick([10, 20]), unit: pick(["km", "pages"]))
    var edit: PostEdit = pick([
      PostEdit(contest: .set(.race), goal: .set(goal)), PostEdit(contest: .set(.race)),
      PostEdit(contest: .set(.coop), goal: .set(goal)), PostEdit(contest: .clear),
      PostEdit(goal: pick([.clear, .set(goal)])),
    ])
    edit.restart = pick([false, false, true])
    return .editPost(category, post, edit, ifVersion: nil)
  }

  /// Returns what somebody does in a contest, mostly in one that there is. Goals are low, so that many are reached.
  mutating func contest(_ post: PostID, in category: CategoryID) -> Command {
    let contests = bench.objects(.post, in: .category(category)).compactMap { object -> Post? in
      guard case .post(let it) = object, it.contest != nil else { return nil }
      return it
    }.sorted { $0.id < $1.id }
    guard !contests.isEmpty else { return beginContest(post, in: category) }
    let it = pick(contests)
    let reach = ContestChange.reach(
      .init(pick([1, 5, 9, 10, 20]), isCorrection: pick([false, false, true])))
    if case .reach(let wish) = reach, let occurrence = it.occurrence?.number,
      pick([true, true, false])
    {
      return .changeOccurrence(category, it.id, occurrence, .reach(wish))
    }
    let step = StepID(pick([1, 2, 3]))
    let change: ContestChange = pick([
      .join, .withdraw, reach, reach, reach, .claim(step), .claim(step), .release(step),
    ])
    return .post(.change(category, it.id, .contest(change), ifVersion: pick([nil, nil, nil, 2])))
  }
}
