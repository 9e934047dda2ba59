// When removed posts are purged (Domain/Decide/Bin.swift), some at a time, between the ledger's other work. The state
// tells which are purged, so a second look finds none of them, and a crash loses none.
//
// Nothing brings a text back, so a wrong clock must not take one away:
//   - while the wall clock is not trusted (`Scheduler`) nothing is purged, and the store remembers that it was not
//     trusted. When the clock is trusted again, by itself, by the operator or after another start, all posts in the bin
//     count from then, because posts that were removed meanwhile, or just before, may bear any time;
//   - after a start more than a day behind the newest event nothing is purged for a day. Either nobody was here, or the
//     clock is wrong in a way that no machine can tell; the operator has that day to set it right;
//   - posts that were in the bin before there was a time limit count from the first start that has one.

package import Domain

/// How long posts are kept in the bin, and how carefully they are purged.
package struct BinRules: Equatable, Sendable {
  /// The time that posts are kept; nil for ever.
  package let keepMilliseconds: Int64?
  /// The distance of a start from the newest event that makes it careful.
  package let gapMilliseconds: Int64
  /// The time for which nothing is purged after such a start.
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

/// Decides without a clock what is purged next; one for each ledger, beside its scheduler.
package struct Bin: Sendable {
  package let rules: BinRules
  private let newest: Timestamp?
  private var quarantine = PurgeQuarantine()
  /// The moment from which the bin counts, as the store has it; nil before the store was asked.
  package private(set) var countsFrom: Timestamp?
  /// The machine time before which nothing is purged; nil before the first look. It is the time of a clock that never
  /// jumps, like the others here.
  private var heldUntil: Int64?
  /// The machine time before which no post comes.
  private var lookFrom: Int64 = 0
  /// Whether the clock was not trusted and the store does not know that yet.
  private var isDoubted = false

  /// How often the store is asked for posts that have come while there are none.
  static let lookEveryMilliseconds: Int64 = 10_000
  /// The maximum of posts in a turn. Each is taken out of the log by itself, and readers of the list meanwhile take it
  /// out of what they read.
  package static let postsPerTurn = 16
  /// The moment by which the store records that the clock is not trusted.
  private static let never = Timestamp(milliseconds: .max)

  /// Begins with the time of the newest event when the ledger began, as in `Scheduler`.
  package init(_ rules: BinRules, newest: Timestamp?) {
    self.rules = rules
    self.newest = newest
  }

  /// Asks the store at the next chance, because a post was removed.
  package mutating func look() { lookFrom = 0 }

  /// Notes that the wall clock is not trusted from now on. Call it at once: before the bin is looked at, the clock may
  /// be trusted again or the server may restart, and posts that were removed meanwhile still bear wrong times. When the
  /// store takes no writes, the doubt is remembered here.
  package mutating func doubt(in store: any EventStore) throws(StoreError) {
    isDoubted = true
    try store.countBin(from: Bin.never)
    countsFrom = Bin.never
  }

  /// Whether no post is left that has come: all are held back or purged.
  package func isSettled(
    at now: Timestamp, in store: any EventStore
  ) throws(StoreError) -> Bool {
    guard !isDoubted else { return false }
    guard let through = through(now) else { return countsFrom != nil && countsFrom != Bin.never }
    return try store.binnedPosts(through: through, limit: 1).isEmpty
  }

  /// Returns what is settled next, in one turn. `isTrusted` is about the wall clock.
  package mutating func works(
    at now: Timestamp, machine: Int64, isTrusted: Bool, in store: any EventStore
  ) throws(StoreError) -> [LedgerWork] {
    try trust(isTrusted, at: now, machine: machine, in: store)
    guard isTrusted, let heldUntil, machine >= heldUntil else { return [] }
    if quarantine.look(machine: machine) { lookFrom = 0 }
    guard machine >= lookFrom, let through = through(now) else { return [] }
    let found = try store.binnedPosts(through: through, limit: Bin.postsPerTurn + quarantine.count)
      .filter { !quarantine.leavesOut($0) }
    guard !found.isEmpty else {
      lookFrom = machine + Bin.lookEveryMilliseconds
      return []
    }
    return quarantine.works(for: found)
  }

  /// Takes the outcome of such works, and returns the posts that are left out for the first time.
  package mutating func note(
    _ works: [LedgerWork], _ turn: LedgerTurn, machine: Int64
  ) -> [PostAddress] {
    quarantine.note(works, turn, machine: machine)
  }

  /// Returns the moment up to which posts in the bin have come; nil while none may be purged.
  private func through(_ now: Timestamp) -> Timestamp? {
    guard let keep = rules.keepMilliseconds, let countsFrom, countsFrom != Bin.never else {
      return nil
    }
    let through = now.milliseconds - keep
    return through >= countsFrom.milliseconds ? Timestamp(milliseconds: through) : nil
  }

  /// Brings what the store says of the clock up to date, before the clock is used.
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

extension BinnedPost: Quarantinable {
  package var mark: PostAddress { PostAddress(category: category, post: post) }

  package static func works(for all: [BinnedPost]) -> [LedgerWork] {
    Deadlines.events(of: all, \.category).map { .purge($0, $1) }
  }

  package static func handled(by work: LedgerWork) -> [PostAddress]? {
    if case .purge(_, let posts) = work { posts.map(\.mark) } else { nil }
  }
}
