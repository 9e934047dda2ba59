package import Sync

/// Where a store lives: outlives the server that opens it, and knows what a crash leaves. Two conformers: one
/// in memory, one with SQLite's files on a recording layer.
package protocol StorePlace: AnyObject {
  /// One writer at a time; nothing is open after `crash` or `close`.
  func openWriter() throws(StoreError) -> any EventStore
  func openReader() throws(StoreError) -> any EventStore
  /// The process is gone at this moment. With `power` also what was not on stable storage.
  func crash(power: Bool, _ chance: inout Chance)
  /// The process ended in order.
  func close()
}
