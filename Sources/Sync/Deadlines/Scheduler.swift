// When the ledger looks for deadlines that have come, and when it does not dare to (DESIGN §3).
//
// It knows the earliest deadline that is not told, from the store or from a commit, and sleeps until then. A deadline
// can be told only once, so a wrong wall clock must not tell any. The scheduler pauses
//   - when the wall clock has moved by more than ten minutes against the machine's own clock (which also counts while
//     the machine sleeps) since the last look, until it is back or the operator confirms it;
//   - when at the start the wall clock shows more than a day before the newest event, or more than a month after it. If
//     the operator has confirmed the clock since that event was written, the time that it showed then counts instead. A
//     clock that the kernel says is kept right from outside is believed for up to a year; so the operator who starts a
//     server again after a summer is asked only where nothing else knows the time. The pause ends by itself when the
//     clock is set right, or becomes one that is kept right.
// Deadlines that were missed meanwhile are told afterwards, like those that came while nothing ran.

package import Domain

/// Decides without a clock when deadlines are looked for; one for each ledger.
package struct Scheduler: Equatable, Sendable {
  /// The reason why nothing is told.
  package enum Pause: Equatable, Sendable {
    /// The wall clock has moved this far from where it should be.
    case jumped(milliseconds: Int64)
    /// The wall clock is this far before the newest event.
    case behind(milliseconds: Int64)
    /// The wall clock is this far after the newest event.
    case ahead(milliseconds: Int64)
  }

  package private(set) var pause: Pause?
  private var next = NextMoment()
  private var seen: (wall: Timestamp, machine: Int64)?

  package static let jumpMillisecondsMax: Int64 = 10 * 60_000
  static let behindMillisecondsMax: Int64 = 24 * 3_600_000
  /// The time after which an unknown clock is asked about. In a list that is in use somebody does something within a
  /// month.
  static let unknownMillisecondsMax: Int64 = 30 * 24 * 3_600_000
  static let aheadMillisecondsMax: Int64 = 365 * 24 * 3_600_000

  /// Compares the wall clock with the newest event at the start. `newest` is the time of that event; nil in an empty
  /// store. `confirmed` is the operator's last statement that the clock is right; for an event that existed then, its
  /// moment counts. `isSynchronized` means that the kernel says that the wall clock is kept right.
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

  /// Returns the pause for a wall clock this many milliseconds after the newest event; nil for none.
  private static func pause(since: Int64) -> Pause? {
    if since < -behindMillisecondsMax { return .behind(milliseconds: -since) }
    return since > unknownMillisecondsMax ? .ahead(milliseconds: since) : nil
  }

  package static func == (left: Scheduler, right: Scheduler) -> Bool {
    left.pause == right.pause && left.next == right.next && left.seen?.wall == right.seen?.wall
      && left.seen?.machine == right.seen?.machine
  }

  /// Looks at both clocks; call it as often as possible. `machine` is in milliseconds and never jumps. Returns true
  /// when the pause has begun or ended.
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
    // When the clock is set right, the pause ends. Other drift of a clock is small compared with a day.
    case .behind(let earlier)?:
      guard abs(drift) > Scheduler.jumpMillisecondsMax else { break }
      pause = Scheduler.pause(since: drift - earlier)
    case .ahead(let earlier)?:
      guard abs(drift) > Scheduler.jumpMillisecondsMax else { break }
      pause = Scheduler.pause(since: earlier + drift)
    }
    return (before == nil) != (pause == nil)
  }

  /// Takes the kernel's statement that the wall clock is kept right; answers whether that ends the pause.
  package mutating func synchronized() -> Bool {
    guard case .ahead(let milliseconds)? = pause, milliseconds <= Scheduler.aheadMillisecondsMax
    else { return false }
    pause = nil
    return true
  }

  /// Takes the operator's statement that the wall clock is right. Answers whether the clock was put back by that. Then
  /// everything is to be looked at again (`EventStore.lookAtAllAgain`), because what counted as past meanwhile is to
  /// come.
  @discardableResult
  package mutating func confirm() -> Bool {
    defer { pause = nil }
    switch pause {
    case .jumped(let milliseconds)?: return milliseconds < 0
    case .behind?: return true
    case .ahead?, nil: return false
    }
  }

  /// The milliseconds by which the wall clock is known to be ahead of the time; 0 when that is not known.
  package var ahead: Int64 {
    switch pause {
    case .jumped(let milliseconds)?, .ahead(let milliseconds)?: max(0, milliseconds)
    case .behind?, nil: 0
    }
  }

  /// Takes the earliest deadline of the rows that a commit wrote for posts that are not told.
  package mutating func note(_ deadline: Timestamp) { next.note(deadline) }

  /// Takes the earliest deadline in the store that is not told; nil when there is none.
  package mutating func found(_ deadline: Timestamp?) { next.found(deadline) }

  /// Lets the store be asked again.
  package mutating func forget() { next.forget() }

  /// Whether the store should be asked for what has come due.
  package func isDue(at now: Timestamp) -> Bool { pause == nil && next.hasCome(at: now) }

  /// Returns the milliseconds until something is due, at most `most`.
  package func wait(at now: Timestamp, most: Int64) -> Int64 {
    pause == nil ? next.wait(at: now, most: most) : most
  }
}

/// How much the ledger does at once. Each takes a few milliseconds, because a command that comes meanwhile waits.
package enum Deadlines {
  package static let postsPerTurn = 64
  /// The maximum of posts in an event. Even for posts with the longest texts, what was there before stays below
  /// `Limits.beforeBytesMax`.
  package static let postsPerEvent = 64
  /// The maximum of posts that are checked in one commit.
  package static let postsPerCheck = 100

  package static let remindersPerTurn = 64
  /// The maximum of reminders of one person in one event.
  package static let remindersPerEvent = 64
  package static let remindersPerCheck = 64

  /// Returns the works that tell these rows, which were found as due. Each person has their own events.
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

  /// Returns the works that tell these posts, which were found as due. Each list has its own events.
  package static func works(for posts: [DuePost]) -> [LedgerWork] {
    events(of: posts, \.category).map { .tellOverdue($0, $1) }
  }

  /// Cuts items of many lists into parts that each fit into one event, list by list in the order in which the lists
  /// first come.
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
