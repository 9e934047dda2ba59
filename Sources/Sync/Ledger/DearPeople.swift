// People whose works took long lately, and how much of the ledger's time they get. One dear piece of work is not
// interrupted: whoever comes right behind it waits for its end. So while others are served, dear work is rare enough
// that hardly anybody comes right behind one (P11).

import Domain

/// The people who are dear, and the time that their works may take. Milliseconds are those of the clock of
/// `LedgerQueue.take`. A work takes nanoseconds of CPU time, and its part of the time of the commit.
struct DearPeople: Sendable {
  /// A person is dear by a work that took so long, and by a batch that took so long for each of its commands.
  static let nanosecondsFrom: Int64 = 5_000_000
  private static let nanosecondsPerCommand: Int64 = 200_000
  /// A person is dear for so many times as long as a work took.
  private static let times: Int64 = 100
  private static let millisecondsMax: Int64 = 30_000
  /// Dear work waits at most so long behind that of others.
  private static let waitMillisecondsMax: Int64 = 250
  /// Others count as being served for so long after one of their works.
  private static let othersMilliseconds: Int64 = 1_000
  /// Meanwhile all dear work together gets one part in so many of the time: fewer than one in a hundred of the others
  /// come right behind it.
  private static let partsOfTime: Int64 = 200
  /// Time that dear work did not need is kept for it: one dear work, or two that are just dear.
  private static let keptNanosecondsMax: Int64 = 10_000_000
  /// Dear work owes no more time than that, so nobody waits for a share longer than eight seconds.
  private static let owedNanosecondsMax: Int64 = 40_000_000
  /// Somebody whose work takes long in all likelihood is dear for so long before that is known.
  private static let presumedMilliseconds: Int64 = 1_000

  private var until: [UserID: Int64] = [:]
  /// Since when their work waits behind that of others; nil while it does not.
  private var waitSince: Int64?
  /// Others are being served until then.
  private var othersUntil: Int64 = 0
  /// The time that dear work may take, and when it was counted.
  private var left = keptNanosecondsMax
  private var countedAt: Int64 = 0

  var isNobody: Bool { until.isEmpty }

  func has(_ person: UserID?) -> Bool { person.map { until[$0] != nil } ?? false }

  /// Whether this person has become dear by a work of so many commands.
  mutating func note(
    _ person: UserID, _ nanoseconds: Int64, commands: Int, at now: Int64
  ) -> Bool {
    let isDear =
      nanoseconds >= max(Self.nanosecondsFrom, Int64(commands) * Self.nanosecondsPerCommand)
    if isDear || has(person) { spend(nanoseconds, at: now) }
    guard isDear else { return false }
    let was = until[person]
    let longer = (was ?? now) + nanoseconds / 1_000_000 * Self.times
    until[person] = min(longer, now + Self.millisecondsMax)
    return was == nil
  }

  /// A work of this person has come that takes long in all likelihood.
  mutating func presume(_ person: UserID, at now: Int64) {
    until[person] = max(until[person] ?? 0, now + Self.presumedMilliseconds)
  }

  /// The people whose time is over. They are to stay dear while their work waits for its share of the time.
  func over(at now: Int64) -> [UserID] {
    until.isEmpty ? [] : until.filter { $0.value <= now }.map(\.key)
  }

  mutating func forgive(_ person: UserID) { until[person] = nil }

  mutating func othersAreServed(at now: Int64) { othersUntil = now + Self.othersMilliseconds }

  /// Whether the next dear work may be taken: it has waited long enough behind others, and its share of the time is not
  /// used up. Its wait behind others begins with the first such question.
  mutating func mayTake(at now: Int64, whileOthersWait: Bool) -> Bool {
    if whileOthersWait {
      othersAreServed(at: now)
      let since = waitSince ?? now
      waitSince = since
      guard now - since >= Self.waitMillisecondsMax else { return false }
    }
    guard milliseconds(at: now) == 0 else { return false }
    waitSince = nil
    return true
  }

  /// After so many milliseconds there is time for dear work, if no work of others waits then.
  mutating func milliseconds(at now: Int64) -> Int64 {
    earn(at: now)
    if left > 0 { return 0 }
    let untilEarned = -left * Self.partsOfTime / 1_000_000 + 1
    return min(untilEarned, max(0, othersUntil - now))
  }

  private mutating func spend(_ nanoseconds: Int64, at now: Int64) {
    earn(at: now)
    left = max(-Self.owedNanosecondsMax, left - nanoseconds)
  }

  private mutating func earn(at now: Int64) {
    let elapsed = max(0, now - countedAt)
    countedAt = max(countedAt, now)
    left = min(Self.keptNanosecondsMax, left + elapsed * 1_000_000 / Self.partsOfTime)
  }
}
