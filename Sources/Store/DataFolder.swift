// The folder that holds one server's data: `whattodo.db` with its `-wal` and `-shm`, `secret` (SecretFile.swift),
// `reserve` (DiskReserve.swift), and `lock`.
//
// The folder is 0700 and the files 0600 (SQLite gives its other files the mode of the main one). One
// process at a time serves from a folder: it holds an flock on the folder and on `lock`, which ends with the process
// however that ends. Nothing here may open and close the database file once SQLite has it open: that
// would drop the process's POSIX locks on it (sqlite.org/howtocorrupt.html §2.2).

import Glibc

/// A data folder; making the value touches nothing.
package struct DataFolder: Equatable, Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  package var databasePath: String { path + "/whattodo.db" }
  package var reservePath: String { path + "/reserve" }
  package var lockPath: String { path + "/lock" }

  /// Makes the folder when it is missing. Sets its mode to 0700 when only our files are in it. Throws
  /// `.readableByOthers` when others may read it and other files are in it, and `.notAFolder` when the path is
  /// something else.
  package func prepare() throws(StoreOpenError) {
    if mkdir(path, 0o700) == 0 { return try sync(folder: parent) }
    guard errno == EEXIST else { throw systemError("mkdir", path) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw systemError("stat", path) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(path: path) }
    guard status.st_mode & 0o077 != 0 else { return }
    guard try names().allSatisfy(isOurs) else { throw .readableByOthers(path: path) }
    guard chmod(path, 0o700) == 0 else { throw systemError("chmod", path) }
  }

  /// Locks the folder, and throws `.inUse` at once when another process holds it. The lock is on the folder itself,
  /// which nobody can take away from below a server, and on the file in it, which older versions look at.
  package func lock() throws(StoreOpenError) -> FolderLock {
    let folder = try held(path, O_RDONLY | O_DIRECTORY)
    return FolderLock(folder: folder, file: try held(lockPath, O_RDWR | O_CREAT))
  }

  private func held(_ name: String, _ flags: Int32) throws(StoreOpenError) -> HeldFile {
    let descriptor = open(name, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw systemError("open", name) }
    let file = HeldFile(descriptor: descriptor)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw systemError("flock", name) }
      throw .inUse(path: path)
    }
    return file
  }

  /// Makes an empty database file with mode 0600, or gives the one that is there this mode.
  func makeDatabaseFile() throws(StoreOpenError) {
    let descriptor = open(databasePath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      guard close(descriptor) == 0 else { throw systemError("close", databasePath) }
      return try sync(folder: path)
    }
    guard errno == EEXIST else { throw systemError("open", databasePath) }
    guard chmod(databasePath, 0o600) == 0 else { throw systemError("chmod", databasePath) }
  }

  /// Whether a server has written here. An empty file does not count.
  package var hasDatabase: Bool {
    var status = stat()
    return stat(databasePath, &status) == 0 && status.st_size > 0
  }

  var hasDatabaseFile: Bool { access(databasePath, F_OK) == 0 }

  private var parent: String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let above = parts.dropLast().joined(separator: "/")
    if path.hasPrefix("/") { return "/" + above }
    return above.isEmpty ? "." : above
  }

  private func isOurs(_ name: String) -> Bool {
    name == "." || name == ".." || name == "lock" || name == "reserve"
      || name.hasPrefix("whattodo.db")
      || name.hasPrefix("secret")
  }

  /// Returns the sorted names of the files in the folder that begin so.
  package func names(beginning prefix: String) throws(StoreOpenError) -> [String] {
    try names().filter { $0.hasPrefix(prefix) }.sorted()
  }

  private func names() throws(StoreOpenError) -> [String] {
    guard let folder = opendir(path) else { throw systemError("opendir", path) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { name in
          String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    guard closedir(folder) == 0 else { throw systemError("closedir", path) }
    return names
  }

  /// Copies a damaged log before anything is written over it. When there is such a copy already, that one stays.
  static func keepLog(of database: String) throws(StoreOpenError) {
    let (log, copy) = (database + "-wal", keptLog(of: database))
    let from = open(log, O_RDONLY | O_CLOEXEC)
    // There is no log any more.
    guard from >= 0 else { return }
    defer { close(from) }
    let to = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard to >= 0 else {
      if errno == EEXIST { return }
      throw .system(path: copy, call: "open", errno: errno)
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var isWhole = false
    while !isWhole {
      let count = bytes.withUnsafeMutableBytes { read(from, $0.baseAddress, $0.count) }
      guard count > 0 else {
        isWhole = count == 0
        break
      }
      guard bytes.withUnsafeBytes({ Glibc.write(to, $0.baseAddress, count) }) == count else {
        break
      }
    }
    let error = errno
    guard close(to) == 0, isWhole else {
      throw .system(path: copy, call: "copy", errno: error)
    }
  }

  package static func keptLog(of database: String) -> String { database + "-wal.damaged" }

  /// Syncs a folder: a new name in it is on stable storage only after that.
  func sync(folder: String) throws(StoreOpenError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemError("open", folder) }
    let synced = fsync(descriptor)
    let error = systemError("fsync", folder)
    guard close(descriptor) == 0 else { throw systemError("close", folder) }
    guard synced == 0 else { throw error }
  }

  func systemError(_ call: String, _ path: String) -> StoreOpenError {
    .system(path: path, call: call, errno: errno)
  }
}

/// The right to serve from a folder. It lasts as long as the value lives.
package struct FolderLock: ~Copyable {
  private let folder: HeldFile
  private let file: HeldFile

  fileprivate init(folder: consuming HeldFile, file: consuming HeldFile) {
    self.folder = folder
    self.file = file
  }
}

/// An open file that is locked as long as the value lives. Code in another module that destroys a `FolderLock` destroys
/// two of these, so an optimized build has to find the type: a private one is not linked (Swift 6.3).
package struct HeldFile: ~Copyable {
  private let descriptor: Int32

  fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // The kernel gives the descriptor and the lock back whatever close answers (close(2), notes).
    _ = close(descriptor)
  }
}
