/// The name of one connection of one loop. It stays unique after the connection has ended.
///
/// A slot is used again, with another generation. Every call of `Loop` ignores a name whose generation has passed, so a
/// late answer never reaches a stranger. A name is valid on its own loop only.
package struct ConnectionID: Hashable, Sendable {
  /// The place in the loop's table. It is small and dense, so a caller may index an array with it.
  package let slot: Int32
  /// The count of the connections that have used the slot.
  package let generation: UInt32

  /// Makes a name for tests, and for tables that need a name before there is a connection.
  package init(slot: Int32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }

  /// The name as one number, for code that knows no connections.
  package var number: Int64 { Int64(slot) << 32 | Int64(generation) }

  /// Makes the name again that gave this `number`.
  package init(number: Int64) {
    self.init(
      slot: Int32(truncatingIfNeeded: number >> 32), generation: UInt32(truncatingIfNeeded: number))
  }
}
