import Domain
import Glibc
import Sync
import Testing

@testable import Store

@Suite("DESIGN §7: codes are derived from a secret in a file of its own")
struct SecretFileTests {
  /// The half of the secret with which the keys of the tests are marked.
  private static let half = Array(testIdentity.secret.prefix(16))
  private static let other = "and the other 16"

  /// Returns a folder as a version before left it: the secret is a row of the database.
  private func before() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    do { _ = try busyWorld(LedgerDriver(try writer(folder.data))) }
    let digits = Self.half.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
      .joined()
    do {
      let database = try Database(path: folder.data.databasePath, access: .readWrite)
      try database.execute(
        """
        DELETE FROM meta WHERE name = 'marks';
        INSERT INTO meta(name, value)
          VALUES('secret', CAST(X'\(digits)' || '\(Self.other)' AS BLOB))
        """)
    }
    #expect(try !filesHolding(Self.other, in: folder).isEmpty)
    return folder
  }

  @Test("A database of before gives its secret to a file, and no other file has it any more")
  func movedOut() throws {
    let folder = try before()
    let secret = Self.half + Array(Self.other.utf8)
    for _ in 1...2 {
      let store = try writer(folder.data)
      #expect(store.identity.secret == Self.half)
      #expect(try store.oldSecret() == nil)
      #expect(try folder.data.secret() == StoreSecret(codes: secret, names: secret))
      #expect(try mode(folder.data.secretPath) == 0o600)
      #expect(try filesHolding(Self.other, in: folder) == [])
    }
    #expect(try filesHolding(Self.other, in: folder) == [])
  }

  @Test("A secret that is in the folder already is not replaced by one of the database")
  func known() throws {
    let folder = try before()
    let known = StoreSecret(codes: bytes(1), names: bytes(2))
    try folder.data.write(known)
    _ = try writer(folder.data)
    #expect(try folder.data.secret() == known)
    #expect(try filesHolding(Self.other, in: folder) == [])
  }

  @Test("A copy has no secret, also one of a database that still has it")
  func copies() throws {
    for folder in [try before(), try TemporaryFolder()] {
      if !folder.data.hasDatabase { _ = try busyWorld(LedgerDriver(try writer(folder.data))) }
      let copied = try TemporaryFolder()
      try writeFile(copied.data.databasePath, [])
      let reader = try SQLiteStore(reading: folder.data)
      try reader.copy(intoEmptyFile: copied.data.databasePath)
      #expect(try filesHolding(Self.other, in: copied) == [])
      #expect(names(in: copied.path) == ["whattodo.db"])
      let copy = try writer(copied.data)
      #expect(try copy.verify().differences == [])
      #expect(try copied.data.secret() == nil)
    }
  }

  @Test("A secret that cannot be written leaves the database as it was")
  func fails() throws {
    let folder = try before()
    // There is a folder in the place of the new file.
    mkdir(folder.data.secretPath + ".new", 0o700)
    #expect(throws: StoreOpenError.self) { try writer(folder.data) }
    #expect(try SQLiteStore(reading: folder.data).oldSecret() != nil)
    rmdir(folder.data.secretPath + ".new")
    _ = try writer(folder.data)
  }

  @Test(
    "A file that is no secret is refused and left alone",
    arguments: [
      "", "codes 00\nnames 00\n", "a letter to a friend", String(repeating: "0", count: 4_000),
    ])
  func damaged(text: String) throws {
    let folder = try TemporaryFolder()
    try writeFile(folder.data.secretPath, Array(text.utf8))
    #expect(throws: StoreOpenError.damagedSecret(path: folder.data.secretPath)) {
      try folder.data.secret()
    }
    #expect(try readFile(folder.data.secretPath) == Array(text.utf8))
  }

  @Test("A secret is written whole in the place of another, and read as it was written")
  func written() throws {
    let folder = try TemporaryFolder()
    #expect(try folder.data.secret() == nil)
    for number in UInt8(1)...2 {
      let secret = StoreSecret(codes: bytes(number), names: bytes(255))
      try folder.data.write(secret)
      #expect(try folder.data.secret() == secret)
      #expect(names(in: folder.path) == ["secret"])
    }
  }

  @Test("A restore goes on with the secret of the same data, and with no other")
  func restored() throws {
    let backup = try TemporaryFolder()
    try writeFile(backup.data.databasePath, [])
    let source = try TemporaryFolder()
    _ = try busyWorld(LedgerDriver(try writer(source.data)))
    try SQLiteStore(reading: source.data).copy(intoEmptyFile: backup.data.databasePath)
    let (theirs, new) = (
      StoreSecret(codes: bytes(1), names: bytes(2)), StoreSecret(codes: bytes(8), names: bytes(9))
    )
    let newer = StoreSecret(codes: bytes(5), names: bytes(2))
    let others = StoreSecret(codes: bytes(6), names: bytes(7))
    let rows: [(own: StoreSecret?, isBeside: Bool, origin: SecretOrigin, now: StoreSecret)] = [
      (nil, false, .new, new), (nil, true, .besideBackup, theirs),
      (newer, false, .folder, newer), (newer, true, .folder, newer),
      (others, false, .folder, others), (others, true, .besideBackup, theirs),
    ]
    for row in rows {
      let beside = DataFolder.secretPath(besideBackup: backup.data.databasePath)
      unlink(beside)
      if row.isBeside { try DataFolder.write(theirs, toNew: beside) }
      let folder = try TemporaryFolder()
      if let own = row.own { try folder.data.write(own) }
      let report = try restore(backup.data.databasePath, to: folder.data, new)
      #expect(report.secret == row.origin)
      #expect(try folder.data.secret() == row.now)
    }
    // A backup of an older version has its own.
    let old = try before()
    let folder = try TemporaryFolder()
    #expect(try restore(old.data.databasePath, to: folder.data, new).secret == .inBackup)
    #expect(try folder.data.secret()?.codes == Self.half + Array(Self.other.utf8))
    #expect(try filesHolding(Self.other, in: folder) == [])
  }

  private func restore(
    _ backup: String, to folder: DataFolder, _ new: StoreSecret
  ) throws -> RestoreReport {
    try folder.restore(
      backup, epoch: "e2", newSecret: new, replacing: false, closingSessions: false, now: 1,
      almanac: .system)
  }

  private func bytes(_ byte: UInt8) -> [UInt8] { Array(repeating: byte, count: 32) }
}
