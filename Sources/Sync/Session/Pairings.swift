// Codes by which a second device signs in without a password (protocol §8 `session.pair`, `account.pair`).
//
// A code is neither derived nor stored. It is random, and the thread that answers sign-ins holds it in memory until it
// is used, for two minutes. A derived code would be good again after a restart, and its five tries would have to be
// kept on the disk. A stored code would let in anybody who reads the file. A server that restarts forgets the code, and
// the person asks for another.
//
// A code has two parts, so that tries are counted for the code that is meant and nobody can use up another's:
//
//   name     3 random bytes: which code it is
//   secret   4 random bytes: compared in constant time; the fifth wrong one ends the code
//
// A stranger who tries at random has to meet a name first: with a hundred open codes the chance is 2⁻⁵⁰ a try.

package import Domain

/// The codes that are open, at most one for each person. Milliseconds are those of the monotonic clock.
package struct Pairings: Sendable {
  /// The account that a code lets in, and the session that asked for the code.
  package struct Pairing: Equatable, Sendable {
    /// The account as it was then. Once it has another password the code is good no more.
    package let account: Account
    package let session: SessionID
    fileprivate let name: [UInt8]
    fileprivate let secret: [UInt8]
    fileprivate let endsAt: Int64
    fileprivate var triesLeft: Int
  }

  package static let codeBytes = 7
  private static let nameBytes = 3
  /// The number of wrong tries that end a code.
  package static let triesMax = 5
  package static let milliseconds: Int64 = 120_000
  /// The number of codes at which those that are over are dropped. The next time is at twice as many as are left.
  private static let pairingsBeforeSweep = 1_024

  private var byName: [[UInt8]: Pairing] = [:]
  private var names: [UserID: [UInt8]] = [:]
  private var sweepAt = Pairings.pairingsBeforeSweep

  package init() {}

  /// Opens a code, in place of the one that the person had. `random` has `codeBytes` bytes. Returns false when another
  /// person's code of that name is open: then other bytes are wanted.
  package mutating func open(
    _ random: [UInt8], for account: Account, by session: SessionID, at now: Int64
  ) -> Bool {
    precondition(random.count == Pairings.codeBytes, "a code has \(Pairings.codeBytes) bytes")
    sweep(at: now)
    let name = Array(random[..<Pairings.nameBytes])
    if let other = byName[name], other.account.id != account.id {
      if other.endsAt > now { return false }
      close(of: other.account.id)
    }
    close(of: account.id)
    byName[name] = Pairing(
      account: account, session: session, name: name,
      secret: Array(random[Pairings.nameBytes...]), endsAt: now + Pairings.milliseconds,
      triesLeft: Pairings.triesMax)
    names[account.id] = name
    return true
  }

  /// Returns the pairing of the code, which lets in nobody else from now on, unless it is given back. Nil for a code
  /// that is unknown, used, over or wrong; these cannot be told apart.
  package mutating func take(_ code: [UInt8], at now: Int64) -> Pairing? {
    guard code.count == Pairings.codeBytes else { return nil }
    let name = Array(code[..<Pairings.nameBytes])
    guard var pairing = byName[name] else { return nil }
    guard pairing.endsAt > now else {
      close(of: pairing.account.id)
      return nil
    }
    if Pairings.isSame(pairing.secret, Array(code[Pairings.nameBytes...])) {
      close(of: pairing.account.id)
      return pairing
    }
    pairing.triesLeft -= 1
    byName[name] = pairing
    if pairing.triesLeft <= 0 { close(of: pairing.account.id) }
    return nil
  }

  /// Opens a code again when nobody came in by it, with what it has left of its time and tries. Does nothing when the
  /// person has asked for another since.
  package mutating func giveBack(_ pairing: Pairing) {
    guard names[pairing.account.id] == nil, byName[pairing.name] == nil else { return }
    byName[pairing.name] = pairing
    names[pairing.account.id] = pairing.name
  }

  private mutating func close(of user: UserID) {
    guard let name = names.removeValue(forKey: user) else { return }
    if byName[name]?.account.id == user { byName[name] = nil }
  }

  private mutating func sweep(at now: Int64) {
    guard byName.count >= sweepAt else { return }
    for pairing in byName.values where pairing.endsAt <= now { close(of: pairing.account.id) }
    sweepAt = max(Pairings.pairingsBeforeSweep, byName.count * 2)
  }

  /// Compares in a time that does not tell how much is right.
  private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
