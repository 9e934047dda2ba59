// People make posts races and coops, play them, and begin them again. Goals are low, so that many are reached, and most
// races are of few people, so that many are over.

import Domain
import Sync

extension Workload {
  /// Returns something that somebody does about a contest; mostly nil.
  static func contest(
    _ post: Post, among posts: [Post], in category: CategoryID, _ device: Device
  ) -> Command? {
    let world = device.world
    let contests = posts.filter { $0.contest != nil && $0.removed == nil }
    let open = contests.filter { $0.completed == nil }
    guard let it = world.random.pick(world.random.happens(850) ? open : contests),
      world.random.happens(300)
    else {
      guard world.random.happens(contests.count < 3 ? 90 : 15) else { return nil }
      return .editPost(category, post.id, beginning(world), ifVersion: nil)
    }
    switch world.random.below(20) {
    case 0: return change(it, in: category, .join)
    case 1: return change(it, in: category, .withdraw)
    case 2: return .editPost(category, it.id, restart(of: it, world), ifVersion: nil)
    case 3...12 where it.contest == .coop: return share(it, in: category, device)
    default: return reach(it, in: category, device)
    }
  }

  private static func change(
    _ post: Post, in category: CategoryID, _ change: ContestChange
  ) -> Command {
    .post(.change(category, post.id, .contest(change)))
  }

  /// Claims a step, or gives one back: mostly one's own. A coop without steps gets one.
  private static func share(
    _ post: Post, in category: CategoryID, _ device: Device
  ) -> Command? {
    let world = device.world
    let own = post.shares.filter { $0.user == device.person.id }.map(\.step)
    let held = world.random.happens(700) ? own : post.shares.map(\.step)
    if world.random.happens(300), let step = world.random.pick(held) {
      return change(post, in: category, .release(step))
    }
    let open = post.steps.filter { $0.finished == nil }.map(\.id)
    guard let step = world.random.pick(world.random.happens(900) ? open : post.steps.map(\.id))
    else {
      let step = StepID(world.random.uuid())
      return .changeStep(category, post.id, step, .add(content: "step to share"))
    }
    return change(post, in: category, .claim(step))
  }

  /// Says how far the person is, or a program how far its owner is.
  private static func reach(
    _ post: Post, in category: CategoryID, _ device: Device
  ) -> Command? {
    let world = device.world
    let owner = device.isProgram ? world.truth.accounts[device.person.id]?.owner : nil
    let named = world.random.happens(600) ? owner : nil
    let now = post.amount(of: named ?? device.person.id)
    let goal = post.goal?.amount ?? 10
    let amount: Int64
    switch world.random.below(10) {
    case 0...3: amount = goal
    case 4: amount = max(0, now - world.random.between(0, 5))
    default: amount = now + world.random.between(1, 5)
    }
    let corrects = world.random.happens(amount < now ? 800 : 100)
    guard let occurrence = post.occurrence, post.completed == nil else {
      return change(
        post, in: category, .reach(.init(amount, isCorrection: corrects, user: named)))
    }
    return .changeOccurrence(
      category, post.id, occurrence.number,
      .reach(.init(amount, isCorrection: corrects, user: named)))
  }

  private static func beginning(_ world: Simulation) -> PostEdit {
    let contest: Contest = world.random.happens(600) ? .race : .coop
    var edit = PostEdit(
      contest: .set(contest), goal: world.random.happens(900) ? .set(goal(world)) : .keep)
    edit.restart = world.random.happens(300)
    return edit
  }

  /// Changes the goal, the kind of the contest, or ends it. Most of these say that the work may be taken back.
  private static func restart(of post: Post, _ world: Simulation) -> PostEdit {
    var edit: PostEdit
    switch world.random.below(4) {
    case 0: edit = PostEdit(contest: .set(post.contest == .race ? .coop : .race))
    case 1: edit = PostEdit(contest: .clear)
    default: edit = PostEdit(goal: .set(goal(world)))
    }
    edit.restart = world.random.happens(700)
    return edit
  }

  private static func goal(_ world: Simulation) -> Goal {
    Goal(
      amount: world.random.between(3, 12), unit: world.random.pick(["pages", "km"]) ?? "pages")
  }
}
