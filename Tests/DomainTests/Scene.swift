import Calendar
import Testing

@testable import Domain

/// A small store in memory and the world on top of it. It runs commands as the ledger does, but without keys and
/// encoding. Everything in it is named by a letter or a number: user "a", category 1, post 7.
struct Scene {
  var world = World(bytesMax: 1 << 20)
  var now = Timestamp(milliseconds: 1_000_000)
  private(set) var events: [StreamID: [Event]] = [:]
  /// Every object, in the state or out of it.
  private(set) var rows: [StreamID: [ObjectKey: Object]] = [:]
  private(set) var states: [StreamID: StreamState] = [:]
  private(set) var heads: [StreamID: StreamHead] = [:]
  private(set) var accounts: [UserID: Account] = [:]
  private(set) var sessions: [SessionRecord] = []
  var spentCodes: Set<String> = []
  private(set) var webhooks: [Webhook] = []
  private(set) var needsAsked: [Need] = []
  private var past: [StreamPosition: PastEvent] = [:]
  /// The events of each command. Every command has a key of its own, and its home in each stream that it writes to.
  private var commands: [Asked: [StreamPosition]] = [:]
  private var transactions: UInt64 = 0

  private struct Asked: Hashable {
    let home: StreamID
    let user: UserID
    let key: CommandKey
  }

  /// Decides a command and applies the decision.
  mutating func run(
    _ command: Command, by user: UserID, session: SessionID? = nil
  ) -> Result<Decision, Refusal> {
    switch decided(command, by: user, session: session) {
    case .failure(let refusal): return .failure(refusal)
    case .success(let decision):
      carryOut(decision, by: user)
      return .success(decision)
    }
  }

  /// Decides a command and applies nothing.
  mutating func decided(
    _ command: Command, by user: UserID, session: SessionID? = nil
  ) -> Result<Decision, Refusal> {
    let actor = Actor(user: user, session: session)
    let now = now
    return answered { world throws(Halt) in
      try decide(command, by: actor, at: now, in: &world, almanac: .system)
    }
  }

  /// Answers needs until there is a result.
  mutating func answered<Value>(
    _ body: (inout World) throws(Halt) -> Value
  ) -> Result<Value, Refusal> {
    for _ in 0..<10_000 {
      do throws(Halt) {
        return .success(try body(&world))
      } catch {
        switch error {
        case .refused(let refusal): return .failure(refusal)
        case .needs(let needs):
          needsAsked += needs
          for need in needs { world.provide(need, answer(need)) }
        }
      }
    }
    fatalError("it asks for ever")
  }

  mutating func carryOut(_ decision: Decision, by user: UserID) {
    transactions += 1
    let transaction = TransactionID(UUID(high: 0, low: transactions))
    let key = CommandKey("k\(transactions)")
    var positions: [StreamPosition] = []
    for draft in decision.drafts {
      let head = heads[draft.stream]
      let event = Event(
        seq: (head?.seq ?? 0) + 1, transaction: transaction, at: max(now, head?.at ?? now),
        by: user, key: key, undoes: draft.undoes, ops: draft.ops)
      apply(event, to: draft.stream, draft.trails)
      positions.append(StreamPosition(stream: draft.stream, seq: event.seq))
    }
    for position in positions {
      guard let key else { continue }
      commands[Asked(home: position.stream, user: user, key: key)] = positions
    }
    world.forgetPast()
    let staged = answered { world throws(Halt) in
      try world.stage(decision.accounts, of: user)
    }
    #expect(throws: Never.self) { try staged.get() }
    decision.accounts.forEach { apply($0) }
    world.commit()
  }

  private mutating func apply(_ event: Event, to stream: StreamID, _ trails: [PostTrail] = []) {
    let partial = answered { world throws(Halt) in
      try world.state(of: stream, for: event.ops)
    }
    guard case .success(var state) = partial else { fatalError("a state is never refused") }
    var before = Before()
    let changes = state.apply(event, before: &before)
    before.trails = trails
    past[StreamPosition(stream: stream, seq: event.seq)] = PastEvent(
      event: event, before: before, bytes: 1_000)
    world.stage(changes, in: stream)
    for change in changes {
      switch change.effect {
      case .put(let object), .putOutside(let object):
        rows[stream, default: [:]][change.key] = object
      case .dropped: break
      case .deleted: rows[stream]?[change.key] = nil
      }
    }
    _ = states[stream, default: StreamState(stream: stream)].apply(event)
    events[stream, default: []].append(event)
    let head = StreamHead(
      epoch: Epoch("t.1"), seq: event.seq, at: event.at, transaction: event.transaction)
    heads[stream] = head
    world.stage(.head(head), for: .head(stream))
  }

