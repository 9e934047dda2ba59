import Calendar
import Domain
import Testing
import Wire

@testable import Sync

/// A ledger on a small store in memory. The store keeps what transactions hold and answers needs from it: everything
/// that the ledger knows went through the bytes that a real store would keep.
struct LedgerBench {
  struct Row: Equatable {
    var body: [UInt8]
    var number: Int?
    var rank: Int64?
    var inState: Bool
  }

  struct Access: Equatable {
    let role: Role
    let joinedSeq: Int64
  }

  /// The committed content.
  struct Content: Equatable {
    var events: [StreamID: [EventRecord]] = [:]
    var rows: [StreamID: [ObjectKey: Row]] = [:]
    var access: [StreamID: [UserID: Access]] = [:]
    var keys: [KeyAddress: KeyRecord] = [:]
    var accounts: [UserID: Account] = [:]
    var sessions: [SessionID: SessionRecord] = [:]
    var spentCodes: Set<String> = []
    var webhooks: [Webhook] = []
    /// The rows that there are, by the posts' numbers.
    var dues: [CategoryID: [Int: PostDue]] = [:]
    /// The lists whose deadlines are to be checked again.
    var dueChecks: Set<CategoryID> = []
  }

  var ledger: Ledger
  var content = Content()
  var now = Timestamp(milliseconds: 1_000_000)
  private var transactions: UInt64 = 0
  private var keysMade = 0
  /// The bytes that a store says of every stream.
  var stored: StoredBytes?

  init(cacheBytesMax: Int = 1 << 20, storage: StorageRules = StorageRules()) {
    ledger = Ledger(
      storeEpoch: "s", cacheBytesMax: cacheBytesMax, almanac: .system, storage: storage)
  }

  // MARK: Work

  /// Settles one piece of work without committing it.
  mutating func settle(_ work: LedgerWork) -> (Result<CommandResult, Refusal>, repeated: Bool) {
    transactions += 1
    let transaction = TransactionID(UUID(high: 7, low: transactions))
    for _ in 0..<1_000 {
      switch ledger.decide(work, now: now, transaction: transaction) {
      case .settled(let result, let repeated): return (result, repeated)
      case .needs(let needs):
        for need in needs { ledger.provide(need, answer(need)) }
      }
    }
    fatalError("it asks for ever")
  }

  mutating func settle(
    _ submission: Submission
  ) -> (Result<CommandResult, Refusal>, repeated: Bool) {
    settle(.command(submission))
  }

  /// Commits what is staged.
  mutating func commit() {
    content.apply(ledger.staged)
    ledger.committed()
  }

