// Accounts that end (Server/Threads/LedgerThread+AccountEnds.swift), in some runs.

import Domain
import Sync

extension SimServer {
  /// Returns the next works for an end that has come.
  func endWorks() throws(StoreError) -> [(LedgerWork, LedgerReply)] {
    guard world.endsAccounts, scheduler.pause == nil else { return [] }
    let works = try ends.works(
      in: store, wall: world.moment.wall, machine: world.moment.milliseconds,
      mark: SimCodes.book.mark)
    return (works ?? []).map { ($0, .nobody) }
  }

  /// Whether every end that has come is done.
  var hasEnded: Bool {
    guard world.endsAccounts else { return true }
    do throws(StoreError) {
      return try store.endingAccounts(through: world.moment.wall, limit: 1).isEmpty
    } catch {
      return false
    }
  }
}
