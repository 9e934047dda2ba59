// Items in the store that could not be handled. An item that is refused, or whose post cannot be read, stays in the
// store unchanged, and whoever asks for the earliest items finds it again. So that it blocks no other, it is handled
// alone from then on. When that fails too, it is left out for a while. A failed commit is not the item's fault and
// changes nothing here.

package import Domain
import Wire

extension Settlement {
  /// Whether the rules refused it, in contrast to a failure of the store.
  fileprivate var isRefused: Bool {
    if case .failure(.refused) = result { true } else { false }
  }
}

package typealias DeadlineQuarantine = Quarantine<DuePost>
package typealias ReminderQuarantine = Quarantine<ReminderRow>
package typealias CheckQuarantine = Quarantine<ReminderCheckPart>
package typealias ClaimQuarantine = Quarantine<EndedClaim>
package typealias PurgeQuarantine = Quarantine<BinnedPost>

/// An item that is found in a store and handled by a work.
package protocol Quarantinable: Sendable {
  /// The identity by which an item is known when it is found again.
  associatedtype Mark: Hashable, Sendable
  var mark: Mark { get }
  /// Returns the works that handle these items, together where that is possible.
  static func works(for all: [Self]) -> [LedgerWork]
  /// Returns the items that a work handles; nil when it handles other things.
  static func handled(by work: LedgerWork) -> [Mark]?
}

extension DuePost: Quarantinable {
  package var mark: DuePost { self }
  package static func works(for all: [DuePost]) -> [LedgerWork] { Deadlines.works(for: all) }

  package static func handled(by work: LedgerWork) -> [DuePost]? {
    if case .tellOverdue(_, let posts) = work { posts } else { nil }
  }
}

extension ReminderRow: Quarantinable {
  package var mark: ReminderRow { self }
  package static func works(for all: [ReminderRow]) -> [LedgerWork] {
    Deadlines.works(reminding: all)
  }

  package static func handled(by work: LedgerWork) -> [ReminderRow]? {
    if case .remind(_, let rows) = work { rows } else { nil }
  }
}

extension ReminderCheckPart: Quarantinable {
  package var mark: ReminderSubject { check.subject }
  package static func works(for all: [ReminderCheckPart]) -> [LedgerWork] {
    all.isEmpty ? [] : [.checkReminders(all)]
  }

  package static func handled(by work: LedgerWork) -> [ReminderSubject]? {
    if case .checkReminders(let parts) = work { parts.map(\.mark) } else { nil }
  }
}

extension EndedClaim: Quarantinable {
  package var mark: PostAddress { PostAddress(category: category, post: post) }
  package static func works(for all: [EndedClaim]) -> [LedgerWork] { ClaimEnds.works(for: all) }

  package static func handled(by work: LedgerWork) -> [PostAddress]? {
    guard case .endClaims(let list, let posts) = work else { return nil }
    return posts.map { PostAddress(category: list, post: $0) }
  }
}

/// The items of one kind that are left out for now; one for each ledger.
package struct Quarantine<Item: Quarantinable>: Equatable, Sendable {
  /// The items that are handled alone, with the number of their failures.
  private var alone: [Item.Mark: Int] = [:]
  package private(set) var aside: Set<Item.Mark> = []
  /// The items of which the operator was told.
  private var told: Set<Item.Mark> = []
  /// The machine time at which they are tried again, by the clock that never jumps.
  private var again: Int64 = 0

  static var againMilliseconds: Int64 { 30_000 }
  /// The number of items of which the operator was told that are remembered. Beyond it the operator is told again.
  private static var toldMax: Int { 1_000 }
  /// The number of failures after which a single item counts as at fault, even though nothing else shows that the store
  /// can be read.
  private static var failuresMax: Int { 3 }

  package init() {}

  /// The number of items that are left out.
  package var count: Int { aside.count }

  /// Tries what was left out again when it is time; answers whether anything was left out.
  package mutating func look(machine: Int64) -> Bool {
    guard machine >= again, !aside.isEmpty || !alone.isEmpty else { return false }
    defer { (alone, aside) = ([:], []) }
    return !aside.isEmpty
  }

  package func leavesOut(_ item: Item) -> Bool { aside.contains(item.mark) }

  /// Returns the works for the items that are not left out; those that failed most come last.
  package func works(for all: [Item]) -> [LedgerWork] {
    let items = all.filter { !leavesOut($0) }
    let failed = items.compactMap { item in alone[item.mark].map { (times: $0, item: item) } }
    return Item.works(for: items.filter { alone[$0.mark] == nil })
      + failed.sorted { $0.times < $1.times }.flatMap { Item.works(for: [$0.item]) }
  }

  /// Takes the outcome of such works, and returns the items that are left out for the first time.
  package mutating func note(
    _ works: [LedgerWork], _ turn: LedgerTurn, machine: Int64
  ) -> [Item.Mark] {
    switch turn.commit {
    case .failed, .unknown: return []
    case .nothing, .committed: break
    }
    var new: [Item.Mark] = []
    for (work, settlement) in zip(works, turn.settlements) {
      guard let marks = Item.handled(by: work), case .failure = settlement.result else { continue }
      again = machine + Self.againMilliseconds
      for mark in marks { alone[mark, default: 0] += 1 }
      guard marks.count == 1, isAtFault(marks[0], settlement, turn) else { continue }
      aside.insert(marks[0])
      if told.count >= Self.toldMax { told = [] }
      new += marks.filter { told.insert($0).inserted }
    }
    return new
  }

  /// Whether the item itself is at fault. When nothing at all could be done, perhaps nothing could be read, and then it
  /// is not.
  private func isAtFault(_ mark: Item.Mark, _ settlement: Settlement, _ turn: LedgerTurn) -> Bool {
    turn.commit != .nothing || settlement.isRefused || told.contains(mark)
      || alone[mark] ?? 0 >= Self.failuresMax
  }
}
