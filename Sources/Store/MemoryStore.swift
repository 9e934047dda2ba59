// The store of the simulator and of tests. It keeps the same contract and has nothing on disk.
//
// Connections to one `MemoryDatabase` share its content. A read works on a copy of the value, which costs nothing until
// somebody writes, so readers and the writer never wait for each other. The lock is held while the value is copied or
// changed, and never while a caller's code runs.

package import Domain
package import Sync
import Synchronization

/// The content that connections to a store in memory share. It lives as long as one of them.
package final class MemoryDatabase: Sendable {
  package let identity: StoreIdentity
  private let content = Mutex(MemoryContent())

  package init(identity: StoreIdentity) { self.identity = identity }

  /// Returns the present moment as a history of its own (Store/Restoring.swift), when the epoch is another one.
  package func copy(epoch: String) -> MemoryDatabase {
    let copy = MemoryDatabase(identity: StoreIdentity(epoch: epoch, secret: identity.secret))
    let content = moment.renewed(epoch: epoch)
    copy.content.withLock { $0 = content }
    return copy
  }

  /// The content at the present moment.
  var moment: MemoryContent { content.withLock { $0 } }

  func apply(_ transaction: LedgerTransaction) throws(StoreError) {
    let result = content.withLock { content in
      Result { () throws(StoreError) in
        if let contradiction = content.contradiction(in: transaction) {
          throw .notCommitted(StoreFault(.contradiction, contradiction))
        }
        content.apply(transaction)
      }
    }
    try result.get()
  }
}

extension MemoryDatabase {
  func trim(before time: Timestamp) -> StreamPosition? {
    content.withLock { $0.trim(before: time) }
  }

  func use(zones version: String) -> Bool { content.withLock { $0.use(zones: version) } }

  func confirmClock(_ confirmation: ClockConfirmation) {
    content.withLock { $0.confirmedClock = confirmation }
  }

  func countBin(from time: Timestamp) { content.withLock { $0.binCountsFrom = time } }

  func lookAtAllAgain() { content.withLock { $0.lookAtAllAgain() } }
}

/// One connection, used by one thread at a time.
package final class MemoryStore: EventStore {
  let database: MemoryDatabase
  /// The moment of the present `read`.
  private var moment: MemoryContent?

  package init(_ database: MemoryDatabase) { self.database = database }

  package var identity: StoreIdentity { database.identity }

  package func commit(_ transaction: LedgerTransaction) throws(StoreError) {
    precondition(moment == nil, "a commit inside a read")
    try database.apply(transaction)
  }

  package func trim(before time: Timestamp) -> TrimStep {
    let horizon = database.trim(before: time)
    return TrimStep(horizon: horizon, isDone: horizon == nil)
  }

  @discardableResult
  package func tidy() throws(StoreError) -> Bool { false }

  package func zonesAre(_ version: String) -> Bool { database.use(zones: version) }

  package func confirmClock(_ confirmation: ClockConfirmation) {
    database.confirmClock(confirmation)
  }

  package func lookAtAllAgain() { database.lookAtAllAgain() }

  package func confirmedClock() -> ClockConfirmation? { content.confirmedClock }

  package func read<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    precondition(moment == nil, "a read inside a read")
    moment = database.moment
    defer { moment = nil }
    return try body()
  }

  var content: MemoryContent { moment ?? database.moment }
}

// Streams.
extension MemoryStore {
  package func streams(of user: UserID) -> [StreamAccess] {
    content.streams(of: user)
  }

  package func access(of user: UserID, to stream: StreamID) -> StreamAccess? {
    content.access(of: user, to: stream)
  }

  package func head(of stream: StreamID) -> StreamHead? {
    content.streams[stream]?.head
  }

  package func transaction(at position: StreamPosition) -> TransactionID? {
    content.streams[position.stream]?.event(position.seq)?.transaction
  }

