import Client
import Glibc

/// A week by the clock of this machine: Monday to Sunday (ISO 8601).
struct Week: Equatable {
  /// The days, such as `2026-11-23`, both of the week.
  let first: String
  let last: String
  /// The week such as `2026-W48`, and its number alone.
  let name: String
  let number: Int

  /// Makes the last whole week before a moment, in seconds since 1970.
  init(before now: Int) throws(BotError) {
    var time = now
    var today = tm()
    guard localtime_r(&time, &today) != nil else {
      throw BotError(sentence: "the clock of this machine cannot be read", status: 1)
    }
    try self.init(monday: today, days: -Week.daysSinceMonday(today) - 7)
  }

  /// Makes the week of a name such as `2026-W48`. Throws when there is none.
  init(named name: String) throws(BotError) {
    guard let match = name.wholeMatch(of: /(\d{4})-W(\d{2})/), let year = Int32(match.1),
      let number = Int32(match.2), number > 0
    else { throw BotError(sentence: "\(name) is no week such as 2026-W48", status: 2) }
    // The fourth of January is always in the first week.
    var fourth = tm()
    (fourth.tm_year, fourth.tm_mon, fourth.tm_mday) = (year - 1900, 0, 4)
    (fourth.tm_hour, fourth.tm_isdst) = (12, -1)
    guard mktime(&fourth) != -1 else {
      throw BotError(sentence: "\(name) is too far away", status: 2)
    }
    try self.init(monday: fourth, days: -Week.daysSinceMonday(fourth) + 7 * (number - 1))
    guard self.name == name else { throw BotError(sentence: "there is no week \(name)", status: 2) }
  }

  /// Makes the week whose Monday is so many days after another day.
  private init(monday day: tm, days: Int32) throws(BotError) {
    first = try Week.text("%Y-%m-%d", day, days: days)
    last = try Week.text("%Y-%m-%d", day, days: days + 6)
    name = try Week.text("%G-W%V", day, days: days)
    number = Int(name.suffix(2)) ?? 0
  }

  /// Days of a week count from Sunday in a `tm`.
  private static func daysSinceMonday(_ day: tm) -> Int32 { (day.tm_wday + 6) % 7 }

  /// Writes the day that is so many days after another one. Noon is on that day whatever the clocks do.
  private static func text(_ form: String, _ day: tm, days: Int32) throws(BotError) -> String {
    var moved = day
    (moved.tm_hour, moved.tm_min, moved.tm_sec, moved.tm_isdst) = (12, 0, 0, -1)
    moved.tm_mday += days
    guard mktime(&moved) != -1 else {
      throw BotError(sentence: "the clock of this machine cannot be read", status: 1)
    }
    var bytes = [CChar](repeating: 0, count: 32)
    let count = strftime(&bytes, bytes.count, form, &moved)
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
