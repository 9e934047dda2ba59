// Puts a backup in the place of a folder's database (Sources/OPERATING.md).
//
// The events that were written after the backup are gone, and their numbers will be given again to other events. So the
// database gets a new epoch, and with it every stream. A client with an old cursor gets a snapshot, and commands that
// waited in a queue for the old history are refused (protocol §5.3, §10.4). A database that is copied back as a file
// keeps its epoch. Then only a cursor beyond its log, or one whose `tx` is that of another event, tells.
//
// The copy is made and checked beside the old file before anything is moved. The old file stays in the folder under
// another name. A crash on the way leaves the old file in its place, or no file; then the same command is given again.

import CSQLite
import Glibc
package import Domain
package import Sync

/// The reason why a backup was not restored. Nothing has changed.
package enum RestoreError: Error, Equatable, Sendable {
  case open(StoreOpenError)
  /// The folder has data, and nobody said that it may be replaced.
  case hasData(path: String)
  /// The backup is not what its own log says.
  case notSound(path: String, differences: Int)
  case store(StoreFault)
}

extension RestoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .open(let error): error.description
    case .hasData(let path):
      "\(path) has data: choose another folder, or say --replace, which keeps it under another name."
    case .notSound(let path, let differences):
      "\(path) is not sound (\(differences) differences): it was not restored."
    case .store(let fault): "The backup could not be restored: \(fault.detail)."
    }
  }
}

/// The place from which the secret came that codes are derived from now.
package enum SecretOrigin: Equatable, Sendable {
  /// The secret was in the folder: codes made since the backup go on as well.
  case folder
  /// The secret lay beside the backup.
  case besideBackup
  /// The secret was in the backup, which an older version made.
  case inBackup
  /// The secret is new: no earlier code is good.
  case new
}

/// The outcome of a restore.
package struct RestoreReport: Equatable, Sendable {
  package let secret: SecretOrigin
  package let verification: VerificationReport
  /// The path of the old database now. Nil when there was none.
  package let replaced: String?
}

extension DataFolder {
  /// Restores a backup. Throws when somebody serves from the folder. `epoch` is a new random word, codes are derived
  /// from `newSecret` when there is no other secret, and `now`, in seconds, names the old file.
  package func restore(
    _ backup: String, epoch: String, newSecret: StoreSecret, replacing: Bool,
    closingSessions: Bool, now: Int64, almanac: Almanac
  ) throws(RestoreError) -> RestoreReport {
    let lock = try locked()
    if hasDatabaseFile, !replacing { throw .hasData(path: path) }
    let new = databasePath + ".restoring"
    removeDatabase(new)
    let (verification, inBackup) = try attempt { () throws(StoreOpenError) in
      try copy(backup, to: new)
      return try Connection.renewed(
        new, epoch: epoch, closingSessions: closingSessions, almanac)
    }
    guard verification.isSound else {
      removeDatabase(new)
      throw .notSound(path: backup, differences: verification.differenceCount)
    }
    // A log whose database was taken away would be read as the log of the new one.
    let isThere = ["", "-wal"].contains { access(databasePath + $0, F_OK) == 0 }
    let replaced = isThere ? "\(databasePath).replaced-\(now)" : nil
    let origin = try attempt { () throws(StoreOpenError) in
      let origin = try settleSecret(
        brought: try DataFolder.secret(in: DataFolder.secretPath(besideBackup: backup)),
        inBackup: inBackup, new: newSecret, now: now)
      try sync(file: new)
      if let replaced { try putAside(to: replaced) }
      try move(new, to: databasePath)
      try sync(folder: path)
      return origin
    }
    // The lock is held until here.
    _ = consume lock
    return RestoreReport(secret: origin, verification: verification, replaced: replaced)
  }

  /// Chooses the secret and writes it. The folder's own secret stays when it belongs to the same data, which its part
  /// that never changes tells: it may be newer than the backup's. A secret of other data is put aside.
  private func settleSecret(
    brought: StoreSecret?, inBackup: [UInt8]?, new: StoreSecret, now: Int64
  ) throws(StoreOpenError) -> SecretOrigin {
    var old: StoreSecret?
    if let inBackup, inBackup.count == StoreSecret.bytes {
      old = StoreSecret(codes: inBackup, names: inBackup)
    }
    let (theirs, origin): (StoreSecret?, SecretOrigin) =
      brought != nil ? (brought, .besideBackup) : (old, old == nil ? .new : .inBackup)
    if let own = try secret() {
      guard let theirs, theirs.names != own.names else { return .folder }
      try move(secretPath, to: "\(secretPath).replaced-\(now)")
    }
    try write(theirs ?? new)
    return origin
  }

