// The secret that codes are derived from (Server/Authentication/Codes.swift): a file of its own in the data folder,
// `secret`, mode 0600.
//
// It lies outside of the database, so a copy of the database opens nothing: without the file no code can be made or
// guessed. It is two lines, each a word and 32 bytes in hexadecimal:
//
//   codes  …  for recovery codes, invitations, links and registration codes. `whattodo-server secret new` makes another
//             one; all codes that were made before are invalid then.
//   names  …  for the marks of usernames whose accounts have ended. It stays, or such a name could be taken again.
//
// A file is written under another name, synced and then renamed, before anything that needs it is committed.

import CSQLite
import Glibc

/// The two secrets, 32 random bytes each. They are never in an event, an answer or a log line.
package struct StoreSecret: Equatable, Sendable {
  package let codes: [UInt8]
  package let names: [UInt8]

  package init(codes: [UInt8], names: [UInt8]) {
    precondition(codes.count == StoreSecret.bytes && names.count == StoreSecret.bytes)
    self.codes = codes
    self.names = names
  }

  package static let bytes = 32

  /// Reads the two lines of the file. Nil for anything else.
  init?(_ text: String) {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    guard lines.count == 2, lines[0].count == 2, lines[1].count == 2,
      lines[0][0] == "codes", lines[1][0] == "names",
      let codes = StoreSecret.bytes(lines[0][1]), let names = StoreSecret.bytes(lines[1][1])
    else { return nil }
    self.init(codes: codes, names: names)
  }

  var text: String {
    "codes \(StoreSecret.text(codes))\nnames \(StoreSecret.text(names))\n"
  }

  private static func bytes(_ digits: Substring) -> [UInt8]? {
    let characters = Array(digits.utf8)
    guard characters.count == 2 * bytes else { return nil }
    let found = stride(from: 0, to: characters.count, by: 2).compactMap { index in
      UInt8(String(decoding: characters[index...index + 1], as: UTF8.self), radix: 16)
    }
    return found.count == bytes ? found : nil
  }

  private static func text(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

extension DataFolder {
  package var secretPath: String { path + "/secret" }

  /// Returns where the secret of a backup lies, if it was asked for.
  package static func secretPath(besideBackup backup: String) -> String { backup + ".secret" }

  /// Reads the secret of the folder. Nil when there is none.
  package func secret() throws(StoreOpenError) -> StoreSecret? {
    try DataFolder.secret(in: secretPath)
  }

  package static func secret(in path: String) throws(StoreOpenError) -> StoreSecret? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw .system(path: path, call: "open", errno: errno) }
      return nil
    }
    defer { close(descriptor) }
    // The buffer has room for one byte more than the file has.
    var bytes = [UInt8](repeating: 0, count: 2 * (StoreSecret.bytes * 2 + 7) + 1)
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes { all in
        read(descriptor, all.baseAddress.map { $0 + length }, all.count - length)
      }
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw .system(path: path, call: "read", errno: errno)
      }
      if count == 0 { break }
      length += count
    }
    guard let secret = StoreSecret(String(decoding: bytes[..<length], as: UTF8.self)) else {
      throw .damagedSecret(path: path)
    }
    return secret
  }

  /// Writes the secret in the place of the one before. It is on stable storage when this returns.
  package func write(_ secret: StoreSecret) throws(StoreOpenError) {
    let new = secretPath + ".new"
    _ = unlink(new)
    try DataFolder.write(secret, toNew: new)
    guard rename(new, secretPath) == 0 else { throw systemError("rename", new) }
    try sync(folder: path)
  }

  /// Keeps the secret that was in a database, unless the folder has one: somebody may have made that anew since.
  func keep(_ old: [UInt8]) throws(StoreOpenError) {
    guard try secret() == nil else { return }
    guard old.count == StoreSecret.bytes else { throw .damagedSecret(path: databasePath) }
    try write(StoreSecret(codes: old, names: old))
  }

  /// Refuses a secret in a database that was open already.
  static func hasNone(_ old: [UInt8]) throws(StoreOpenError) {
    throw .damagedSecret(path: "the database")
  }

  /// Makes a file that is not there yet, mode 0600.
  package static func write(_ secret: StoreSecret, toNew path: String) throws(StoreOpenError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(path: path, call: "open", errno: errno) }
    let bytes = Array(secret.text.utf8)
    let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    let isThere = written == bytes.count && fsync(descriptor) == 0
    let error = errno
    guard close(descriptor) == 0, isThere else {
      throw .system(path: path, call: "write", errno: error)
    }
  }
}

extension Schema {
  /// Moves the secret of an older database, which had it among its rows, into a file. `keep` has it on stable storage
  /// when it returns. Half of the row stays, from which the marks of keys are computed; nobody computes a code with
  /// that. True when there was a secret.
  static func moveSecretOut(
    of database: Database, _ path: String, keep: ([UInt8]) throws(StoreOpenError) -> Void
  ) throws(StoreOpenError) -> Bool {
    let secret = try Connection.opening(path) { () throws(DatabaseError) in
      try oldSecret(of: database)
    }
    guard let secret else { return false }
    try keep(secret)
    try Connection.opening(path) { () throws(DatabaseError) in
      // `secure_delete` writes zeros over the row; its copy in the log is cut off (`moveLeftLog`).
      try database.execute(
        """
        BEGIN IMMEDIATE;
        INSERT INTO meta(name, value) SELECT 'marks', substr(value, 1, \(KeyHasher.secretBytes))
          FROM meta WHERE name = 'secret';
        DELETE FROM meta WHERE name = 'secret';
        COMMIT
        """)
    }
    return true
  }

  /// Returns the secret among the rows. Nil in a database whose secret lies in a file.
  static func oldSecret(of database: Database) throws(DatabaseError) -> [UInt8]? {
    try database.prepare("SELECT value FROM meta WHERE name = 'secret'").rows {
      (row: Statement) throws(DatabaseError) in row.bytes(0)
    }.first
  }
}