  /// Settles and commits a command that must not be refused.
  @discardableResult
  mutating func must(
    _ command: Command, by user: UserID, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Submission {
    let submission = submission(of: command, by: user)
    let (result, repeated) = settle(submission)
    if case .failure(let refusal) = result {
      Issue.record("refused: \(refusal)", sourceLocation: sourceLocation)
    }
    #expect(!repeated, sourceLocation: sourceLocation)
    commit()
    return submission
  }

  mutating func submission(of command: Command, by user: UserID, key: String? = nil) -> Submission {
    keysMade += 1
    guard let key = CommandKey(key ?? "k\(keysMade)") else { fatalError("no key") }
    return Submission(
      actor: Actor(user: user, session: nil), command: command, key: key,
      hash: Array("\(command)".utf8), proof: proof(for: command, by: user))
  }

  /// Returns the proof that the server finds before it asks the ledger.
  private func proof(for command: Command, by user: UserID) -> Proof {
    switch command {
    case .account(.changePassword), .account(.delete):
      content.accounts[user].map { .verified($0.password) } ?? .notAsked
    default: .notAsked
    }
  }

  /// Returns the plan of an undo as it would be now, or its refusal.
  func undoPlan(_ target: UndoTarget, by user: UserID) -> Result<UndoPlan, Refusal> {
    var world = World(bytesMax: 0)
    let actor = Actor(user: user, session: nil)
    while true {
      do throws(Halt) {
        return .success(try Domain.undoPlan(target, by: actor, at: now, in: &world))
      } catch {
        switch error {
        case .refused(let refusal): return .failure(refusal)
        case .needs(let needs):
          for need in needs { world.provide(need, content.answer(need)) }
        }
      }
    }
  }

  /// Holds a post as commands might have made it, for which nobody has asked yet.
  mutating func hold(_ post: Post, in category: CategoryID) {
    let object = Object.post(post)
    content.apply(
      LedgerTransaction(objects: [ObjectRecord(.category(category), object.key, .put(object))]))
  }

  // MARK: Answers

  func answer(_ need: LedgerNeed) -> LedgerLoaded {
    switch need {
    case .key(let address): .key(content.keys[address])
    case .domain(let need): .domain(content.answer(need))
    case .storage: .storage(stored)
    }
  }

  /// Returns the objects of the state, as a snapshot sends them.
  func snapshot(of stream: StreamID) -> [Object] {
    (content.rows[stream] ?? [:]).values.filter(\.inState).map { decoded($0.body) }
  }

  func objects(_ kind: ObjectKind, in stream: StreamID) -> [Object] {
    content.objects(kind, in: stream)
  }

  func events(of stream: StreamID) -> [Event] {
    (content.events[stream] ?? []).map { record in
      do throws(WireError) {
        return try EventCodec.decode(record.body, seq: record.seq)
      } catch {
        fatalError("an event that cannot be read: \(error)")
      }
    }
  }
}

extension LedgerBench.Content {
  mutating func apply(_ transaction: LedgerTransaction) {
    for event in transaction.events { events[event.stream, default: []].append(event) }
    for record in transaction.objects {
      switch record.change {
      case .put(let row):
        rows[record.stream, default: [:]][record.key] = LedgerBench.Row(
          body: row.body, number: row.number, rank: row.rank, inState: row.inState)
      case .leftState: rows[record.stream]?[record.key]?.inState = false
      case .deleted: rows[record.stream]?[record.key] = nil
      }
    }
    for change in transaction.access {
      switch change {
      case .granted(let stream, let user, let role, let joinedSeq):
        access[stream, default: [:]][user] = LedgerBench.Access(role: role, joinedSeq: joinedSeq)
      case .revoked(let stream, let user): access[stream]?[user] = nil
      }
    }
    for key in transaction.keys { keys[key.address] = key }
    for due in transaction.dues {
      dues[due.category, default: [:]][due.number] = due.deadline == nil ? nil : due
    }
    for check in transaction.dueChecks {
      if check.after == nil {
        dueChecks.remove(check.category)
      } else {
        dueChecks.insert(check.category)
      }
    }
    for change in transaction.accounts { apply(change) }
    for erasure in transaction.erasures { erase(erasure) }
  }

  /// Erases as stores do: nothing of an erased text is left in any event or key.
  private mutating func erase(_ it: Erasure) {
    let eraser = TextEraser(it.subject)
    for (index, old) in (events[it.stream] ?? []).enumerated() where old.seq < it.seq {
      do throws(WireError) {
        let new = EventRecord(
          stream: old.stream, epoch: old.epoch, seq: old.seq, at: old.at, by: old.by,
          transaction: old.transaction, body: try eraser.body(old.body),
          was: try eraser.before(old.was))
        guard new != old else { continue }
        events[it.stream]?[index] = new
        let key = try EventCodec.decode(old.body, seq: old.seq).key
        for address in keys.keys where address.actor == old.by && address.key == key {
          keys[address] = keys[address]?.withoutHash
        }
      } catch {
        fatalError("an event that cannot be read: \(error)")
      }
    }
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
    case .sessionOpened(let session): sessions[session.id] = session
    case .sessionUsed(let id, let at): sessions[id]?.usedAt = at
    case .given(let bot, let owner): accounts[bot]?.owner = owner
    case .sessionsClosed(let ids, of: _): ids.forEach { sessions[$0] = nil }
    case .codeSpent(let code, _): spentCodes.insert(code)
    case .webhookAdded, .webhookMoved, .webhookSet, .webhooksRemoved: webhooks.apply(change)
    case .ends, .ended, .forgotten, .gone, .nameLeft, .nameTold: break
    }
  }

  func answer(_ need: Need) -> Loaded {
    switch need {
    case .head(let stream):
      .head(
        events[stream]?.last.map {
          StreamHead(epoch: $0.epoch, seq: $0.seq, at: $0.at, transaction: $0.transaction)
        })
    case .object(let stream, let key): .object(rows[stream]?[key].map { decoded($0.body) })
    case .objects(let stream, let kind): .objects(objects(kind, in: stream))
    case .ranks(let stream, let kind): .ranks(ranks(of: kind, in: stream))
    case .username(let name): .user(accounts.values.first { $0.username == name }?.id)
    case .account(let id): .account(accounts[id])
    case .sessions(let user): .sessions(sessions.values.filter { $0.user == user })
    case .bots(let owner): .users(accounts.values.filter { $0.owner == owner }.map(\.id))
    case .webhooks(let bot): .webhooks(webhooks.filter { $0.bot == bot })
    case .codeSpent(let code): .flag(spentCodes.contains(code))
    case .past(let position): .past(past(position))
    case .trails(let position): .trails(past(position)?.before.trails ?? [])
    case .imported(let category, let source): .post(post(from: source, in: category))
    case .queue(let category, for: _): .queue(queue(of: category))
    case .commandEvents(let home, let user, let key):
      .positions(keys[KeyAddress(stream: home, actor: user, key: key)]?.result.events ?? [])
    }
  }