  private func locked() throws(RestoreError) -> FolderLock {
    do throws(StoreOpenError) {
      try prepare()
      return try lock()
    } catch {
      throw .open(error)
    }
  }

  private func attempt<Value>(
    _ body: () throws(StoreOpenError) -> Value
  ) throws(RestoreError) -> Value {
    do throws(StoreOpenError) { return try body() } catch { throw .open(error) }
  }

  private func copy(_ backup: String, to new: String) throws(StoreOpenError) {
    guard access(backup, F_OK) == 0 else { throw .noDatabase(path: backup) }
    let descriptor = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw systemError("open", new) }
    guard close(descriptor) == 0 else { throw systemError("close", new) }
    try Connection.copy(backup, intoEmptyFile: new)
  }

  /// Moves the old database aside. Its log goes into it first when it can still be opened, and otherwise goes along.
  private func putAside(to name: String) throws(StoreOpenError) {
    Connection.settle(databasePath)
    for end in ["-wal", ""] where access(databasePath + end, F_OK) == 0 {
      try move(databasePath + end, to: name + end)
    }
    // SQLite rebuilds it from the other files whenever it is needed.
    _ = unlink(databasePath + "-shm")
  }

  private func move(_ old: String, to new: String) throws(StoreOpenError) {
    guard rename(old, new) == 0 else { throw systemError("rename", old) }
  }

  private func sync(file: String) throws(StoreOpenError) {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemError("open", file) }
    let synced = fsync(descriptor)
    let error = systemError("fsync", file)
    close(descriptor)
    guard synced == 0 else { throw error }
  }

  /// Removes the files that an earlier try has left, if any.
  private func removeDatabase(_ path: String) {
    for end in ["", "-wal", "-shm"] { _ = unlink(path + end) }
  }
}

extension Connection {
  /// Copies one moment of any database of ours, also one of an older version or a live one.
  fileprivate static func copy(
    _ path: String, intoEmptyFile new: String
  ) throws(StoreOpenError) {
    let (database, version) = try open(path, .readOnly, SQLiteOptions())
    guard version > 0 else { throw .noDatabase(path: path) }
    try opening(path) { () throws(DatabaseError) in
      let quoted = new.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''")
      try database.execute("VACUUM INTO '\(quoted)'")
    }
  }

  /// Brings a copy up to date and begins a new history with it. Returns the secret that was in it, if any. The copy is
  /// closed when this returns, and is then one file without a log.
  fileprivate static func renewed(
    _ path: String, epoch: String, closingSessions: Bool, _ almanac: Almanac
  ) throws(StoreOpenError) -> (VerificationReport, secret: [UInt8]?) {
    var secret: [UInt8]?
    let connection = try writing(path, SQLiteOptions(), keepSecret: { secret = $0 }) {
      preconditionFailure("an empty copy")
    }
    let verification = try opening(path) { () throws(DatabaseError) in
      let database = connection.database
      let meta = try database.prepare("UPDATE meta SET value = ?1 WHERE name = 'epoch'")
      let streams = try database.prepare(
        "UPDATE stream SET epoch = ?1 || substr(epoch, instr(epoch, '.'))")
      try database.execute("BEGIN IMMEDIATE")
      for statement in [meta, streams] {
        try statement.bind(1, epoch)
        try statement.run()
      }
      if closingSessions { try database.execute("DELETE FROM session") }
      // This machine may know other rules of the zones than the machine that wrote the deadlines.
      try database.execute(Surroundings.checkAll)
      try database.execute("COMMIT")
      var verifier = Verifier(database, almanac)
      let verification = try verifier.run()
      // Only the file itself is moved, so pages that its log still held would stay behind, and nobody reads the result
      // of the checkpoint at closing.
      guard try database.cutLog() else {
        throw DatabaseError(
          extendedCode: SQLITE_BUSY, message: "somebody reads the copy", sql: "cut the log")
      }
      return verification
    }
    return (verification, secret)
  }

  /// Moves the log of a database into it, if that can be done. The connection that closes last removes the log's file.
  fileprivate static func settle(_ path: String) {
    do throws(DatabaseError) {
      let database = try Database(path: path, access: .readWrite)
      _ = try database.cutLog()
    } catch {
      // The log is kept as it is: it is damaged, or another program's.
      return
    }
  }
}
