// A store fails at call 1, 2, 3, … until a command passes, for every kind of command (P2, P3). Every answer is true,
// nothing is half done, and the same command with the same key settles it.

import Calendar
import Domain
import MethodSamples
import Sync
import Testing

@testable import Store

/// The household on a store of its own: the same bytes each time.
private final class House {
  let store: any EventStore
  private let folder: TemporaryFolder?
  private var transactions: UInt64 = 0

  /// Makes a house in which all this has happened, in one transaction.
  init(_ kind: StoreKind, _ doings: [Household.Doing] = Household.doings()) throws {
    switch kind {
    case .memory:
      store = MemoryStore(MemoryDatabase(identity: testIdentity))
      folder = nil
    case .sqlite:
      let folder = try TemporaryFolder()
      self.folder = folder
      store = try writer(folder.data, SQLiteOptions())
    }
    var ledger = Ledger(storeEpoch: "e1", cacheBytesMax: 0, almanac: .system)
    let people = Household.people.map { Household.Doing(.account(.register($0)), by: $0.id) }
    try settle(people.enumerated().map { try work($1, key: "person-\($0)") }, &ledger)
    let sender = try #require(try store.account(Household.sender))
    let time = Timestamp(milliseconds: 1_700_000_000_000)
    let session = SessionRecord(
      id: Household.session, user: sender.id, tokenHash: Array(repeating: 1, count: 32),
      deviceHash: nil, client: "tests", openedAt: time, usedAt: time)
    try settle([.openSession(session, account: sender)], &ledger)
    try settle(doings.enumerated().map { try work($1, key: "before-\($0)") }, &ledger)
  }

  private func settle(_ works: [LedgerWork], _ ledger: inout Ledger) throws {
    for settlement in turn(works, &ledger, store).settlements { _ = try settlement.result.get() }
  }

