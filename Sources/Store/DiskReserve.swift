// Room on the disk that is kept for when there is no other: a file `reserve` beside the database that owns its blocks
// (posix_fallocate). When others have filled the disk, the file goes, and the log of the database grows into its room
// with what completes, removes or ends something (DESIGN §5). The server takes nothing else until the file is there
// again.
//
//   given up     when less than a quarter of it is free, or a commit or a checkpoint finds no room
//   made again   when three times as much is free, so that twice as much is free afterwards
//
// While it is given up, the log is moved into the database early (`checkpointPagesWhenShort`) and is written over from
// its start. So the room lasts until the database itself has grown by as much.

import Glibc

/// Owned by the thread that owns the writing store.
package final class DiskReserve {
  package let bytes: Int
  /// Whether the room is kept.
  package private(set) var isThere: Bool
  /// Whether it was given up, or could not be made on a disk without room. Then only what makes room is written.
  package private(set) var isMissed = false
  private let folder: DataFolder
  private var path: String { folder.reservePath }

  /// 16 MiB, as long as the log becomes before it is moved, or a sixteenth of a small disk. A start on a full disk
  /// gives it up, since SQLite's own files need some pages too.
  init(in folder: DataFolder) {
    self.folder = folder
    let room = DiskReserve.room(of: folder)
    let share = room.map { $0.totalBytes / 16 } ?? 0
    bytes = max(DiskReserve.bytesMin, min(DiskReserve.bytesMax, share))
    let size = DiskReserve.size(of: folder.reservePath) ?? 0
    isThere = size > 0
    guard let room, !settle(freeBytes: room.freeBytes) else { return }
    // A crash left part of it, or the disk has become larger.
    if isThere, size < bytes, room.freeBytes / 3 >= bytes { isThere = make() }
  }

  private static let bytesMax = 16 << 20
  private static let bytesMin = 256 << 10
  /// 1 MiB.
  static let checkpointPagesWhenShort = 256

  /// Gives it up or makes it again, as the free room says. True when something has changed.
  package func settle(freeBytes: Int) -> Bool {
    if isThere { return freeBytes < bytes / 4 && give() }
    if freeBytes < bytes / 4 { isMissed = true }
    return freeBytes / 3 >= bytes && make()
  }

  /// False when there is nothing to give.
  func give() -> Bool {
    // Somebody may have taken the file away.
    guard isThere, unlink(path) == 0 || errno == ENOENT else { return false }
    isThere = false
    isMissed = true
    // The blocks of a file that is gone are free when its folder is written.
    do throws(StoreOpenError) { try folder.sync(folder: folder.path) } catch { return true }
    return true
  }

  /// False, and no file, when there is no room after all. A part that is there is made whole.
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

  /// Nil when the file system does not say.
  private static func room(of folder: DataFolder) -> (freeBytes: Int, totalBytes: Int)? {
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { return nil }
    let unit = UInt64(status.f_frsize)
    return (
      Int(clamping: UInt64(status.f_bavail) * unit), Int(clamping: UInt64(status.f_blocks) * unit)
    )
  }
}
