// Ends accounts: the ledger does it by itself (Sync/Deadlines/AccountEnds.swift).

internal import Domain
internal import Net
internal import Sync

extension LedgerThread {
  /// Does a part of the ends, and what the operator asks about accounts. True when there may be more. A clock that
  /// shows nonsense ends no account.
  func endAccounts() -> Bool {
    lookForRequests()
    guard canTell, scheduler.pause == nil else { return false }
    let now = LedgerThread.now
    do throws(StoreError) {
      let machine = MachineClock.monotonic().milliseconds
      guard
        let works = try ends.works(in: store, wall: now, machine: machine, mark: usernameMark)
      else { return false }
      let turn = settle(works.map { ($0, .nobody) }[...], at: now)
      if let user = ends.note(works, turn, machine: machine) {
        log.note("ledger: the end of the account \(user) cannot be gone on with")
      }
      return !isFailing
    } catch {
      note(error, "looking for accounts that end")
      return false
    }
  }
}
