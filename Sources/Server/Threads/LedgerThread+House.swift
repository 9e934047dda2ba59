// The works that can wait. The ledger does them by itself, one step at a time, so that a command that comes meanwhile
// waits for one step only.

internal import Net
internal import Sync

/// The works of the house take turns. This is whose turn it is, and when the last one was.
struct House {
  enum Chore: CaseIterable {
    case zones, texts, dues, overdue, claims, accounts, bin, names, history
  }

  /// The chores in their turns.
  var turns = Chore.allCases
  /// Whether texts are left to erase.
  var isTidying = false
  /// The moment of the last step, in milliseconds of the monotonic clock.
  var steppedAt: Int64 = 0
}

extension LedgerThread {
  /// Whether a step may be taken now. While commands wait, steps come rarely, but they come.
  var mayKeepHouse: Bool {
    let now = MachineClock.monotonic().milliseconds
    return inbox.milliseconds(at: now) != 0
      || now >= house.steppedAt + ServerLimits.houseEveryMilliseconds
  }

  /// Takes the next step that there is to take. True when there may be more.
  func keepHouse() -> Bool {
    defer { house.steppedAt = MachineClock.monotonic().milliseconds }
    for _ in house.turns {
      let chore = house.turns.removeFirst()
      house.turns.append(chore)
      if step(chore) { return true }
    }
    return false
  }

  /// Takes a step of one chore. True when it has done something, so there may be more.
  private func step(_ chore: House.Chore) -> Bool {
    switch chore {
    case .zones:
      lookAtZones()
      return false
    case .texts:
      // The bin waits for the last text. Once that is gone, there may be more for the bin.
      let wasTidying = house.isTidying
      house.isTidying = tidy()
      return house.isTidying || wasTidying
    case .dues: return checkDues()
    case .overdue: return tellOverdue()
    case .claims: return endClaims()
    case .accounts: return endAccounts()
    case .bin: return emptyBin(isTidying: house.isTidying)
    case .names: return tellNames()
    case .history: return trim()
    }
  }
}
