// When the ledger looks for deadlines that have come, and when it does not dare to (DESIGN §3).
//
// It knows the earliest deadline that is not told, as the store has it or a commit brought it, and sleeps until then.
// A deadline can be told once only, so a wall clock that shows nonsense must not tell any: it pauses
//   - when the wall clock has moved otherwise than the machine's own (which also counts while the machine sleeps)
//     by more than ten minutes since it was last looked at, until it is back or the operator confirms it;
//   - when at the start the wall clock shows more than a day before the newest event, or more than a year after it,
//     unless the operator has confirmed the clock since that event was written: then what it showed then counts.
// What was missed meanwhile is told afterwards, like everything that came due while nothing ran.

package import Domain

/// Decides without a clock when deadlines are looked for; one for each ledger.
package struct Scheduler: Equatable, Sendable {
  /// Why nothing is told.
  package enum Pause: Equatable, Sendable {
    /// So far from where it should be.
    case jumped(milliseconds: Int64)
    /// The newest event is from later.
    case behind(milliseconds: Int64)
    /// The newest event is very old.
    case ahead(milliseconds: Int64)
  }

  private enum Next: Equatable {
    /// Only the store knows.
    case unknown
    case none
    case at(Timestamp)
  }

  package private(set) var pause: Pause?
  private var next = Next.unknown
  private var seen: (wall: Timestamp, machine: Int64)?

  package static let jumpMillisecondsMax: Int64 = 10 * 60_000
  static let behindMillisecondsMax: Int64 = 24 * 3_600_000
  static let aheadMillisecondsMax: Int64 = 365 * 24 * 3_600_000

  /// `newest`: when the newest event was written; nil in an empty store. `confirmed`: when the operator said the last
  /// time that the clock is right. Of an event that was there then, that moment counts.
  package init(newest: Timestamp?, confirmed: ClockConfirmation? = nil, wall: Timestamp) {
    guard let newest else { return }
    let isKnown = confirmed.map { newest <= $0.newest } ?? false
    let latest = isKnown ? confirmed?.at ?? newest : newest
    let since = wall.milliseconds - latest.milliseconds
    if since < -Scheduler.behindMillisecondsMax { pause = .behind(milliseconds: -since) }
    if since > Scheduler.aheadMillisecondsMax { pause = .ahead(milliseconds: since) }
  }

  package static func == (left: Scheduler, right: Scheduler) -> Bool {
    left.pause == right.pause && left.next == right.next && left.seen?.wall == right.seen?.wall
      && left.seen?.machine == right.seen?.machine
  }

  /// Looks at both clocks, as often as possible. `machine`: milliseconds that never jump. True when the pause has
  /// begun, changed or ended.
  package mutating func look(wall: Timestamp, machine: Int64) -> Bool {
    defer { seen = (wall, machine) }
    guard let seen else { return false }
    let before = pause
    let drift = wall.milliseconds - seen.wall.milliseconds - (machine - seen.machine)
    switch pause {
    case nil:
      if abs(drift) > Scheduler.jumpMillisecondsMax { pause = .jumped(milliseconds: drift) }
    case .jumped(let earlier)?:
      let now = earlier + drift
      pause = abs(now) > Scheduler.jumpMillisecondsMax ? .jumped(milliseconds: now) : nil
    case .behind?, .ahead?: break
    }
    return (before == nil) != (pause == nil)
  }

  /// The operator says that the wall clock is right.
  package mutating func confirm() { pause = nil }

  /// A commit wrote rows of posts that are not told, the earliest with this deadline.
  package mutating func note(_ deadline: Timestamp) {
    switch next {
    case .unknown: break
    case .none: next = .at(deadline)
    case .at(let earlier): next = .at(min(earlier, deadline))
    }
  }

  /// What the store has: its earliest deadline that is not told; nil when there is none.
  package mutating func found(_ deadline: Timestamp?) {
    next = deadline.map { .at($0) } ?? .none
  }

  /// The store is to be asked again.
  package mutating func forget() { next = .unknown }

  /// Whether the store should be asked for what has come due.
  package func isDue(at now: Timestamp) -> Bool {
    guard pause == nil else { return false }
    return switch next {
    case .unknown: true
    case .none: false
    case .at(let deadline): deadline <= now
    }
  }

  /// How long nothing will be due; `most` when nothing is known to become so before.
  package func wait(at now: Timestamp, most: Int64) -> Int64 {
    guard pause == nil else { return most }
    return switch next {
    case .unknown: 0
    case .none: most
    case .at(let deadline): min(most, max(0, deadline.milliseconds - now.milliseconds))
    }
  }
}

/// How much the ledger does at once.
package enum Deadlines {
  package static let postsPerTurn = 200
  /// With what was there before, of posts with the longest texts, still below `Limits.beforeBytesMax`.
  package static let postsPerEvent = 64
  /// Posts that are looked at again in one commit: some milliseconds.
  package static let postsPerCheck = 500

  /// The works that tell these, found as due: of each list its own events.
  package static func works(for posts: [DuePost]) -> [LedgerWork] {
    var works: [LedgerWork] = []
    var lists: [CategoryID] = []
    for post in posts where !lists.contains(post.category) { lists.append(post.category) }
    for list in lists {
      var rest = posts.filter { $0.category == list }[...]
      while !rest.isEmpty {
        works.append(.tellOverdue(list, Array(rest.prefix(postsPerEvent))))
        rest = rest.dropFirst(postsPerEvent)
      }
    }
    return works
  }
}
