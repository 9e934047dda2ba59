package import Sync

/// Where a store lives: outlives the server that opens it, and knows what a crash leaves. Two conformers: one
/// in memory, one with SQLite's files on a recording layer.
package protocol StorePlace: AnyObject {
  /// Another store, in memory, that is given every transaction that was written here.
  var twin: any EventStore { get }
  /// One writer at a time; nothing is open after `crash` or `close`.
  func openWriter() throws(StoreError) -> any EventStore
  func openReader() throws(StoreError) -> any EventStore
  /// Lets the next commit break off anywhere; false where that cannot be.
  func interruptCommit(_ chance: inout Chance) -> Bool
  /// Lets the next commit fail as its end reaches the disk; false where that cannot be.
  func failSync() -> Bool
  func stopFailing()
  /// What of the present state does not follow from what else is stored, in sentences; none where nothing could differ.
  func differences() throws(StoreError) -> [String]
  /// The process is gone at this moment. With `power` also what was not on stable storage.
  func crash(power: Bool, _ chance: inout Chance)
  /// The process ended in order.
  func close()
  /// Keeps what is stored now, and the twin's; false where that cannot be. A server may run.
  func backUp() -> Bool
  /// Puts what was kept in the place of what is there, as a history of its own. No server runs.
  func restore(epoch: String)
}
