import Domain

/// The days of one period of a rule with BYSETPOS, which names them by their ranks. They stay bits, month by month: a
/// thousand times that lie behind are decades of years, and a list of the days of each year would cost microseconds.
struct RankedDays {
  private let months: MonthDays
  private var days: [BitDays] = []
  private var count = 0
  /// The month that was looked at last, with its days. Many periods may lie in one month.
  private var last: (month: CalendarMonth, bits: UInt32)?

  init(_ months: MonthDays) { self.months = months }

  /// Takes the days of a period, both ends included.
  mutating func fill(from first: Day, through end: Day) {
    days.removeAll(keepingCapacity: true)
    count = 0
    var month = month(holding: first)
    while month.first <= end {
      var bits = bits(of: month)
      if month.first < first { bits &= .max << UInt32(first.number - month.first.number) }
      let rest = end.number - month.first.number + 1
      if rest < 32 { bits &= 1 << UInt32(rest) - 1 }
      if bits != 0 { days.append(BitDays(first: month.first, bits: bits)) }
      count += bits.nonzeroBitCount
      month = month.next
    }
  }

  /// Returns the days of these positions in their order, each once. Positions from 1 on count from the first day, and
  /// those below 0 from the last.
  func named(by positions: [Int]) -> [Day] {
    let ranks = positions.map { $0 > 0 ? $0 - 1 : count + $0 }.filter { (0..<count).contains($0) }
    var named: [Day] = []
    named.reserveCapacity(ranks.count)
    // The rank of the first day of the month that is looked at.
    var (index, begin) = (0, 0)
    for rank in ranks.sorted() {
      while rank >= begin + days[index].bits.nonzeroBitCount {
        begin += days[index].bits.nonzeroBitCount
        index += 1
      }
      let day = days[index].day(rank - begin)
      if named.last != day { named.append(day) }
    }
    return named
  }

  private func month(holding day: Day) -> CalendarMonth {
    if let last, (0..<last.month.length).contains(day.number - last.month.first.number) {
      return last.month
    }
    return CalendarMonth(holding: day)
  }

  private mutating func bits(of month: CalendarMonth) -> UInt32 {
    if let last, last.month.first == month.first { return last.bits }
    let bits = months.days(of: month).bits
    last = (month, bits)
    return bits
  }
}

extension BitDays {
  /// Returns the day of this rank, from 0 on. There are so many days.
  fileprivate func day(_ rank: Int) -> Day {
    var rest = bits
    for _ in 0..<rank { rest &= rest - 1 }
    return first.adding(days: rest.trailingZeroBitCount)
  }
}