  /// Makes a house in which the same has happened as in this one, at a hundredth of the work. Nobody writes to this one
  /// meanwhile.
  init(copying other: House) throws {
    transactions = other.transactions
    if let memory = other.store as? MemoryStore {
      store = MemoryStore(memory.database.copy(epoch: testIdentity.epoch))
      folder = nil
    } else {
      let (folder, past) = (try TemporaryFolder(), try #require(other.folder))
      // The index of the log belongs to the connections of the other.
      for name in names(in: past.path) where name != "lock" && !name.hasSuffix("-shm") {
        try writeFile(folder.path + "/" + name, try readFile(past.path + "/" + name))
      }
      self.folder = folder
      store = try writer(folder.data, SQLiteOptions())
    }
  }

  /// Runs one turn of a ledger on a store. `ledger` is kept over the turns as the server's is.
  func turn(
    _ works: [LedgerWork], _ ledger: inout Ledger, _ store: any EventStore
  ) -> LedgerTurn {
    let tools = LedgerTools(
      newTransaction: { _ in
        self.transactions += 1
        return TransactionID(UUID(high: 3, low: self.transactions))
      }, isZone: { _ in true }, hasRoom: { _ in true },
      codes: CodeBook(
        text: { "\($1.uuid) \($0)" }, place: { UUID($0.prefix(36)) },
        isCode: { $0 == "\($2.uuid) \($1)" }))
    let now = Timestamp(milliseconds: 1_700_000_600_000)
    return ledger.turn(works, at: now, in: store, tools) { transaction throws(StoreError) in
      try store.commit(transaction)
    }
  }

  func work(_ doing: Household.Doing, key: String) throws -> LedgerWork {
    try work(doing.command, by: doing.by, key: key)
  }

  func work(_ command: Command, by user: UserID, key: String) throws -> LedgerWork {
    var command = command
    if case .invitation(.redeem(let code)) = command,
      case .invitation(let id, let stream) = code.opens
    {
      command = .invitation(.redeem(CodeInHand(text: "\(stream.uuid) \(id)")))
    }
    // The proof is the one that the authenticator finds before it asks the ledger.
    let isAsked =
      switch command {
      case .account(.changePassword), .account(.delete), .account(.register): true
      default: false
      }
    let password = isAsked ? try store.account(user)?.password : nil
    let proof = password.map { Proof.verified($0) } ?? .notAsked
    return .command(
      Submission(
        actor: Actor(user: user, session: nil), command: command,
        key: try #require(CommandKey(key)), hash: Array("\(command)".utf8), proof: proof))
  }

  /// Returns everything that can be told apart, but for the names of transactions.
  func content() throws -> [String] {
    var lines: [String] = []
    for stream in Household.streams {
      guard let snapshot = try store.snapshot(of: stream) else { continue }
      lines.append("\(stream) \(snapshot.head.seq) \(snapshot.head.at.milliseconds)")
      // The id of a link's guest is drawn as those of transactions are.
      lines += snapshot.objects.map {
        let line = String(decoding: $0, as: UTF8.self)
        let isLink = line.hasPrefix(#"{"t":"link""#)
        return isLink ? line.replacing(/"guest":"[^"]*"/, with: "") : line
      }
    }
    for user in Household.people.map(\.id) + [Household.newcomer] {
      lines.append("\(try store.account(user).map { "\($0)" } ?? "none")")
      lines += try store.streams(of: user).map { "\($0.stream) \($0.role) \($0.joinedSeq)" }
      lines += try store.sessions(of: user).map { "\($0.id)" }
    }
    return lines
  }
}

@Suite("P2, P3: a store that fails at every call in turn")
struct EveryCallFailsTests {
  private static let unchanged = MethodSample.inList(
    .doer, .completePost(Household.list, Household.done, ifVersion: nil), part: "so already")

  @Test(
    "the answer is true, and a repeat settles it", arguments: MethodSample.all + [unchanged],
    StoreKind.allCases)
  func everyCall(_ sample: MethodSample, _ kind: StoreKind) throws {
    let past = try House(kind, sample.past)
    let whole = try House(copying: past)
    var ledger = Ledger(storeEpoch: "e1", cacheBytesMax: 1 << 20, almanac: .system)
    let expected = whole.turn([try whole.work(sample.sending, key: "key")], &ledger, whole.store)
      .settlements[0]
    let result = try expected.result.get()
    let after = try whole.content()
    for fault in FaultyStore.Fault.allCases {
      var call = 1
      while try fails(sample, past, call, fault, result, after) {
        call += 1
        try #require(call < 50, "\(sample) calls the store without end")
      }
      // There are calls to look for the key and to commit, at least.
      #expect(call > 2, "\(sample)")
    }
  }

  /// Runs once with a fault. Returns false when the fault never came.
  private func fails(
    _ sample: MethodSample, _ past: House, _ call: Int, _ fault: FaultyStore.Fault,
    _ result: CommandResult, _ after: [String]
  ) throws -> Bool {
    let house = try House(copying: past)
    let before = try house.content()
    let store = FaultyStore(house.store, failing: call, with: fault)
    var ledger = Ledger(storeEpoch: "e1", cacheBytesMax: 1 << 20, almanac: .system)
    let first = house.turn([try house.work(sample.sending, key: "key")], &ledger, store)
    guard store.hasFailed else {
      #expect(try first.settlements[0].result.get() == result)
      #expect(try house.content() == after)
      return false
    }
    let note: Comment = "\(sample), call \(call), \(fault)"
    #expect(first.publication.isEmpty, note)
    let isWritten: Bool
    switch first.settlements[0].result {
    case .failure(.unavailable): isWritten = false
    case .failure(.unknownOutcome): isWritten = fault == .unknownWritten
    case .failure(let failure):
      Issue.record("\(note): \(failure)")
      return false
    case .success:
      Issue.record("\(note): answered with a result")
      return false
    }
    #expect(try house.content() == (isWritten ? after : before), note)
    let again = house.turn([try house.work(sample.sending, key: "key")], &ledger, store)
      .settlements[0]
    #expect(try again.result.get() == result, note)
    #expect(again.repeated == isWritten, note)
    #expect(try house.content() == after, note)
    // It runs once more, by a server that has just started.
    var fresh = Ledger(storeEpoch: "e1", cacheBytesMax: 1 << 20, almanac: .system)
    let late = house.turn([try house.work(sample.sending, key: "key")], &fresh, house.store)
      .settlements[0]
    #expect(try late.result.get() == result && late.repeated, note)
    #expect(try house.content() == after, note)
    return true
  }

  @Test("a failed commit is told to everybody in it, to the refused too", arguments: [1, 2])
  func everybody(_ index: Int) throws {
    let fault = FaultyStore.Fault.allCases[index]
    let calls = try together(on: House(.memory), failing: .max, with: fault).calls
    let house = try House(.memory)
    let before = try house.content()
    let turn = try together(on: house, failing: calls, with: fault).turn
    #expect(turn.commit == .unknown)
    #expect(turn.publication.isEmpty)
    #expect(turn.settlements.map(\.result) == Array(repeating: .failure(.unknownOutcome), count: 3))
    #expect(try (house.content() == before) == (fault == .unknownNotWritten))
  }

  /// Runs a command, one that it makes the ledger refuse, and a third, in one turn.
  private func together(
    on house: House, failing call: Int, with fault: FaultyStore.Fault
  ) throws -> (turn: LedgerTurn, calls: Int) {
    let (list, open) = (Household.list, Household.open)
    let (owner, sender) = (Household.owner, Household.sender)
    let works = [
      try house.work(.completePost(list, open, ifVersion: nil), by: owner, key: "1"),
      try house.work(.completePost(list, open, ifVersion: 1), by: sender, key: "2"),
      try house.work(.category(.edit(list, name: "x")), by: sender, key: "3"),
    ]
    let store = FaultyStore(house.store, failing: call, with: fault)
    var ledger = Ledger(storeEpoch: "e1", cacheBytesMax: 1 << 20, almanac: .system)
    return (house.turn(works, &ledger, store), store.calls)
  }
}
