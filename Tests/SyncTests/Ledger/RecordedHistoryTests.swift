import Domain
import Glibc
import Testing

@testable import Sync

/// Writes a log that `StoreTests/Golden/record` keeps; does nothing otherwise. It compiles in older revisions too:
/// there the script puts it beside their own random histories.
@Suite("recorded logs")
struct RecordedHistoryTests {
  static let batches = 160

  /// The variable names the seed and, after a space, the file.
  @Test(
    "a random history, a line for each event", .enabled(if: getenv("WHATTODO_RECORD") != nil))
  func write() throws {
    let words = String(cString: try #require(getenv("WHATTODO_RECORD"))).split(
      separator: " ", maxSplits: 1)
    let seed = try #require(UInt64(words[0]))
    var history = RandomHistory(seed: seed, cacheBytesMax: 1 << 16)
    for _ in 0..<Self.batches { history.runBatch() }
    let records = history.bench.content.events.values.joined().sorted {
      ($0.transaction.uuid, $0.stream) < ($1.transaction.uuid, $1.stream)
    }
    let lines = records.map { "\($0.stream) \(String(decoding: $0.body, as: UTF8.self))\n" }
    let bytes = Array(lines.joined().utf8)
    let file = try #require(fopen(String(words[1]), "w"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
