// What was found in the store and could not be done: one that is refused, or whose post cannot be read, stays as it
// is in the store, and whoever asks for the earliest finds it again. So that it keeps no other from being told, it is
// told alone from then on, and left out for a while when that does not work either. A commit that failed is nobody's
// fault and changes nothing here.

package import Domain
import Wire

extension Settlement {
  /// By the rules, not by what the store could not do.
  fileprivate var isRefused: Bool {
    if case .failure(.refused) = result { true } else { false }
  }
}

package typealias RefusedDeadlines = Refused<DuePost>
package typealias RefusedReminders = Refused<ReminderRow>
package typealias RefusedChecks = Refused<ReminderCheckPart>
package typealias RefusedClaims = Refused<EndedClaim>
package typealias RefusedPurges = Refused<BinnedPost>

/// What is found in a store and seen to by a work.
package protocol Telling: Sendable {
  /// By which it is known when it is found again.
  associatedtype Mark: Hashable, Sendable
  var mark: Mark { get }
  /// In which they are seen to together, as far as they can be.
  static func works(for all: [Self]) -> [LedgerWork]
  /// Those that a work sees to; nil when it sees to others.
  static func told(by work: LedgerWork) -> [Mark]?
}

extension DuePost: Telling {
  package var mark: DuePost { self }
  package static func works(for all: [DuePost]) -> [LedgerWork] { Deadlines.works(for: all) }

  package static func told(by work: LedgerWork) -> [DuePost]? {
    if case .tellOverdue(_, let posts) = work { posts } else { nil }
  }
}

extension ReminderRow: Telling {
  package var mark: ReminderRow { self }
  package static func works(for all: [ReminderRow]) -> [LedgerWork] {
    Deadlines.works(reminding: all)
  }

  package static func told(by work: LedgerWork) -> [ReminderRow]? {
    if case .remind(_, let rows) = work { rows } else { nil }
  }
}

extension ReminderCheckPart: Telling {
  package var mark: ReminderSubject { check.subject }
  package static func works(for all: [ReminderCheckPart]) -> [LedgerWork] {
    all.isEmpty ? [] : [.checkReminders(all)]
  }

  package static func told(by work: LedgerWork) -> [ReminderSubject]? {
    if case .checkReminders(let parts) = work { parts.map(\.mark) } else { nil }
  }
}

extension EndedClaim: Telling {
  package var mark: PostAddress { PostAddress(category: category, post: post) }
  package static func works(for all: [EndedClaim]) -> [LedgerWork] { Leases.works(for: all) }

  package static func told(by work: LedgerWork) -> [PostAddress]? {
    guard case .endClaims(let list, let posts) = work else { return nil }
    return posts.map { PostAddress(category: list, post: $0) }
  }
}

/// Which of them are left out for now; one for each ledger.
package struct Refused<Item: Telling>: Equatable, Sendable {
  /// And how often each has failed.
  private var alone: [Item.Mark: Int] = [:]
  package private(set) var aside: Set<Item.Mark> = []
  /// Those that the operator was told of.
  private var told: Set<Item.Mark> = []
  /// By the clock that never jumps.
  private var again: Int64 = 0

  static var againMilliseconds: Int64 { 30_000 }
  /// Of what the operator was told; then it is told once more.
  private static var toldMax: Int { 1_000 }
  /// A single one that fails so often is at fault itself, though nothing else shows that the store can be read.
  private static var failuresMax: Int { 3 }

  package init() {}

  /// How many are left out, of what is found.
  package var count: Int { aside.count }

  /// Tries what was left out again when it is time. Whether there was any.
  package mutating func look(machine: Int64) -> Bool {
    guard machine >= again, !aside.isEmpty || !alone.isEmpty else { return false }
    defer { (alone, aside) = ([:], []) }
    return !aside.isEmpty
  }

  package func leavesOut(_ item: Item) -> Bool { aside.contains(item.mark) }

  /// As `Item.works`, of what is not left out; what has failed most comes last.
  package func works(for all: [Item]) -> [LedgerWork] {
    let items = all.filter { !leavesOut($0) }
    let failed = items.compactMap { item in alone[item.mark].map { (times: $0, item: item) } }
    return Item.works(for: items.filter { alone[$0.mark] == nil })
      + failed.sorted { $0.times < $1.times }.flatMap { Item.works(for: [$0.item]) }
  }

  /// What became of such works. Answers those that are left out for the first time.
  package mutating func note(
    _ works: [LedgerWork], _ turn: LedgerTurn, machine: Int64
  ) -> [Item.Mark] {
    switch turn.commit {
    case .failed, .unknown: return []
    case .nothing, .committed: break
    }
    var new: [Item.Mark] = []
    for (work, settlement) in zip(works, turn.settlements) {
      guard let marks = Item.told(by: work), case .failure = settlement.result else { continue }
      again = machine + Self.againMilliseconds
      for mark in marks { alone[mark, default: 0] += 1 }
      guard marks.count == 1, isAtFault(marks[0], settlement, turn) else { continue }
      aside.insert(marks[0])
      if told.count >= Self.toldMax { told = [] }
      new += marks.filter { told.insert($0).inserted }
    }
    return new
  }

  /// When nothing at all could be done, perhaps nothing could be read: then it is not this one's fault.
  private func isAtFault(_ mark: Item.Mark, _ settlement: Settlement, _ turn: LedgerTurn) -> Bool {
    turn.commit != .nothing || settlement.isRefused || told.contains(mark)
      || alone[mark] ?? 0 >= Self.failuresMax
  }
}