  private func past(_ position: StreamPosition) -> PastEvent? {
    guard let records = events[position.stream], (1...Int64(records.count)).contains(position.seq)
    else { return nil }
    let record = records[Int(position.seq) - 1]
    do throws(StoreError) {
      return try StoredPast(seq: record.seq, body: record.body, was: record.was).decoded()
    } catch {
      fatalError("an event that cannot be read: \(error)")
    }
  }

  func objects(_ kind: ObjectKind, in stream: StreamID) -> [Object] {
    (rows[stream] ?? [:]).filter { $0.key.kind == kind }.map { decoded($0.value.body) }
  }

  private func ranks(of kind: ObjectKind, in stream: StreamID) -> [Rank] {
    (rows[stream] ?? [:]).compactMap { key, row in
      guard key.kind == kind, row.inState, let rank = row.rank else { return nil }
      return Rank(seq: rank, number: row.number ?? 0, key: key)
    }
  }
}

func decoded(_ body: [UInt8]) -> Object {
  do throws(WireError) {
    return try ObjectCodec.decode(body)
  } catch {
    fatalError("an object that cannot be read: \(error)")
  }
}

// MARK: Short names

extension UserID: ExpressibleByUnicodeScalarLiteral {
  init(_ letter: Unicode.Scalar) { self.init(UUID(high: 0xA, low: UInt64(letter.value))) }
  public init(unicodeScalarLiteral letter: Unicode.Scalar) { self.init(letter) }
}

extension CategoryID: ExpressibleByIntegerLiteral {
  init(_ number: Int) { self.init(UUID(high: 0xC, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension GroupID: ExpressibleByIntegerLiteral {
  init(_ number: Int) { self.init(UUID(high: 0x6, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension PostID: ExpressibleByIntegerLiteral {
  init(_ number: Int) { self.init(UUID(high: 0xB, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension StepID: ExpressibleByIntegerLiteral {
  init(_ number: Int) { self.init(UUID(high: 0x57, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension TagID: ExpressibleByIntegerLiteral {
  package init(_ number: Int) { self.init(UUID(high: 0x7A6, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension InvitationID: ExpressibleByIntegerLiteral {
  init(_ number: Int) { self.init(UUID(high: 0x1, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension SessionID: ExpressibleByIntegerLiteral {
  init(_ number: Int) { self.init(UUID(high: 0x5, low: UInt64(number))) }
  public init(integerLiteral number: Int) { self.init(number) }
}

extension Registration {
  init(_ letter: Unicode.Scalar) {
    self.init(
      id: UserID(letter), username: "user-\(letter)", name: "Name \(letter)", zone: "UTC",
      password: PasswordHash(phc: "$\(letter)"), code: nil)
  }
}

extension LedgerBench {
  /// Returns the house: users a, b, c; category 1 of a and b (editor) with post 1 (open) and 2 (completed); group 1 of
  /// a with its category 2; an invitation (40) of c into category 1.
  static func house(storage: StorageRules = StorageRules()) -> LedgerBench {
    var bench = LedgerBench(storage: storage)
    for letter in "abc".unicodeScalars {
      bench.must(.account(.register(Registration(letter))), by: UserID(letter))
    }
    bench.must(.category(.add(1, name: "Home", group: nil)), by: "a")
    bench.must(.post(.add(1, 1, title: "One", notes: "")), by: "a")
    bench.must(.post(.add(1, 2, title: "Two", notes: "n")), by: "a")
    bench.must(.completePost(1, 2, ifVersion: nil), by: "a")
    bench.must(.invitation(.send(41, .category(1), username: "user-b", .editor)), by: "a")
    bench.must(.invitation(.accept(41)), by: "b")
    bench.must(.group(.add(1, name: "Family")), by: "a")
    bench.must(.category(.add(2, name: "Groceries", group: 1)), by: "a")
    bench.must(.invitation(.send(40, .category(1), username: "user-c", .editor)), by: "a")
    return bench
  }
}
