// Codes by which a second device signs in without a password (protocol §8 `session.pair`, `account.pair`).
//
// A code is not derived and not stored: it is random, and whoever answers sign-ins holds it in memory until it is
// used, for two minutes. Derived it would be good again after a restart, and its five tries would have to be kept
// on the disk; stored it would be a way in for whoever reads the file. A server that restarts forgets it, and the
// person asks for another.
//
// A code is two parts, so that tries are counted for the one that is meant and nobody can use up another's:
//
//   name     3 random bytes: which code it is
//   secret   4 random bytes: compared in constant time; the fifth wrong one ends the code
//
// Who tries at random has to meet a name first: of a hundred open codes, 2⁻⁵⁰ a try.

package import Domain

/// The codes that are open, at most one for each person. Milliseconds are those of the monotonic clock.
package struct Pairings: Sendable {
  /// Whom a code lets in, and by which session it was asked for.
  package struct Pairing: Equatable, Sendable {
    /// As it was then: with another password the code is none any more.
    package let account: Account
    package let session: SessionID
    fileprivate let name: [UInt8]
    fileprivate let secret: [UInt8]
    fileprivate let endsAt: Int64
    fileprivate var triesLeft: Int
  }

  package static let codeBytes = 7
  private static let nameBytes = 3
  /// So many wrong ones end a code.
  package static let triesMax = 5
  package static let milliseconds: Int64 = 120_000
  /// Those that are over are dropped when there are so many; then twice as many as are left.
  private static let pairingsBeforeSweep = 1_024

  private var byName: [[UInt8]: Pairing] = [:]
  private var names: [UserID: [UInt8]] = [:]
  private var sweepAt = Pairings.pairingsBeforeSweep

  package init() {}

  /// Opens a code, in the place of the one that the person had. `random`: `codeBytes` bytes. False when a code of that
  /// name is open: then other bytes are wanted.
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

  /// Whom the code lets in: from now on nobody else, unless it is given back. Nil for one that is unknown, used,
  /// over or wrong; these cannot be told apart.
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

  /// Nobody came in by it: it is open again, with what it has left of its time and tries; unless the person has asked
  /// for another since.
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

  /// In a time that does not tell how much of it is right.
  private static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
