import Domain
import Sync
import Wire

// A new password, set by the old one or by the recovery code (Server/Authentication).
extension SimAuthenticator {
  /// Answers whether the code is the one that counts, or the one that an earlier try of this request has spent.
  func findCode(_ request: RecoverRequest, _ visit: inout Visit) throws(StoreError) -> Bool {
    guard let account = try store.account(username: request.username) else { return false }
    visit.account = account
    let address = KeyAddress(stream: .user(account.id), actor: account.id, key: request.key)
    let spent = try store.key(address)?.result.generation.map { $0 - 1 }
    let found = [account.recoveryGeneration, spent].compactMap(\.self).first {
      SimCodes.recovery(account.id, $0) == request.code
    }
    visit.generation = found ?? 0
    return found != nil
  }

  func recover(_ request: RecoverRequest, _ visit: Visit, _ name: VisitID) {
    guard let account = visit.account else { return }
    let command = Command.account(
      .recover(
        account.id, hash(request.password), generation: visit.generation))
    server.post(
      .command(
        Submission(
          actor: Actor(user: account.id, session: nil), command: command, key: request.key,
          hash: Digest.of(visit.request.canonical))),
      .authenticator(name))
  }

  func changePassword(
    _ request: ChangePasswordRequest, _ identity: Identity, _ visit: Visit, _ name: VisitID
  ) {
    var proof = Proof.notAsked
    if let known = visit.account?.password, !known.isNone {
      proof = known == hash(request.old) ? .verified(known) : .failed
    }
    server.post(
      .command(
        Submission(
          actor: identity.actor, command: .account(.changePassword(hash(request.new))),
          key: request.key,
          hash: Digest.of(visit.request.canonical), proof: proof)),
      .authenticator(name))
  }
}

extension AuthenticationRequest.Kind {
  /// The number of times that a password is hashed for it: compared, made, or both.
  var hashSteps: Int64 {
    if case .changePassword = self { 2 } else { 1 }
  }
}

extension Command {
  /// Whether it sets another password for an existing account.
  var setsPassword: Bool {
    switch self {
    case .account(.changePassword), .account(.recover): true
    default: false
    }
  }
}
