// Deadlines that could not be told: one that is refused, or whose post cannot be read, stays untold in the store, and
// whoever asks for the earliest finds it again. So that it keeps no other from being told, it is told alone from then on, and
// left out for a while when that is refused, too. A commit that failed is nobody's fault and changes nothing here.

import Domain
import Wire

extension Settlement {
  /// By the rules, not by what the store could not do.
  fileprivate var isRefused: Bool {
    if case .failure(.refused) = result { true } else { false }
  }
}

/// Which deadlines are left out for now; one for each ledger.
package struct RefusedDeadlines: Sendable {
  private var alone: Set<DuePost> = []
  private var aside: Set<DuePost> = []
  /// Those that the operator was told of.
  private var told: Set<DuePost> = []
  /// By the clock that never jumps.
  private var again: Int64 = 0

  static let againMilliseconds: Int64 = 30_000
  /// Of what the operator was told; then it is told once more.
  private static let toldMax = 1_000

  package init() {}

  /// How many are left out, of what is found.
  package var count: Int { aside.count }

  /// Tries what was left out again when it is time. Whether there was any.
  package mutating func look(machine: Int64) -> Bool {
    guard machine >= again, !aside.isEmpty || !alone.isEmpty else { return false }
    defer { (alone, aside) = ([], []) }
    return !aside.isEmpty
  }

  package func leavesOut(_ post: DuePost) -> Bool { aside.contains(post) }

  /// As `Deadlines.works`, of what is not left out.
  package func works(for posts: [DuePost]) -> [LedgerWork] {
    let posts = posts.filter { !aside.contains($0) }
    return Deadlines.works(for: posts.filter { !alone.contains($0) })
      + posts.filter { alone.contains($0) }.map { .tellOverdue($0.category, [$0]) }
  }

  /// What became of such works. Answers those that are left out for the first time.
  package mutating func note(
    _ works: [LedgerWork], _ turn: LedgerTurn, machine: Int64
  ) -> [DuePost] {
    switch turn.commit {
    case .failed, .unknown: return []
    case .nothing, .committed: break
    }
    var new: [DuePost] = []
    for (work, settlement) in zip(works, turn.settlements) {
      guard case .tellOverdue(_, let posts) = work, case .failure = settlement.result else {
        continue
      }
      again = machine + RefusedDeadlines.againMilliseconds
      // When nothing at all could be told, perhaps nothing could be read: then it is not this post's fault.
      let isItsOwn =
        turn.commit != .nothing || settlement.isRefused || posts.allSatisfy { told.contains($0) }
      guard posts.count == 1, isItsOwn else {
        alone.formUnion(posts)
        continue
      }
      aside.formUnion(posts)
      if told.count >= RefusedDeadlines.toldMax { told = [] }
      new += posts.filter { told.insert($0).inserted }
    }
    return new
  }
}
