// What becomes of a refused change. In `/unsent` lies what somebody did without a connection, and what was on its way
// when the connection broke: they hear of the refusal later, maybe after other work, and decide then. What is refused
// over the connection over which it was asked, they hear of at once: it is told and forgotten, and they say it
// otherwise if they want it. Only notes that others wrote at the same time stay in any case, for both texts are
// somebody's work.

import Client
import Sync

/// Which queued changes were asked over the connection that there is.
struct LiveChanges {
  private var numbers: Set<Int64> = []

  mutating func asked(_ number: Int64) { numbers.insert(number) }

  /// The connection is gone, with the answers to what waits.
  mutating func lost() { numbers = [] }

  /// Whether a refusal is told and forgotten. `isConflict`: of notes that somebody has to decide about.
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
