// What a power failure may leave of a few files in one folder.
//
// Until a file is synced, its writes may be on the disk or not, each 512-byte piece of each for itself and
// in any order; a cut may have happened or not. Until the folder is synced (SQLite does so with the first
// sync of a file that it made, and with some deletes), names that were made or deleted may be there or
// not, in the order of the operations. What was synced is there.
//
// When a sync fails, the system may forget that those writes were never done, and say yes to the next sync
// (as Linux does: LWN, "PostgreSQL's fsync() surprise", 2018): they stay uncertain for good, unless the
// place is written again.
//
// This is more than most disks do, and what SQLite says it survives: pieces of a sector are never torn,
// and a write does not harm its neighbours (SQLITE_IOCAP_POWERSAFE_OVERWRITE, sqlite.org/psow.html).

package import TestRandom

package struct Disk {
  private struct File {
    var durable: [UInt8] = []
    var pending: [Change] = []
    /// Pieces of writes that a failed sync left uncertain.
    var forgotten: [Change] = []
    /// Whether a sync of the file has yet to sync its folder.
    var isNew: Bool

    /// A piece that was forgotten and is written again goes to the disk as it is now.
    mutating func sync() {
      for change in forgotten.isEmpty ? pending : pending.flatMap(\.pieces) {
        forgotten.removeAll { old in
          guard old.sector == change.sector, change.kind == .write else { return false }
          old.apply(to: &durable)
          return true
        }
        change.apply(to: &durable)
      }
      pending = []
    }
  }

  private enum FolderChange {
    case create(name: String, file: Int)
    case delete(name: String)
  }

  private var files: [File] = []
  /// Names as programs see them.
  private var live: [String: Int] = [:]
  /// Names as the disk has them.
  private var durable: [String: Int] = [:]
  private var folderPending: [FolderChange] = []
  /// The value of the last mark.
  package private(set) var acknowledged = 0

  package static let pieceBytes = 512

  /// The files that are there before the recording begins, durable.
  package init(existing: [String: [UInt8]]) {
    for (name, bytes) in existing {
      live[name] = files.count
      durable[name] = files.count
      files.append(File(durable: bytes, isNew: false))
    }
  }

  package mutating func apply(_ change: Change) {
    switch change.kind {
    case .mark:
      acknowledged = change.offset
    case .create:
      live[change.file] = files.count
      folderPending.append(.create(name: change.file, file: files.count))
      files.append(File(isNew: true))
    case .delete:
      live[change.file] = nil
      folderPending.append(.delete(name: change.file))
      if change.folderSynced { syncFolder() }
    case .write, .truncate:
      guard let file = live[change.file] else { fatalError("\(change.file) is not open") }
      files[file].pending.append(change)
    case .sync:
      guard let file = live[change.file] else { fatalError("\(change.file) is not open") }
      files[file].sync()
      if files[file].isNew { syncFolder() }
      files[file].isNew = false
    case .syncFailed:
      guard let file = live[change.file] else { fatalError("\(change.file) is not open") }
      files[file].forgotten += files[file].pending.flatMap(\.pieces)
      files[file].pending = []
    }
  }

  private mutating func syncFolder() {
    Disk.apply(folderPending[...], to: &durable)
    folderPending = []
  }

  private static func apply(_ changes: ArraySlice<FolderChange>, to names: inout [String: Int]) {
    for change in changes {
      switch change {
      case .create(let name, let file): names[name] = file
      case .delete(let name): names[name] = nil
      }
    }
  }

  /// The files as they were synced, without anything later.
  package var synced: [String: [UInt8]] { durable.mapValues { files[$0].durable } }

  /// The same disk, as another folder's recording goes on with it.
  package func renamed(_ rename: (String) -> String) -> Disk {
    var disk = self
    disk.live = Dictionary(uniqueKeysWithValues: live.map { (rename($0.key), $0.value) })
    disk.durable = Dictionary(uniqueKeysWithValues: durable.map { (rename($0.key), $0.value) })
    return disk
  }

  /// The files as programs saw them last, as if all of it had been synced.
  package var everything: [String: [UInt8]] {
    live.mapValues { file in
      var bytes = files[file].durable
      for change in files[file].forgotten + files[file].pending { change.apply(to: &bytes) }
      return bytes
    }
  }

  /// Returns the files as they were synced, with some of everything later.
  package func left(by random: inout SeededRandom) -> [String: [UInt8]] {
    var names = durable
    let kept = Int.random(in: 0...folderPending.count, using: &random)
    Disk.apply(folderPending[..<kept], to: &names)
    // Some disks lose nearly all, some nearly nothing.
    let keepsOneIn = [1, 2, 2, 8].randomElement(using: &random) ?? 2
    var left: [String: [UInt8]] = [:]
    for (name, file) in names.sorted(by: { $0.key < $1.key }) {
      var bytes = files[file].durable
      for change in files[file].forgotten + files[file].pending {
        for piece in change.pieces where Int.random(in: 0..<keepsOneIn, using: &random) == 0 {
          piece.apply(to: &bytes)
        }
      }
      left[name] = bytes
    }
    return left
  }
}

extension Change {
  func apply(to bytes: inout [UInt8]) {
    if kind == .truncate {
      bytes.removeLast(max(0, bytes.count - offset))
      bytes += Array(repeating: 0, count: max(0, offset - bytes.count))
      return
    }
    let end = offset + self.bytes.count
    bytes += Array(repeating: 0, count: max(0, end - bytes.count))
    bytes.replaceSubrange(offset..<end, with: self.bytes)
  }

  var sector: Int { offset / Disk.pieceBytes }

  /// The write as the parts that are on the disk or not, each for itself.
  var pieces: [Change] {
    guard kind == .write else { return [self] }
    var pieces: [Change] = []
    var start = offset
    while start < offset + bytes.count {
      let end = min((start / Disk.pieceBytes + 1) * Disk.pieceBytes, offset + bytes.count)
      pieces.append(
        Change(
          kind: .write, file: file, offset: start,
          bytes: Array(bytes[start - offset..<end - offset]), folderSynced: false))
      start = end
    }
    return pieces
  }
}
