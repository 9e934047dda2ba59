// Jobs that wait for a hash thread. Hashing is the cost of a sign-in, so this queue decides who comes in under a flood
// of wrong guesses (DESIGN §6):
//
//   known      a device that has signed in to the account before, an address from which somebody did, a right recovery
//              code, a person who is signed in. They have a line of their own with room of its own, which no stranger
//              takes, and every other turn.
//   strangers  everybody else, fair by network and address.
//
// All strangers together get a burst of guesses at one account, and then one every few seconds, however many addresses
// they have. A guess beyond that is delayed and not refused, and a stranger who has not guessed yet goes first. So the
// owner waits for one such moment and not for all the guessers. A guess that waits for too long, or finds no room, is
// told to come back.
//
// Everything is bounded: the jobs by the two lines, the accounts by the guesses that hash threads can compute.

internal import Net
internal import Sync

/// A job and its owner.
struct WaitingJob: Sendable {
  let visit: VisitID
  let job: HashJob
  let place: LinePlace
  /// The username that is guessed at. Nil when the job is no guess, or its sender is known.
  let guessedAt: String?
  let isKnown: Bool
  /// The moment at which it came, in milliseconds of the monotonic clock.
  let since: Int64
}

/// The queue. It is pure: the time is an argument.
struct HashQueue {
  private let rules: SignInRules
  private var known = FairLine()
  private var strangers = FairLine()
  private var isKnownTurn = true
  private var guesses: AccountGuesses

  init(_ rules: SignInRules) {
    self.rules = rules
    guesses = AccountGuesses(rules.guesses)
  }

  var count: Int { known.count + strangers.count }

  /// Puts a job in its line. Returns the jobs that give way to it, or the job itself when there is no room.
  mutating func add(_ job: WaitingJob) -> [WaitingJob] {
    if job.isKnown {
      known.add(job)
      return HashQueue.shorten(&known, to: rules.knownWaitingMax) { _ in true }
    }
    strangers.add(job)
    var gone = HashQueue.shorten(&strangers, to: rules.waitingPerAddressMax) {
      $0.place == job.place
    }
    if let account = job.guessedAt {
      gone += HashQueue.shorten(&strangers, to: rules.waitingPerAccountMax) {
        $0.guessedAt == account
      }
    }
    return gone + HashQueue.shorten(&strangers, to: rules.waitingMax) { _ in true }
  }

  private static func shorten(
    _ line: inout FairLine, to max: Int, where isMeant: (WaitingJob) -> Bool
  ) -> [WaitingJob] {
    var gone: [WaitingJob] = []
    while line.waiting.count(where: isMeant) > max, let job = line.giveWay(where: isMeant) {
      gone.append(job)
    }
    return gone
  }

  /// Takes the job that a free hash thread is to do now. The lines take turns while both have jobs. Nil when none may
  /// go on.
  mutating func next(at now: Int64) -> WaitingJob? {
    let job =
      isKnownTurn
      ? nextKnown() ?? nextStranger(at: now) : nextStranger(at: now) ?? nextKnown()
    if let job { isKnownTurn = !job.isKnown }
    return job
  }

  private mutating func nextKnown() -> WaitingJob? { known.next { _ in true } }

  private mutating func nextStranger(at now: Int64) -> WaitingJob? {
    let guesses = guesses
    let job = strangers.next { guesses.wait(at: $0.guessedAt, now) == nil }
    if let account = job?.guessedAt { self.guesses.take(at: account, now) }
    return job
  }

  /// Gives a guess back, because it was right.
  mutating func succeeded(at account: String) { guesses.giveBack(at: account) }

  /// Takes out the jobs that have waited for too long.
  mutating func overdue(at now: Int64) -> [WaitingJob] {
    let (guesses, most) = (guesses, rules.delayMillisecondsMax)
    return strangers.take {
      now - $0.since >= most && guesses.wait(at: $0.guessedAt, now) != nil
    }
  }

  /// Returns after how many milliseconds a job that is delayed now may go on, or has waited for too long. Nil when none
  /// is delayed.
  func wait(at now: Int64) -> Int64? {
    strangers.waiting.compactMap { job in
      guesses.wait(at: job.guessedAt, now).map {
        max(1, min($0, job.since + rules.delayMillisecondsMax - now))
      }
    }.min()
  }
}
