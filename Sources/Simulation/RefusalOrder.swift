// Checks P7 at the ledger: no command takes effect that had arrived behind a refused one of the same person before this
// was refused. Its sender repeats both in their order.

import Domain

struct RefusalOrder {
  /// The commands of each person that must not take effect, by the numbers of their arrival.
  private var behind: [UserID: [ClosedRange<Int>]] = [:]
  private var arrivals = 0

  /// Returns the number of a command that arrives.
  mutating func arrived() -> Int {
    arrivals += 1
    return arrivals
  }

  mutating func refused(_ sender: UserID, _ number: Int) {
    guard number < arrivals else { return }
    behind[sender, default: []].append(number + 1...arrivals)
  }

  /// Notes a command that took effect, or another refusal by the rules. Returns a sentence when it overtook.
  mutating func settled(_ sender: UserID, _ number: Int) -> String? {
    guard let ranges = behind[sender] else { return nil }
    if ranges.contains(where: { $0.contains(number) }) {
      return "P7 a command of \(sender) overtook one that was refused"
    }
    let rest = ranges.filter { $0.upperBound > number }
    behind[sender] = rest.isEmpty ? nil : rest
    return nil
  }
}
