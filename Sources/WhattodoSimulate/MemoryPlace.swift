internal import Simulation
internal import Store
internal import Sync

let simulatedIdentity = StoreIdentity(epoch: "s1", secret: Array(repeating: 7, count: 32))

/// What is committed is durable: a crash loses nothing.
final class MemoryPlace: StorePlace {
  private let database = MemoryDatabase(identity: simulatedIdentity)
  let twin: any EventStore = MemoryStore(MemoryDatabase(identity: simulatedIdentity))

  func openWriter() throws(StoreError) -> any EventStore { MemoryStore(database) }
  func openReader() throws(StoreError) -> any EventStore { MemoryStore(database) }
  func interruptCommit(_ chance: inout Chance) -> Bool { false }
  func failSync() -> Bool { false }
  func stopFailing() {}
  func crash(power: Bool, _ chance: inout Chance) {}
  func close() {}
}
