// When the ledger looks for deadlines that have come, and when it does not dare to (DESIGN §3).
//
// It knows the earliest deadline that is not told, as the store has it or a commit brought it, and sleeps until then.
// A deadline can be told once only, so a wall clock that shows nonsense must not tell any: it pauses
//   - when the wall clock has moved otherwise than the machine's own (which also counts while the machine sleeps)
//     by more than ten minutes since it was last looked at, until it is back or the operator confirms it;
//   - when at the start the wall clock shows more than a day before the newest event, or more than a month after it,
//     unless the operator has confirmed the clock since that event was written: then what it showed then counts. A clock
//     of which the kernel says that it is kept right from outside is believed for up to a year: who starts
//     a server again after a summer is asked only where nothing but the operator knows the time. It goes on by
//     itself when the clock is set right, or becomes one that is kept right.
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

  package private(set) var pause: Pause?
  private var next = NextMoment()
  private var seen: (wall: Timestamp, machine: Int64)?

  package static let jumpMillisecondsMax: Int64 = 10 * 60_000
  static let behindMillisecondsMax: Int64 = 24 * 3_600_000
  /// After it an unknown clock is asked about. In a list that is in use somebody does something in a month.
  static let unknownMillisecondsMax: Int64 = 30 * 24 * 3_600_000
  static let aheadMillisecondsMax: Int64 = 365 * 24 * 3_600_000

  /// `newest`: when the newest event was written; nil in an empty store. `confirmed`: when the operator said the last
  /// time that the clock is right. Of an event that was there then, that moment counts. `isSynchronized`: the kernel
  /// says that the wall clock is kept right.
  package init(
    newest: Timestamp?, confirmed: ClockConfirmation? = nil, wall: Timestamp,
    isSynchronized: Bool = false
  ) {
    guard let newest else { return }
    let isKnown = confirmed.map { newest <= $0.newest } ?? false
    let latest = isKnown ? confirmed?.at ?? newest : newest
    pause = Scheduler.pause(since: wall.milliseconds - latest.milliseconds)
    if isSynchronized { _ = synchronized() }
  }

  /// So long after the newest event.
  private static func pause(since: Int64) -> Pause? {
    if since < -behindMillisecondsMax { return .behind(milliseconds: -since) }
    return since > unknownMillisecondsMax ? .ahead(milliseconds: since) : nil
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
    // Set right, it goes on. What a clock drifts otherwise is nothing beside a day.
    case .behind(let earlier)?:
      guard abs(drift) > Scheduler.jumpMillisecondsMax else { break }
      pause = Scheduler.pause(since: drift - earlier)
    case .ahead(let earlier)?:
      guard abs(drift) > Scheduler.jumpMillisecondsMax else { break }
      pause = Scheduler.pause(since: earlier + drift)
    }
    return (before == nil) != (pause == nil)
  }

  /// The kernel says that the wall clock is kept right. Whether that ends the pause.
  package mutating func synchronized() -> Bool {
    guard case .ahead(let milliseconds)? = pause, milliseconds <= Scheduler.aheadMillisecondsMax
    else { return false }
    pause = nil
    return true
  }

  /// The operator says that the wall clock is right. Whether it was put back by that: then all is to be looked at again
  /// (`EventStore.lookAtAllAgain`), since what was said to be past meanwhile is to come.
  @discardableResult
  package mutating func confirm() -> Bool {
    defer { pause = nil }
    switch pause {
    case .jumped(let milliseconds)?: return milliseconds < 0
    case .behind?: return true
    case .ahead?, nil: return false
    }
  }

  /// How far the wall clock is known to be ahead of the time.
  package var ahead: Int64 {
    switch pause {
    case .jumped(let milliseconds)?, .ahead(let milliseconds)?: max(0, milliseconds)
    case .behind?, nil: 0
    }
  }

  /// A commit wrote rows of posts that are not told, the earliest with this deadline.
  package mutating func note(_ deadline: Timestamp) { next.note(deadline) }

  /// What the store has: its earliest deadline that is not told; nil when there is none.
  package mutating func found(_ deadline: Timestamp?) { next.found(deadline) }

  /// The store is to be asked again.
  package mutating func forget() { next.forget() }

  /// Whether the store should be asked for what has come due.
  package func isDue(at now: Timestamp) -> Bool { pause == nil && next.hasCome(at: now) }

  /// How long nothing will be due; `most` when nothing is known to become so before.
  package func wait(at now: Timestamp, most: Int64) -> Int64 {
    pause == nil ? next.wait(at: now, most: most) : most
  }
}

/// How much the ledger does at once.
package enum Deadlines {
  package static let postsPerTurn = 200
  /// With what was there before, of posts with the longest texts, still below `Limits.beforeBytesMax`.
  package static let postsPerEvent = 64
  /// Posts that are looked at again in one commit: some milliseconds.
  package static let postsPerCheck = 500

  package static let remindersPerTurn = 200
  /// Of one person, in one event.
  package static let remindersPerEvent = 64
  package static let remindersPerCheck = 200

  /// The works that tell these, found as due: of each person their own events.
  package static func works(reminding rows: [ReminderRow]) -> [LedgerWork] {
    var works: [LedgerWork] = []
    var people: [UserID] = []
    for row in rows where !people.contains(row.key.person) { people.append(row.key.person) }
    for person in people {
      var rest = rows.filter { $0.key.person == person }[...]
      while !rest.isEmpty {
        works.append(.remind(person, Array(rest.prefix(remindersPerEvent))))
        rest = rest.dropFirst(remindersPerEvent)
      }
    }
    return works
  }

  /// The works that tell these, found as due: of each list its own events.
  package static func works(for posts: [DuePost]) -> [LedgerWork] {
    events(of: posts, \.category).map { .tellOverdue($0, $1) }
  }

  /// What lies in many lists as parts that one event takes, list by list in the order in which they come first.
  static func events<Item>(
    of items: [Item], _ list: (Item) -> CategoryID
  ) -> [(list: CategoryID, items: [Item])] {
    var lists: [CategoryID] = []
    for item in items where !lists.contains(list(item)) { lists.append(list(item)) }
    return lists.flatMap { one in
      let held = items.filter { list($0) == one }
      return stride(from: 0, to: held.count, by: postsPerEvent).map {
        (one, Array(held[$0..<min($0 + postsPerEvent, held.count)]))
      }
    }
  }
}
