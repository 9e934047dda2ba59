/// A moment as a wall clock shows it (proleptic Gregorian calendar).
package struct LocalTime: Hashable, Sendable {
  package let year: Int
  /// 1–12.
  package let month: Int
  /// 1–31.
  package let day: Int
  package let hour: Int
  package let minute: Int
  /// Seconds east of Greenwich at that moment.
  package let offsetSeconds: Int

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, offsetSeconds: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.offsetSeconds = offsetSeconds
  }

  /// What a clock shows that runs `offsetSeconds` ahead of Greenwich, where it is `seconds` after 1970.
  init(seconds: Int64, offsetSeconds: Int) {
    let local = seconds + Int64(offsetSeconds)
    let date = CivilDate(dayNumber: Int(local.floorDivided(by: 86_400)))
    let ofDay = Int(local - 86_400 * local.floorDivided(by: 86_400))
    self.init(
      year: date.year, month: date.month, day: date.day,
      hour: ofDay / 3_600, minute: ofDay / 60 % 60, offsetSeconds: offsetSeconds)
  }
}

/// A date of the proleptic Gregorian calendar from its number of days after 1970-01-01.
///
/// Years are counted from 1 March, so that the leap day is the last of its year, and in eras of 400 years,
/// which all have 146 097 days (Howard Hinnant, chrono-Compatible Low-Level Date Algorithms).
struct CivilDate: Hashable {
  let year: Int
  let month: Int
  let day: Int

  init(dayNumber: Int) {
    let shifted = Int64(dayNumber) + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = Int(shifted - era * 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
  }
}

extension Int64 {
  /// Rounded towards −∞.
  func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
