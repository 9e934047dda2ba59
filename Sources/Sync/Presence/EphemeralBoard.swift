// The ephemeral values as one loop knows them (protocol §5.5): who is here, who is typing, how far bots have come. None
// of them is ever stored, and the ledger does not know of them.
//
//  - A value belongs to the connection that said it. The loop of that connection alone decides when the value is over:
//    when it is not repeated in time, when the connection no longer follows the stream, or when the connection is gone.
//    The loop tells the other loops by notes, and takes theirs. So every loop has all values, and none has to guess
//    about another's connections.
//  - A push holds the whole topic (kind and stream) and replaces the one before, so any push may be left out as long as
//    the newest comes. A topic is told at once when it was quiet, and then at most once a second.
//  - When several connections of a user speak of one post, the value said last counts.
//  - A removed member is taken out by the news that every loop gets. A note of another loop that has not heard yet may
//    come later; that loop's own news end it again right after.
//
// Times are in milliseconds of the monotonic clock.

package import Domain
package import Wire

/// The values of all loops; this loop's own ones are known as such.
package struct EphemeralBoard: Sendable {
  /// The name of a value of an own connection.
  private struct Held: Hashable, Comparable {
    let topic: EphemeralTopic
    let post: PostID?

    static func < (left: Held, right: Held) -> Bool {
      guard left.topic == right.topic else { return left.topic < right.topic }
      guard let post = right.post else { return false }
      return left.post.map { $0 < post } ?? true
    }
  }

  private struct Holder {
    let user: UserID
    /// The moment at which each value is over unless it is repeated.
    var held: [Held: Int64] = [:]
  }

  private let loop: Int
  private var topics: [EphemeralTopic: TopicState] = [:]
  /// The moment at which each topic is looked at, to tell it or to forget it.
  private var waiting: [EphemeralTopic: Int64] = [:]
  private var holders: [HubConnection: Holder] = [:]
  /// The moment before which no own value is over; nil when there is none.
  private var overFrom: Int64?
  /// The rates of users on this loop. A person with connections on several loops may say more, and each costs its own
  /// loop. What goes out is limited by topic, whoever said it, so nobody is sent more because of that.
  private var limits: UserLimits
  private var notes: [EphemeralNote] = []
  /// The moment at which `due` has something to do; nil while nothing is to come.
  package private(set) var dueAt: Int64?

  package static let rate = TokenRate(
    count: Int64(Limits.ephemeralsPerSecond), everyMilliseconds: 1_000,
    burst: Int64(Limits.ephemeralsBurst))

  package init(loop: Int, rate: TokenRate = EphemeralBoard.rate) {
    self.loop = loop
    limits = UserLimits(rate)
  }

  /// Whether there are no values, and nothing is to be told or forgotten.
  package var isEmpty: Bool { topics.isEmpty && holders.isEmpty }

  // MARK: Own connections

  /// Takes a value that an own connection says; it follows the stream. Returns nil when the value was taken.
  package mutating func set(
    _ request: EphemeralRequest, by connection: HubConnection, _ user: UserID, at now: Int64
  ) -> Failure? {
    if let after = limits.tryNow(user, at: now) {
      return .rateLimited(afterMilliseconds: Int(after))
    }
    let topic = EphemeralTopic(stream: request.stream, kind: request.kind)
    let held = Held(topic: topic, post: request.post)
    guard let progress = request.value else {
      release(connection, held, at: now)
      return nil
    }
    let known = holders[connection]?.held
    if known?[held] == nil, known?.count ?? 0 >= Limits.ephemeralsPerConnectionMax {
      return .refused(.quota(limit: "ephemerals", max: Limits.ephemeralsPerConnectionMax))
    }
    let over = now + EphemeralTimes.holds(topic.kind)
    holders[connection, default: Holder(user: user)].held[held] = over
    overFrom = min(overFrom ?? over, over)
    look(at: over)
    // To repeat that one is here is no news.
    guard known?[held] == nil || topic.kind == .progress else { return nil }
    tell(connection, user, held, .set(progress, at: now), at: now)
    return nil
  }

  /// Ends the values of a connection that follows the stream no longer.
  package mutating func end(_ connection: HubConnection, in stream: StreamID, at now: Int64) {
    let held = holders[connection]?.held.keys.filter { $0.topic.stream == stream } ?? []
    for it in held.sorted() { release(connection, it, at: now) }
  }

  /// Ends the values of a connection that is gone.
  package mutating func remove(_ connection: HubConnection, at now: Int64) {
    let held = holders[connection]?.held.keys.sorted() ?? []
    for it in held { release(connection, it, at: now) }
  }

  // MARK: Everybody's

  /// Ends the values of a person who is no member of the stream any more.
  package mutating func ended(_ user: UserID, in stream: StreamID, at now: Int64) {
    for kind in EphemeralKind.allCases {
      let topic = EphemeralTopic(stream: stream, kind: kind)
      for subject in topics[topic]?.subjects(where: { $0.user == user }) ?? [] {
        drop(subject, topic, at: now)
      }
    }
  }

  /// Ends the values about posts that are completed or removed, because nobody is at work on them.
  package mutating func closed(_ posts: [PostID], in stream: StreamID, at now: Int64) {
    let topic = EphemeralTopic(stream: stream, kind: .progress)
    guard !posts.isEmpty, let state = topics[topic] else { return }
    let closed = Set(posts)
    for subject in state.subjects(where: { $0.post.map(closed.contains) ?? false }) {
      drop(subject, topic, at: now)
    }
  }

  /// Takes the notes of another loop.
  package mutating func take(_ notes: [EphemeralNote], at now: Int64) {
    for note in notes { apply(note, at: now) }
  }

  /// Takes out the notes for the other loops.
  package mutating func takeNotes() -> [EphemeralNote] {
    defer { notes.removeAll() }
    return notes
  }

  // MARK: Telling

  /// Returns what is told now to all followers, in the order of the topics.
  package mutating func due(at now: Int64) -> [EphemeralSet] {
    guard let dueAt, dueAt <= now else { return [] }
    if let overFrom, overFrom <= now { endOver(at: now) }
    var sets: [EphemeralSet] = []
    for topic in waiting.filter({ $0.value <= now }).keys.sorted() {
      waiting[topic] = nil
      if topics[topic]?.told(at: now) == true { sets.append(set(of: topic)) }
      guard let state = topics[topic], state.isEmpty else { continue }
      // An empty topic is remembered until it may be told again, so that nobody gets around the limit.
      let forgetAt = state.mayTellAt
      if forgetAt <= now { topics[topic] = nil } else { waiting[topic] = forgetAt }
    }
    self.dueAt = [waiting.values.min(), overFrom].compactMap(\.self).min()
    return sets
  }

  /// Returns the topics of a stream that have values.
  package func topics(of stream: StreamID) -> [EphemeralTopic] {
    guard !topics.isEmpty else { return [] }
    return EphemeralKind.allCases.map { EphemeralTopic(stream: stream, kind: $0) }
      .filter { topics[$0]?.isEmpty == false }
  }

  /// Returns all values of a topic; empty when there are none.
  package func set(of topic: EphemeralTopic) -> EphemeralSet {
    topics[topic]?.set(of: topic)
      ?? EphemeralSet(stream: topic.stream, kind: topic.kind, count: 0, entries: [])
  }

  // MARK: Parts

  private mutating func tell(
    _ connection: HubConnection, _ user: UserID, _ held: Held, _ value: EphemeralNote.Value,
    at now: Int64
  ) {
    let note = EphemeralNote(
      origin: EphemeralOrigin(loop: loop, connection: connection), topic: held.topic, user: user,
      post: held.post, value: value)
    notes.append(note)
    apply(note, at: now)
  }

  private mutating func release(_ connection: HubConnection, _ held: Held, at now: Int64) {
    guard let user = holders[connection]?.user,
      holders[connection]?.held.removeValue(forKey: held) != nil
    else { return }
    if holders[connection]?.held.isEmpty == true { holders[connection] = nil }
    tell(connection, user, held, .ended, at: now)
  }

  private mutating func apply(_ note: EphemeralNote, at now: Int64) {
    guard topics[note.topic, default: TopicState()].take(note) else {
      if topics[note.topic]?.isEmpty == true, waiting[note.topic] == nil {
        topics[note.topic] = nil
      }
      return
    }
    let moment = max(now, topics[note.topic]?.mayTellAt ?? now)
    waiting[note.topic] = moment
    look(at: moment)
  }

  private mutating func drop(
    _ subject: EphemeralSubject, _ topic: EphemeralTopic, at now: Int64
  ) {
    for origin in topics[topic]?.origins(of: subject) ?? [] {
      if origin.loop == loop {
        release(origin.connection, Held(topic: topic, post: subject.post), at: now)
      } else {
        apply(
          EphemeralNote(
            origin: origin, topic: topic, user: subject.user, post: subject.post, value: .ended),
          at: now)
      }
    }
  }

  private mutating func endOver(at now: Int64) {
    var over: [(HubConnection, Held)] = []
    var next: Int64?
    for (connection, holder) in holders {
      for (held, end) in holder.held {
        if end <= now { over.append((connection, held)) } else { next = min(next ?? end, end) }
      }
    }
    over.sort { ($0.0.value, $0.1) < ($1.0.value, $1.1) }
    for (connection, held) in over { release(connection, held, at: now) }
    overFrom = next.map { max($0, now + EphemeralTimes.lookMilliseconds) }
  }

  private mutating func look(at moment: Int64) { dueAt = min(dueAt ?? moment, moment) }
}

extension EphemeralRequest {
  /// The value that the request sets; the outer nil takes it back, the inner nil is a value without progress.
  fileprivate var value: Progress?? {
    switch self {
    case .presence(_, let isHere): isHere ? .some(nil) : nil
    case .typing(_, _, let isTyping): isTyping ? .some(nil) : nil
    case .progress(_, _, let progress): progress.map { .some($0) }
    }
  }
}
