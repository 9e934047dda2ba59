// Room on the disk that is kept for when there is no other: a file `reserve` beside the database that owns its blocks
// (posix_fallocate). When others have filled the disk, the file is removed. The log of the database then grows into its
// room with commands that complete, remove or end something (DESIGN §5). The server takes no other commands until the
// file is there again.
//
//   given up     when less than a quarter of it is free, or a commit or a checkpoint finds no room
//   made again   when three times as much is free, so that twice as much is free afterwards
//
// While it is given up, the log is moved into the database early (`checkpointPagesWhenShort`) and is written over from
// its start. So the room lasts until the database itself has grown by as much.

import Glibc

/// The file that keeps the room. The thread that owns the writing store owns it.
package final class DiskReserve {
  package let bytes: Int
  /// Whether the room is kept.
  package private(set) var isThere: Bool
  /// Whether the file was given up, or could not be made for want of room. As long as it is true, the store writes only
  /// what makes room.
  package private(set) var isMissed = false
  private let folder: DataFolder
  private var path: String { folder.reservePath }

  /// Opens or makes the file. It is 16 MiB, as long as the log becomes before it is moved, or a sixteenth of a small
  /// disk. A start on a full disk gives it up, since SQLite's own files need some pages too.
  init(in folder: DataFolder) {
    self.folder = folder
    let room = DiskReserve.room(of: folder)
    let share = room.map { $0.totalBytes / 16 } ?? 0
    bytes = max(DiskReserve.bytesMin, min(DiskReserve.bytesMax, share))
    let size = DiskReserve.size(of: folder.reservePath) ?? 0
    isThere = size > 0
    guard let room, !settle(freeBytes: room.freeBytes) else { return }
    // A crash left part of the file, or the disk has become larger.
    if isThere, size < bytes, room.freeBytes / 3 >= bytes { isThere = make() }
  }

  private static let bytesMax = 16 << 20
  private static let bytesMin = 256 << 10
  /// The log's length for an early checkpoint: 1 MiB.
  static let checkpointPagesWhenShort = 256

  /// Gives the file up or makes it again, by how much room is free. True when something has changed.
  package func settle(freeBytes: Int) -> Bool {
    if isThere { return freeBytes < bytes / 4 && give() }
    if freeBytes < bytes / 4 { isMissed = true }
    return freeBytes / 3 >= bytes && make()
  }

  /// Removes the file. False when there is none to remove.
  func give() -> Bool {
    // Somebody may have taken the file away.
    guard isThere, unlink(path) == 0 || errno == ENOENT else { return false }
    isThere = false
    isMissed = true
    // The blocks of a removed file are free once its folder is written.
    do throws(StoreOpenError) { try folder.sync(folder: folder.path) } catch { return true }
    return true
  }

  /// Makes the file, or the rest of it when a part is there. When there is no room after all, answers false and leaves
  /// no file.
  private func make() -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    let code = posix_fallocate(descriptor, 0, off_t(bytes))
    let closed = close(descriptor)
    guard code == 0, closed == 0 else {
      _ = unlink(path)
      return false
    }
    isThere = true
    isMissed = false
    return true
  }

  private static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Returns the free and the whole size of the file system, in bytes. Nil when the file system does not say.
  private static func room(of folder: DataFolder) -> (freeBytes: Int, totalBytes: Int)? {
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { return nil }
    let unit = UInt64(status.f_frsize)
    return (
      Int(clamping: UInt64(status.f_bavail) * unit), Int(clamping: UInt64(status.f_blocks) * unit)
    )
  }
}
