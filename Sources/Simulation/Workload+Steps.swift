import Domain

extension Workload {
  /// Changes the steps of a post that the device sees; mostly so that all of them are finished at times, and the post
  /// with them.
  mutating func change(
    stepOf post: Post, in category: CategoryID, ifVersion: Int?, _ world: Simulation
  ) -> Command {
    let steps = post.steps.map(\.id)
    guard let step = world.random.pick(steps), steps.count > 4 || world.random.happens(800) else {
      return .changeStep(
        category, post.id, StepID(world.random.uuid()), .add(content: name("step", world)),
        ifVersion: ifVersion)
    }
    let change: StepChange =
      switch world.random.below(10) {
      case 0, 1: .reopen
      case 2: .edit(content: name("step", world))
      case 3: .remove
      case 4: .move(before: world.random.pick(steps))
      default: .complete
      }
    return .changeStep(category, post.id, step, change, ifVersion: ifVersion)
  }

  /// Moves a post between two neighbours as the device sees them, or to an end.
  func move(
    _ post: Post, among posts: [Post], in category: CategoryID, ifVersion: Int?,
    _ world: Simulation
  ) -> Command? {
    let others = posts.filter { $0.id != post.id }.sorted { $0.stands(before: $1) }.map(\.id)
    guard !others.isEmpty else { return nil }
    let place = world.random.below(others.count + 1)
    return .movePost(
      category, post.id, after: place > 0 ? others[place - 1] : nil,
      before: place < others.count ? others[place] : nil, ifVersion: ifVersion)
  }
}
