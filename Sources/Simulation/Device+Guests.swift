// A person who begins without a name and a password, is one of the others for a while, and then takes both. When an
// earlier copy of the store is put back, they are a guest again, and only the device can sign them in.

import Domain
import Sync
import Wire

extension Device {
  private var device: String { "the secret of device \(index)" }

  func beginAsGuest() {
    beginSigningIn()
    ask(
      .guest(
        GuestRequest(id: person.id, name: person.username, zone: "UTC", device: device, client: nil)
      ))
  }

  /// Whether its copy says that its person is a guest.
  var isGuest: Bool { isGuest(in: replica.state(of: .user(person.id))) }

  private func isGuest(in state: StreamState?) -> Bool {
    guard case .profile(let profile) = state?.object(.profile, person.id.uuid) else { return false }
    return profile.isGuest
  }

  func upgrade() {
    ask(
      .upgrade(
        UpgradeRequest(
          username: person.username, name: person.username, password: person.password,
          key: newKey())))
  }

  func answeredGuest(_ request: Request, _ result: Result<ReplicaAnswer, RequestFailure>) {
    switch (request, result) {
    case (.guest, .success(.loggedIn(let login))):
      signedIn(login)
      letOthersIn()
    // Nobody is let in twice: by now there is an account with a password, or the answer was lost.
    case (.guest, _): logIn()
    case (.upgrade, .success(.registered(let it))):
      world.count(.p2Upgraded)
      keep(code: it.recoveryCode)
      if it.username != person.username { world.fail("P2 a guest is \(it.username) now") }
    default: break
    }
  }
}