  /// Takes the text of a post out of the past, as the store does when it is erased.
  mutating func wipe(_ post: PostID, in category: CategoryID) {
    wipe(.post(post), in: .category(category))
  }

  /// Takes what is erased out of the past, as the store does.
  mutating func wipe(_ subject: ErasedSubject, in stream: StreamID) {
    for (position, held) in past where position.stream == stream {
      let event = held.event
      let wiped = Event(
        seq: event.seq, transaction: event.transaction, at: event.at, by: event.by, key: event.key,
        undoes: event.undoes, ops: event.ops.map { $0.without(subject) })
      let before = held.before.objects.map { $0?.without(subject) }
      past[position] = PastEvent(
        event: wiped, before: Before(objects: before, crossing: held.before.crossing), bytes: 1_000)
    }
  }

  /// Forgets the events up to this one, and the lines of talk that they said.
  mutating func forget(through seq: Int64, in stream: StreamID) {
    past = past.filter { $0.key.stream != stream || $0.key.seq > seq }
    heads[stream]?.horizon = seq
    for number in 1...seq { rows[stream]?[TalkLine.key(of: number)] = nil }
    world.forget([stream])
  }

  private mutating func apply(_ change: AccountChange) {
    switch change {
    case .added(let account): accounts[account.id] = account
    case .passwordChanged(let id, let password): accounts[id]?.password = password
    case .upgraded(let id, let username, let password, let generation):
      accounts[id]?.username = username
      accounts[id]?.password = password
      accounts[id]?.recoveryGeneration = generation
    case .recovered(let id, let password, let generation):
      accounts[id]?.password = password
      accounts[id]?.recoveryGeneration = generation
    case .sessionOpened(let session): sessions.append(session)
    case .sessionUsed(let id, let at):
      for index in sessions.indices where sessions[index].id == id { sessions[index].usedAt = at }
    case .given(let bot, let owner): accounts[bot]?.owner = owner
    case .sessionsClosed(let ids, of: _): sessions.removeAll { ids.contains($0.id) }
    case .codeSpent(let code, _): spentCodes.insert(code)
    case .ended(let id, let mark):
      accounts[id] = nil
      spentCodes.insert(mark)
    case .webhookAdded, .webhookMoved, .webhookSet, .webhooksRemoved: webhooks.apply(change)
    case .ends, .forgotten, .gone, .nameLeft, .nameTold: break
    }
  }

  func answer(_ need: Need) -> Loaded {
    switch need {
    case .head(let stream): .head(heads[stream])
    case .object(let stream, let key): .object(rows[stream]?[key])
    case .objects(let stream, let kind):
      .objects((rows[stream] ?? [:]).values.filter { $0.key.kind == kind })
    case .ranks(let stream, let kind):
      .ranks(
        (states[stream]?.objects ?? [:]).values.compactMap(\.rank).filter { $0.key.kind == kind })
    case .username(let name): .user(accounts.values.first { $0.username == name }?.id)
    case .account(let id): .account(accounts[id])
    case .sessions(let user): .sessions(sessions.filter { $0.user == user })
    case .bots(let owner): .users(accounts.values.filter { $0.owner == owner }.map(\.id))
    case .webhooks(let bot): .webhooks(webhooks.filter { $0.bot == bot })
    case .codeSpent(let code): .flag(spentCodes.contains(code))
    case .past(let position): .past(past[position])
    case .trails(let position): .trails(past[position]?.before.trails ?? [])
    case .imported(let category, let source): .post(post(from: source, in: category))
    case .queue(let category, for: _):
      .queue(openPosts(of: category).map { QueuedPost($0) }.sorted())
    case .commandEvents(let home, let user, let key):
      .positions(commands[Asked(home: home, user: user, key: key)] ?? [])
    }
  }
}

// MARK: Short names

extension UserID: ExpressibleByUnicodeScalarLiteral {
  package init(_ letter: Unicode.Scalar) { self.init(UUID(high: 0xA, low: UInt64(letter.value))) }
  public init(unicodeScalarLiteral letter: Unicode.Scalar) { self.init(letter) }
}