  package func events(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) -> [StoredEvent] {
    guard let stream = content.streams[stream] else { return [] }
    var events: [StoredEvent] = []
    var bytes = 0
    for event in stream.events(after: after, through: through) {
      bytes += event.body.count
      guard events.isEmpty || bytes <= bytesMax else { break }
      events.append(StoredEvent(seq: event.seq, body: event.body))
    }
    return events
  }

  package func past(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) -> [StoredPast] {
    guard let stream = content.streams[stream] else { return [] }
    var events: [StoredPast] = []
    var bytes = 0
    for event in stream.events(after: after, through: through) {
      bytes += event.body.count + event.was.count
      guard events.isEmpty || bytes <= bytesMax else { break }
      events.append(StoredPast(seq: event.seq, body: event.body, was: event.was))
    }
    return events
  }

  package func snapshot(of stream: StreamID) -> StoredSnapshot? {
    content.streams[stream].map { stream in
      StoredSnapshot(head: stream.head, objects: stream.rows { $0.inState }.map(\.body))
    }
  }

  package func object(_ key: ObjectKey, in stream: StreamID) -> [UInt8]? {
    content.streams[stream]?.objects[key]?.body
  }

  package func stateObject(_ key: ObjectKey, in stream: StreamID) -> [UInt8]? {
    guard let row = content.streams[stream]?.objects[key], row.inState else { return nil }
    return row.body
  }

  package func oldestLine(in stream: StreamID) -> Int64? {
    content.streams[stream]?.ranks(of: .line).first?.seq
  }

  package func objects(_ kind: ObjectKind, in stream: StreamID) -> [[UInt8]] {
    let rows = content.streams[stream]?.rows { $0.key.kind == kind && $0.inState }
    return rows.map { $0.map(\.body) } ?? []
  }

  /// Returns all posts of a list, in the state or not.
  func posts(of list: ViewedList) throws(StoreError) -> [Post] {
    var posts: [Post] = []
    for row in content.streams[.category(list.category)]?.rows(where: { $0.key.kind == .post })
      ?? []
    {
      if case .post(let post) = try decoded(row.body) { posts.append(post) }
    }
    return posts
  }

  package func posts(
    in category: CategoryID, on shelf: PostShelf, before: Int?, limit: Int
  ) -> [[UInt8]] {
    let rows = content.streams[.category(category)]?.rows { row in
      row.shelf == shelf && (row.number ?? Int.max) < before ?? Int.max
    }
    return rows.map { $0.reversed().prefix(limit).map(\.body) } ?? []
  }

  package func removedCategories(of user: UserID) throws(StoreError) -> [[UInt8]] {
    var bodies: [[UInt8]] = []
    for access in content.streams(of: user) where access.role == .owner {
      for body in objects(.category, in: access.stream) {
        guard case .category(let category) = try decoded(body), category.removed != nil else {
          continue
        }
        bodies.append(body)
      }
    }
    return bodies
  }

  package func tallies(of category: CategoryID) throws(StoreError) -> [MemberTally] {
    let rows = content.streams[.category(category)]?.rows { $0.shelf == .open || $0.shelf == .done }
    var added: [UserID: Int] = [:]
    var completed: [UserID: Int] = [:]
    for row in rows ?? [] {
      guard case .post(let post) = try decoded(row.body) else { continue }
      added[post.addedBy, default: 0] += 1
      if let by = post.completed?.by { completed[by, default: 0] += 1 }
    }
    return Set(added.keys).union(completed.keys).sorted().map { user in
      MemberTally(user: user, added: added[user] ?? 0, completed: completed[user] ?? 0)
    }
  }
}

// Search: a look at every post.
extension MemoryStore {
  package func searchedLists(of user: UserID) throws(StoreError) -> [SearchedList] {
    var lists: [SearchedList] = []
    for access in content.streams(of: user) {
      guard case .category(let id) = access.stream,
        let body = object(ObjectKey(kind: .category, id: id.uuid), in: access.stream),
        case .category(let category) = try decoded(body), category.removed == nil
      else { continue }
      lists.append(
        SearchedList(
          category: id, role: access.role, changedAt: access.head.at, posts: category.lastPost,
          zone: category.zone, joinedSeq: access.joinedSeq, open: category.counters.open,
          isArchived: category.archived != nil))
    }
    return lists
  }

