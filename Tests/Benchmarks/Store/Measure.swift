import CStatementRecorder
import Domain
import Glibc
import Store
import Sync

/// One measured run of the storage layer.
struct Measure {
  enum Shape: String {
    case create
    case complete
    case served
  }

  private static let lists = 100
  private static let title = "Buy the milk for Sunday, and the flowers for Ana"

  private var commands = 0
  private var wall = 0.0
  private var cpu = 0.0
  private var latencies: [Double] = []

  init(_ shape: Shape, batch: Int, commands: Int, in folder: DataFolder) throws {
    let store = try SQLiteStore(writing: folder, lock: try folder.lock()) {
      BenchmarkDriver.identity
    }
    // The first transaction's rows answer the ledger from memory, so that nothing is read while measuring.
    let memory = MemoryStore(MemoryDatabase(identity: BenchmarkDriver.identity))
    var driver = BenchmarkDriver(epoch: BenchmarkDriver.identity.epoch)
    let user = try driver.person("bench", memory)
    for list in 0..<Measure.lists {
      try driver.settle(
        .category(.add(BenchmarkDriver.category(list), name: "List \(list)", group: nil)), by: user,
        memory)
    }
    var posts: [(CategoryID, PostID)] = []
    for count in 0..<(shape == .complete ? commands : 10 * Measure.lists) {
      let category = BenchmarkDriver.category(count % Measure.lists)
      posts.append((category, try driver.post(Measure.title, in: category, by: user, memory)))
    }
    try commit(driver.taken(), memory, store)
    try store.tidy()
    if shape == .served {
      statements_mark()
      try serve(&driver, user, batch: batch, commands: commands, store) { $0 % Measure.lists }
      return
    }
    var transactions: [LedgerTransaction] = []
    for first in stride(from: 0, to: commands, by: batch) {
      for number in first..<min(first + batch, commands) {
        let (category, post) = posts[number % posts.count]
        if shape == .create {
          _ = try driver.post(Measure.title, in: category, by: user, memory)
        } else {
          try driver.settle(.completePost(category, post, ifVersion: nil), by: user, memory)
        }
      }
      transactions.append(driver.taken())
      try memory.commit(transactions[transactions.count - 1])
    }
    statements_mark()
    try run(transactions, store)
    self.commands = commands
  }

  /// Creates in lists picked as if by chance.
  init(on store: SQLiteStore, lists: Int, batch: Int, commands: Int) throws {
    var driver = BenchmarkDriver(epoch: store.identity.epoch)
    let user = UserID(driver.name())
    driver.skipNames(1 << 30)
    statements_mark()
    try serve(&driver, user, batch: batch, commands: commands, store) { number in
      Int(truncatingIfNeeded: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 20) % lists
    }
  }

  private func commit(
    _ transaction: LedgerTransaction, _ memory: MemoryStore, _ store: SQLiteStore
  ) throws {
    try memory.commit(transaction)
    try store.commit(transaction)
  }

  private mutating func run(_ transactions: [LedgerTransaction], _ store: SQLiteStore) throws {
    let begun = (wall: now(CLOCK_MONOTONIC), cpu: now(CLOCK_PROCESS_CPUTIME_ID))
    var end = begun.wall
    latencies.reserveCapacity(transactions.count)
    for transaction in transactions {
      let begin = end
      try store.commit(transaction)
      try store.tidy()
      end = now(CLOCK_MONOTONIC)
      latencies.append((end - begin) * 1e6)
    }
    wall = end - begun.wall
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - begun.cpu
  }

  /// The ledger on the store itself, as the server has it.
  private mutating func serve(
    _ driver: inout BenchmarkDriver, _ user: UserID, batch: Int, commands: Int,
    _ store: SQLiteStore,
    list: (Int) -> Int
  ) throws {
    let begun = (wall: now(CLOCK_MONOTONIC), cpu: now(CLOCK_PROCESS_CPUTIME_ID))
    var end = begun.wall
    for first in stride(from: 0, to: commands, by: batch) {
      let begin = end
      let works = (first..<min(first + batch, commands)).map { number in
        let category = BenchmarkDriver.category(list(number))
        let id = PostID(driver.name())
        return driver.work(.post(.add(category, id, title: Measure.title, notes: "")), by: user)
      }
      try driver.turn(works, store)
      try store.tidy()
      end = now(CLOCK_MONOTONIC)
      latencies.append((end - begin) * 1e6)
    }
    self.commands = commands
    wall = end - begun.wall
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - begun.cpu
  }

  var line: String {
    let sorted = latencies.sorted()
    return """
      {"cmds":\(commands),"transactions":\(sorted.count),"per_s":\(Int(Double(commands) / wall)),\
      "cpu_s_per_m":\(thousandths(cpu * 1e6 / Double(commands))),\
      "tx_p50_us":\(Int(sorted[sorted.count / 2])),"tx_p99_us":\(Int(sorted[sorted.count * 99 / 100]))}
      """
  }
}

func now(_ clock: clockid_t) -> Double {
  var time = timespec()
  guard clock_gettime(clock, &time) == 0 else { preconditionFailure("no clock") }
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func thousandths(_ value: Double) -> String {
  let scaled = Int((value * 1_000).rounded())
  let rest = String(scaled % 1_000)
  return "\(scaled / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
}
