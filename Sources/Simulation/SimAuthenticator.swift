import Domain
import Sync
import Wire

/// Registration and sign-in (Server/Authentication) with a hash that costs only time.
final class SimAuthenticator {
  struct Visit {
    let to: ReplyAddress
    let request: AuthenticationRequest
    var account: Account?
    var proof = Proof.notAsked
    var token: String?
    var session: SessionID?
    var pairing: Pairings.Pairing?
    /// For a recovery, the generation of the code that it spends.
    var generation = 0
    var retried = false
  }

  unowned let server: SimServer
  let store: any EventStore
  var pairings = Pairings()
  private var visits: [VisitID: Visit] = [:]
  private var visitsMade = 0

  init(_ server: SimServer, _ store: any EventStore) {
    self.server = server
    self.store = store
  }

  func begin(_ to: ReplyAddress, _ request: AuthenticationRequest) {
    prepare(Visit(to: to, request: request))
  }

  private func prepare(_ visit: Visit) {
    var visit = visit
    do throws(StoreError) {
      switch visit.request.kind {
      case .register(let it): visit.account = try store.account(it.id)
      case .login(let it): visit.account = try store.account(username: it.username)
      case .openPairing(let identity): return server.reply(visit.to, try openPairing(identity))
      case .pair(let it): return pair(it, visit)
      case .guest(let it): return try beginAsGuest(it, visit)
      case .upgrade: break
      case .deleteAccount(_, let identity): visit.account = try store.account(identity.user)
      case .recover(let it):
        guard try findCode(it, &visit) else {
          return server.reply(visit.to, .failed(.credentials))
        }
      case .changePassword(_, let identity): visit.account = try store.account(identity.user)
      }
    } catch {
      return server.reply(visit.to, .failed(.unavailable(afterMilliseconds: 2_000)))
    }
    let name = keep(visit)
    let world = server.world
    let isSlow = world.random.happens(SimRules.slowPerMille * 10)
    if isSlow { world.count(.slowHash) }
    let wait = world.random.between(20, isSlow ? 3_000 : 60) * visit.request.kind.hashSteps
    world.schedule(after: wait, .hashed(server.generation, name))
  }

  func hashed(_ name: VisitID) {
    guard var visit = visits[name] else { return }
    switch visit.request.kind {
    case .register(let it):
      if let account = visit.account {
        visit.proof = account.password == hash(it.password) ? .verified(account.password) : .failed
      }
      guard let key = CommandKey(it.id.description) else { return }
      let registration = Registration(
        id: it.id, username: it.username, name: it.name, zone: it.zone,
        password: hash(it.password), code: nil, kind: it.kind)
      visits[name] = visit
      server.post(
        .command(
          Submission(
            actor: Actor(user: it.id, session: nil), command: .account(.register(registration)),
            key: key, hash: Digest.of(visit.request.canonical), proof: visit.proof)),
        .authenticator(name))
    case .login(let it):
      guard let account = visit.account, account.password == hash(it.password) else {
        visits[name] = nil
        return server.reply(visit.to, .failed(.credentials))
      }
      let session = newSession(of: account, &visit)
      visits[name] = visit
      server.post(.openSession(session, account: account), .authenticator(name))
    case .deleteAccount(let it, let identity):
      let days = server.world.random.happens(700) ? 0 : SimRules.graceDays
      let known = visit.account?.password
      let isKnown = known != nil && known == it.password.map(hash)
      visit.proof = isKnown ? .verified(known ?? .none) : .failed
      visits[name] = visit
      server.post(
        .command(
          Submission(
            actor: identity.actor, command: .account(.delete(days: days)), key: it.key,
            hash: Digest.of(visit.request.canonical), proof: visit.proof)),
        .authenticator(name))
    case .upgrade(let it, let identity): upgrade(it, identity, visit, name)
    case .recover(let it): recover(it, visit, name)
    case .changePassword(let it, let identity): changePassword(it, identity, visit, name)
    case .openPairing, .pair, .guest: visits[name] = nil
    }
  }

  func settled(_ name: VisitID, _ settlement: Settlement) {
    guard var visit = visits.removeValue(forKey: name) else { return }
    if shouldTryAgain(visit, settlement) {
      visit.retried = true
      return prepare(visit)
    }
    if case .failure(.unavailable) = settlement.result, let pairing = visit.pairing {
      pairings.giveBack(pairing)
    }
    server.reply(visit.to, outcome(visit, settlement))
  }

  /// Keeps a visit until it is answered; returns its name.
  func keep(_ visit: Visit) -> VisitID {
    visitsMade += 1
    let name = VisitID(number: visitsMade)
    visits[name] = visit
    return name
  }

  func newSession(
    of account: Account, _ visit: inout Visit, device: String? = nil
  ) -> SessionRecord {
    let world = server.world
    let token = "t\(world.random.uuid())"
    let session = SessionRecord(
      id: SessionID(world.random.uuid()), user: account.id,
      tokenHash: Digest.of(Array(token.utf8)),
      deviceHash: device.map { Digest.of(Array($0.utf8)) }, client: "simulated",
      openedAt: world.moment.wall, usedAt: world.moment.wall)
    visit.token = token
    visit.session = session.id
    return session
  }

  private func shouldTryAgain(_ visit: Visit, _ settlement: Settlement) -> Bool {
    guard !visit.retried else { return false }
    switch visit.request.kind {
    case .register:
      guard visit.proof == .notAsked else { return false }
      return settlement.repeated || settlement.result == .failure(.refused(.exists(field: "id")))
    // The password has changed since it was compared.
    case .login: return settlement.result == .failure(.refused(.unauthenticated))
    default: return false
    }
  }

  private func outcome(_ visit: Visit, _ settlement: Settlement) -> RequestOutcome {
    switch settlement.result {
    case .failure(.refused(.unauthenticated)): return .failed(.credentials)
    case .failure(let failure): return .failed(failure)
    case .success(let result):
      switch visit.request.kind {
      case .register(let it):
        return .registered(
          RegisterResult(
            changed: result.changed, user: it.id, username: it.username,
            recoveryCode: SimCodes.recovery(it.id, result.generation ?? 1),
            events: result.events))
      case .upgrade(let it, let identity):
        return .registered(
          RegisterResult(
            changed: result.changed, user: identity.user, username: it.username,
            recoveryCode: SimCodes.recovery(identity.user, result.generation ?? 1),
            events: result.events))
      case .login, .pair, .guest:
        guard let account = visit.account, let token = visit.token, let session = visit.session
        else { return .failed(.internal) }
        return .signedIn(
          LoginResult(
            token: token, user: account.id, session: session, expiresAfterDays: SessionAge.days,
            username: account.username))
      case .recover:
        guard let account = visit.account, let generation = result.generation else {
          return .failed(.internal)
        }
        return .recovered(
          RecoverResult(
            changed: result.changed, recoveryCode: SimCodes.recovery(account.id, generation)))
      case .openPairing: return .failed(.internal)
      case .changePassword, .deleteAccount: return .done(result)
      }
    }
  }

  static let hashMark = "simulated$"

  func hash(_ password: String) -> PasswordHash { SimAuthenticator.hash(password) }

  static func hash(_ password: String) -> PasswordHash {
    PasswordHash(phc: hashMark + password)
  }
}
