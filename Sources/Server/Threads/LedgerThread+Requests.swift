// Looks for the files by which the operator's commands ask for something (Operator/AccountEndRequest.swift).

internal import Glibc
internal import Net
internal import Store
internal import Sync

extension LedgerThread {
  /// Does what the operator wants. A file whose wish cannot be written now stays for the next time.
  func lookForRequests() {
    let machine = MachineClock.monotonic().milliseconds
    guard machine >= lookForRequestsFrom, canTell, scheduler.pause == nil else { return }
    lookForRequestsFrom = machine + ServerLimits.requestsEveryMilliseconds
    look(for: AccountEndRequest.prefix) { name in
      AccountEndRequest(name).map { .askForEnd($0.user, days: $0.days) }
    }
    look(for: BotOwnerRequest.prefix) { name in
      BotOwnerRequest(name).map { .giveBot($0.bot, to: $0.owner) }
    }
  }

  private func look(for prefix: String, _ work: (String) -> LedgerWork?) {
    do throws(StoreOpenError) {
      for name in try DataFolder(path: folder).names(beginning: prefix) {
        guard let work = work(name) else { continue }
        let turn = settle([(work, .nobody)])
        guard case .success? = turn.settlements.first?.result else { continue }
        if unlink(folder + "/" + name) != 0 {
          log.note("ledger: \(name) cannot be taken away (error \(errno))")
        }
      }
    } catch {
      log.note("ledger: looking for what the operator wants: \(error.description)")
    }
  }
}
