import Calendar
import Domain
import Store
import Sync

/// A ledger with the store that answers it. Names come from a count: equal calls, equal rows.
struct BenchmarkDriver {
  private var ledger: Ledger
  private var count: UInt64 = 0
  /// The moment at which everything begins, in milliseconds since 1970.
  static let begin: Int64 = 1_700_000_000_000
  private var now = BenchmarkDriver.begin

  init(epoch: String) {
    ledger = Ledger(storeEpoch: epoch, cacheBytesMax: 256 << 20, almanac: .system)
  }

  static let identity = StoreIdentity(epoch: "bench", secret: [UInt8](repeating: 5, count: 32))

  mutating func name() -> UUID {
    count += 1
    // The digits of a version 7 UUID that a client would have made by chance.
    let mixed = count &* 0x9E37_79B9_7F4A_7C15
    return UUID(
      high: 0x0190_0000_0000_7000 | count << 16 & 0xFFFF_FFFF_0000,
      low: 0x8000_0000_0000_0000 | mixed >> 2)
  }

  /// Goes on where no other driver has been.
  mutating func skipNames(_ names: UInt64) { count += names }

  mutating func settle(_ command: Command, by user: UserID, _ store: any EventStore) throws {
    try settle(work(command, by: user), store)
  }

  mutating func work(_ command: Command, by user: UserID) -> LedgerWork {
    let name = name()
    guard let key = CommandKey(name.description) else { preconditionFailure("a UUID is a key") }
    return .command(
      Submission(
        actor: Actor(user: user, session: nil), command: command, key: key,
        hash: name.bytes + name.bytes))
  }

  /// Settles and commits as the server's ledger thread does.
  mutating func turn(_ works: [LedgerWork], _ store: SQLiteStore) throws {
    now += 1
    let tools = LedgerTools(
      newTransaction: { TransactionID(UUID.version7(at: $0, random: BenchmarkDriver.random)) },
      isZone: { _ in true }, hasRoom: { _ in true })
    let turn = ledger.turn(works, at: Timestamp(milliseconds: now), in: store, tools) {
      (transaction) throws(StoreError) in try store.commit(transaction)
    }
    for settlement in turn.settlements { _ = try settlement.result.get() }
  }

  /// Names of events need not differ here.
  private static let random = [UInt8](repeating: 9, count: 10)

  mutating func settle(_ work: LedgerWork, _ store: any EventStore) throws {
    now += 1
    let transaction = TransactionID(name())
    while true {
      switch ledger.decide(work, now: Timestamp(milliseconds: now), transaction: transaction) {
      case .needs(let needs):
        for (need, loaded) in zip(needs, try store.load(needs)) { ledger.provide(need, loaded) }
      case .settled(.success, _): return
      case .settled(.failure(let refusal), _): fail("refused: \(refusal)")
      }
    }
  }

  /// Takes the transaction of the works that were settled since the last time. From now on it counts.
  mutating func taken() -> LedgerTransaction {
    let transaction = ledger.staged
    ledger.committed()
    return transaction
  }
}

// A small world.
extension BenchmarkDriver {
  mutating func person(_ username: String, _ store: any EventStore) throws -> UserID {
    let user = UserID(name())
    try settle(
      .account(
        .register(
          Registration(
            id: user, username: username, name: username, zone: "Europe/Lisbon",
            password: PasswordHash(phc: "$scrypt$ln=15,r=8,p=3$none$none"), code: nil))),
      by: user, store)
    return user
  }

  /// Its id ends with the ten decimal digits of 1 000 000 000 + number, so that a load generator's template
  /// can name the list of a connection.
  static func category(_ number: Int) -> CategoryID {
    var digits: UInt64 = 0
    for (place, digit) in String(1_000_000_000 + number).utf8.reversed().enumerated() {
      digits |= UInt64(digit - 0x30) << UInt64(4 * place)
    }
    return CategoryID(UUID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | digits))
  }

  mutating func post(
    _ title: String, in category: CategoryID, by user: UserID, _ store: any EventStore
  ) throws -> PostID {
    let id = PostID(name())
    try settle(.post(.add(category, id, title: title, notes: "")), by: user, store)
    return id
  }
}
