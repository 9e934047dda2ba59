// The purging of posts that were removed long ago (Server/Threads/LedgerThread+Bin.swift); here that means some seconds
// ago.

import Domain
import Sync

extension SimServer {
  /// Returns the works that purge posts next.
  func binWorks() throws(StoreError) -> [(LedgerWork, LedgerReply)] {
    try bin.works(
      at: world.moment.wall, machine: world.moment.milliseconds,
      isTrusted: scheduler.pause == nil, in: store
    ).map { ($0, .nobody) }
  }

  /// Whether every post that has come is purged.
  var hasEmptiedBin: Bool {
    do throws(StoreError) {
      return try bin.isSettled(at: world.moment.wall, in: store)
    } catch {
      return false
    }
  }
}

extension SimRules {
  static let bin = BinRules(keepMilliseconds: 6_000, holdMilliseconds: 3_000)
}
