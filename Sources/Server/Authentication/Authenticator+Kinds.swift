// The kinds of visit with a password: what to compute, what to ask of the ledger, what to answer. Visits without a
// password are in `Authenticator+Pairing` and `Authenticator+Guests`.

internal import Calendar
internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Wire

extension Authenticator {
  // MARK: Before the hash

  /// Checks the limits, then what the store knows. Returns the job for a hash thread, or the step that needs none.
  func prepare(_ visit: inout Visit) throws(StoreError) -> Next {
    switch visit.request.kind {
    case .register(let request): Next(try prepare(request, &visit))
    case .login(let request): Next(try prepare(request, &visit))
    case .recover(let request): Next(try prepare(request, &visit))
    case .changePassword(let request, let identity): Next(try prepare(request, identity, &visit))
    case .openPairing(let identity): .answer(try openPairing(for: identity))
    case .pair(let request): pair(request, &visit)
    case .guest(let request): try guest(request, &visit)
    case .upgrade(let request, let identity): Next(try prepare(request, identity, &visit))
    case .deleteAccount(let request, let identity): try prepare(request, identity, &visit)
    }
  }

  private func prepare(
    _ request: RegisterRequest, _ visit: inout Visit
  ) throws(StoreError) -> Result<HashJob, Failure> {
    if let failure = refusal(request.id.description, visit) { return .failure(failure) }
    guard Zones.isKnown(request.zone) else {
      return .failure(.refused(.invalid(field: "zone", reason: "names no time zone")))
    }
    visit.account = try store.account(request.id)
    if visit.account != nil { return .success(comparison(request.password, visit.account)) }
    visit.code = request.code.flatMap {
      codes.registrationID($0, nowSeconds: wallNow.milliseconds / 1_000)
    }
    guard registrationIsOpen || visit.code != nil else {
      counters.add(.refusedCode)
      return .failure(
        .refused(.invalid(field: "code", reason: "must be one that is still good")))
    }
    return .success(HashJob(make: Array(request.password.utf8)))
  }

  private func prepare(
    _ request: LoginRequest, _ visit: inout Visit
  ) throws(StoreError) -> Result<HashJob, Failure> {
    visit.account = try store.account(username: request.username)
    let knows = try knowsDevice(request.device, of: visit.account)
    if let failure = refusal(request.username, visit, knownDevice: knows) {
      return .failure(failure)
    }
    visit.isKnown = knows || visit.places(of: request.username).contains { places.contains($0) }
    var job = comparison(request.password, visit.account)
    job.renews = true
    return .success(job)
  }

  /// Answers whether this device has an open session of the account.
  private func knowsDevice(_ device: String?, of account: Account?) throws(StoreError) -> Bool {
    guard let device, let account else { return false }
    let hash = sha256(Array(device.utf8))
    return try store.sessions(of: account.id).contains { $0.deviceHash == hash }
  }

  private func prepare(
    _ request: RecoverRequest, _ visit: inout Visit
  ) throws(StoreError) -> Result<HashJob, Failure> {
    if let failure = refusal(request.username, visit) { return .failure(failure) }
    guard let account = try store.account(username: request.username) else {
      return .failure(.credentials)
    }
    visit.account = account
    let address = KeyAddress(stream: .user(account.id), actor: account.id, key: request.key)
    // A repeat still has the code that its first submission spent.
    let spent = try store.key(address)?.result.generation.map { $0 - 1 }
    let generation = [account.recoveryGeneration, spent].compactMap(\.self).first {
      codes.isRecovery(request.code, account.id.uuid, generation: $0)
    }
    guard let generation else { return .failure(.credentials) }
    visit.generation = generation
    visit.isKnown = true
    return .success(HashJob(make: Array(request.password.utf8)))
  }

  private func prepare(
    _ request: ChangePasswordRequest, _ identity: Identity, _ visit: inout Visit
  ) throws(StoreError) -> Result<HashJob, Failure> {
    visit.account = try store.account(identity.user)
    if let failure = refusal(identity.user.description, visit) { return .failure(failure) }
    visit.isKnown = true
    var job = comparison(request.old, visit.account)
    job.make = Array(request.new.utf8)
    return .success(job)
  }

  // MARK: After the hash

  func work(_ visit: inout Visit, _ result: HashResult) -> Result<LedgerWork, Failure> {
    if let matches = result.matches, let account = visit.account, !account.password.isNone {
      visit.proof = matches ? .verified(account.password) : .failed
    }
    switch visit.request.kind {
    case .register(let request): return register(request, visit, result)
    case .login(let request): return openSession(request, &visit, result)
    case .recover(let request):
      guard let made = result.made, let account = visit.account else { return .failure(.internal) }
      let command = Command.account(.recover(account.id, made, generation: visit.generation))
      return .success(submission(account.id, nil, command, request.key, visit))
    case .changePassword(let request, let identity):
      guard let made = result.made else { return .failure(.internal) }
      return .success(
        submission(
          identity.user, identity.session, .account(.changePassword(made)), request.key, visit))
    case .upgrade(let request, let identity): return upgrade(request, identity, visit, result)
    case .openPairing, .pair, .guest: return .failure(.internal)
    case .deleteAccount(let request, let identity):
      guard result.matches != nil else { return .failure(.internal) }
      return .success(deletion(request, identity, visit))
    }
  }

