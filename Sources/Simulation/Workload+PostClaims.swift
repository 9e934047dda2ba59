import Domain
import Sync

extension Workload {
  /// Claims a post, gives it back, or claims the next one. A claim lasts some seconds of the simulated world, so that
  /// most claims end by themselves.
  static func lease(_ post: Post, in category: CategoryID, _ world: Simulation) -> Command? {
    guard world.random.happens(90) else { return nil }
    let milliseconds = Int64(world.random.between(1_000, 20_000))
    switch world.random.below(8) {
    case 0, 1: return .post(.change(category, post.id, .release))
    case 2, 3, 4: return .post(.claimNext(category, milliseconds: milliseconds))
    default: return .post(.change(category, post.id, .claim(milliseconds: milliseconds)))
    }
  }
}
