// Empties the bin of posts that were removed long ago: the ledger does it by itself (Sync/Deadlines/Bin.swift).

internal import Domain
internal import Net
internal import Sync

extension LedgerThread {
  /// Purges some of the posts whose time in the bin is over. True when there may be more. It waits while texts are left
  /// to erase, because those of the posts purged before are among them.
  func emptyBin(isTidying: Bool) -> Bool {
    guard canTell, !isTidying else { return false }
    let now = LedgerThread.now
    lookAtClock(now)
    do throws(StoreError) {
      let machine = MachineClock.monotonic().milliseconds
      guard
        let works = try bin?.works(
          at: now, machine: machine, isTrusted: scheduler.pause == nil, in: store),
        !works.isEmpty
      else { return false }
      let turn = settle(works.map { ($0, .nobody) }[...], at: now)
      for it in bin?.note(works, turn, machine: machine) ?? [] {
        log.note("ledger: the post \(it.post) of \(it.category) cannot be purged")
      }
      return !isFailing && turn.hasDoneSomething
    } catch {
      note(error, "looking at the bin")
      return false
    }
  }
}
