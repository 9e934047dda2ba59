import Domain

/// A moment as a wall clock shows it (proleptic Gregorian calendar).
package struct LocalTime: Hashable, Sendable {
  package let year: Int
  /// The month, 1–12.
  package let month: Int
  /// The day of the month, 1–31.
  package let day: Int
  package let hour: Int
  package let minute: Int
  /// The seconds east of Greenwich at that moment.
  package let offsetSeconds: Int

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, offsetSeconds: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.offsetSeconds = offsetSeconds
  }

  /// Makes the time of a clock that runs `offsetSeconds` ahead of Greenwich, at `seconds` after 1970.
  init(seconds: Int64, offsetSeconds: Int) {
    let local = seconds + Int64(offsetSeconds)
    let date = Day(number: Int(local.floorDivided(by: 86_400))).parts
    let ofDay = Int(local - 86_400 * local.floorDivided(by: 86_400))
    self.init(
      year: date.year, month: date.month, day: date.day,
      hour: ofDay / 3_600, minute: ofDay / 60 % 60, offsetSeconds: offsetSeconds)
  }
}

extension Int64 {
  /// Returns the quotient rounded towards −∞.
  func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
