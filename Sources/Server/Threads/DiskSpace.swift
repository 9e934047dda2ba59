// What is still written when the disk fills up (DESIGN §5), so that it never fills up quite and people
// can always make room and get done what they have:
//
//   low       no new accounts and no long notes
//   critical  only what completes, reopens, removes or ends something; also while the reserve for a full disk is
//             given up (Store/DiskReserve.swift)
//
// A share of a large disk says little, so neither counts while there is plenty in bytes. Repeats of what
// took effect are answered as ever: whoever asks looks at the key first.

internal import Domain
internal import Glibc
internal import Store
internal import Sync

/// When a disk counts as filling up.
package struct DiskRules: Sendable {
  /// Shares of the whole that are free for us, in percent.
  package var lowPercent = 10
  package var criticalPercent = 5
  /// With more than this free the shares do not matter.
  package var plentyBytes = 2 << 30
  /// Longer notes are not taken when it is low.
  package var notesScalarsWhenLow = 1_000

  package init() {}
}

/// How large a file system is.
struct DiskRoom: Sendable, Equatable {
  let freeBytes: UInt64
  let totalBytes: UInt64
}

extension DiskRoom {
  /// Nil when the file system does not say.
  init?(of folder: String) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    self.init(
      freeBytes: UInt64(status.f_bavail) * UInt64(status.f_frsize),
      totalBytes: UInt64(status.f_blocks) * UInt64(status.f_frsize))
  }
}

/// How full the disk of the data folder is. A file system that does not say counts as plenty: the store
/// will tell.
enum DiskSpace: Int, Sendable, Equatable {
  case plenty
  case low
  case critical

  /// Gives the reserve up or makes it again, as the room says. The state is the one afterwards.
  static func settle(
    _ reserve: DiskReserve?, _ room: DiskRoom?, _ rules: DiskRules
  ) -> DiskSpace {
    var free = room?.freeBytes ?? 0
    if let reserve, let room, reserve.settle(freeBytes: Int(clamping: room.freeBytes)) {
      // When it was given up instead, the room is critical however much of it there is.
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

  /// Whether the command may be written now.
  func takes(_ command: Command, _ rules: DiskRules) -> Bool {
    switch self {
    case .plenty: true
    case .low: !command.isLong(rules)
    case .critical: command.makesRoom
    }
  }
}

/// For the operator.
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
  /// A new account, or notes that take much; an undo may bring back any.
  fileprivate func isLong(_ rules: DiskRules) -> Bool {
    switch self {
    case .registerAccount, .undo: true
    case .batch(let commands): commands.contains { $0.isLong(rules) }
    default: (notes?.unicodeScalars.count ?? 0) > rules.notesScalarsWhenLow
    }
  }
}
