import Domain
import Sync
import Wire

// People who begin without a name and a password (Server/Authentication).
extension SimAuthenticator {
  func beginAsGuest(_ request: GuestRequest, _ visit: Visit) throws(StoreError) {
    var visit = visit
    let account =
      try store.account(request.id)
      ?? Account(
        id: request.id, username: "guest-\(request.id)".prefix(20).lowercased(), password: .none,
        recoveryGeneration: 0)
    visit.account = account
    let guest = NewGuest(
      id: request.id, username: account.username, name: request.name, zone: request.zone)
    let session = newSession(of: account, &visit, device: request.device)
    server.post(.openGuest(guest, session), .authenticator(keep(visit)))
  }

  func upgrade(_ request: UpgradeRequest, _ identity: Identity, _ visit: Visit, _ name: VisitID) {
    let upgrade = Upgrade(
      username: request.username, name: request.name, password: hash(request.password))
    server.post(
      .command(
        Submission(
          actor: identity.actor, command: .account(.upgrade(upgrade)), key: request.key,
          hash: Digest.of(visit.request.canonical))),
      .authenticator(name))
  }
}
