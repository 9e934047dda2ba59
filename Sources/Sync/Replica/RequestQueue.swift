import Domain
import Wire

/// The requests that are not settled, in the order in which they were made.
struct RequestQueue: Sendable {
  /// So often an answer that asks for another try is followed, then it is told.
  static let attemptsMax = 8
  /// So many may be unanswered: half of what the server takes, and few enough that a burst over the rate limit
  /// is slowed and not refused in whole.
  static let inFlightMax = Limits.inFlightMax / 2

  /// What the replica itself asks.
  enum Own: Equatable {
    case hello
    case open(StreamID)
  }

  private enum Place: Equatable {
    case unsent
    case sent(RequestID)
    /// The server asked to wait.
    case held(until: Int64)
    /// Done; to be told when the copies contain it.
    case answered(ReplicaAnswer)
  }

  private struct Entry {
    let ticket: RequestTicket
    var request: Request
    /// Of a command that is kept until it is settled, whatever happens to us.
    var queued: QueuedCommand?
    var place = Place.unsent
    var attempts = 0
    /// Answered over a connection that is gone.
    var isEarlier = false
    /// It was kept by an earlier program, which may have sent it.
    var isKept = false
    /// Streams whose events of the answer are not waited for.
    var waived: Set<StreamID> = []

    var isInFlight: Bool {
      if case .sent = place { true } else { false }
    }
  }

  private var entries: [Entry] = []
  private var owned: [RequestID: Own] = [:]
  private var lastNumber: Int64 = 0

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// Whether somebody waits for a request that needs no session.
  var wantsNoSession: Bool { entries.contains { $0.request.needsNoSession } }

  mutating func add(_ request: Request, ticket: RequestTicket) {
    entries.append(Entry(ticket: ticket, request: request))
  }

  /// `isKept`: an earlier program has it from before, and may have sent it.
  mutating func add(_ queued: QueuedCommand, isKept: Bool = false) {
    entries.append(
      Entry(ticket: queued.ticket, request: queued.request, queued: queued, isKept: isKept))
  }

  /// Takes a queued command out that no server can have had, and that no other follows. False when it stays.
  mutating func withdraw(_ number: Int64) -> Bool {
    let isFollowed = entries.contains { $0.queued?.follows == number }
    guard !isFollowed,
      let index = entries.firstIndex(where: { $0.queued?.number == number }),
      entries[index].place == .unsent, entries[index].attempts == 0, !entries[index].isKept
    else { return false }
    entries.remove(at: index)
    return true
  }

  /// An id for a request of the replica's own.
  mutating func own(_ purpose: Own) -> RequestID {
    let id = nextID()
    owned[id] = purpose
    return id
  }

  mutating func takeOwn(_ id: RequestID) -> Own? { owned.removeValue(forKey: id) }

  /// What to send now; `beforeHello` those that need no session. What comes after a request that has
  /// to wait waits too: it may build on it.
  mutating func take(beforeHello: Bool) -> [(Request, RequestID)] {
    var taken: [(Request, RequestID)] = []
    var room = RequestQueue.inFlightMax - entries.count { $0.isInFlight }
    for index in entries.indices {
      if case .held = entries[index].place { break }
      guard entries[index].place == .unsent else { continue }
      guard !beforeHello || entries[index].request.needsNoSession else { continue }
      guard room > 0, follow(at: index) else { break }
      room -= 1
      let id = nextID()
      entries[index].place = .sent(id)
      entries[index].attempts += 1
      taken.append((entries[index].request, id))
    }
    return taken
  }

  /// The request that the server answers next.
  var oldestInFlight: RequestID? {
    let sent = entries.compactMap { entry in
      if case .sent(let id) = entry.place { id } else { nil }
    }
    return (sent + owned.keys).min { left, right in
      guard case .number(let left) = left, case .number(let right) = right else { return false }
      return left < right
    }
  }

  /// The request that this answer is for.
  func request(_ id: RequestID) -> Request? {
    entries.first { $0.place == .sent(id) }?.request
  }

  mutating func answered(_ id: RequestID, _ answer: ReplicaAnswer) {
    guard let index = entries.firstIndex(where: { $0.place == .sent(id) }) else { return }
    entries[index].place = .answered(answer)
  }

  /// An error answer: the tickets to tell it to, that of the request and those of the queued ones that follow
  /// it; none when the request goes on waiting.
  mutating func failed(_ id: RequestID, _ error: ServerError, now: Int64) -> [Failed] {
    guard let index = entries.firstIndex(where: { $0.place == .sent(id) }) else { return [] }
    if let next = next(after: error, entries[index], now: now) {
      entries[index].place = next
      return []
    }
    return fail(at: index)
  }

  /// What has its last answer.
  struct Failed {
    let ticket: RequestTicket
    /// Whether it was queued and is to be kept as refused; not for those that follow one, which go with it.
    let isQueued: Bool
  }

  private mutating func fail(at index: Int) -> [Failed] {
    let entry = entries.remove(at: index)
    var failed = [Failed(ticket: entry.ticket, isQueued: entry.queued != nil)]
    guard let number = entry.queued?.number else { return failed }
    while let follower = entries.firstIndex(where: { $0.queued?.follows == number }) {
      failed += fail(at: follower).map { Failed(ticket: $0.ticket, isQueued: false) }
    }
    return failed
  }

