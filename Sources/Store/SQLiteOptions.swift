/// The settings with which a database is opened. The defaults are those of a server; the others are for tests and
/// measurements.
package struct SQLiteOptions: Sendable {
  /// The rule by which a commit waits for the disk (sqlite.org/pragma.html#pragma_synchronous).
  package enum Synchronous: String, CaseIterable, Sendable {
    /// Every commit is on stable storage when it returns. Only this keeps P1.
    case full = "FULL"
    /// The newest commits may be lost when power is.
    case normal = "NORMAL"
    /// The database may be damaged when power is lost.
    case off = "OFF"
  }

  package var synchronous: Synchronous
  /// The number of pages of 4 KiB in the write-ahead log before its content is moved into the main file. 16 MiB is
  /// large enough that a page written often is moved once, and small enough to be moved in milliseconds.
  package var checkpointPages: Int
  /// The memory in which a connection keeps parts of the file.
  package var cacheKibibytes: Int
  /// Whether a writer keeps room for a full disk (DiskReserve.swift).
  package var keepsReserve: Bool
  /// The name of a registered layer between SQLite and the system; nil for the usual one.
  package var vfs: String?

  package init(
    synchronous: Synchronous = .full, checkpointPages: Int = 4_096,
    cacheKibibytes: Int = 64 * 1024, keepsReserve: Bool = false, vfs: String? = nil
  ) {
    self.synchronous = synchronous
    self.checkpointPages = checkpointPages
    self.cacheKibibytes = cacheKibibytes
    self.keepsReserve = keepsReserve
    self.vfs = vfs
  }
}
