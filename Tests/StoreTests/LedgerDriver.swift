import Calendar
import Domain
import Sync
import Testing
import Wire

@testable import Store

/// A ledger over a store, with a clock and with names that come from a count: equal calls make equal bytes.
final class LedgerDriver {
  let store: any EventStore
  private var ledger: Ledger
  private var count: UInt64
  private(set) var now: Int64
  /// The time by which the clock is known to be ahead.
  var ahead: Int64 = 0

  /// Makes a driver. Names begin with `from`, so that those of two drivers on one store differ.
  init(_ store: any EventStore, from: UInt64 = 0) {
    self.store = store
    ledger = Ledger(storeEpoch: store.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
    count = from << 32
    now = 1_700_000_000_000 + Int64(from)
  }

  /// Lets the time pass until this moment, if it has not come yet.
  func pass(to time: Timestamp) { now = max(now, time.milliseconds) }

  func name() -> UUID {
    count += 1
    return UUID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | count)
  }

  /// Settles the work in one transaction of the store, which is committed.
  @discardableResult
  func run(_ works: [LedgerWork]) throws -> [Result<CommandResult, Refusal>] {
    let results = try works.map(settle)
    do {
      try store.commit(ledger.staged)
      ledger.committed()
    } catch {
      if case .outcomeUnknown = error { ledger.rolledBack(forget: true) }
      if case .notCommitted = error { ledger.rolledBack(forget: false) }
      throw error
    }
    return results
  }

  /// Returns the transaction that the work would write, and commits nothing.
  func staged(_ works: [LedgerWork]) throws -> LedgerTransaction {
    for work in works { _ = try settle(work) }
    defer { ledger.rolledBack(forget: false) }
    return ledger.staged
  }

  private func settle(_ work: LedgerWork) throws -> Result<CommandResult, Refusal> {
    now += 1_000
    let transaction = TransactionID(name())
    while true {
      switch ledger.decide(
        work, now: Timestamp(milliseconds: now), ahead: ahead, transaction: transaction)
      {
      case .settled(let result, _): return result
      case .needs(let needs):
        for (need, loaded) in zip(needs, try store.load(needs)) { ledger.provide(need, loaded) }
      }
    }
  }

  /// Forgets everything that is older, and tells the ledger, step by step as its thread does.
  func trim(before time: Int64) throws {
    while true {
      let step = try store.trim(before: Timestamp(milliseconds: time))
      if let horizon = step.horizon { ledger.trimmed(through: horizon) }
      if step.isDone { return }
    }
  }

  func work(
    _ command: Command, by user: UserID, key: String? = nil, base: CommandBase? = nil
  ) throws -> LedgerWork {
    let text = key ?? "k\(count)"
    // The proof is the one that the authenticator finds before it asks the ledger.
    var proof = Proof.notAsked
    if case .account(.delete) = command, let account = try store.account(user) {
      proof = .verified(account.password)
    }
    return .command(
      Submission(
        actor: Actor(user: user, session: nil), command: command,
        key: try #require(CommandKey(text)), hash: Array(repeating: 7, count: 32), proof: proof,
        base: base))
  }

  /// Runs one command in one transaction. Its result must be a success.
  @discardableResult
  func run(_ command: Command, by user: UserID, key: String? = nil) throws -> CommandResult {
    let results = try run([try work(command, by: user, key: key)])
    return try #require(results.first).get()
  }
}

// A small world.
extension LedgerDriver {
  func person(_ username: String, kind: UserKind = .person) throws -> UserID {
    let user = UserID(name())
    try run(
      .account(
        .register(
          Registration(
            id: user, username: username, name: username.uppercased(), zone: "Europe/Lisbon",
            password: PasswordHash(phc: "$scrypt$\(username)"), code: nil, kind: kind))),
      by: user,
      key: user.description)
    return user
  }

  func category(_ name: String, by user: UserID, in group: GroupID? = nil) throws -> CategoryID {
    let id = CategoryID(self.name())
    try run(.category(.add(id, name: name, group: group)), by: user)
    return id
  }

  func group(_ name: String, by user: UserID) throws -> GroupID {
    let id = GroupID(self.name())
    try run(.group(.add(id, name: name)), by: user)
    return id
  }

  func post(_ title: String, in category: CategoryID, by user: UserID) throws -> PostID {
    let id = PostID(name())
    try run(.post(.add(category, id, title: title, notes: "")), by: user)
    return id
  }

  /// Invites a person and accepts for them.
  func bring(_ user: UserID, _ username: String, to stream: StreamID, by owner: UserID) throws {
    let id = InvitationID(name())
    try run(.invitation(.send(id, stream, username: username, .editor)), by: owner)
    try run(.invitation(.accept(id)), by: user)
  }

  /// Makes an undo after a look at what it would do; nil when that is refused.
  func undo(_ event: Int64, of stream: StreamID, by user: UserID) throws -> Command? {
    let actor = Actor(user: user, session: nil)
    let query = UndoQuery(stream: stream, selection: .events([event]))
    let answer = try store.read { () throws(StoreError) in
      try store.history(.undo(query), for: actor, at: Timestamp(milliseconds: now))
    }
    guard case .success(.undo(let preview)) = answer else { return nil }
    return .undo(UndoTarget(stream: stream, events: preview.events, seen: preview.seen))
  }

  func session(of user: UserID, token: UInt8) throws -> SessionRecord {
    let account = try #require(try store.account(user))
    let time = Timestamp(milliseconds: now)
    let session = SessionRecord(
      id: SessionID(name()), user: user, tokenHash: Array(repeating: token, count: 32),
      deviceHash: nil, client: "tests", openedAt: time, usedAt: time)
    let results = try run([.openSession(session, account: account)])
    _ = try #require(results.first).get()
    return session
  }
}
