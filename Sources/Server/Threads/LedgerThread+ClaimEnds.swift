// Ends claims whose time is over: the ledger does it by itself (Sync/Deadlines/ClaimEnds.swift).

internal import Domain
internal import Net
internal import Sync

extension LedgerThread {
  /// Ends some of the claims whose time is over. True when there may be more.
  func endClaims() -> Bool {
    let now = LedgerThread.now
    claimEnds.look(machine: MachineClock.monotonic().milliseconds)
    guard canTell, scheduler.pause == nil, claimEnds.isDue(at: now) else { return false }
    do throws(StoreError) {
      let works = try claimEnds.works(at: now, in: store, limit: Deadlines.postsPerTurn)
      guard !works.isEmpty else { return false }
      let turn = settle(works.map { ($0, .nobody) }[...], at: now)
      for it in claimEnds.note(works, turn, machine: MachineClock.monotonic().milliseconds) {
        log.note("ledger: the claim of post \(it.post) of \(it.category) cannot be ended")
      }
      return !isFailing && turn.hasDoneSomething
    } catch {
      note(error, "looking for claims")
      return false
    }
  }

  /// Returns for how long no claim ends, in milliseconds, at most `most`.
  func claimEndWait(most: Int) -> Int {
    guard scheduler.pause == nil else { return most }
    return Int(claimEnds.wait(at: LedgerThread.now, most: Int64(most)))
  }
}
