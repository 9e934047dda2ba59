import Domain

/// One thing that a line says of a day.
enum DayPiece: Equatable {
  enum Which: Equatable {
    /// The next such day, never today. "This" with a weekday does not mean today either, or nobody can tell.
    case coming, this
    /// The weekday of next week.
    case nextWeek
  }

  /// "tomorrow": a number of days from today.
  case relative(Int)
  case weekday(Weekday, Which)
  case date(Day)
  /// A date without a year means the next such date.
  case yearless(month: Int, day: Int)
  /// "the 7th", beside a weekday or "next month".
  case dayOfMonth(Int)
  /// "first monday of january".
  case ranked(ordinal: Int, Weekday, month: Int, year: Int?)
  /// "next week", "next month".
  case next(Language.Unit)
  /// "in 3 days"; behind a day it is so many days after that day.
  case later(Int, Language.Unit)
  /// "jeudi en huit": so many weeks after the coming weekday.
  case weeksBehind(Int)
}

/// Everything that stands side by side about one day: "fri, 13 nov", "next week friday".
struct DayGroup {
  private(set) var pieces: [DayPiece] = []
  /// Whether the day is the one on which a rule begins: "starting 7 dec".
  var isStart = false
  /// Whether a word stands before the day that may end a rule or name a due: "bis".
  var isUntil = false

  mutating func add(_ piece: DayPiece) { pieces.append(piece) }

  var isToday: Bool { pieces.contains(.relative(0)) }
  /// Whether the group names its day by itself. The name of a month or of another day beside it does not change that.
  var isExact: Bool {
    pieces.contains { piece in
      switch piece {
      case .relative, .date, .yearless, .dayOfMonth, .ranked: true
      case .weekday, .next, .later, .weeksBehind: false
      }
    }
  }
  var endsWithYearless: Bool {
    if case .yearless = pieces.last { true } else { false }
  }
  var endsWithWeekday: Bool {
    if case .weekday = pieces.last { true } else { false }
  }

  /// Returns the day that all pieces together name; nil when there is none, or when it could be another one.
  func day(from today: Day) -> Day? {
    switch pieces.last {
    case .later(let count, let unit): later(count, unit, today)
    case .weeksBehind(let weeks): comingWeekday(today)?.adding(days: 7 * weeks)
    default:
      if pieces.contains(where: { if case .next = $0 { true } else { false } }) {
        ofNext(today)
      } else {
        named(today)
      }
    }
  }

  /// Returns the weekday that is the only piece before the last one. Nil on such a weekday, as "monday in 2 weeks"
  /// could then count from today.
  private func comingWeekday(_ today: Day) -> Day? {
    guard pieces.count == 2, case .weekday(let weekday, .coming) = pieces[0],
      weekday != today.weekday
    else { return nil }
    return today.coming(weekday)
  }

  private func later(_ count: Int, _ unit: Language.Unit, _ today: Day) -> Day? {
    switch pieces.count {
    case 1: return today.adding(count, unit)
    case 2:
      if case .relative(let days) = pieces[0] {
        return today.adding(days: days).adding(count, unit)
      }
      return unit == .week ? comingWeekday(today)?.adding(days: 7 * count) : nil
    default: return nil
    }
  }

  /// Returns the day of "next week", with its friday, or of "next month", with its 5th.
  private func ofNext(_ today: Day) -> Day? {
    let unit = pieces.compactMap { if case .next(let unit) = $0 { unit } else { nil } }
    let others = pieces.filter { if case .next = $0 { false } else { true } }
    guard unit.count == 1, others.count <= 1 else { return nil }
    switch (unit[0], others.first) {
    case (.day, nil): return today.adding(days: 1)
    case (.week, nil): return today.nextMonday
    case (.week, .weekday(let weekday, .coming)):
      return today.nextMonday.adding(days: weekday.index)
    case (.month, nil): return today.adding(months: 1, day: 1)
    case (.month, .dayOfMonth(let day)):
      let found = today.adding(months: 1, day: day)
      return found?.parts.day == day ? found : nil
    case (.year, nil): return Day(year: today.parts.year + 1, month: 1, day: 1)
    case (.day, _), (.week, _), (.month, _), (.year, _): return nil
    }
  }

