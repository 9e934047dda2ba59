// The messages to the authenticator and to the hash threads.

internal import Crypto
internal import Domain
internal import Net
internal import Sync

/// A message to the authenticator.
enum AuthenticatorMessage: Sendable {
  /// `from` is the visitor's address prefix.
  case visit(ReplyAddress, AuthenticationRequest, from: PeerAddress?)
  case hashed(VisitID, HashResult, hasher: Int)
  case settled(VisitID, Settlement)
  case stop
}

/// A message to a hash thread.
enum HashMessage: Sendable {
  case job(VisitID, HashJob)
  case stop
}

/// A computation about passwords, in UTF-8. It is never logged.
struct HashJob: Sendable {
  /// Compare a password with a stored hash.
  var verify: (password: [UInt8], against: String)?
  /// Make a new hash.
  var make: [UInt8]?
  /// Make a new hash of the compared password too, when it matches and was stored at another cost.
  var renews = false
}

/// The outcome of a job. A part is nil when it was not asked for or could not be computed.
struct HashResult: Sendable {
  var matches: Bool?
  var made: PasswordHash?
}

/// Runs on a hash thread until `.stop`. It does one job at a time, so memory is bounded by the threads. Guesses can
/// keep all of them busy, and a processor with them, so the thread yields to those who serve signed-in people.
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
        mailboxes.authenticator.post(.hashed(visit, result, hasher: index))
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
