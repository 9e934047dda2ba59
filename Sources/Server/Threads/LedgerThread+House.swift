// The works that can wait: the ledger does them by itself (Sync/Ledger/House.swift).

internal import Net
internal import Sync

extension LedgerThread {
  /// Takes the next step that there is to take, if it is time for one. True when there may be more.
  func keepHouse() -> Bool {
    let now = MachineClock.monotonic().milliseconds
    let commandsWait = inbox.milliseconds(at: now) == 0
    guard house.mayStep(at: now, whileCommandsWait: commandsWait) else { return true }
    defer { house.stepped(at: MachineClock.monotonic().milliseconds) }
    return house.step { take($0, hasTexts: $1) }
  }

  /// Takes a step of one chore. True when it has done something, so there may be more.
  private func take(_ chore: House.Chore, hasTexts: Bool) -> Bool {
    switch chore {
    case .zones:
      lookAtZones()
      return false
    case .texts: return tidy()
    case .dues: return checkDues()
    case .overdue: return tellOverdue()
    case .claims: return endClaims()
    case .runs: return loseRuns()
    case .accounts: return endAccounts()
    case .bin: return emptyBin(isTidying: hasTexts)
    case .names: return tellNames()
    case .history: return trim()
    }
  }
}
