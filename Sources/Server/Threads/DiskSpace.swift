// Decides what is still written when the disk fills up (DESIGN §5), so that it is never quite full and people can
// always make room and complete the posts that they have:
//
//   low       no new accounts and no long notes
//   critical  only commands that complete, reopen, remove or end something; the same holds while the reserve for a full
//             disk is given up (Store/DiskReserve.swift)
//
// A share of a large disk says little, so neither counts while there is plenty in bytes. Repeats of commands that took
// effect are answered as ever, because the key is looked at first.

internal import Domain
internal import Glibc
internal import Store
internal import Sync

/// The rules by which a disk counts as filling up.
package struct DiskRules: Sendable {
  /// The shares of the whole that are free for us, in percent.
  package var lowPercent = 10
  package var criticalPercent = 5
  /// The free bytes above which the shares do not matter.
  package var plentyBytes = 2 << 30
  /// The most characters of notes that are taken when the disk is low.
  package var notesScalarsWhenLow = 1_000

  package init() {}
}

/// The size of a file system and its free room, in bytes.
struct DiskRoom: Sendable, Equatable {
  let freeBytes: UInt64
  let totalBytes: UInt64
}

extension DiskRoom {
  /// Asks the file system of a folder. Nil when it does not say.
  init?(of folder: String) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    self.init(
      freeBytes: UInt64(status.f_bavail) * UInt64(status.f_frsize),
      totalBytes: UInt64(status.f_blocks) * UInt64(status.f_frsize))
  }
}

/// The state of the disk of the data folder. A file system that does not say counts as plenty: the store will tell.
enum DiskSpace: Int, Sendable, Equatable {
  case plenty
  case low
  case critical

  /// Gives the reserve up or makes it again, by the room. Returns the state afterwards.
  static func settle(
    _ reserve: DiskReserve?, _ room: DiskRoom?, _ rules: DiskRules
  ) -> DiskSpace {
    var free = room?.freeBytes ?? 0
    if let reserve, let room, reserve.settle(freeBytes: Int(clamping: room.freeBytes)) {
      // This is right when the reserve was made. When it was given up, the state is critical however much room there
      // is.
      free -= min(free, UInt64(reserve.bytes))
    }
    if reserve?.isMissed == true { return .critical }
    guard let room else { return .plenty }
    return DiskSpace(freeBytes: free, totalBytes: room.totalBytes, rules)
  }

  init(freeBytes: UInt64, totalBytes: UInt64, _ rules: DiskRules) {
    let percent = totalBytes == 0 ? 100 : Int(Double(freeBytes) / Double(totalBytes) * 100)
    if freeBytes > UInt64(rules.plentyBytes) || percent >= rules.lowPercent {
      self = .plenty
    } else {
      self = percent >= rules.criticalPercent ? .low : .critical
    }
  }

  /// Answers whether the command may be written now.
  func takes(_ command: Command, _ rules: DiskRules) -> Bool {
    switch self {
    case .plenty: true
    case .low: !command.isLong(rules)
    case .critical: command.makesRoom
    }
  }
}

/// The sentences for the operator about the reserve.
enum DiskReserveNotes {
  static func sentence(_ reserve: DiskReserve, _ folder: String) -> String {
    let size = "\(reserve.bytes >> 10) KiB"
    return reserve.isMissed
      ? "the disk of \(folder) is full: the reserve of \(size) is given up, and only what completes, reopens, removes"
        + " or ends something is written until there is room again"
      : "the disk of \(folder) has room again: \(size) are kept as a reserve, and everything is taken"
  }
}

extension Command {
  /// Whether it is a new account, or has long notes; an undo counts, because it may bring back any.
  fileprivate func isLong(_ rules: DiskRules) -> Bool {
    switch self {
    case .account(.register), .bot(.add), .undo: true
    case .batch(let commands): commands.contains { $0.isLong(rules) }
    default: (notes?.unicodeScalars.count ?? 0) > rules.notesScalarsWhenLow
    }
  }
}
