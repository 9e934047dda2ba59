internal import Simulation
internal import Store
internal import Sync

let simulatedIdentity = StoreIdentity(epoch: "s1", secret: Array(repeating: 7, count: 32))

/// A store in memory. Committed transactions are durable: a crash loses nothing.
final class MemoryPlace: StorePlace {
  private var database = MemoryDatabase(identity: simulatedIdentity)
  private var twinDatabase = MemoryDatabase(identity: simulatedIdentity)
  private var backup: (database: MemoryDatabase, twin: MemoryDatabase)?

  var twin: any EventStore { MemoryStore(twinDatabase) }

  func openWriter() throws(StoreError) -> any EventStore { MemoryStore(database) }
  func openReader() throws(StoreError) -> any EventStore { MemoryStore(database) }
  func interruptCommit(_ random: inout SimRandom) -> Bool { false }
  func failSync() -> Bool { false }
  func stopFailing() {}
  func differences() -> [String] { [] }
  func crash(power: Bool, _ random: inout SimRandom) {}
  func close() {}

  func backUp() -> Bool {
    let epoch = database.identity.epoch
    backup = (database.copy(epoch: epoch), twinDatabase.copy(epoch: epoch))
    return true
  }

  func restore(epoch: String) {
    guard let backup else { preconditionFailure("a restore without a backup") }
    database = backup.database.copy(epoch: epoch)
    twinDatabase = backup.twin.copy(epoch: epoch)
  }
}
