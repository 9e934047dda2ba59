import Domain
import Sync

extension Workload {
  /// Starts a run, tells its phase, or ends it. Leases last some of the time of the simulated world, so that many runs
  /// are lost. Sometimes somebody speaks of a run that is another's, or over by then.
  static func run(
    _ post: Post, among posts: [Post], in category: CategoryID, _ device: Device
  ) -> Command? {
    let world = device.world
    // A run is held to be lost for a short time only before something else is said of its post.
    let held = posts.filter { $0.lostRun(of: device.person.id) != nil }
    if let one = world.random.pick(held), let lost = one.lostRun(of: device.person.id),
      world.random.happens(400)
    {
      return .changeRun(category, one.id, lost, word(true, world))
    }
    let own = posts.filter { $0.isSpoken(of: device.person.id) }
    if let mine = world.random.pick(own), world.random.happens(260) {
      if let run = mine.run, world.random.happens(800) {
        return .changeRun(category, mine.id, run.id, word(false, world))
      }
      return start(mine.id, in: category, world)
    }
    guard world.random.happens(100) else { return nil }
    let known = [post.run?.id, post.lastRun?.id].compactMap(\.self)
    if let other = world.random.pick(known), world.random.happens(300) {
      return .changeRun(category, post.id, other, word(false, world))
    }
    return start(post.id, in: category, world)
  }

  private static func start(
    _ post: PostID, in category: CategoryID, _ world: Simulation
  ) -> Command {
    let lease = Int64(Limits.runLeaseMillisecondsMin) + Int64(world.random.below(5_000))
    let phase = world.random.happens(300) ? "beginning" : nil
    return .changeRun(
      category, post, RunID(world.random.uuid()), .start(lease: lease, phase: phase))
  }

  private static func word(_ isOver: Bool, _ world: Simulation) -> RunChange {
    if !isOver, world.random.happens(300) {
      return .phase(world.random.pick(["compiling", "linking", "testing"]) ?? "compiling")
    }
    let text = world.random.happens(300) ? "that is all" : nil
    return .end(world.random.pick(RunOutcome.told) ?? .ok, text: text)
  }
}

extension Post {
  /// Answers whether this person has something to say of the run: it goes on, or is held to be lost.
  fileprivate func isSpoken(of person: UserID) -> Bool {
    run?.user == person || lostRun(of: person) != nil
  }

  fileprivate func lostRun(of person: UserID) -> RunID? {
    guard let lastRun, lastRun.user == person, lastRun.outcome == .lost else { return nil }
    return lastRun.id
  }
}