extension CategoryID: ExpressibleByIntegerLiteral {
  package init(_ number: Int) { self.init(UUID(high: 0xC, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension GroupID: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int) {
    self.init(UUID(high: 0x6, low: UInt64(number)))
  }
}

extension PostID: ExpressibleByIntegerLiteral {
  package init(_ number: Int) { self.init(UUID(high: 0xB, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension InvitationID: ExpressibleByIntegerLiteral {
  package init(_ number: Int) { self.init(UUID(high: 0x1, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension SessionID: ExpressibleByIntegerLiteral {
  package init(_ number: Int) { self.init(UUID(high: 0x5, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension Registration {
  init(_ letter: Unicode.Scalar, code: String? = nil) {
    self.init(
      id: UserID(letter), username: "user-\(letter)", name: "Name \(letter)", zone: "UTC",
      password: PasswordHash(phc: "$\(letter)"), code: code)
  }
}

extension Scene {
  /// Returns the house: users a, b, c, d; category 1 of a with posts 1 (open), 2 (completed), 3 (removed); category 2
  /// of b; group 1 of a with member b (editor) and its category 3 with post 1; category 4 of a, removed.
  static func house() -> Scene {
    var scene = Scene()
    let a: UserID = "a"
    for letter in "abcd".unicodeScalars {
      scene.must(.account(.register(Registration(letter))), by: UserID(letter))
    }
    scene.must(.category(.add(1, name: "Home", group: nil)), by: a)
    for number in 1...3 {
      scene.must(.post(.add(1, PostID(number), title: "Post \(number)", notes: "")), by: a)
    }
    scene.must(.completePost(1, 2, ifVersion: nil), by: a)
    scene.must(.removePost(1, 3, ifVersion: nil), by: a)
    scene.must(.category(.add(2, name: "Other", group: nil)), by: "b")
    scene.must(.group(.add(1, name: "Family")), by: a)
    scene.must(.category(.add(3, name: "Groceries", group: 1)), by: a)
    scene.must(.post(.add(3, 1, title: "Milk", notes: "two")), by: a)
    scene.admit("b", to: .group(1), as: .editor, by: a, number: 900)
    scene.must(.category(.add(4, name: "Old", group: nil)), by: a)
    scene.must(.post(.add(4, 1, title: "Old post", notes: "")), by: a)
    scene.must(.category(.remove(4)), by: a)
    return scene
  }

  mutating func admit(
    _ newcomer: UserID, to stream: StreamID, as role: Role, by owner: UserID, number: Int
  ) {
    let name = accounts[newcomer]?.username ?? ""
    must(.invitation(.send(InvitationID(number), stream, username: name, role)), by: owner)
    must(.invitation(.accept(InvitationID(number))), by: newcomer)
  }

  @discardableResult
  mutating func must(
    _ command: Command, by user: UserID, session: SessionID? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Decision {
    switch run(command, by: user, session: session) {
    case .success(let decision): return decision
    case .failure(let refusal):
      Issue.record("refused: \(refusal)", sourceLocation: sourceLocation)
      return Decision()
    }
  }

  /// Returns the refusal of a command; nil when it is not refused.
  func refusal(of command: Command, by user: UserID, session: SessionID? = nil) -> Refusal? {
    var copy = self
    switch copy.decided(command, by: user, session: session) {
    case .success: return nil
    case .failure(let refusal): return refusal
    }
  }

  /// Returns whether a command would change something; nil when it is refused.
  func changes(_ command: Command, by user: UserID, session: SessionID? = nil) -> Bool? {
    var copy = self
    switch copy.decided(command, by: user, session: session) {
    case .success(let decision): return decision.changed
    case .failure: return nil
    }
  }

  func member(_ user: UserID, of stream: StreamID) -> Member? {
    guard case .member(let it) = states[stream]?.object(.member, user.uuid) else { return nil }
    return it
  }

  func role(of user: UserID, in stream: StreamID) -> Role? {
    member(user, of: stream)?.role
  }

  func membership(of user: UserID, in stream: StreamID) -> Membership? {
    guard case .membership(let it) = states[.user(user)]?.object(.membership, stream.uuid) else {
      return nil
    }
    return it
  }

  func post(_ id: PostID, in category: CategoryID) -> Post? {
    guard case .post(let it) = states[.category(category)]?.object(.post, id.uuid) else {
      return nil
    }
    return it
  }

  func category(_ id: CategoryID) -> Domain.Category? {
    guard case .category(let it) = states[.category(id)]?.object(.category, id.uuid) else {
      return nil
    }
    return it
  }

  /// Returns the post of a source as a store finds it. A removed post counts, too, and so does one that is in another
  /// list now.
  private func post(from source: SourceKey, in category: CategoryID) -> PostID? {
    let posts = (rows[.category(category)] ?? [:]).values.compactMap { object -> Post? in
      guard case .post(let post) = object, post.source?.key == source else { return nil }
      return post
    }
    return posts.min {
      ($0.removed == nil ? 0 : 1, $0.number) < ($1.removed == nil ? 0 : 1, $1.number)
    }?.id
  }

  private func openPosts(of category: CategoryID) -> [Post] {
    (states[.category(category)]?.objects ?? [:]).values.compactMap { object -> Post? in
      guard case .post(let post) = object, post.completed == nil else { return nil }
      return post
    }
  }

  mutating func open(_ record: SessionRecord) { apply(.sessionOpened(record)) }
}
