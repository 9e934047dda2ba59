// What was removed long ago (Server/Threads/LedgerThread+Bin.swift), after some seconds here.

import Domain
import Sync

extension SimServer {
  /// What goes from the bin next.
  func binWorks() throws(StoreError) -> [(LedgerWork, LedgerReply)] {
    try bin.works(
      at: world.moment.wall, machine: world.moment.milliseconds,
      isTrusted: scheduler.pause == nil, in: store
    ).map { ($0, .nobody) }
  }

  /// All that has come has gone.
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
