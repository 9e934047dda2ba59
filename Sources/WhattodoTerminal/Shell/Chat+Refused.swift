// Says what becomes of a refused change. `/unsent` keeps changes that were made without a connection, and those that
// were on their way when it broke: the person hears of the refusal later, maybe after other work, and decides then.
// A change that is refused over the connection over which it was asked is told at once and forgotten; the person can
// enter it again. Two kinds are kept in any case, because they are somebody's work: notes that others wrote at the same
// time, and lines that may not be said, because their view closes and the next lines would be refused too.

import Client
import Domain
import Sync
import Wire

/// The queued changes that were asked over the present connection.
struct LiveChanges {
  private var numbers: Set<Int64> = []

  mutating func asked(_ number: Int64) { numbers.insert(number) }

  /// Forgets all of them, because the connection is gone, with the answers to what waits.
  mutating func lost() { numbers = [] }

  /// Decides whether a refusal is told and forgotten. `isWork` means a text that somebody has to decide about.
  mutating func forgets(_ number: Int64, isWork: Bool) -> Bool {
    let isLive = numbers.remove(number) != nil
    return isLive && !isWork
  }
}

extension UnsentCommand {
  /// The place where the person may not say the line. Nil for every other refusal.
  var silentPlace: StreamID? {
    guard reason.kind == .forbidden, case .line(.say(let stream, _, _, _)) = queued.command else {
      return nil
    }
    return stream
  }
}

extension Chat {
  func refused(_ unsent: UnsentCommand) {
    let number = unsent.queued.number
    let isConflict = situation.conflicts.contains { $0.number == number }
    let isWork = isConflict || unsent.silentPlace != nil
    guard live.forgets(number, isWork: isWork) else {
      situation.shown.unsent.add(unsent)
      print(UnsentLines.refused(unsent, situation))
      return endTalk(refusing: unsent)
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
