// Deadlines and reminders that could not be told: one that is refused, or whose post cannot be read, stays untold in the store, and
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

package typealias RefusedDeadlines = Refused<DuePost>
package typealias RefusedReminders = Refused<ReminderRow>

/// What is found as due in a store and told by a work.
package protocol Telling: Hashable, Sendable {
  /// In which they are told together, as far as they can be.
  static func works(for all: [Self]) -> [LedgerWork]
  /// Those that a work is to tell; nil when it tells others.
  static func told(by work: LedgerWork) -> [Self]?
}

extension DuePost: Telling {
  package static func works(for all: [DuePost]) -> [LedgerWork] { Deadlines.works(for: all) }

  package static func told(by work: LedgerWork) -> [DuePost]? {
    if case .tellOverdue(_, let posts) = work { posts } else { nil }
  }
}

extension ReminderRow: Telling {
  package static func works(for all: [ReminderRow]) -> [LedgerWork] {
    Deadlines.works(reminding: all)
  }

  package static func told(by work: LedgerWork) -> [ReminderRow]? {
    if case .remind(_, let rows) = work { rows } else { nil }
  }
}

/// Which of them are left out for now; one for each ledger.
package struct Refused<Item: Telling>: Sendable {
  private var alone: Set<Item> = []
  private var aside: Set<Item> = []
  /// Those that the operator was told of.
  private var told: Set<Item> = []
  /// By the clock that never jumps.
  private var again: Int64 = 0

  static var againMilliseconds: Int64 { 30_000 }
  /// Of what the operator was told; then it is told once more.
  private static var toldMax: Int { 1_000 }

  package init() {}

  /// How many are left out, of what is found.
  package var count: Int { aside.count }

  /// Tries what was left out again when it is time. Whether there was any.
  package mutating func look(machine: Int64) -> Bool {
    guard machine >= again, !aside.isEmpty || !alone.isEmpty else { return false }
    defer { (alone, aside) = ([], []) }
    return !aside.isEmpty
  }

  package func leavesOut(_ item: Item) -> Bool { aside.contains(item) }

  /// As `Deadlines.works`, of what is not left out.
  package func works(for all: [Item]) -> [LedgerWork] {
    let items = all.filter { !aside.contains($0) }
    return Item.works(for: items.filter { !alone.contains($0) })
      + items.filter { alone.contains($0) }.flatMap { Item.works(for: [$0]) }
  }

  /// What became of such works. Answers those that are left out for the first time.
  package mutating func note(
    _ works: [LedgerWork], _ turn: LedgerTurn, machine: Int64
  ) -> [Item] {
    switch turn.commit {
    case .failed, .unknown: return []
    case .nothing, .committed: break
    }
    var new: [Item] = []
    for (work, settlement) in zip(works, turn.settlements) {
      guard let items = Item.told(by: work), case .failure = settlement.result else { continue }
      again = machine + Self.againMilliseconds
      // When nothing at all could be told, perhaps nothing could be read: then it is not this one's fault.
      let isItsOwn =
        turn.commit != .nothing || settlement.isRefused || items.allSatisfy { told.contains($0) }
      guard items.count == 1, isItsOwn else {
        alone.formUnion(items)
        continue
      }
      aside.formUnion(items)
      if told.count >= Self.toldMax { told = [] }
      new += items.filter { told.insert($0).inserted }
    }
    return new
  }
}
