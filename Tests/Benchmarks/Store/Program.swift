// How fast the storage layer writes: one line of JSON for each number of commands per transaction.
//
//   StoreBenchmark FOLDER [SECONDS] [plain|whole]
//
// plain   what Tests/Tools/sqlite-floor writes for a command, through the store: an event of 300 bytes and
//         one object of 200 out of 10 000, in 100 streams. Compare with that tool's line of the same batch.
// whole   what the ledger writes for a completed post: an event with its old value, the post, the category
//         and the command's key.
// FOLDER must be new; its disk is what is measured.

import Domain
import Glibc
import Store
import Sync

@main
enum StoreBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else {
      print("usage: StoreBenchmark FOLDER [SECONDS] [plain|whole]")
      exit(2)
    }
    let seconds = arguments.count > 2 ? Double(arguments[2]) ?? 3 : 3
    let shape: Shape = arguments.count > 3 && arguments[3] == "whole" ? .whole : .plain
    for batch in [1, 10, 100, 1_000] {
      let folder = DataFolder(path: "\(arguments[1])-\(batch)")
      try folder.prepare()
      var load = try Load(in: folder, shape)
      print(try load.run(batch: batch, seconds: seconds))
    }
  }
}

enum Shape: String {
  case plain
  case whole
}

/// A store with 100 streams of 100 objects each, and what to write next.
struct Load {
  private let store: SQLiteStore
  private let shape: Shape
  private var seqs = [Int64](repeating: 1, count: 100)
  private var count = 0
  private var random: UInt32 = 1
  private let user = UserID(UUID(high: 1, low: 1))
  private let event = [UInt8](repeating: UInt8(ascii: "x"), count: 300)
  private let object = [UInt8](repeating: UInt8(ascii: "y"), count: 200)
  private let hash = [UInt8](repeating: 7, count: 32)
  private let epoch = Epoch("e.000000000000")

  init(in folder: DataFolder, _ shape: Shape) throws {
    self.shape = shape
    store = try SQLiteStore(writing: folder, lock: try folder.lock()) {
      StoreIdentity(epoch: "e", secret: [UInt8](repeating: 0, count: 32))
    }
    var first = LedgerTransaction()
    for stream in 0..<100 {
      first.events.append(record(of: stream, seq: 1))
      first.objects.append(category(of: stream))
      first.objects += (0..<100).map { post(stream * 100 + $0) }
    }
    try store.commit(first)
  }

  mutating func run(batch: Int, seconds: Double) throws -> String {
    let (wall, cpu) = (now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID))
    var latencies: [Double] = []
    var end = wall
    while end - wall < seconds {
      let begin = end
      var transaction = LedgerTransaction()
      for _ in 0..<batch { add(to: &transaction) }
      try store.commit(transaction)
      try store.tidy()
      end = now(CLOCK_MONOTONIC)
      latencies.append((end - begin) * 1e6)
    }
    let commands = Double(latencies.count * batch)
    let used = (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) * 1e6 / commands
    latencies.sort()
    return """
      {"label":"store_\(shape)_batch\(batch)","cmds":\(Int(commands)),\
      "per_s":\(Int(commands / (end - wall))),"cpu_s_per_m":\(hundredths(used)),\
      "tx_p50_us":\(Int(latencies[latencies.count / 2])),\
      "tx_p99_us":\(Int(latencies[latencies.count * 99 / 100]))}
      """
  }

  /// The same order of objects as the floor's.
  private mutating func add(to transaction: inout LedgerTransaction) {
    random = random &* 1_664_525 &+ 1_013_904_223
    let number = Int((random >> 8) % 10_000)
    let stream = number / 100
    seqs[stream] += 1
    count += 1
    transaction.events.append(record(of: stream, seq: seqs[stream]))
    transaction.objects.append(post(number))
    guard shape == .whole, let key = CommandKey("key-\(count)") else { return }
    transaction.objects.append(category(of: stream))
    transaction.keys.append(
      KeyRecord(
        address: KeyAddress(stream: self.stream(stream), actor: user, key: key), hash: hash,
        result: CommandResult(
          changed: true,
          events: [StreamPosition(stream: self.stream(stream), seq: seqs[stream])], version: 2)))
  }

  private func stream(_ index: Int) -> StreamID {
    .category(CategoryID(UUID(high: 2, low: UInt64(index))))
  }

  private func record(of stream: Int, seq: Int64) -> EventRecord {
    EventRecord(
      stream: self.stream(stream), epoch: epoch, seq: seq, at: Timestamp(milliseconds: seq),
      by: user, transaction: TransactionID(UUID(high: 3, low: UInt64(count))), body: event,
      was: shape == .whole ? object : [])
  }

  private func post(_ number: Int) -> ObjectRecord {
    ObjectRecord(
      stream: stream(number / 100),
      key: ObjectKey(kind: .post, id: UUID(high: 4, low: UInt64(number))),
      change: .put(body: object, number: number % 100 + 1, rank: nil, inState: true))
  }

  private func category(of stream: Int) -> ObjectRecord {
    ObjectRecord(
      stream: self.stream(stream),
      key: ObjectKey(kind: .category, id: UUID(high: 2, low: UInt64(stream))),
      change: .put(body: object, number: nil, rank: nil, inState: true))
  }
}

private func now(_ clock: clockid_t) -> Double {
  var time = timespec()
  guard clock_gettime(clock, &time) == 0 else { preconditionFailure("no clock") }
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func hundredths(_ value: Double) -> String {
  let scaled = Int((value * 100).rounded())
  return "\(scaled / 100).\(scaled % 100 < 10 ? "0" : "")\(scaled % 100)"
}
