// Ends runs of which nothing was heard: the ledger does it by itself (Sync/Deadlines/RunWatch.swift).

internal import Domain
internal import Net
internal import Sync

extension LedgerThread {
  /// Ends some of the runs that are lost. True when there may be more. Words that have come since `heardAt` may lie
  /// unread, so no run is lost for the time since then. While the wall clock is not trusted nothing is written, as with
  /// claims: the time of the list would go wrong with it.
  func loseRuns() -> Bool {
    let now = heardAt
    guard canTell, scheduler.pause == nil, runs.isDue(at: now) else { return false }
    do throws(StoreError) {
      try runs.ask(store, at: now)
    } catch {
      note(error, "looking for runs")
      return false
    }
    counters.counts.set(.runs, runs.count)
    let works = runs.works(at: now, limit: Deadlines.postsPerTurn)
    guard !works.isEmpty else { return false }
    let turn = settle(works.map { ($0, .nobody) }[...])
    if !isFailing { counters.counts.add(.runsLost, turn.settlements.count { $0.streams > 0 }) }
    for it in runs.note(works, turn) {
      log.note("ledger: the run of post \(it.post) of \(it.category) cannot be ended")
    }
    return !isFailing && turn.hasDoneSomething
  }

  /// Returns for how long no run is lost, in milliseconds, at most `most`.
  func runWait(most: Int) -> Int {
    guard scheduler.pause == nil else { return most }
    return Int(runs.wait(at: MachineClock.monotonic().milliseconds, most: Int64(most)))
  }
}