  private func register(
    _ request: RegisterRequest, _ visit: Visit, _ result: HashResult
  ) -> Result<LedgerWork, Failure> {
    guard let password = result.made ?? visit.account?.password,
      let key = CommandKey(request.id.description)
    else { return .failure(.internal) }
    do throws(CryptoError) {
      let registration = Registration(
        id: request.id, username: request.username, name: request.name, zone: request.zone,
        password: password, code: visit.code, lists: try newLists(), kind: request.kind)
      return .success(submission(request.id, nil, .account(.register(registration)), key, visit))
    } catch {
      log.note("authenticator: \(error)")
      return .failure(unavailable)
    }
  }

  func newLists() throws(CryptoError) -> [FirstList] {
    var lists: [FirstList] = []
    for name in firstLists {
      let id = UUID.version7(at: wallNow, random: try randomBytes(10))
      lists.append(FirstList(id: CategoryID(id), name: name))
    }
    return lists
  }

  func submission(
    _ user: UserID, _ session: SessionID?, _ command: Command, _ key: CommandKey, _ visit: Visit
  ) -> LedgerWork {
    .command(
      Submission(
        actor: Actor(user: user, session: session), command: command, key: key,
        hash: sha256(visit.request.canonical), proof: visit.proof))
  }

  private func openSession(
    _ request: LoginRequest, _ visit: inout Visit, _ result: HashResult
  ) -> Result<LedgerWork, Failure> {
    guard result.matches != nil else { return .failure(.internal) }
    guard case .verified = visit.proof, let account = visit.account else {
      return .failure(.credentials)
    }
    guard let record = newSession(of: account, request.client, request.device, &visit) else {
      return .failure(unavailable)
    }
    return .success(.openSession(record, account: account, renewed: result.made))
  }

  /// Makes a session with a token that the visit takes along. Nil when there are no random bytes.
  func newSession(
    of account: Account, _ client: ClientName?, _ device: String?, _ visit: inout Visit
  ) -> SessionRecord? {
    do throws(CryptoError) {
      let token = try randomBytes(32)
      let now = wallNow
      let id = SessionID(UUID.version7(at: now, random: try randomBytes(10)))
      visit.token = Base64.encodeURL(token)
      visit.session = id
      return SessionRecord(
        id: id, user: account.id, tokenHash: sha256(token),
        deviceHash: device.map { sha256(Array($0.utf8)) },
        client: client.map(Authenticator.line) ?? "", openedAt: now, usedAt: now)
    } catch {
      log.note("authenticator: \(error)")
      return nil
    }
  }

  private static func line(_ client: ClientName) -> String {
    client.version.isEmpty ? client.name : "\(client.name) \(client.version)"
  }

  // MARK: After the ledger

  func outcome(of visit: Visit, _ settlement: Settlement) -> RequestOutcome {
    switch settlement.result {
    // The password has changed since it was compared, or it never matched.
    case .failure(.refused(.unauthenticated)): .failed(.credentials)
    case .failure(let failure): .failed(failure)
    case .success(let result): answer(visit, result)
    }
  }

  private func answer(_ visit: Visit, _ result: CommandResult) -> RequestOutcome {
    switch visit.request.kind {
    case .register(let request):
      return .registered(
        RegisterResult(
          changed: result.changed, user: request.id, username: request.username,
          recoveryCode: codes.recovery(request.id.uuid, generation: result.generation ?? 1),
          events: result.events))
    case .login: return signedIn(visit)
    case .pair: return signedIn(visit, tellsName: true)
    case .guest:
      if result.changed, !result.events.isEmpty { guests?.count += 1 }
      return signedIn(visit, tellsName: true)
    case .upgrade(let request, let identity):
      return .registered(
        RegisterResult(
          changed: result.changed, user: identity.user, username: request.username,
          recoveryCode: codes.recovery(identity.user.uuid, generation: result.generation ?? 1),
          events: result.events))
    case .openPairing: return .failed(.internal)
    case .recover:
      guard let account = visit.account, let generation = result.generation else {
        return .failed(.internal)
      }
      return .recovered(
        RecoverResult(
          changed: result.changed,
          recoveryCode: codes.recovery(account.id.uuid, generation: generation)))
    case .changePassword, .deleteAccount: return .done(result)
    }
  }

  /// Returns the answer to a sign-in. `tellsName` is for visitors who came in without saying who they are.
  private func signedIn(_ visit: Visit, tellsName: Bool = false) -> RequestOutcome {
    guard let account = visit.account, let token = visit.token, let session = visit.session else {
      return .failed(.internal)
    }
    return .signedIn(
      LoginResult(
        token: token, user: account.id, session: session, expiresAfterDays: SessionAge.days,
        username: tellsName ? account.username : nil))
  }
}
