// Who comes in (DESIGN §6): register, login, recover and change of password. A thread of its own, with its own
// reading connection, that owns the limits, the codes for second devices and the queue in front of the hash threads.
//
// A visit goes: limits → what the store says → hash thread → ledger → answer; without a password, past the hash
// thread. What a client can tell
// from outside is the same for an unknown user and a wrong password: the text, and the time, because
// an unknown user's password is compared with a decoy. The ledger has the last word: it sees to it that
// the password that was compared is still the one that counts (`Proof`).

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Wire

/// Owned by its thread.
final class Doorkeeper {
  /// What is known of a visit between two steps.
  struct Visit {
    let to: ReplyAddress
    let request: DoorRequest
    let address: PeerAddress?
    var account: Account?
    /// The text of a new session's token, on its way to the client.
    var token: String?
    var session: SessionID?
    /// Of a registration: the id of its code.
    var code: String?
    /// Of a recovery: the generation of the code that it spends.
    var generation = 0
    var proof = Proof.notAsked
    /// Somebody who was here before, or is.
    var isKnown = false
    /// Of a second device: the code that it brought.
    var pairing: Pairings.Pairing?
    var retried = false
  }

  /// What a visit wants next.
  enum Next {
    case hash(HashJob)
    case ledger(LedgerWork)
    case answer(Outcome)
  }

  let store: any EventStore
  let mailboxes: Mailboxes
  let log: Log
  let counters: CounterSet<DoorCount>
  let codes: Codes
  let registrationIsOpen: Bool
  let firstLists: [String]
  let guestsMax: Int
  /// How many there are, and when that was counted; nil until somebody asks to be one.
  var guests: (count: Int, at: Int64)?
  let graceDays: Int
  private let decoy: String
  private let rules: SignInRules
  var limits: SignInLimits
  var pairings = Pairings()
  var places = KnownPlaces()
  private var queue: HashQueue
  private var idleHashers: [Int]
  private var visits: [DoorVisit: Visit] = [:]
  private var visitsMade = 0

  /// `decoy`: what the passwords of unknown users are compared with.
  init(
    store: any EventStore, codes: Codes, options: ServerOptions, decoy: String,
    mailboxes: Mailboxes
  ) {
    self.store = store
    self.mailboxes = mailboxes
    self.decoy = decoy
    counters = mailboxes.counters.door
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
      for message in mailboxes.door.wait(milliseconds: wait.map { Int($0) }) {
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

  private func begin(_ to: ReplyAddress, _ request: DoorRequest, _ address: PeerAddress?) {
    counters.add(.visits)
    go(Visit(to: to, request: request, address: address))
  }

  private func go(_ visit: Visit) {
    var visit = visit
    do throws(StoreError) {
      switch try prepare(&visit) {
      case .answer(let outcome): reply(visit.to, outcome)
      case .hash(let job): enqueue(visit, job)
      case .ledger(let work): mailboxes.ledger.post(.work(work, .door(keep(visit))))
      }
    } catch {
      log.note("door: \(error.fault.detail)")
      reply(visit.to, .failed(unavailable))
    }
  }

  private func keep(_ visit: Visit) -> DoorVisit {
    visitsMade += 1
    let name = DoorVisit(number: visitsMade)
    visits[name] = visit
    return name
  }

  private func enqueue(_ visit: Visit, _ job: HashJob) {
    let waiting = WaitingJob(
      visit: keep(visit), job: job, place: visit.place, guessedAt: visit.guessedAt,
      isKnown: visit.isKnown, since: MachineClock.monotonic().milliseconds)
    for job in queue.add(waiting) { turnAway(job, .refusedQueue) }
  }

  private func turnAway(_ job: WaitingJob, _ why: DoorCount) {
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

  private func hashed(_ name: DoorVisit, _ result: HashResult) {
    guard var visit = visits[name] else { return }
    switch work(&visit, result) {
    case .success(let work):
      visits[name] = visit
      mailboxes.ledger.post(.work(work, .door(name)))
    case .failure(let failure):
      visits[name] = nil
      reply(visit.to, .failed(failure))
    }
  }

  private func settled(_ name: DoorVisit, _ settlement: Settlement) {
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

  /// Whoever came in was no guesser, and is known where they came from.
  private func noteEntry(_ visit: Visit, _ outcome: Outcome) {
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
    // The password was right, only there is no room.
    case .failed(.refused(.quota)):
      guard case .verified = visit.proof, let account = visit.account?.username else { return }
      limits.giveBack(account: account, from: visit.address)
      if visit.guessedAt != nil { queue.succeeded(at: account) }
    case .done, .pairing, .loggedOut, .welcome, .unwelcome, .opened, .noted, .answer, .failed: break
    }
  }

  /// What the password was compared with may have changed on the way. A registration that met
  /// another of the same id: now there is an account to compare with. A sign-in whose password was
  /// changed, or stored at another cost by a second sign-in: only a new comparison tells.
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

  private func reply(_ to: ReplyAddress, _ outcome: Outcome) {
    if outcome == .failed(.credentials) { counters.add(.refusedCredentials) }
    mailboxes.reply(to, outcome)
  }

  // MARK: What the kinds share

  var unavailable: Failure {
    .unavailable(afterMilliseconds: ServerLimits.unavailableMilliseconds)
  }

  /// Nil to go on.
  func refusal(_ account: String, _ visit: Visit, knownDevice: Bool = false) -> Failure? {
    let now = MachineClock.monotonic().milliseconds
    let wait = limits.tryNow(
      account: account, from: visit.address, knownDevice: knownDevice, at: now)
    if wait != nil { counters.add(.refusedRate) }
    return wait.map { .rateLimited(afterMilliseconds: Int($0)) }
  }

  /// Compares with the account's hash, or takes as long for nothing: for an unknown user, and for a guest.
  func comparison(_ password: String, _ account: Account?) -> HashJob {
    let hash = account.flatMap { $0.password.isNone ? nil : $0.password.phc }
    return HashJob(verify: (Array(password.utf8), hash ?? decoy))
  }
}
