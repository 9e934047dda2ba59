// A second device of a person comes in: with the first one's token, as a program on one machine would, or by a code
// for which the first one asks.

import Sync
import Wire

extension Device {
  private var others: [Device] {
    world.devices.filter { $0 !== self && $0.person.index == person.index }
  }

  /// Lets the other devices of its person in. It has just signed in, or begins again and has forgotten whom it was
  /// letting in.
  func letOthersIn() {
    guard others.contains(where: { $0.token == nil && !$0.isSigningIn }) else { return }
    if world.random.happens(800) { return ask(.openPairing) }
    adoptedByOthers()
  }

  func answeredPairing(_ request: Request, _ result: Result<ReplicaAnswer, RequestFailure>) {
    switch result {
    case .success(.pairing(let it)):
      world.workload.codesInHand.insert(it.code)
      for device in others { device.pair(it.code) }
    case .success(.loggedIn(let login)): cameIn(by: request, login)
    case .success: world.fail("device \(index) gets another answer than it asked for")
    case .failure:
      if case .openPairing = request { return adoptedByOthers() }
      // When it tries twice at once, one try is refused.
      if token == nil, !isTrying { logIn() }
    }
  }

  private func adoptedByOthers() {
    guard let token else { return }
    for device in others { device.adopt(token, session) }
  }

  /// Signs in by a code, sometimes twice at once, and sometimes with another code first.
  private func pair(_ code: String) {
    guard token == nil, !isSigningIn else { return }
    beginSigningIn()
    let request = PairRequest(code: code, client: nil, device: nil)
    if world.random.happens(200) {
      ask(.pair(PairRequest(code: code + "-1", client: nil, device: nil)))
    }
    if world.random.happens(400) { ask(.pair(request)) }
    ask(.pair(request))
  }

  private var isTrying: Bool {
    waiting.values.contains { if case .pair = $0 { true } else { false } }
  }

  /// Checks P2: a code lets one device in, once.
  private func cameIn(by request: Request, _ login: LoginResult) {
    guard case .pair(let it) = request else { return }
    guard world.workload.codesInHand.remove(it.code) != nil else {
      return world.fail("P2 a code lets in twice")
    }
    guard login.user == person.id, login.username == person.username else {
      return world.fail("P9 the code of another person lets device \(index) in")
    }
    world.count(.p2Paired)
    signedIn(login)
  }
}
