import Client
import Domain

extension Workload {
  /// Returns a command about a contest that this client sees, or one that makes the post a contest. Goals are low, so
  /// that many are reached in a run.
  mutating func contest(_ list: List, _ post: Post) -> Command {
    let contests = list.posts.filter { $0.contest != nil && $0.completed == nil }
      .sorted { $0.id < $1.id }
    guard let it = contests.randomElement(using: &random), random.percent(80) else {
      return .editPost(list.id, post.id, beginning(), ifVersion: nil)
    }
    switch random.below(8) {
    case 0: return change(it, list, .join)
    case 1: return change(it, list, .withdraw)
    case 2, 3:
      if let step = it.steps.map(\.id).randomElement(using: &random) {
        return change(it, list, random.percent(70) ? .claim(step) : .release(step))
      }
      let add = StepChange.add(content: "step \(random.below(1_000))")
      return .changeStep(list.id, it.id, StepID(Identifiers.make()), add)
    default:
      let amount = Int64(1 + random.below(30))
      return reach(amount, in: it, list, isCorrection: random.percent(30))
    }
  }

  /// Returns an amount of this client's own, in the occurrence that it sees.
  private func reach(
    _ amount: Int64, in post: Post, _ list: List, isCorrection: Bool
  ) -> Command {
    guard let occurrence = post.occurrence else {
      return change(post, list, .reach(.init(amount, isCorrection: isCorrection)))
    }
    return .changeOccurrence(
      list.id, post.id, occurrence.number, .reach(.init(amount, isCorrection: isCorrection)))
  }

  private func change(_ post: Post, _ list: List, _ change: ContestChange) -> Command {
    .post(.change(list.id, post.id, .contest(change)))
  }

  private mutating func beginning() -> PostEdit {
    let goal = Goal(amount: Int64(10 + random.below(20)), unit: "pages")
    var edit = PostEdit(contest: .set(random.percent(50) ? .race : .coop), goal: .set(goal))
    if random.percent(10) { edit = PostEdit(contest: .clear) }
    edit.restart = random.percent(50)
    return edit
  }
}
