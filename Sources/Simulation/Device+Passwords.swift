// People set another password, by the old one or by the recovery code, and their other devices find out. On all of
// their devices a person knows the present password as soon as it counts; now and then they type a former one.

import Domain
import Sync
import Wire

extension Device {
  var password: String { world.truth.password(of: person.id) ?? person.password }

  var passwordTyped: String {
    let former = world.truth.formerPasswords(of: person.id)
    guard !former.isEmpty, world.random.happens(200) else { return password }
    return world.random.pick(former) ?? password
  }

  /// Sets another password, sometimes twice, like a person who presses a button again.
  func renewPassword() {
    // A person who began as a guest is one again when an earlier copy is put back. A forgotten key would do it a second
    // time, and be refused.
    guard !person.beginsAsGuest, !isOver, world.workload.keepMilliseconds == nil else { return }
    let new = world.workload.newPassword(of: person)
    var request = Request.changePassword(
      ChangePasswordRequest(old: passwordTyped, new: new, key: newKey()))
    if world.random.happens(450), let code = codeInHand() {
      request = .recover(
        RecoverRequest(username: person.username, code: code, password: new, key: newKey()))
    }
    ask(request)
    if world.random.happens(300) { ask(request) }
  }

  /// Returns one of the recovery codes that the person was told, mostly the newest.
  private func codeInHand() -> String? {
    let codes = world.workload.recoveryCodes[person.index] ?? []
    return world.random.happens(450) ? codes.last : world.random.pick(codes)
  }

  func keep(code: String) {
    if world.workload.recoveryCodes[person.index]?.last == code { return }
    world.workload.recoveryCodes[person.index, default: []].append(code)
  }

  /// Checks P2: a recovery code works once.
  func recovered(_ request: RecoverRequest, _ result: RecoverResult) {
    let earlier = world.workload.codesSpent.updateValue(request.key, forKey: request.code)
    if let earlier, earlier != request.key {
      world.fail("P2 a recovery code of \(person.username) works twice: \(earlier), \(request.key)")
    }
    keep(code: result.recoveryCode)
  }

  func noteAsked(_ request: Request, _ address: KeyAddress?) {
    guard case .changePassword = request, let address, let session else { return }
    world.truth.passwordAsked[address, default: []].insert(session)
  }

  func noteSignedOut() {
    guard let session, let account = world.truth.accounts[person.id] else { return }
    if account.closing(of: session)?.byPassword == true { world.count(.p9SignedOut) }
  }

  // MARK: P9: who is let in

  /// Checks that a session that has ended lets nobody in.
  func checkWelcome(_ asked: Link.Asked) {
    guard case .hello(let hello) = asked.request, hello.token == token, let session,
      let closing = world.truth.accounts[person.id]?.closing(of: session)
    else { return }
    if closing.at <= asked.sentAfter {
      world.fail("P9 device \(index) is let in by a session that has ended")
    }
  }

  func checkSignIn(_ request: LoginRequest, isLetIn: Bool, since commit: Int) {
    guard let account = world.truth.accounts[person.id] else { return }
    let password = SimAuthenticator.hash(request.password)
    if isLetIn {
      guard account.counted(password, since: commit) else {
        return world.fail("P9 device \(index) is let in by a password that does not count")
      }
      if account.passwords.count > 1 { world.count(.p9NewPassword) }
    } else if account.counts(password, since: commit) {
      world.fail("P9 device \(index) is not let in by the password that counts")
    } else if account.passwords.contains(where: { $0.password == password }) {
      world.count(.p9OldPassword)
    }
  }

  func checkTurnedAway(_ asked: Link.Asked) {
    switch asked.request {
    case .login(let it): checkSignIn(it, isLetIn: false, since: asked.sentAfter)
    case .recover(let it):
      guard let account = world.truth.accounts[person.id] else { return }
      if account.counts(code: it.code, of: person.id, since: asked.sentAfter) {
        return world.fail("P9 the recovery code of \(person.username) that counts is refused")
      }
      world.count(.p2CodeRefused)
    default: break
    }
  }

  /// Checks P1 and P2: it is written, once, and every answer has the same next code.
  func check(_ result: RecoverResult, of address: KeyAddress, _ hash: [UInt8]) {
    guard let record = world.truth.keys[address], record.hash == hash else {
      return world.fail("P1 \(address.key) is acknowledged and not written")
    }
    guard let generation = record.result.generation, result.changed == record.result.changed,
      result.recoveryCode == SimCodes.recovery(person.id, generation)
    else { return world.fail("P2 \(address.key) has another result: \(result)") }
  }

  /// Whether the session with which it goes on is open. A session that was ended elsewhere is not, and the news of that
  /// may be on its way for a while; nobody is level before it came.
  var isLetIn: Bool {
    guard !looks, !isOver, !isShutOut, !isProgram || token != nil, let session,
      let account = world.truth.accounts[person.id]
    else {
      return true
    }
    return account.sessions.contains(session)
  }
}

extension Request {
  /// The key of a request that sets another password; nil for other requests.
  var passwordKey: CommandKey? {
    switch self {
    case .changePassword(let it): it.key
    case .recover(let it): it.key
    default: nil
    }
  }
}

extension Workload {
  /// Closes the session of another device of the same person, which finds out. A person who began as a guest could not
  /// sign in again.
  func signOut(_ device: Device) -> Command? {
    guard !device.person.beginsAsGuest else { return nil }
    let others = device.world.devices.filter {
      $0.person.index == device.person.index && $0.index != device.index && !$0.looks
    }
    return device.world.random.pick(others)?.session.map { .account(.closeSession($0)) }
  }

  mutating func newPassword(of person: Person) -> String {
    passwordsMade += 1
    return "password \(passwordsMade) of \(person.index)"
  }
}
