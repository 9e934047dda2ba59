import Domain
import Wire

/// A row of signs for how much was completed when, with the average. A sign is a day, or over a long time some weeks.
struct StatsBar {
  /// The first day that is shown.
  let from: Day
  /// The number of days of a sign. The first sign may have fewer: the last one ends with the last day.
  let daysPerSign: Int
  /// One character for each sign.
  let signs: String
  /// The completions of a sign on average, in tenths.
  let tenthsPerSign: Int

  /// The most signs: the weeks of a year, with those in which it begins and ends. They fit between two days.
  private static let signsMax = 53

  /// Makes the row. Nil for a single day, and where nothing was completed. A long time begins with the first
  /// completion, because few lists are ten years old, but at least a week before its end.
  init?(_ result: StatsResult) {
    let (start, end) = (result.from.number, result.to.number)
    guard start < end, let begun = result.days.first?.day.number else { return nil }
    let isLong = end - start >= StatsBar.signsMax
    let first = isLong ? max(start, min(begun, end - 6)) : start
    let days = end - first + 1
    let size = [1, 7, 28].first { days <= $0 * StatsBar.signsMax } ?? 91
    var counts = [Int](repeating: 0, count: (days + size - 1) / size)
    for day in result.days where (first...end).contains(day.day.number) {
      counts[counts.count - 1 - (end - day.day.number) / size] += day.completed
    }
    let most = counts.max() ?? 0
    from = result.from.adding(days: first - start)
    daysPerSign = size
    signs = counts.map { StatsBar.sign($0, of: most) }.joined()
    tenthsPerSign = (result.completed * 10 * size + days / 2) / days
  }

  /// The time of a sign, such as `4 weeks`; nil for a day.
  var words: String? {
    switch daysPerSign {
    case 1: nil
    case 7: "a week"
    default: "\(daysPerSign / 7) weeks"
    }
  }

  /// Returns the sign of a count. A count of 0 has a dot, so that signs can be counted.
  private static func sign(_ count: Int, of most: Int) -> String {
    guard count > 0, most > 0 else { return "·" }
    let signs = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return signs[(count * signs.count + most - 1) / most - 1]
  }
}
