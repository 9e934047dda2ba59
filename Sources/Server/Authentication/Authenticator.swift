// Decides who comes in (DESIGN §6): register, login, recover and change of password. It is a thread of its own, with
// its own reading connection, that owns the limits, the codes for second devices and the queue in front of the hash
// threads.
//
// A visit goes through the limits, the store, a hash thread and the ledger to its answer; a visit without a password
// skips the hash thread. From outside an unknown user looks the same as a wrong password: the text is the same, and so
// is the time, because an unknown user's password is compared with a decoy. The ledger has the last word: it makes sure
// that the password that was compared is still the one that counts (`Proof`).

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Wire

/// The authenticator, owned by its thread.
final class Authenticator {
  /// The state of a visit between two steps.
  struct Visit {
    let to: ReplyAddress
    let request: AuthenticationRequest
    let address: PeerAddress?
    var account: Account?
    /// The text of a new session's token, on its way to the client.
    var token: String?
    var session: SessionID?
    /// The id of the code that a registration brought.
    var code: String?
    /// The generation of the code that a recovery spends.
    var generation = 0
    var proof = Proof.notAsked
    /// Whether the visitor was here before, or is signed in.
    var isKnown = false
    /// The code that a second device brought.
    var pairing: Pairings.Pairing?
    var retried = false
  }

  /// The next step of a visit.
  enum Next {
    case hash(HashJob)
    case ledger(LedgerWork)
    case answer(RequestOutcome)
  }

  let store: any EventStore
  let mailboxes: Mailboxes
  let log: Log
  let counters: CounterSet<AuthenticatorCount>
  let codes: Codes
  let registrationIsOpen: Bool
  let firstLists: [String]
  let guestsMax: Int
  /// The number of guests and when it was counted. Nil until somebody asks to be one.
  var guests: (count: Int, at: Int64)?
  let graceDays: Int
  private let decoy: String
  private let rules: SignInRules
  var limits: SignInLimits
  var pairings = Pairings()
  var places = KnownPlaces()
  private var queue: HashQueue
  private var idleHashers: [Int]
  private var visits: [VisitID: Visit] = [:]
  private var visitsMade = 0

  /// Makes the authenticator. The passwords of unknown users are compared with `decoy`.
  init(
    store: any EventStore, codes: Codes, options: ServerOptions, decoy: String,
    mailboxes: Mailboxes
  ) {
    self.store = store
    self.mailboxes = mailboxes
    self.decoy = decoy
    counters = mailboxes.counters.authenticator
    log = Log(mailbox: mailboxes.log)
    self.codes = codes
    registrationIsOpen = options.registrationIsOpen
    firstLists = options.firstLists
    guestsMax = options.guestsMax
    graceDays = options.graceDays
    rules = options.signIn
    limits = SignInLimits(options.signIn)
    queue = HashQueue(options.signIn)
    idleHashers = Array(mailboxes.hashers.indices)
  }

  /// Runs until `.stop`.
  func run() {
    while true {
      let wait = queue.wait(at: MachineClock.monotonic().milliseconds)
      for message in mailboxes.authenticator.wait(milliseconds: wait.map { Int($0) }) {
        switch message {
        case .visit(let to, let request, let address): begin(to, request, address)
        case .hashed(let visit, let result, let hasher):
          idleHashers.append(hasher)
          hashed(visit, result)
        case .settled(let visit, let settlement): settled(visit, settlement)
        case .stop: return
        }
        dispatch()
      }
      let overdue = queue.overdue(at: MachineClock.monotonic().milliseconds)
      for job in overdue { turnAway(job, .refusedRate) }
      dispatch()
      counters.set(.waiting, queue.count)
    }
  }

  var wallNow: Timestamp { Timestamp(milliseconds: MachineClock.wallMilliseconds()) }

  // MARK: Steps

  private func begin(_ to: ReplyAddress, _ request: AuthenticationRequest, _ address: PeerAddress?)
  {
    counters.add(.visits)
    go(Visit(to: to, request: request, address: address))
  }

  private func go(_ visit: Visit) {
    var visit = visit
    do throws(StoreError) {
      switch try prepare(&visit) {
      case .answer(let outcome): reply(visit.to, outcome)
      case .hash(let job): enqueue(visit, job)
      case .ledger(let work): mailboxes.ledger.post(.work(work, .authenticator(keep(visit))))
      }
    } catch {
      log.note("authenticator: \(error.fault.detail)")
      reply(visit.to, .failed(unavailable))
    }
  }

  private func keep(_ visit: Visit) -> VisitID {
    visitsMade += 1
    let name = VisitID(number: visitsMade)
    visits[name] = visit
    return name
  }

  private func enqueue(_ visit: Visit, _ job: HashJob) {
    let waiting = WaitingJob(
      visit: keep(visit), job: job, place: visit.place, guessedAt: visit.guessedAt,
      isKnown: visit.isKnown, since: MachineClock.monotonic().milliseconds)
    for job in queue.add(waiting) { turnAway(job, .refusedQueue) }
  }