  /// Returns the day on which all pieces agree. Each names a day, or a weekday or day of the month that it must have.
  private func named(_ today: Day) -> Day? {
    guard pieces.allSatisfy(\.isNameOfDay) else { return nil }
    var day: Day?
    for piece in pieces where piece.isWhole {
      guard let found = piece.day(from: today), day == nil || day == found else { return nil }
      day = found
    }
    let weekdays = pieces.filter { if case .weekday = $0 { true } else { false } }
    guard weekdays.count <= 1 else { return nil }
    if day == nil { day = dayOfMonth.flatMap { today.next(dayOfMonth: $0) } }
    guard let day else {
      return dayOfMonth == nil ? weekdays.first?.day(from: today) : nil
    }
    guard dayOfMonth == nil || dayOfMonth == day.parts.day && weekdays.count == 1 else {
      return nil
    }
    return weekdays.first.map { $0.allows(day, from: today) } ?? true ? day : nil
  }

  private var dayOfMonth: Int? {
    for case .dayOfMonth(let day) in pieces { return day }
    return nil
  }
}

extension DayPiece {
  /// Whether the piece names a day by itself.
  fileprivate var isWhole: Bool {
    switch self {
    case .relative, .date, .yearless, .ranked: true
    case .weekday, .dayOfMonth, .next, .later, .weeksBehind: false
    }
  }

  /// Whether the piece may stand beside others that name the same day. "In 2 weeks on monday" could be either of two
  /// days.
  fileprivate var isNameOfDay: Bool {
    switch self {
    case .relative, .date, .yearless, .ranked, .weekday, .dayOfMonth: true
    case .next, .later, .weeksBehind: false
    }
  }

  fileprivate func day(from today: Day) -> Day? {
    switch self {
    case .relative(let days): today.adding(days: days)
    case .date(let day): day
    case .yearless(let month, let day): today.next(month: month, day: day)
    case .ranked(let ordinal, let weekday, let month, let year):
      today.next(ordinal, weekday, month: month, year: year)
    case .weekday(let weekday, let which):
      switch which {
      case .coming: today.coming(weekday)
      case .this: weekday == today.weekday ? nil : today.coming(weekday)
      case .nextWeek: today.nextMonday.adding(days: weekday.index)
      }
    case .dayOfMonth, .next, .later, .weeksBehind: nil
    }
  }

  /// Answers whether the piece may stand beside this day. Every piece but a weekday may.
  fileprivate func allows(_ day: Day, from today: Day) -> Bool {
    guard case .weekday(let weekday, let which) = self else { return true }
    return which == .coming ? day.weekday == weekday : self.day(from: today) == day
  }
}

extension Day {
  var nextMonday: Day { adding(days: 7 - weekday.index) }

  /// Returns the next such weekday, never this day.
  func coming(_ other: Weekday) -> Day {
    adding(days: (other.index - weekday.index + 6) % 7 + 1)
  }

  /// Returns the first such day from this one on, or nil; a 29 February may be seven years away.
  func next(month: Int, day: Int) -> Day? {
    for year in parts.year...(parts.year + 8) {
      if let found = Day(year: year, month: month, day: day), found >= self { return found }
    }
    return nil
  }

  func next(dayOfMonth: Int) -> Day? {
    for months in 0...2 {
      if let found = adding(months: months, day: dayOfMonth), found.parts.day == dayOfMonth,
        found >= self
      {
        return found
      }
    }
    return nil
  }

  /// Returns the day of "first monday of january"; without a year the next one.
  func next(_ ordinal: Int, _ weekday: Weekday, month: Int, year: Int?) -> Day? {
    for year in year.map({ [$0] }) ?? [parts.year, parts.year + 1] {
      let found = Day.ranked(ordinal, weekday, month: month, year: year)
      if let found, found >= self { return found }
    }
    return nil
  }

  static func ranked(_ ordinal: Int, _ weekday: Weekday, month: Int, year: Int) -> Day? {
    let length = Day.lengthOfMonth(month, year: year)
    guard let first = Day(year: year, month: month, day: 1),
      let last = Day(year: year, month: month, day: length)
    else { return nil }
    if ordinal == -1 {
      return last.adding(days: -((last.weekday.index - weekday.index + 7) % 7))
    }
    let found = first.adding(
      days: (weekday.index - first.weekday.index + 7) % 7 + 7 * (ordinal - 1))
    return found.parts.month == month ? found : nil
  }

  /// Returns the day that is so many units away. For months and years it is the same day of that month, or the month's
  /// last one.
  func adding(_ count: Int, _ unit: Language.Unit) -> Day? {
    switch unit {
    case .day: adding(days: count)
    case .week: adding(days: 7 * count)
    case .month: adding(months: count, day: parts.day)
    case .year: adding(months: 12 * count, day: parts.day)
    }
  }

  func adding(months: Int, day: Int) -> Day? {
    let count = 12 * parts.year + parts.month - 1 + months
    let (year, month) = (count / 12, count % 12 + 1)
    return Day(year: year, month: month, day: min(day, Day.lengthOfMonth(month, year: year)))
  }
}