  /// What has its answer and shows in the copies.
  struct Settled {
    let ticket: RequestTicket
    let answer: ReplicaAnswer
    let isQueued: Bool
    /// For a change of notes that follows it.
    let version: Int?
  }

  /// Takes out the commands whose events all satisfy the test; others without events at once.
  mutating func settle(_ contains: (StreamPosition) -> Bool) -> [Settled] {
    var settled: [Settled] = []
    entries.removeAll { entry in
      guard case .answered(let answer) = entry.place,
        answer.events.allSatisfy({ entry.waived.contains($0.stream) || contains($0) })
      else { return false }
      settled.append(
        Settled(
          ticket: entry.ticket, answer: answer, isQueued: entry.queued != nil,
          version: entry.queued?.command.versionToFollow(answer.version)))
      return true
    }
    for one in settled { followed(one.ticket, version: one.version) }
    return settled
  }

  /// The history of a stream is another one now: events of the old one are not waited for.
  /// `earlier`: only of those that were answered over a connection that is gone; a snapshot that came since holds
  /// all of them, unless the history is another one.
  mutating func waive(_ stream: StreamID, earlier: Bool = false) {
    for index in entries.indices where !earlier || entries[index].isEarlier {
      if case .answered = entries[index].place { entries[index].waived.insert(stream) }
    }
  }

  /// Whether the command at this place may be sent; one that follows another takes the version of its answer.
  private mutating func follow(at index: Int) -> Bool {
    guard let front = entries[index].queued?.follows else { return true }
    guard let leader = entries.first(where: { $0.queued?.number == front }) else {
      // It was settled or refused, and who queued this one had not heard of that.
      followed(RequestTicket(number: front), version: Command.noVersion)
      return true
    }
    guard case .answered(let answer) = leader.place else { return false }
    followed(leader.ticket, version: leader.queued?.command.versionToFollow(answer.version))
    return true
  }

  private mutating func followed(_ ticket: RequestTicket, version: Int?) {
    for index in entries.indices {
      guard var queued = entries[index].queued, queued.follows == ticket.number else { continue }
      queued.follow(version)
      entries[index].queued = queued
      entries[index].request = queued.request
    }
  }

  /// Everything unanswered is to be sent again; the tickets of what cannot be.
  mutating func connectionLost() -> [RequestTicket] {
    owned = [:]
    var lost: [RequestTicket] = []
    entries.removeAll { entry in
      guard case .sent = entry.place, !entry.request.canBeRepeated else { return false }
      lost.append(entry.ticket)
      return true
    }
    for index in entries.indices {
      if case .sent = entries[index].place { entries[index].place = .unsent }
      if case .answered = entries[index].place { entries[index].isEarlier = true }
    }
    return lost
  }

  /// Gives up everything but what is queued.
  mutating func failAll() -> [RequestTicket] {
    owned = [:]
    let failed = entries.filter { $0.queued == nil }.map(\.ticket)
    entries.removeAll { $0.queued == nil }
    for index in entries.indices {
      if case .answered = entries[index].place { continue }
      entries[index].place = .unsent
    }
    return failed
  }

  /// Lets go of what waited until now.
  mutating func release(now: Int64) {
    for index in entries.indices {
      if case .held(let until) = entries[index].place, until <= now {
        entries[index].place = .unsent
      }
    }
  }

  var nextRelease: Int64? {
    entries.compactMap { entry in
      if case .held(let until) = entry.place { until } else { nil }
    }.min()
  }

  private func next(after error: ServerError, _ entry: Entry, now: Int64) -> Place? {
    // A server that says how fast is a server that will take it.
    let isOnlySlow = error.kind == .rateLimited
    let hasPatience = isOnlySlow || entry.queued != nil
    guard entry.attempts < RequestQueue.attemptsMax || hasPatience, entry.request.canBeRepeated
    else { return nil }
    switch error.retry {
    case .no: return nil
    case .now: return .held(until: now)
    case .reconnect: return .unsent
    case .after:
      // Somebody stands at a prompt and is told how long it takes.
      guard !entry.request.needsNoSession else { return nil }
      let usual = 250 << Int64(min(entry.attempts, 6))
      return .held(until: now + Int64(error.afterMilliseconds ?? Int(usual)))
    }
  }

  private mutating func nextID() -> RequestID {
    lastNumber += 1
    return .number(lastNumber)
  }
}

extension Request {
  /// Comes before `hello` (protocol §2.2).
  var needsNoSession: Bool {
    switch self {
    case .register, .login, .recover, .pair, .guest, .ping, .about: true
    case .hello, .open, .close, .changePassword, .logout, .command, .query, .ephemeral: false
    case .openPairing, .upgrade: false
    case .deleteAccount: false
    }
  }

  /// Whether a lost answer is settled by asking again: everything that carries a key or its own id, and
  /// what changes nothing.
  var canBeRepeated: Bool {
    switch self {
    case .register, .recover, .changePassword, .logout, .command, .query, .open, .close, .about:
      true
    case .deleteAccount: true
    case .hello, .login, .pair, .ping, .ephemeral: false
    // Another code takes the place of one that nobody got.
    case .openPairing: true
    case .guest, .upgrade: true
    }
  }
}
