// What the doorkeeper hears, and what it asks of the hash threads.

internal import Crypto
internal import Domain
internal import Net
internal import Sync

/// Names a visit from its beginning to its answer.
struct DoorVisit: Hashable, Sendable {
  let number: Int
}

/// To the doorkeeper.
enum DoorMessage: Sendable {
  /// `from` is the visitor's address prefix.
  case visit(ReplyAddress, DoorRequest, from: PeerAddress?)
  case hashed(DoorVisit, HashResult, hasher: Int)
  case settled(DoorVisit, Settlement)
  case stop
}

/// To a hash thread.
enum HashMessage: Sendable {
  case job(DoorVisit, HashJob)
  case stop
}

/// What is to be computed about passwords, in UTF-8. Never logged.
struct HashJob: Sendable {
  /// Compare a password with a stored hash.
  var verify: (password: [UInt8], against: String)?
  /// Make a new hash.
  var make: [UInt8]?
  /// Make a new hash of the compared password too, when it matches and was stored at another cost.
  var renews = false
}

/// What a job found; nil where nothing was asked or nothing could be computed.
struct HashResult: Sendable {
  var matches: Bool?
  var made: PasswordHash?
}

/// Runs on a hash thread until `.stop`. One job at a time, so memory is bounded by the threads.
/// Guesses can keep all of them busy, and a processor with them: who is signed in comes first.
func runHasher(_ index: Int, cost: ScryptCost, mailboxes: Mailboxes) {
  Thread.yieldToOthers()
  while true {
    for message in mailboxes.hashers[index].wait() {
      switch message {
      case .stop: return
      case .job(let visit, let job):
        let begun = MachineClock.monotonicNanoseconds()
        let result = compute(job, cost, mailboxes)
        mailboxes.counters.hashers[index].note(Int(MachineClock.monotonicNanoseconds() - begun))
        mailboxes.door.post(.hashed(visit, result, hasher: index))
      }
    }
  }
}

private func compute(_ job: HashJob, _ cost: ScryptCost, _ mailboxes: Mailboxes) -> HashResult {
  var result = HashResult()
  do throws(CryptoError) {
    if let (password, stored) = job.verify {
      let matches = try Password.verify(password, against: stored)
      result.matches = matches
      if matches, job.renews, Password.needsRehash(stored, cost: cost) {
        result.made = PasswordHash(phc: try Password.hash(password, cost: cost))
      }
    }
    if let password = job.make {
      result.made = PasswordHash(phc: try Password.hash(password, cost: cost))
    }
  } catch {
    Log(mailbox: mailboxes.log).note("hasher: \(error)")
  }
  return result
}