  private func turnAway(_ job: WaitingJob, _ why: AuthenticatorCount) {
    guard let visit = visits.removeValue(forKey: job.visit) else { return }
    counters.add(why)
    let wait = job.guessedAt == nil ? 1_000 : rules.guesses.everyMilliseconds
    reply(visit.to, .failed(.rateLimited(afterMilliseconds: Int(wait))))
  }

  private func dispatch() {
    let now = MachineClock.monotonic().milliseconds
    while let hasher = idleHashers.last, let next = queue.next(at: now) {
      idleHashers.removeLast()
      mailboxes.hashers[hasher].post(.job(next.visit, next.job))
    }
  }

  private func hashed(_ name: VisitID, _ result: HashResult) {
    guard var visit = visits[name] else { return }
    switch work(&visit, result) {
    case .success(let work):
      visits[name] = visit
      mailboxes.ledger.post(.work(work, .authenticator(name)))
    case .failure(let failure):
      visits[name] = nil
      reply(visit.to, .failed(failure))
    }
  }

  private func settled(_ name: VisitID, _ settlement: Settlement) {
    guard let visit = visits.removeValue(forKey: name) else { return }
    if shouldTryAgain(visit, settlement) {
      tryAgain(visit)
      return
    }
    let outcome = outcome(of: visit, settlement)
    if let pairing = visit.pairing {
      settled(pairing, settlement, from: visit.address)
    } else {
      noteEntry(visit, outcome)
    }
    reply(visit.to, outcome)
  }

  /// Notes that a visitor came in: they did not guess, and are known at the places from which they came.
  private func noteEntry(_ visit: Visit, _ outcome: RequestOutcome) {
    switch outcome {
    case .signedIn:
      guard let account = visit.account?.username else { return }
      limits.succeeded(account: account, from: visit.address)
      if visit.guessedAt != nil { queue.succeeded(at: account) }
      for place in visit.places(of: account) { places.note(place) }
    case .registered(let result):
      for place in visit.places(of: result.username) { places.note(place) }
    case .recovered:
      guard let account = visit.account?.username else { return }
      for place in visit.places(of: account) { places.note(place) }
    // The password was right, but there was no room.
    case .failed(.refused(.quota)):
      guard case .verified = visit.proof, let account = visit.account?.username else { return }
      limits.giveBack(account: account, from: visit.address)
      if visit.guessedAt != nil { queue.succeeded(at: account) }
    case .done, .pairing, .loggedOut, .welcome, .unwelcome, .opened, .noted, .answer, .failed: break
    }
  }

  /// Answers whether the password must be compared once more, because something has changed on the way. A registration
  /// may have met another of the same id; now there is an account to compare with. For a sign-in the password may have
  /// been changed, or stored at another cost by a second sign-in; only a new comparison tells.
  private func shouldTryAgain(_ visit: Visit, _ settlement: Settlement) -> Bool {
    guard !visit.retried else { return false }
    switch (visit.request.kind, settlement.result) {
    case (.register, .success): return visit.proof == .notAsked && settlement.repeated
    case (.register, .failure(let failure)):
      return visit.proof == .notAsked && failure == .refused(.exists(field: "id"))
    case (.login, .failure(let failure)): return failure == .refused(.unauthenticated)
    case (.login, .success), (.recover, _), (.changePassword, _), (.deleteAccount, _): return false
    case (.openPairing, _), (.pair, _), (.guest, _), (.upgrade, _): return false
    }
  }

  private func tryAgain(_ visit: Visit) {
    var visit = visit
    visit.retried = true
    go(visit)
  }

  private func reply(_ to: ReplyAddress, _ outcome: RequestOutcome) {
    if outcome == .failed(.credentials) { counters.add(.refusedCredentials) }
    mailboxes.reply(to, outcome)
  }

  // MARK: Parts that the kinds share

  var unavailable: Failure {
    .unavailable(afterMilliseconds: ServerLimits.unavailableMilliseconds)
  }

  /// Returns a refusal by the limits, or nil to go on.
  func refusal(_ account: String, _ visit: Visit, knownDevice: Bool = false) -> Failure? {
    let now = MachineClock.monotonic().milliseconds
    let wait = limits.tryNow(
      account: account, from: visit.address, knownDevice: knownDevice, at: now)
    if wait != nil { counters.add(.refusedRate) }
    return wait.map { .rateLimited(afterMilliseconds: Int($0)) }
  }

  /// Makes a job that compares with the account's hash, or takes as long for nothing: for an unknown user, and for a
  /// guest.
  func comparison(_ password: String, _ account: Account?) -> HashJob {
    let hash = account.flatMap { $0.password.isNone ? nil : $0.password.phc }
    return HashJob(verify: (Array(password.utf8), hash ?? decoy))
  }
}
