import Domain
import Wire

/// The requests that are not settled, in the order in which they were made.
struct RequestQueue: Sendable {
  /// The number of times that an answer which asks for another try is followed; then it is told.
  static let attemptsMax = 8
  /// The number of requests that may be unanswered: half of what the server takes, and few enough that a burst over the
  /// rate limit is slowed and not refused as a whole.
  static let inFlightMax = Limits.inFlightMax / 2

  /// The requests that the replica itself makes.
  enum Own: Equatable {
    case hello
    case open(StreamID)
  }

  private enum Status: Equatable {
    case unsent
    case sent(RequestID)
    /// The server asked to wait.
    case held(until: Int64)
    /// The request is done; it is told when the copies contain it.
    case answered(ReplicaAnswer)
  }

  private struct Entry {
    let ticket: RequestTicket
    var request: Request
    /// The queued command, which is kept until it is settled, whatever happens to us; nil for other requests.
    var queued: QueuedCommand?
    var status = Status.unsent
    var attempts = 0
    /// Whether it was answered over a connection that is gone.
    var isEarlier = false
    /// Whether an earlier program kept it, which may have sent it.
    var isKept = false
    /// The streams whose events of the answer are not waited for.
    var waived: Set<StreamID> = []

    var isInFlight: Bool {
      if case .sent = status { true } else { false }
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

  /// Adds a queued command. `isKept` means that an earlier program has it from before, and may have sent it.
  mutating func add(_ queued: QueuedCommand, isKept: Bool = false) {
    entries.append(
      Entry(ticket: queued.ticket, request: queued.request, queued: queued, isKept: isKept))
  }

  /// Takes out a queued command that no server can have received and that no other follows. Answers false when it
  /// stays.
  mutating func withdraw(_ number: Int64) -> Bool {
    let isFollowed = entries.contains { $0.queued?.follows == number }
    guard !isFollowed,
      let index = entries.firstIndex(where: { $0.queued?.number == number }),
      entries[index].status == .unsent, entries[index].attempts == 0, !entries[index].isKept
    else { return false }
    entries.remove(at: index)
    return true
  }

  /// Returns an id for a request of the replica itself.
  mutating func own(_ purpose: Own) -> RequestID {
    let id = nextID()
    owned[id] = purpose
    return id
  }

  mutating func takeOwn(_ id: RequestID) -> Own? { owned.removeValue(forKey: id) }

  /// Returns what to send now; with `beforeHello` only requests that need no session. Requests behind one that has to
  /// wait wait too, because they may build on it.
  mutating func take(beforeHello: Bool) -> [(Request, RequestID)] {
    var taken: [(Request, RequestID)] = []
    var room = RequestQueue.inFlightMax - entries.count { $0.isInFlight }
    for index in entries.indices {
      if case .held = entries[index].status { break }
      guard entries[index].status == .unsent else { continue }
      guard !beforeHello || entries[index].request.needsNoSession else { continue }
      guard room > 0, follow(at: index) else { break }
      room -= 1
      let id = nextID()
      entries[index].status = .sent(id)
      entries[index].attempts += 1
      taken.append((entries[index].request, id))
    }
    return taken
  }

  /// The request that the server answers next.
  var oldestInFlight: RequestID? {
    let sent = entries.compactMap { entry in
      if case .sent(let id) = entry.status { id } else { nil }
    }
    return (sent + owned.keys).min { left, right in
      guard case .number(let left) = left, case .number(let right) = right else { return false }
      return left < right
    }
  }

  /// Returns the request to which this answer belongs.
  func request(_ id: RequestID) -> Request? {
    entries.first { $0.status == .sent(id) }?.request
  }

  mutating func answered(_ id: RequestID, _ answer: ReplicaAnswer) {
    guard let index = entries.firstIndex(where: { $0.status == .sent(id) }) else { return }
    entries[index].status = .answered(answer)
  }

  /// Takes an error answer. Returns the tickets that are told of it: that of the request and those of the queued ones
  /// that follow it; none when the request goes on waiting.
  mutating func failed(_ id: RequestID, _ error: ServerError, now: Int64) -> [Failed] {
    guard let index = entries.firstIndex(where: { $0.status == .sent(id) }) else { return [] }
    if let next = next(after: error, entries[index], now: now) {
      entries[index].status = next
      return []
    }
    return fail(at: index)
  }

  /// A request that has its last answer.
  struct Failed {
    let ticket: RequestTicket
    /// Whether it was queued and is to be kept as refused. It is false for those that follow another, which go with it.
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

  /// A request that has its answer and shows in the copies.
  struct Settled {
    let ticket: RequestTicket
    let answer: ReplicaAnswer
    let isQueued: Bool
    /// The version for a change of notes that follows it.
    let version: Int?
  }

  /// Takes out the answered requests whose events all satisfy the test; those without events go at once.
  mutating func settle(_ contains: (StreamPosition) -> Bool) -> [Settled] {
    var settled: [Settled] = []
    entries.removeAll { entry in
      guard case .answered(let answer) = entry.status,
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

  /// Lets answers not wait for events of a stream whose history has changed. `earlier` does so only for requests that
  /// were answered over a connection that is gone: a snapshot that came since contains their events, unless the history
  /// is another one.
  mutating func waive(_ stream: StreamID, earlier: Bool = false) {
    for index in entries.indices where !earlier || entries[index].isEarlier {
      if case .answered = entries[index].status { entries[index].waived.insert(stream) }
    }
  }

  /// Answers whether the command at this place may be sent. One that follows another takes the version of its answer.
  private mutating func follow(at index: Int) -> Bool {
    guard let front = entries[index].queued?.follows else { return true }
    guard let leader = entries.first(where: { $0.queued?.number == front }) else {
      // The followed command was settled or refused, and whoever queued this one had not heard of that.
      followed(RequestTicket(number: front), version: Command.noVersion)
      return true
    }
    guard case .answered(let answer) = leader.status else { return false }
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

  /// Lets everything unanswered be sent again; returns the tickets of what cannot be repeated.
  mutating func connectionLost() -> [RequestTicket] {
    owned = [:]
    var lost: [RequestTicket] = []
    entries.removeAll { entry in
      guard case .sent = entry.status, !entry.request.canBeRepeated else { return false }
      lost.append(entry.ticket)
      return true
    }
    for index in entries.indices {
      if case .sent = entries[index].status { entries[index].status = .unsent }
      if case .answered = entries[index].status { entries[index].isEarlier = true }
    }
    return lost
  }

  /// Gives up everything but what is queued; returns the tickets.
  mutating func failAll() -> [RequestTicket] {
    owned = [:]
    let failed = entries.filter { $0.queued == nil }.map(\.ticket)
    entries.removeAll { $0.queued == nil }
    for index in entries.indices {
      if case .answered = entries[index].status { continue }
      entries[index].status = .unsent
    }
    return failed
  }

  /// Releases the requests whose wait is over.
  mutating func release(now: Int64) {
    for index in entries.indices {
      if case .held(let until) = entries[index].status, until <= now {
        entries[index].status = .unsent
      }
    }
  }

  var nextRelease: Int64? {
    entries.compactMap { entry in
      if case .held(let until) = entry.status { until } else { nil }
    }.min()
  }

  private func next(after error: ServerError, _ entry: Entry, now: Int64) -> Status? {
    // A server that tells its rate will take the request later.
    let isOnlySlow = error.kind == .rateLimited
    let hasPatience = isOnlySlow || entry.queued != nil
    guard entry.attempts < RequestQueue.attemptsMax || hasPatience, entry.request.canBeRepeated
    else { return nil }
    switch error.retry {
    case .no: return nil
    case .now: return .held(until: now)
    case .reconnect: return .unsent
    case .after:
      // Somebody waits at a prompt and is told how long it takes.
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
  /// Whether it may come before `hello` (protocol §2.2).
  var needsNoSession: Bool {
    switch self {
    case .register, .login, .recover, .pair, .guest, .ping, .about: true
    case .hello, .open, .close, .changePassword, .logout, .command, .query, .ephemeral: false
    case .openPairing, .upgrade: false
    case .deleteAccount: false
    }
  }

  /// Whether asking again settles a lost answer. That is so for everything that carries a key or its own id, and for
  /// what changes nothing.
  var canBeRepeated: Bool {
    switch self {
    case .register, .recover, .changePassword, .logout, .command, .query, .open, .close, .about:
      true
    case .deleteAccount: true
    case .hello, .login, .pair, .ping, .ephemeral: false
    // Another code replaces one that nobody received.
    case .openPairing: true
    case .guest, .upgrade: true
    }
  }
}
