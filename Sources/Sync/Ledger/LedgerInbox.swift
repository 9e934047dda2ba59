// The works that have come to the ledger, and the commands among them that are refused before anything is decided or
// read. Those are commands beyond the rates of their senders, and commands that could not be written. Commands that
// come behind a refused one are refused too, until none of them can be on its way any more: they would take effect
// before it (P7). The queue may hold a command for longer than that, so those behind a refused one leave the queue.

internal import Domain
package import Wire

/// The works that wait for the ledger, and the refusals. `now` is always in milliseconds of one clock that never jumps.
package struct LedgerInbox: Sendable {
  package typealias Entry = LedgerQueue.Entry

  /// A command that is not taken, and the reason.
  package struct Refusal: Sendable {
    package let entry: Entry
    package let failure: Failure
  }

  private var queue = LedgerQueue()
  private var limits: KindLimits
  /// The limits of lines of talk. They count for the commands that say or change one, besides `limits`.
  private var lines: KindLimits
  private var cooldowns = UserCooldowns()

  package var count: Int { queue.count }
  package var isEmpty: Bool { queue.isEmpty }

  /// Makes an inbox with these limits of commands, and of lines of talk among them, by user.
  package init(_ limits: KindLimits, lines: KindLimits) {
    self.limits = limits
    self.lines = lines
  }

  /// Adds a work, or returns the refusal of a command whose sender rests.
  package mutating func add(_ entry: Entry, at now: Int64) -> Refusal? {
    let refusal = refusal(of: entry, at: now)
    if refusal == nil { queue.add(entry) }
    return refusal
  }

  /// Takes the next works, as `LedgerQueue.take` does. Those beyond the rates of their senders are refused, with the
  /// commands that wait behind them.
  package mutating func take(
    _ most: Int, at now: Int64, isLast: Bool = false
  ) -> (entries: [Entry], refused: [Refusal]) {
    var entries = queue.take(most, at: now, isLast: isLast)
    var refused: [Refusal] = []
    var places: Set<Int> = []
    // An entry is large, and hardly any is refused, so the others stay where they are.
    for place in entries.indices {
      let refusal =
        refusal(of: entries[place], at: now) ?? refusal(counting: entries[place], at: now)
      if let refusal {
        refused.append(refusal)
        places.insert(place)
      } else {
        entries[place].isCounted = true
      }
    }
    guard !refused.isEmpty else { return (entries, []) }
    entries = entries.indices.filter { !places.contains($0) }.map { entries[$0] }
    let resting = Set(refused.compactMap(\.entry.sender))
    return (entries, refused + takeOut(behind: resting, at: now))
  }

  /// Returns the milliseconds after which there is something to take, or nil when nothing waits. Call it right after
  /// `take`.
  package mutating func milliseconds(at now: Int64) -> Int64? { queue.milliseconds(at: now) }

  /// Notes what became of works that were taken. Those for which there was no time come first in the next turn. A
  /// command that took long, or wrote to many streams, is charged as more requests: nobody can say before how long an
  /// undo takes. `commitNanoseconds` is the time of the turn's commit. Returns the refusals of commands that wait
  /// behind one that could not be written. Call it before anything is told: rests count from here, also those of the
  /// commands that were refused when these were taken.
  package mutating func note(
    _ entries: [Entry], _ settlements: [Settlement], _ commit: LedgerTurn.Commit,
    took commitNanoseconds: Int64, refused: [Refusal] = [], at now: Int64
  ) -> [Refusal] {
    for refusal in refused { restAgain(refusal, at: now) }
    queue.putBack(entries.dropFirst(settlements.count))
    for place in entries.indices.prefix(settlements.count) {
      let settlement = settlements[place]
      // A work that was alone in its turn held the ledger for the rest of the commit too.
      let rest = max(0, commitNanoseconds - settlement.commitPartNanoseconds)
      queue.note(
        entries[place], took: settlement.tookNanoseconds,
        committed: entries.count == 1 ? rest : 0, at: now)
      charge(entries[place], settlement.requests, at: now)
    }
    switch commit {
    case .nothing, .committed: return []
    case .failed, .unknown:
      let settled = entries.prefix(settlements.count)
      cooldowns.note(settled.map(\.work), commit, at: now)
      return takeOut(behind: Set(settled.compactMap(\.sender)), at: now)
    }
  }

  /// Lets the sender of a refused command rest for as long as they will be told, from now on.
  private mutating func restAgain(_ refusal: Refusal, at now: Int64) {
    guard case .rateLimited(let milliseconds) = refusal.failure,
      case .command(let it) = refusal.entry.work
    else { return }
    limits.rest(it.actor.user, it.actor.kind, for: Int64(milliseconds), at: now)
  }

  private mutating func charge(_ entry: Entry, _ requests: Int, at now: Int64) {
    guard requests > 1, entry.isRefusable, case .command(let it) = entry.work else { return }
    limits.charge(it.actor.user, it.actor.kind, requests - it.command.cost, at: now)
  }

  /// Takes the commands of these people that are to be refused now out of the queue.
  private mutating func takeOut(behind senders: Set<UserID>, at now: Int64) -> [Refusal] {
    let (cooldowns, limits) = (cooldowns, limits)
    var refused: [Refusal] = []
    for sender in senders {
      let out = queue.takeOut(of: sender) {
        Self.refusal(of: $0, cooldowns, limits, at: now) != nil
      }
      refused += out.compactMap { refusal(of: $0, at: now) }
    }
    return refused
  }

  private func refusal(of entry: Entry, at now: Int64) -> Refusal? {
    Self.refusal(of: entry, cooldowns, limits, at: now)
  }

  /// Returns the refusal of a command whose sender rests; nil to go on. A command that was counted came before the one
  /// that was refused for its rate.
  private static func refusal(
    of entry: Entry, _ cooldowns: UserCooldowns, _ limits: KindLimits, at now: Int64
  ) -> Refusal? {
    guard entry.isRefusable, case .command(let it) = entry.work else { return nil }
    if let wait = cooldowns.wait(it.actor.user, at: now) {
      return Refusal(entry: entry, failure: .unavailable(afterMilliseconds: wait))
    }
    guard !entry.isCounted, let wait = limits.rest(of: it.actor.user, it.actor.kind, at: now) else {
      return nil
    }
    return Refusal(entry: entry, failure: .rateLimited(afterMilliseconds: Int(wait)))
  }

  /// Counts a command that was not counted yet, or returns its refusal.
  private mutating func refusal(counting entry: Entry, at now: Int64) -> Refusal? {
    guard entry.isRefusable, !entry.isCounted, case .command(let it) = entry.work else {
      return nil
    }
    let (user, kind) = (it.actor.user, it.actor.kind)
    if let wait = limits.tryNow(user, kind, cost: it.command.cost, at: now) {
      return Refusal(entry: entry, failure: .rateLimited(afterMilliseconds: Int(wait)))
    }
    guard it.command.saysLine, let wait = lines.tryNow(user, kind, at: now) else { return nil }
    // All that the sender has sent behind the line waits too.
    limits.rest(user, kind, for: wait, at: now)
    return Refusal(entry: entry, failure: .rateLimited(afterMilliseconds: Int(wait)))
  }
}

extension Command {
  /// Whether the command counts as a line of talk. A sign for a line does not, and neither does a removal.
  fileprivate var saysLine: Bool {
    guard case .line(let command) = self else { return false }
    return switch command {
    case .say, .edit: true
    case .react, .remove: false
    }
  }
}

extension LedgerQueue.Entry {
  /// The person whose command it is; nil for a work that is no command.
  fileprivate var sender: UserID? {
    if case .command(let it) = work { it.actor.user } else { nil }
  }
}
