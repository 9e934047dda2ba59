// What holds for a moment, as one loop knows it (protocol §5.5): who is here, who is typing, how far bots
// have come. Nothing of it is ever stored; the ledger does not know of it.
//
//  - A value belongs to the connection that said it, and the loop of that connection alone decides when it is
//    over: not said again in time, no longer following the stream, gone. It tells the other loops by notes,
//    and takes theirs. So every loop has all values, and none has to guess about another's connections.
//  - A push holds the whole topic (kind and stream) and replaces the one before, so any of them may be left out
//    as long as the newest comes. A topic is told at once when it was quiet, and then at most once a second.
//  - Of one user at one post the value said last counts, whoever of the connections it was.
//  - A removed member is out with the news that every loop gets. A note of another loop that had not heard
//    yet may come later; that loop's own news end it again, right after.
//
// Times are milliseconds of the monotonic clock.

package import Domain
package import Wire

/// The values of all loops, and which of them are this loop's own.
package struct EphemeralBoard: Sendable {
  /// A value of an own connection.
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
    /// When each is over unless it is said again.
    var held: [Held: Int64] = [:]
  }

  private let loop: Int
  private var topics: [EphemeralTopic: TopicState] = [:]
  /// When to look at a topic: to tell it, or to forget it.
  private var waiting: [EphemeralTopic: Int64] = [:]
  private var holders: [HubConnection: Holder] = [:]
  /// No own value is over before.
  private var overFrom: Int64?
  /// Of this loop: a person with connections on several may say more, each of which costs its own loop. What goes
  /// out is limited by topic whoever said it, so nobody is sent more for it.
  private var limits: UserLimits
  private var notes: [EphemeralNote] = []
  /// When `due` has something to do; nil while nothing is to come.
  package private(set) var dueAt: Int64?

  package static let rate = TokenRate(
    count: Int64(Limits.ephemeralsPerSecond), everyMilliseconds: 1_000,
    burst: Int64(Limits.ephemeralsBurst))

  package init(loop: Int, rate: TokenRate = EphemeralBoard.rate) {
    self.loop = loop
    limits = UserLimits(rate)
  }

  /// Nothing holds, and nothing is to be told or forgotten.
  package var isEmpty: Bool { topics.isEmpty && holders.isEmpty }

  // MARK: Own connections

  /// An own connection that follows the stream says something. Nil when it was taken.
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
    // To say again that one is here is no news.
    guard known?[held] == nil || topic.kind == .progress else { return nil }
    tell(connection, user, held, .set(progress, at: now), at: now)
    return nil
  }

  /// The connection follows the stream no longer.
  package mutating func end(_ connection: HubConnection, in stream: StreamID, at now: Int64) {
    let held = holders[connection]?.held.keys.filter { $0.topic.stream == stream } ?? []
    for it in held.sorted() { release(connection, it, at: now) }
  }

  /// The connection is gone.
  package mutating func remove(_ connection: HubConnection, at now: Int64) {
    let held = holders[connection]?.held.keys.sorted() ?? []
    for it in held { release(connection, it, at: now) }
  }

  // MARK: Everybody's

  /// The person is no member of the stream any more.
  package mutating func ended(_ user: UserID, in stream: StreamID, at now: Int64) {
    for kind in EphemeralKind.allCases {
      let topic = EphemeralTopic(stream: stream, kind: kind)
      for subject in topics[topic]?.subjects(where: { $0.user == user }) ?? [] {
        drop(subject, topic, at: now)
      }
    }
  }

  /// These posts are completed or removed: nobody is at work on them.
  package mutating func closed(_ posts: [PostID], in stream: StreamID, at now: Int64) {
    let topic = EphemeralTopic(stream: stream, kind: .progress)
    guard !posts.isEmpty, let state = topics[topic] else { return }
    let closed = Set(posts)
    for subject in state.subjects(where: { $0.post.map(closed.contains) ?? false }) {
      drop(subject, topic, at: now)
    }
  }

  /// What another loop says.
  package mutating func take(_ notes: [EphemeralNote], at now: Int64) {
    for note in notes { apply(note, at: now) }
  }

  /// What the other loops are to be told.
  package mutating func takeNotes() -> [EphemeralNote] {
    defer { notes.removeAll() }
    return notes
  }

  // MARK: Telling

  /// What is to be told now to all who follow, in the order of the topics.
  package mutating func due(at now: Int64) -> [EphemeralSet] {
    guard let dueAt, dueAt <= now else { return [] }
    if let overFrom, overFrom <= now { endOver(at: now) }
    var sets: [EphemeralSet] = []
    for topic in waiting.filter({ $0.value <= now }).keys.sorted() {
      waiting[topic] = nil
      if topics[topic]?.told(at: now) == true { sets.append(set(of: topic)) }
      guard let state = topics[topic], state.isEmpty else { continue }
      // An empty topic is remembered until it may be told again, so that nobody outruns the limit.
      let forgetAt = state.mayTellAt
      if forgetAt <= now { topics[topic] = nil } else { waiting[topic] = forgetAt }
    }
    self.dueAt = [waiting.values.min(), overFrom].compactMap(\.self).min()
    return sets
  }

  /// The topics of a stream in which there is something.
  package func topics(of stream: StreamID) -> [EphemeralTopic] {
    guard !topics.isEmpty else { return [] }
    return EphemeralKind.allCases.map { EphemeralTopic(stream: stream, kind: $0) }
      .filter { topics[$0]?.isEmpty == false }
  }

  /// All of a topic, empty when nothing holds.
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
  /// What it sets: nil to take it back; without progress for the other kinds.
  fileprivate var value: Progress?? {
    switch self {
    case .presence(_, let isHere): isHere ? .some(nil) : nil
    case .typing(_, _, let isTyping): isTyping ? .some(nil) : nil
    case .progress(_, _, let progress): progress.map { .some($0) }
    }
  }
}
