// Checks P7 at the ledger: no command takes effect that had arrived behind a refused one of the same person before this
// was refused. Its sender repeats both in their order.

import Domain
import Sync

struct RefusalOrder {
  /// The commands of each person that must not take effect, by the numbers of their arrival.
  private var behind: [UserID: [ClosedRange<Int>]] = [:]
  /// The number of each command that has arrived and is not settled.
  private var numbers: [ReplyAddress: Int] = [:]
  private var arrivals = 0

  /// Notes a command that arrives.
  mutating func arrived(_ command: ReplyAddress) {
    arrivals += 1
    numbers[command] = arrivals
  }

  mutating func refused(_ sender: UserID, _ command: ReplyAddress) {
    guard let number = numbers[command], number < arrivals else { return }
    behind[sender, default: []].append(number + 1...arrivals)
  }

  /// Notes a command that took effect, or another refusal by the rules. Returns a sentence when it overtook.
  mutating func settled(_ sender: UserID, _ command: ReplyAddress) -> String? {
    guard let number = numbers.removeValue(forKey: command) else {
      return "P2 a command of \(sender) was settled that had not arrived, or twice"
    }
    guard let ranges = behind[sender] else { return nil }
    if ranges.contains(where: { $0.contains(number) }) {
      return "P7 a command of \(sender) overtook one that was refused"
    }
    let rest = ranges.filter { $0.upperBound > number }
    behind[sender] = rest.isEmpty ? nil : rest
    return nil
  }
}
