// A host gets at most four connections at a time; its further letters wait here, in the order in which they were sent.
//
// libcurl has such a limit of its own (CURLMOPT_MAX_HOST_CONNECTIONS), which is not used. In libcurl 7.88 all letters
// that wait stand in one line. When a connection ends, only the first of that line is tried, whatever its host. So a
// host that answers slowly would hold up the letters to others, until their time is over (lib/multi.c,
// process_pending_handles). A letter in that line does not time out there either.
//
// A letter's total time begins when it is sent, not when its turn comes. All letters of a courier have the same total
// time, so the first in line is always the first whose time is over. It ends as `notTried`:
// the four letters before it had as long.

/// The letters that wait for their turn, and the count of those that move, for each host.
struct WaitingLine {
  /// The letters to one host that move at once.
  static let movingMax = 4

  private var waiting: [Parcel] = []
  /// The letters on their way. A host without any has no entry. Host by host, every waiting letter has four before it.
  private var moving: [String: Int] = [:]

  var count: Int { waiting.count }

  /// The time at which the first letter in line is over.
  var deadline: Int? { waiting.first?.deadline }

  /// Answers whether the letter may move now. If not, it waits.
  mutating func enter(_ parcel: Parcel) -> Bool {
    guard hasRoom(for: parcel) else {
      waiting.append(parcel)
      return false
    }
    moving[parcel.host, default: 0] += 1
    return true
  }

  /// Notes that letters on their way have ended. Returns those that may move now. The cost is one pass over the line.
  mutating func leave(_ parcels: [Parcel]) -> [Parcel] {
    for parcel in parcels {
      guard let count = moving[parcel.host] else {
        preconditionFailure("a letter that ends was counted when it began")
      }
      moving[parcel.host] = count == 1 ? nil : count - 1
    }
    let line = waiting
    waiting = []
    return line.filter { enter($0) }
  }

  /// Takes out the letters whose time is over.
  mutating func takeOverdue(at now: Int) -> [Parcel] {
    let overdue = Array(waiting.prefix { $0.deadline <= now })
    waiting.removeFirst(overdue.count)
    return overdue
  }

  private func hasRoom(for parcel: Parcel) -> Bool {
    moving[parcel.host, default: 0] < WaitingLine.movingMax
  }
}
