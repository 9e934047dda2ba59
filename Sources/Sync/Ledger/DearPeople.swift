// People whose works took long lately are dear. This file decides how much of the ledger's time they get. One dear
// piece of work is not interrupted, so work that comes right behind it waits for its end. So while others are served,
// dear work is rare enough that hardly anybody comes right behind one (P11).

import Domain

/// The people who are dear, and the time that their works may take. Milliseconds are those of the clock of
/// `LedgerQueue.take`. The nanoseconds of a work are its CPU time and its part of the time of the commit; the share of
/// dear work pays for the rest of a commit too.
struct DearPeople: Sendable {
  /// The least time of a work that makes its person dear. For a batch, the time for each of its commands counts too.
  static let nanosecondsFrom: Int64 = 8_000_000
  private static let nanosecondsPerCommand: Int64 = 200_000
  /// Works of this time and more are added up: somebody who sends them one after another is dear too. Of the sum a part
  /// is forgotten with each millisecond, so that a long text now and then makes nobody dear.
  private static let addedNanosecondsFrom: Int64 = 2_000_000
  private static let forgottenNanosecondsPerMillisecond: Int64 = 10_000
  /// The factor by which a person is dear for longer than the work took.
  private static let times: Int64 = 200
  private static let millisecondsMax: Int64 = 30_000
  /// The longest wait of dear work behind the work of others.
  private static let waitMillisecondsMax: Int64 = 250
  /// The time for which others count as being served after one of their works.
  private static let othersMilliseconds: Int64 = 1_000
  /// Meanwhile all dear work together gets one part in so many of the time: fewer than one in a hundred of the others
  /// come right behind it.
  private static let partsOfTime: Int64 = 300
  /// Time that dear work did not need is kept for it: a little more than one that is just dear.
  private static let keptNanosecondsMax: Int64 = 10_000_000
  /// The most that a commit counts for. A disk that stalls is nobody's fault.
  private static let commitNanosecondsMax: Int64 = 10_000_000
  /// Dear work owes no more time than that, so nobody waits for a share longer than eight seconds.
  private static let owedNanosecondsMax: Int64 = 26_000_000
  /// The time for which a person is dear whose work in all likelihood takes long, before that is known.
  private static let presumedMilliseconds: Int64 = 1_000

  private var until: [UserID: Int64] = [:]
  private var sums: [UserID: (nanoseconds: Int64, at: Int64)] = [:]
  /// The moment since which dear work waits behind that of others; nil while it does not.
  private var waitSince: Int64?
  /// The moment until which others count as being served.
  private var othersUntil: Int64 = 0
  /// The nanoseconds that dear work may take, and the moment at which they were counted.
  private var left = keptNanosecondsMax
  private var countedAt: Int64 = 0

  var isNobody: Bool { until.isEmpty }

  func has(_ person: UserID?) -> Bool { person.map { until[$0] != nil } ?? false }

  /// Notes the time that a work of so many commands took, and the rest of a commit that was made for it alone. Answers
  /// whether its person has become dear by it. The share of dear work pays for those who were dear before. A person who
  /// becomes dear pays by being dear: otherwise somebody whose works are dear now and then could use up the share of
  /// those who wait for it.
  mutating func note(
    _ person: UserID, _ nanoseconds: Int64, committed commitNanoseconds: Int64 = 0, commands: Int,
    at now: Int64
  ) -> Bool {
    if has(person) {
      // A short work pays for no commit, so that somebody's short ones are not made to wait for a slow disk.
      let commit = nanoseconds < Self.addedNanosecondsFrom ? 0 : commitNanoseconds
      spend(nanoseconds + min(commit, Self.commitNanosecondsMax), at: now)
    }
    guard
      nanoseconds >= max(Self.addedNanosecondsFrom, Int64(commands) * Self.nanosecondsPerCommand),
      sum(person, nanoseconds, at: now) >= Self.nanosecondsFrom
    else { return false }
    let was = until[person]
    let longer = (was ?? now) + nanoseconds / 1_000_000 * Self.times
    until[person] = min(longer, now + Self.millisecondsMax)
    return was == nil
  }

  /// Makes a person dear for a while, because a work of theirs has come that in all likelihood takes long.
  mutating func presume(_ person: UserID, at now: Int64) {
    until[person] = max(until[person] ?? 0, now + Self.presumedMilliseconds)
  }

  /// Returns the people whose time as dear is over. The caller keeps them dear while their work waits for its share.
  func over(at now: Int64) -> [UserID] {
    until.isEmpty ? [] : until.filter { $0.value <= now }.map(\.key)
  }

  mutating func forgive(_ person: UserID) { until[person] = nil }

  mutating func othersAreServed(at now: Int64) { othersUntil = now + Self.othersMilliseconds }

  /// Answers whether the next dear work may be taken: it has waited long enough behind others, and its share of the
  /// time is not used up. Its wait behind others begins with the first call while others wait.
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

  /// Returns the milliseconds after which there is time for dear work, if no work of others waits then.
  mutating func milliseconds(at now: Int64) -> Int64 {
    earn(at: now)
    if left > 0 { return 0 }
    let untilEarned = -left * Self.partsOfTime / 1_000_000 + 1
    return min(untilEarned, max(0, othersUntil - now))
  }

  /// Adds the time of a work to the person's sum, and returns it.
  private mutating func sum(_ person: UserID, _ nanoseconds: Int64, at now: Int64) -> Int64 {
    sums = sums.filter { rest(of: $0.value, at: now) > 0 }
    let sum = nanoseconds + (sums[person].map { rest(of: $0, at: now) } ?? 0)
    sums[person] = (min(sum, Self.nanosecondsFrom), now)
    return sum
  }

  private func rest(of sum: (nanoseconds: Int64, at: Int64), at now: Int64) -> Int64 {
    sum.nanoseconds - (now - sum.at) * Self.forgottenNanosecondsPerMillisecond
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
