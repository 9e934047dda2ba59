/// The name of one connection of one loop, also after the connection is gone.
///
/// A slot is used again, with another generation; every call of `Loop` ignores a name whose
/// generation has passed, so a late answer never reaches a stranger. Valid on its own loop only.
package struct ConnectionID: Hashable, Sendable {
  /// The place in the loop's table; small and dense, so a caller may index an array with it.
  package let slot: Int32
  /// Counts the connections that used the slot.
  package let generation: UInt32

  /// For tests and for tables that need a name before there is a connection.
  package init(slot: Int32, generation: UInt32) {
    self.slot = slot
    self.generation = generation
  }
}
