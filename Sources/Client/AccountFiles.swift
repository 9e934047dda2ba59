// The files of a client on disk besides the session, in the state folder, for one account of one server:
//   outbox-NAME@HOST:PORT   the queue and the refused commands: lines of `OutboxCodec`, appended. A queued command is
//                           on stable storage (fsync) before anybody is told; the lines after it may be lost.
//   copies-NAME@HOST:PORT   the confirmed copies with their cursors: lines of `CopyCodec`, replaced whole.
//   lock-NAME@HOST:PORT     held (flock) by the one program that uses the two; it ends with the program.
//
// Every line has its length in its line feed and a checksum in front (`CheckedLines`). The readable lines of a damaged
// outbox are kept and the damage is told; damaged copies come from the server again. The outbox is written anew at
// every start, and when it has grown by a megabyte, so it does not grow with commands that were settled long ago. When
// a text is erased (protocol §5.6), both are written anew at once; a damaged outbox that was set aside is not looked
// at.

import Glibc
package import Sync

/// The files of one account. They belong to the client's thread.
package final class AccountFiles {
  /// The queue and the refused commands that lay in them.
  package let outbox: Outbox
  package let copies: SavedCopies?
  /// A sentence when something could not be read, otherwise nil.
  package let damage: String?

  private let paths: Paths
  private let lock: Int32
  private var descriptor: Int32
  /// The size of the outbox's file in bytes, all of it whole lines.
  private var size: Int
  /// The size of the same file when it was written anew the last time.
  private var freshSize: Int
  private let settledBytesMax: Int

  private struct Paths {
    let folder: String
    let account: String
    func file(_ kind: String) -> String { "\(folder)/\(kind)-\(account)" }
  }

  /// Opens the files. `settledBytesMax` bounds, roughly, the bytes of settled commands in the outbox; a megabyte is
  /// some thousand commands. Throws `.folder`, also when another program has the files open.
  package init(
    in folder: StateFolder, of session: StateFolder.Session, settledBytesMax: Int = 1 << 20
  ) throws(ClientError) {
    self.settledBytesMax = settledBytesMax
    let server = try ServerAddress(session.server)
    try folder.make()
    paths = Paths(
      folder: folder.path, account: "\(session.files)@\(server.host):\(server.port)")
    let lock = try AccountFiles.lock(paths.file("lock"))
    do throws(ClientError) {
      let outboxLines = try CheckedLines.decode(AccountFiles.read(paths.file("outbox")))
      let records = outboxLines.lines.map { OutboxCodec.decode($0) }
      let outbox = Outbox(records.compactMap { $0 })
      let copyBytes = try AccountFiles.read(paths.file("copies"))
      copies = CopyCodec.decode(CheckedLines.decode(copyBytes).lines)
      let isWhole = outboxLines.isWhole && !records.contains(nil)
      damage =
        isWhole
        ? nil
        : "\(paths.file("outbox")) is damaged: \(outbox.waiting.count + outbox.unsent.count) of what was not sent yet could be read"
      let bytes = CheckedLines.encode(outbox.records.map { OutboxCodec.encode($0) })
      // A file that could not be read is not thrown away.
      if !isWhole {
        try AccountFiles.rename(paths.file("outbox"), paths.file("outbox") + ".damaged")
      }
      descriptor = try AccountFiles.replace(paths.file("outbox"), in: paths.folder, with: bytes)
      size = bytes.count
      freshSize = bytes.count
      self.outbox = outbox
      self.lock = lock
    } catch {
      close(lock)
      throw error
    }
  }

  deinit {
    close(descriptor)
    close(lock)
  }

  /// Adds records. When this returns, they are written; records with a queued command in them are on stable storage.
  func append(_ records: [OutboxRecord]) throws(ClientError) {
    guard !records.isEmpty else { return }
    let bytes = CheckedLines.encode(records.map { OutboxCodec.encode($0) })
    let path = paths.file("outbox")
    guard AccountFiles.write(bytes, to: descriptor), !records.hasQueued || fsync(descriptor) == 0
    else {
      let failure = AccountFiles.failure("write", path)
      // Half a line would make the next one unreadable too.
      guard ftruncate(descriptor, size) == 0 else { throw AccountFiles.failure("mend", path) }
      throw failure
    }
    size += bytes.count
  }

  /// Whether most of the file is about commands that were settled long ago.
  var isOvergrown: Bool { size > settledBytesMax + 4 * freshSize }

  /// Writes the outbox anew, without settled commands.
  func rewrite(_ outbox: Outbox) throws(ClientError) {
    let bytes = CheckedLines.encode(outbox.records.map { OutboxCodec.encode($0) })
    let file = try AccountFiles.replace(paths.file("outbox"), in: paths.folder, with: bytes)
    close(descriptor)
    descriptor = file
    size = bytes.count
    freshSize = bytes.count
  }

  /// Replaces the copies.
  func save(_ copies: SavedCopies) throws(ClientError) {
    let bytes = CheckedLines.encode(CopyCodec.encode(copies))
    let file = try AccountFiles.replace(paths.file("copies"), in: paths.folder, with: bytes)
    guard close(file) == 0 else { throw AccountFiles.failure("write", paths.file("copies")) }
  }

  /// Deletes the files, also a damaged one that was set aside.
  func clear() throws(ClientError) {
    for kind in ["outbox", "copies", "lock"] {
      for name in ["", ".new", ".damaged"].map({ paths.file(kind) + $0 }) {
        guard unlink(name) == 0 || errno == ENOENT else {
          throw AccountFiles.failure("delete", name)
        }
      }
    }
  }

  // MARK: Files

  private static func lock(_ path: String) throws(ClientError) -> Int32 {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failure("open", path) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      let failure = failure("lock", path)
      close(file)
      throw isTaken
        ? .folder("another program of yours keeps what is not sent: this one keeps nothing")
        : failure
    }
    return file
  }

  /// Reads all of a file. Empty when there is none.
  private static func read(_ path: String) throws(ClientError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return [] }
      throw failure("read", path)
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      guard count >= 0 || errno == EINTR else { throw failure("read", path) }
      guard count != 0 else { return bytes }
      bytes += chunk.prefix(max(0, count))
    }
  }

  /// Writes a file beside the old one and renames it, so that a crash leaves the old file or the new one. Returns the
  /// new file, open for more.
  private static func replace(
    _ path: String, in folder: String, with bytes: [UInt8]
  ) throws(ClientError) -> Int32 {
    let new = path + ".new"
    guard unlink(new) == 0 || errno == ENOENT else { throw failure("replace", new) }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_APPEND
    let file = open(new, flags, 0o600)
    guard file >= 0 else { throw failure("write", new) }
    guard write(bytes, to: file), fsync(file) == 0, Glibc.rename(new, path) == 0, sync(folder)
    else {
      let failure = failure("write", path)
      close(file)
      throw failure
    }
    return file
  }

  private static func rename(_ path: String, _ other: String) throws(ClientError) {
    guard Glibc.rename(path, other) == 0 else { throw failure("rename", path) }
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Syncs the folder's own entry: without it a new file's name may be lost.
  private static func sync(_ folder: String) -> Bool {
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return false }
    let isDone = fsync(file) == 0
    return close(file) == 0 && isDone
  }

  private static func failure(_ verb: String, _ name: String) -> ClientError {
    .folder("cannot \(verb) \(name): \(String(cString: strerror(errno)))")
  }
}

extension [OutboxRecord] {
  fileprivate var hasQueued: Bool {
    contains { if case .queued = $0 { true } else { false } }
  }
}
