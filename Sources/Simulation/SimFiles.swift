// A client's two files as bytes (Client/AccountFiles, whose rules it keeps), and what a kill or a power failure leaves
// of them.

import Domain
import Sync

struct SimFiles {
  private var outboxFile: [UInt8] = []
  /// The number of bytes of the outbox that are on stable storage.
  private var durable = 0
  /// The file of copies. It is replaced as a whole, so a crash leaves all of it.
  private var copiesFile: [UInt8] = []

  /// Writes records. When it returns they are written; if a queued command is among them, they are on stable storage.
  mutating func append(_ records: [OutboxRecord]) {
    outboxFile += SimFiles.bytes(of: records)
    if records.contains(where: { if case .queued = $0 { true } else { false } }) {
      durable = outboxFile.count
    }
  }

  mutating func save(_ copies: SavedCopies) {
    copiesFile = CheckedLines.encode(CopyCodec.encode(copies))
  }

  /// Returns what the files hold, and writes the outbox again.
  mutating func open() -> (outbox: Outbox, saved: SavedCopies?) {
    let records = CheckedLines.decode(outboxFile).lines.compactMap { OutboxCodec.decode($0) }
    let outbox = Outbox(records)
    outboxFile = SimFiles.bytes(of: outbox.records)
    durable = outboxFile.count
    return (outbox, CopyCodec.decode(CheckedLines.decode(copiesFile).lines))
  }

  /// Lets the power fail: bytes that were not synced may be there in part.
  mutating func losePower(_ random: inout SimRandom) {
    outboxFile.removeLast(random.below(outboxFile.count - durable + 1))
  }

  /// Ends the program while it writes this record, before its person is told.
  mutating func tear(_ record: OutboxRecord, _ random: inout SimRandom) {
    let bytes = SimFiles.bytes(of: [record])
    outboxFile += bytes.prefix(1 + random.below(bytes.count - 1))
  }

  private static func bytes(of records: [OutboxRecord]) -> [UInt8] {
    CheckedLines.encode(records.map { OutboxCodec.encode($0) })
  }
}
