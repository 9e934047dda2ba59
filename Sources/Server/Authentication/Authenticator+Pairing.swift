// Signing in a second device without a password (protocol §8 `session.pair`, `account.pair`). `Sync/Session/Pairings`
// says what a code is and what ends it; here are its bytes as people read them, and the limits.

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Wire

extension Authenticator {
  /// The name that stands for an account in the limits. No guess at a code says whom it means, so a guesser is slowed
  /// at all codes together. No username has a blank.
  static let pairing = "a pairing code"
  /// The most tries to find a name that no open code has: of 2²⁴ names few are taken.
  private static let namesTriedMax = 8

  /// Opens a code for another device of this person.
  func openPairing(for identity: Identity) throws(StoreError) -> RequestOutcome {
    guard let account = try store.account(identity.user),
      try store.sessions(of: account.id).contains(where: { $0.id == identity.session })
    else { return .failed(.refused(.unauthenticated)) }
    let now = MachineClock.monotonic().milliseconds
    do throws(CryptoError) {
      for _ in 0..<Authenticator.namesTriedMax {
        let code = try randomBytes(Pairings.codeBytes)
        guard pairings.open(code, for: account, by: identity.session, at: now) else { continue }
        return .pairing(
          PairingResult(
            code: HumanCode.encode(code), expiresAfterMilliseconds: Int(Pairings.milliseconds),
            tries: Pairings.triesMax))
      }
    } catch {
      log.note("authenticator: \(error)")
    }
    return .failed(unavailable)
  }

  /// Signs in a device that brings such a code.
  func pair(_ request: PairRequest, _ visit: inout Visit) -> Next {
    if let failure = refusal(Authenticator.pairing, visit) { return .answer(.failed(failure)) }
    guard let code = HumanCode.decode(request.code),
      let pairing = pairings.take(code, at: MachineClock.monotonic().milliseconds)
    else { return .answer(.failed(.credentials)) }
    visit.account = pairing.account
    visit.pairing = pairing
    guard let record = newSession(of: pairing.account, request.client, request.device, &visit)
    else {
      pairings.giveBack(pairing)
      return .answer(.failed(unavailable))
    }
    return .ledger(
      .openSession(record, account: pairing.account, pairedBy: pairing.session))
  }

  /// Ends a pairing. A device that came in gets back only the one try that it took: to give back all tries, as for a
  /// password, would give everybody with an account as many as they like. A code is open again only when it is known
  /// that nobody came in by it.
  func settled(
    _ pairing: Pairings.Pairing, _ settlement: Settlement, from address: PeerAddress?
  ) {
    switch settlement.result {
    case .success: limits.giveBack(account: Authenticator.pairing, from: address)
    case .failure(.unavailable), .failure(.refused(.quota)): pairings.giveBack(pairing)
    case .failure: break
    }
  }
}

extension Authenticator.Next {
  init(_ job: Result<HashJob, Failure>) {
    switch job {
    case .success(let job): self = .hash(job)
    case .failure(let failure): self = .answer(.failed(failure))
    }
  }
}
