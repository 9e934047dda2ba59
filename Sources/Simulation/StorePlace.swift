package import Sync

/// The place of a store. It outlives the server that opens it, and knows what a crash leaves. Two types conform: one in
/// memory, one with SQLite's files on a recording layer.
package protocol StorePlace: AnyObject {
  /// Another store, in memory, that is given every transaction that was written here.
  var twin: any EventStore { get }
  /// Opens the store for writing, by one writer at a time. Nothing is open after `crash` or `close`.
  func openWriter() throws(StoreError) -> any EventStore
  func openReader() throws(StoreError) -> any EventStore
  /// Lets the next commit break off anywhere; answers false where that is not possible.
  func interruptCommit(_ random: inout SimRandom) -> Bool
  /// Lets the next commit fail as its end reaches the disk; answers false where that is not possible.
  func failSync() -> Bool
  func stopFailing()
  /// Returns sentences about parts of the present state that do not follow from the rest of the store; none where
  /// nothing could differ.
  func differences() throws(StoreError) -> [String]
  /// Ends the process at this moment. With `power`, everything that was not on stable storage is lost too.
  func crash(power: Bool, _ random: inout SimRandom)
  /// Ends the process in order.
  func close()
  /// Keeps what is stored now, here and in the twin; answers false where that is not possible. A server may run.
  func backUp() -> Bool
  /// Replaces what is stored by what was kept, as a history of its own. No server may run.
  func restore(epoch: String)
}
