import Calendar
import Domain

// Days relative to the person's own today.

extension Clock {
  /// The person's day, and the minute of it; nil when the time is no valid day.
  var today: (day: Day, minute: Int)? {
    guard let local = local(now),
      let day = Day(year: local.year, month: local.month, day: local.day)
    else { return nil }
    return (day, local.hour * 60 + local.minute)
  }

  /// Returns `today`, `tomorrow`, `yesterday`, `Fri` within a week, `12-24` or `2027-01-05`.
  func words(_ day: Day) -> String {
    guard let today = today?.day else { return day.description }
    switch day.number - today.number {
    case -1: return "yesterday"
    case 0: return "today"
    case 1: return "tomorrow"
    case 2...6: return Clock.weekdays[day.weekday.index]
    default:
      let text = day.description
      return day.parts.year == today.parts.year ? String(text.dropFirst(5)) : text
    }
  }

  /// Returns a due as the person's own clock will show it.
  func words(_ due: Due) -> String {
    guard case .time(let day, let minute, let zone) = due else { return words(due.day) }
    guard let moment = Zones.moment(of: day, minute: minute, zone: zone),
      let local = local(moment), let own = Day(year: local.year, month: local.month, day: local.day)
    else { return "\(words(day)) \(Due.clock(minute)) \(zone)" }
    return "\(words(own)) \(Due.clock(local.hour * 60 + local.minute))"
  }

  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
}
