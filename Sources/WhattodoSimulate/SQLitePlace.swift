// A folder with SQLite's files, on the layer of the power-loss test (Tests/Support/PowerLoss). The layer records every
// write and every sync, so a crash leaves what a kill or a power failure at that moment may leave. Each life of the
// server has a new folder with the files as the last one left them.

internal import Calendar
internal import Glibc
internal import PowerLoss
internal import Simulation
internal import Store
internal import Sync
internal import TestRandom

final class SQLitePlace: StorePlace {
  let twin: any EventStore = MemoryStore(MemoryDatabase(identity: simulatedIdentity))
  private let root: String
  private var lives = 0
  private var folder: DataFolder
  private var recording = Recording()
  /// The bytes that are on the disk, and those that may be, by the names of the present folder.
  private var disk = Disk(existing: [:])
  private var changesSeen = 0

  /// Makes a folder; nil when there is no place for files.
  init?() {
    let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/var/tmp"
    var template = Array("\(place)/whattodo-simulate-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    root = String(cString: made)
    folder = DataFolder(path: root + "/0")
    disk = Disk(existing: [folder.databasePath: []])
  }

  deinit { removeTree(root) }

  // MARK: Opening

  func openWriter() throws(StoreError) -> any EventStore {
    do throws(StoreOpenError) {
      try folder.prepare()
      let lock = try folder.lock()
      return try SQLiteStore(writing: folder, lock: lock, options: options) { simulatedIdentity }
    } catch {
      throw .unreadable(StoreFault(.other, error.description))
    }
  }

  func openReader() throws(StoreError) -> any EventStore {
    do throws(StoreOpenError) {
      return try SQLiteStore(reading: folder, options: options)
    } catch {
      throw .unreadable(StoreFault(.other, error.description))
    }
  }

  private var options: SQLiteOptions {
    SQLiteOptions(checkpointPages: 24, cacheKibibytes: 512, vfs: recording.vfs)
  }

  // MARK: Failing

  func interruptCommit(_ random: inout SimRandom) -> Bool {
    recording.fail(
      [.write, .sync], after: random.below(12), with: ioError, writing: random.below(600))
    return true
  }

  func failSync() -> Bool {
    recording.fail([.sync], ofFilesEndingIn: "-wal", times: 1, with: syncError)
    return true
  }

  func stopFailing() { recording.stopFailing() }

  // These are SQLITE_IOERR_WRITE and SQLITE_IOERR_FSYNC (sqlite.org/rescode.html).
  private let ioError: Int32 = 10 | (3 << 8)
  private let syncError: Int32 = 10 | (4 << 8)

  func differences() throws(StoreError) -> [String] {
    guard let store = try openReader() as? SQLiteStore else {
      preconditionFailure("the store of files is another one")
    }
    return try store.verify(.system).differences
  }

  // MARK: The end of a server

  func crash(power: Bool, _ random: inout SimRandom) {
    for change in recording.changes.dropFirst(changesSeen) { disk.apply(change) }
    var left = SeededRandom(seed: random.next())
    begin(with: power ? disk.left(by: &left) : disk.everything, power: power)
  }

  func close() {
    for change in recording.changes.dropFirst(changesSeen) { disk.apply(change) }
    begin(with: disk.everything, power: false)
  }

  // The files are restored by other code than the server's: Tests/ServerTests/EpochTests.
  func backUp() -> Bool { false }
  func restore(epoch: String) { preconditionFailure("there is no backup") }

  /// Begins a new folder with these files. After a kill the system still has what was not synced.
  private func begin(with files: [String: [UInt8]], power: Bool) {
    let old = folder
    lives += 1
    folder = DataFolder(path: "\(root)/\(lives)")
    let new = folder
    let moved = { (path: String) in
      new.databasePath + path.dropFirst(old.databasePath.utf8.count)
    }
    mkdir(folder.path, 0o700)
    var left: [String: [UInt8]] = [:]
    for (path, bytes) in files where !path.hasSuffix("-shm") {
      left[moved(path)] = bytes
      write(bytes, to: moved(path))
    }
    disk = power ? Disk(existing: left) : disk.renamed(moved)
    recording = Recording()
    changesSeen = 0
  }

  private func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { preconditionFailure("\(path) cannot be made") }
    precondition(fwrite(bytes, 1, bytes.count, file) == bytes.count, "\(path) cannot be written")
    fclose(file)
  }

  private func removeTree(_ path: String) {
    if let handle = opendir(path) {
      var names: [String] = []
      while let entry = readdir(handle) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != "." && name != ".." { names.append(name) }
      }
      closedir(handle)
      for name in names where unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
    }
    rmdir(path)
  }
}
