// A person hands over: a list, as a report of what is open and new in it, or somebody's work, which becomes another's.

import Domain

/// The moment since when is told.
enum SinceWish: Equatable {
  /// So many minutes ago, at most a year.
  case minutes(Int)
  /// The last time at which the clock showed this minute of the day.
  case time(minute: Int)
  /// The beginning of the day.
  case day(DigestWish)

  /// Reads `8h`, `14:30`, `9:30`, `yesterday` or `2026-11-21`; nil for anything else.
  init?(_ text: String) {
    if let minutes = Minutes.read(text) {
      guard minutes <= SinceWish.minutesMax else { return nil }
      self = .minutes(minutes)
    } else if let minute = Due.minute(text.utf8.count == 4 ? "0\(text)" : text) {
      self = .time(minute: minute)
    } else if let day = DigestWish(text) {
      self = .day(day)
    } else {
      return nil
    }
  }

  private static let minutesMax = 366 * 1_440
}

extension Words {
  /// Reads `[#LIST] [since TIME]`, or `PERSON to PERSON [in #LIST]`.
  mutating func handOver() -> Action? {
    let list = reference()
    if skip("since") {
      return rest().flatMap { SinceWish($0) }.map { .ask(.handOver(list, since: $0)) }
    }
    guard !isAtEnd else { return .ask(.handOver(list, since: nil)) }
    guard list == nil, let giver = person(), skip("to"), let taker = person() else { return nil }
    return place("in").map { .mark(.handOver(from: giver, to: taker, in: $0)) }
  }
}