  package func found(_ search: PostSearch) throws(StoreError) -> [FoundPost] {
    var found: [FoundPost] = []
    for category in search.categories {
      for row in content.streams[.category(category)]?.rows(where: { $0.key.kind == .post }) ?? [] {
        guard case .post(let post) = try decoded(row.body), search.finds(post, in: category) else {
          continue
        }
        found.append(FoundPost(post, in: category))
      }
    }
    return Array(found.sorted { $0.place < $1.place }.prefix(search.limit))
  }
}

// Accounts, sessions, codes and keys.
extension MemoryStore {
  package func account(_ user: UserID) -> Account? { content.accounts[user] }

  package func account(username: String) -> Account? {
    content.usernames[username].flatMap { content.accounts[$0] }
  }

  package func session(tokenHash: [UInt8]) -> SessionRecord? {
    content.tokens[tokenHash].flatMap { content.sessions[$0] }
  }

  package func sessions(of user: UserID) -> [SessionRecord] {
    content.sessions.values.filter { $0.user == user }
      .sorted { ($0.openedAt, $0.id) < ($1.openedAt, $1.id) }
  }

  package func bots(of owner: UserID) -> [Account] {
    content.accounts.values.filter { $0.owner == owner }.sorted { $0.username < $1.username }
  }

  package func guestCount(usedSince time: Timestamp) -> Int {
    let used = Set(content.sessions.values.filter { $0.usedAt >= time }.map(\.user))
    return used.count {
      content.accounts[$0].map { $0.password.isNone && $0.owner == nil } ?? false
    }
  }

  package func webhooks(of bot: UserID) -> [Webhook] {
    webhooks().filter { $0.bot == bot }
  }

  package func webhooks() -> [Webhook] {
    content.webhooks.sorted {
      ($0.bot, $0.addedAt, $0.id) < ($1.bot, $1.addedAt, $1.id)
    }
  }

  package func isSpent(code: String) -> Bool { content.spentCodes[code] != nil }

  package func key(_ address: KeyAddress) -> KeyRecord? { content.keys[address] }
}

// The ledger's questions.
extension MemoryStore {
  package func load(_ needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded] {
    try needs.map { (need) throws(StoreError) in
      switch need {
      case .domain(let need): .domain(try load(need))
      case .key(let address): .key(key(address))
      case .storage(let stream): .storage(try storage(of: stream))
      }
    }
  }

  private func load(_ need: Need) throws(StoreError) -> Loaded {
    switch need {
    case .head(let stream): .head(head(of: stream))
    case .object(let stream, let key):
      .object(try object(key, in: stream).map { (body) throws(StoreError) in try decoded(body) })
    case .objects(let stream, let kind):
      .objects(
        try (content.streams[stream]?.rows { $0.key.kind == kind } ?? []).map {
          (row) throws(StoreError) in try decoded(row.body)
        })
    case .ranks(let stream, let kind): .ranks(content.streams[stream]?.ranks(of: kind) ?? [])
    case .username(let name): .user(account(username: name)?.id)
    case .account(let user): .account(account(user))
    case .sessions(let user): .sessions(sessions(of: user))
    case .bots(let owner): .users(bots(of: owner).map(\.id))
    case .webhooks(let bot): .webhooks(webhooks(of: bot))
    case .codeSpent(let code): .flag(isSpent(code: code))
    case .past(let position): .past(try past(at: position))
    case .trails(let position): .trails(try trails(at: position))
    case .imported(let category, let source): .post(try imported(source, in: category))
    case .queue(let category, let user): .queue(try queue(of: category, for: user))
    case .commandEvents(let home, let user, let key):
      .positions(try events(ofCommand: key, by: user, home: home))
    }
  }
}
