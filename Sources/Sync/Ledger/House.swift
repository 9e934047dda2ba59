// The works of the ledger that can wait, as chores that take turns. The ledger takes one step at a time, so that a
// command that comes meanwhile waits for one step only.

/// The chores in their turns, and the moment of the last step. Milliseconds are those of one clock that never jumps.
package struct House: Sendable {
  package enum Chore: CaseIterable, Sendable {
    case zones, texts, dues, overdue, claims, runs, accounts, bin, names, history
  }

  /// The time between two steps while commands wait.
  private static let everyMilliseconds: Int64 = 20

  private var turns = Chore.allCases
  private var hasTexts = false
  private var steppedAt = -Self.everyMilliseconds

  package init() {}

  /// Whether a step may be taken. While commands wait, steps come rarely, but they come.
  package func mayStep(at now: Int64, whileCommandsWait: Bool) -> Bool {
    !whileCommandsWait || now >= steppedAt + Self.everyMilliseconds
  }

  /// Takes a step of the first chore, in their turns, that has something to do. True when there may be more. `take`
  /// answers whether it has done something. It is told whether texts are left to erase: the bin waits for the last one,
  /// because the texts of posts that were purged before are among them.
  package mutating func step(_ take: (Chore, _ hasTexts: Bool) -> Bool) -> Bool {
    for _ in turns {
      let chore = turns.removeFirst()
      turns.append(chore)
      let hasDone = take(chore, hasTexts)
      guard chore == .texts else {
        if hasDone { return true }
        continue
      }
      // Once the last text is gone, there may be more for the bin, and its turn was before.
      let hadTexts = hasTexts
      hasTexts = hasDone
      if hasDone || hadTexts { return true }
    }
    return false
  }

  package mutating func stepped(at now: Int64) { steppedAt = now }
}
