// Says what becomes of a refused change. `/unsent` keeps changes that were made without a connection, and those that
// were on their way when it broke: the person hears of the refusal later, maybe after other work, and decides then.
// A change that is refused over the connection over which it was asked is told at once and forgotten; the person can
// enter it again. Only notes that others wrote at the same time are kept in any case, because both texts are somebody's
// work.

import Client
import Sync

/// The queued changes that were asked over the present connection.
struct LiveChanges {
  private var numbers: Set<Int64> = []

  mutating func asked(_ number: Int64) { numbers.insert(number) }

  /// Forgets all of them, because the connection is gone, with the answers to what waits.
  mutating func lost() { numbers = [] }

  /// Decides whether a refusal is told and forgotten. `isConflict` means notes that somebody has to decide about.
  mutating func forgets(_ number: Int64, isConflict: Bool) -> Bool {
    let isLive = numbers.remove(number) != nil
    return isLive && !isConflict
  }
}

extension Chat {
  func refused(_ unsent: UnsentCommand) {
    let number = unsent.queued.number
    let isConflict = situation.conflicts.contains { $0.number == number }
    guard live.forgets(number, isConflict: isConflict) else {
      situation.shown.unsent.add(unsent)
      return print(UnsentLines.refused(unsent, situation))
    }
    print(UnsentLines.forgotten(unsent, situation))
    do throws(ClientError) {
      try client.discard(number)
    } catch {
      complain("\(error)")
    }
    situation.read(client)
  }
}
