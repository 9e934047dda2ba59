import Calendar
import Domain
import Glibc
import Store
import Sync
import Testing
import Wire

/// A folder for one test, removed at its end. It is in memory where the system has such a place: recordings show
/// whether a write gets to the disk, and a real sync would only take time.
final class TemporaryFolder {
  let path: String

  init() throws {
    let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(place)/whattodo-store-XXXXXX".utf8CString)
    let made = mkdtemp(&template)
    path = String(cString: try #require(made))
  }

  deinit { removeTree(path) }

  var data: DataFolder { DataFolder(path: path) }
}

func removeTree(_ path: String) {
  for name in names(in: path) where unlink(path + "/" + name) != 0 { removeTree(path + "/" + name) }
  rmdir(path)
}

func names(in folder: String) -> [String] {
  guard let handle = opendir(folder) else { return [] }
  defer { closedir(handle) }
  var names: [String] = []
  while let entry = readdir(handle) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names.sorted()
}

extension Reader where Frame == [UInt8] {
  /// Makes a reader that knows no session and has frames of bytes.
  convenience init(of store: any EventStore, snapshotBytesMax: Int = 1 << 20) {
    self.init(
      store, hellos: UserLimits(TokenRate(count: 60, everyMilliseconds: 60_000, burst: 60)),
      snapshotBytesMax: snapshotBytesMax,
      ReaderTools(
        server: ServerName(name: "tests", version: "1"), tokenHash: { _ in nil },
        startOfDay: { _, _ in nil }, frame: { $0 }, almanac: .system))
  }
}

func readFile(_ path: String) throws -> [UInt8] {
  let file = try #require(fopen(path, "r"))
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&block, 1, block.count, file), count > 0 {
    bytes += block[..<count]
  }
  return bytes
}

func writeFile(_ path: String, _ bytes: [UInt8]) throws {
  let file = try #require(fopen(path, "w"))
  defer { fclose(file) }
  try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
}

/// Writes in place, because the file may be open.
func patch(_ path: String, at place: Int, _ bytes: [UInt8]) throws {
  let file = try #require(fopen(path, "r+"))
  defer { fclose(file) }
  try #require(fseek(file, place, SEEK_SET) == 0)
  try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
}

func mode(_ path: String) throws -> UInt32 {
  var status = stat()
  try #require(stat(path, &status) == 0)
  return status.st_mode & 0o7777
}

let testIdentity = StoreIdentity(epoch: "e1", secret: Array(repeating: 9, count: 32))

func writer(_ folder: DataFolder, _ options: SQLiteOptions = SQLiteOptions()) throws -> SQLiteStore
{
  try folder.prepare()
  return try SQLiteStore(
    writing: folder, lock: try folder.lock(), options: options, newIdentity: { testIdentity })
}

extension SQLiteStore {
  /// Verifies with the calendar of every `LedgerDriver`.
  func verify() throws(StoreError) -> VerificationReport { try verify(.system) }
}

/// The stores that keep the contract.
enum StoreKind: CaseIterable, CustomTestStringConvertible {
  case sqlite
  case memory

  var testDescription: String {
    switch self {
    case .sqlite: "SQLite"
    case .memory: "memory"
    }
  }
}

/// A writer and a reader of one new database.
final class StorePair {
  let writer: any EventStore
  let reader: any EventStore
  private let folder: TemporaryFolder

  init(_ kind: StoreKind) throws {
    folder = try TemporaryFolder()
    switch kind {
    case .sqlite:
      writer = try StoreTests.writer(folder.data)
      reader = try SQLiteStore(reading: folder.data)
    case .memory:
      let database = MemoryDatabase(identity: testIdentity)
      writer = MemoryStore(database)
      reader = MemoryStore(database)
    }
  }
}

/// Removes a file. Returns whether it was there.
func removeFile(_ path: String) -> Bool { unlink(path) == 0 }
