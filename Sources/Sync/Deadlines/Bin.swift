// When what was removed goes for good (Domain/Decide/Bin.swift), some posts at a time, between the ledger's other work.
// Which have gone is in the state: a second look finds none of them, and a crash loses none.
//
// Nothing brings a text back, so a clock that shows nonsense must not take one away:
//   - while the wall clock is not trusted (`Scheduler`) nothing goes, and the store remembers that from then on it was
//     not. When the clock is trusted again, by itself, by the operator or after another start, all that is in the bin
//     counts from then: what was written meanwhile, or just before, may bear any time;
//   - after a start more than a day behind the newest event nothing goes for a day. Nobody was here, or the clock is wrong
//     in a way that no machine can tell; who looks at it has that day to say so by setting it;
//   - what was in the bin before there was a time for it counts from the first start that has one.

package import Domain

/// How long it is kept, and how carefully.
package struct BinRules: Equatable, Sendable {
  /// Nil: for ever.
  package let keepMilliseconds: Int64?
  /// After a start so long behind the newest event …
  package let gapMilliseconds: Int64
  /// … so long nothing goes.
  package let holdMilliseconds: Int64

  package static let dayMilliseconds: Int64 = 24 * 3_600_000

  package init(
    keepMilliseconds: Int64?, gapMilliseconds: Int64 = dayMilliseconds,
    holdMilliseconds: Int64 = dayMilliseconds
  ) {
    self.keepMilliseconds = keepMilliseconds
    self.gapMilliseconds = gapMilliseconds
    self.holdMilliseconds = holdMilliseconds
  }

  package init(keepDays: Int?) {
    self.init(keepMilliseconds: keepDays.map { Int64($0) * BinRules.dayMilliseconds })
  }
}

/// Decides without a clock what goes next; one for each ledger, beside its scheduler.
package struct Bin: Sendable {
  package let rules: BinRules
  private let newest: Timestamp?
  private var refused = RefusedPurges()
  /// As the store has it; nil before it was asked.
  package private(set) var countsFrom: Timestamp?
  /// By the clock that never jumps, as all others here: nothing goes before; nil before the first look.
  private var heldUntil: Int64?
  /// Nothing had come before.
  private var lookFrom: Int64 = 0
  /// The clock was not trusted, and the store does not know that yet.
  private var isDoubted = false

  /// How often is looked for what has come, while nothing had.
  static let lookEveryMilliseconds: Int64 = 10_000
  /// Each is taken out of the log by itself, and whoever reads the list meanwhile takes it out of what they read.
  package static let postsPerTurn = 16
  /// As the store keeps that the clock is not trusted.
  private static let never = Timestamp(milliseconds: .max)

  /// `newest`: as of `Scheduler`, when the ledger began.
  package init(_ rules: BinRules, newest: Timestamp?) {
    self.rules = rules
    self.newest = newest
  }

  /// Something was removed.
  package mutating func look() { lookFrom = 0 }

  /// The wall clock is not trusted from now on. To be told at once: before somebody has time for the bin it may be
  /// trusted again, or the server start anew, and what was removed meanwhile bears its nonsense all the same. When
  /// the store takes no writes it is remembered here.
  package mutating func doubt(in store: any EventStore) throws(StoreError) {
    isDoubted = true
    try store.countBin(from: Bin.never)
    countsFrom = Bin.never
  }

  /// Whether nothing that has come is left: held back, or not done.
  package func isSettled(
    at now: Timestamp, in store: any EventStore
  ) throws(StoreError) -> Bool {
    guard !isDoubted else { return false }
    guard let through = through(now) else { return countsFrom != nil && countsFrom != Bin.never }
    return try store.binnedPosts(through: through, limit: 1).isEmpty
  }

  /// What is to be settled next, in one turn. `isTrusted`: the wall clock.
  package mutating func works(
    at now: Timestamp, machine: Int64, isTrusted: Bool, in store: any EventStore
  ) throws(StoreError) -> [LedgerWork] {
    try trust(isTrusted, at: now, machine: machine, in: store)
    guard isTrusted, let heldUntil, machine >= heldUntil else { return [] }
    if refused.look(machine: machine) { lookFrom = 0 }
    guard machine >= lookFrom, let through = through(now) else { return [] }
    let found = try store.binnedPosts(through: through, limit: Bin.postsPerTurn + refused.count)
      .filter { !refused.leavesOut($0) }
    guard !found.isEmpty else {
      lookFrom = machine + Bin.lookEveryMilliseconds
      return []
    }
    return refused.works(for: found)
  }

  /// What became of such works. Answers the posts that are left out for the first time.
  package mutating func note(
    _ works: [LedgerWork], _ turn: LedgerTurn, machine: Int64
  ) -> [PostAddress] {
    refused.note(works, turn, machine: machine)
  }

  /// What was in the bin by then has come; nil while nothing may have.
  private func through(_ now: Timestamp) -> Timestamp? {
    guard let keep = rules.keepMilliseconds, let countsFrom, countsFrom != Bin.never else {
      return nil
    }
    let through = now.milliseconds - keep
    return through >= countsFrom.milliseconds ? Timestamp(milliseconds: through) : nil
  }

  /// Before anything is asked of the clock: what the store says of it is made true.
  private mutating func trust(
    _ isTrusted: Bool, at now: Timestamp, machine: Int64, in store: any EventStore
  ) throws(StoreError) {
    if heldUntil == nil {
      let gap = newest.map { now.milliseconds - $0.milliseconds } ?? 0
      heldUntil = gap > rules.gapMilliseconds ? machine + rules.holdMilliseconds : machine
    }
    if countsFrom == nil { countsFrom = try store.binCountsFrom() }
    let wanted: Timestamp
    switch (countsFrom, isTrusted) {
    case (_, false): wanted = Bin.never
    case (_, true) where isDoubted: wanted = now
    case (nil, true): wanted = newest == nil ? Timestamp(milliseconds: 0) : now
    case (Bin.never?, true): wanted = now
    case (let known?, true): wanted = known
    }
    if wanted != countsFrom {
      try store.countBin(from: wanted)
      countsFrom = wanted
      lookFrom = 0
    }
    isDoubted = false
  }
}

extension BinnedPost: Telling {
  package var mark: PostAddress { PostAddress(category: category, post: post) }

  package static func works(for all: [BinnedPost]) -> [LedgerWork] {
    Deadlines.events(of: all, \.category).map { .purge($0, $1) }
  }

  package static func told(by work: LedgerWork) -> [PostAddress]? {
    if case .purge(_, let posts) = work { posts.map(\.mark) } else { nil }
  }
}
