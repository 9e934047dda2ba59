// Tells other names of persons a few lists at a time (Sync/Deadlines/UntoldNames.swift).

internal import Domain
internal import Sync

extension LedgerThread {
  /// Takes one step of it. True when there may be more.
  func tellNames() -> Bool {
    guard canTell else { return false }
    do throws(StoreError) {
      guard let work = try untoldNames.work(in: store) else { return false }
      let turn = settle([(work, .nobody)])
      if let user = untoldNames.note([work], turn) {
        log.note("ledger: the name of \(user) cannot be told everywhere")
      }
      return !isFailing
    } catch {
      note(error, "looking for names to tell")
      return false
    }
  }
}
