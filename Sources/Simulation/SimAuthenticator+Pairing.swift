import Domain
import Sync
import Wire

// A second device that comes in by a code (Server/Authentication). The letters of the code are its bytes.
extension SimAuthenticator {
  func openPairing(_ identity: Identity) throws(StoreError) -> RequestOutcome {
    guard let account = try store.account(identity.user),
      try store.sessions(of: account.id).contains(where: { $0.id == identity.session })
    else { return .failed(.refused(.unauthenticated)) }
    let code = Array(server.world.random.uuid().bytes.suffix(Pairings.codeBytes))
    guard pairings.open(code, for: account, by: identity.session, at: now) else {
      return .failed(.unavailable(afterMilliseconds: 2_000))
    }
    return .pairing(
      PairingResult(
        code: code.map(String.init).joined(separator: "-"),
        expiresAfterMilliseconds: Int(Pairings.milliseconds), tries: Pairings.triesMax))
  }

  func pair(_ request: PairRequest, _ visit: Visit) {
    let code = request.code.split(separator: "-").compactMap { UInt8($0) }
    guard let pairing = pairings.take(code, at: now) else {
      return server.reply(visit.to, .failed(.credentials))
    }
    var visit = visit
    visit.account = pairing.account
    visit.pairing = pairing
    let session = newSession(of: pairing.account, &visit)
    server.post(
      .openSession(session, account: pairing.account, pairedBy: pairing.session),
      .authenticator(keep(visit)))
  }

  private var now: Int64 { server.world.moment.milliseconds }
}
