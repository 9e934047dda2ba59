extension Reader {
  /// Takes a time: `18:00`, `9:30`, `6pm`, `6:30pm`, `noon`, `18 Uhr`, `18h30` or `by 6pm`, and after "at" an hour
  /// alone. `isExpected` says that the line names a part of the day. Then an hour is taken, too, that would be a length
  /// elsewhere: "demain après-midi 3h". `mayBePointed` says that a day or a rule stands before it, so that "18.00" is a
  /// time where the language writes times so.
  mutating func time(isExpected: Bool, mayBePointed: Bool = false) -> Clock? {
    self.try { reader in
      let isLed =
        reader.skip(reader.tables.language.beforeDeadline)
        || reader.skip(reader.tables.language.latest)
      return isLed ? reader.clock(isExpected: isExpected, mayBePointed: mayBePointed) : nil
    } ?? self.try { $0.clock(isExpected: isExpected, mayBePointed: mayBePointed) }
  }

  private mutating func clock(isExpected: Bool, mayBePointed: Bool) -> Clock? {
    let isHour = skip(tables.language.beforeTime)
    let isLed = isHour || skip(tables.language.beforeClock)
    if skip(tables.language.noon) || isLed && skip(tables.language.weakNoon) { return .noon }
    if isLed, skip(tables.language.midnight) { return .midnight }
    // "Freitag 9.10" could be a day.
    let isPointed = isLed || mayBePointed && !hasForm(position, where: isDateLike)
    guard var clock = word({ $0.clock($1) }) else { return nil }
    let isNamed = skip(tables.language.clockWords)
    let takesUnit = isLed || clock.form == .colon || clock.form == .point && isPointed
    let isUnited = isNamed || takesUnit && skip(tables.language.hourWords)
    if clock.half == nil, (1...12).contains(clock.hour) {
      clock.half = entry(tables.language.halfWords)
    }
    let isTime =
      switch clock.form {
      case .colon, .named: true
      case .mark: isLed || isExpected || clock.hour >= tables.language.markedHourFrom
      case .point: isPointed && tables.language.isClockPointed || isUnited || clock.half != nil
      case .bare: isHour || isUnited || clock.half != nil
      }
    guard isTime else { return nil }
    readMinutes(of: &clock, isUnited: isUnited)
    return clock
  }

  /// Takes the minutes behind an hour, as a number or as "y media".
  private mutating func readMinutes(of clock: inout Clock, isUnited: Bool) {
    guard clock.minute == nil else { return }
    // In "22 heures 11 avril" the number is a day.
    if isUnited || clock.form == .mark, peek({ $0.dayAndMonth() }) == nil {
      clock.minute = word { $0.number($1[...], digits: 2...2).flatMap { $0 < 60 ? $0 : nil } }
    }
    if clock.minute == nil { clock.quarter = entry(tables.language.quarters) ?? 0 }
  }

  private func clock(_ word: String) -> Clock? {
    let half = tables.language.halves.first { word.hasSuffix($0.key) }
    let text = half.map { word.dropLast($0.key.count) } ?? word[...]
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let hour = number(digits, digits: 1...2) else { return nil }
    let mark = text.dropFirst(digits.count).prefix { !$0.isNumber }
    let after = text.dropFirst(digits.count + mark.count)
    let minuteDigits = after.prefix { $0.isASCII && $0.isNumber }
    let end = String(after.dropFirst(minuteDigits.count))
    let minute = number(minuteDigits, digits: 2...2)
    guard let form = form(String(mark)),
      end.isEmpty || tables.language.hourMarks.contains(end)
        || tables.language.clockWords.contains(end),
      minute.map({ $0 < 60 }) ?? (after.isEmpty && form != .colon && form != .point)
    else { return nil }
    let clock = Clock(hour: hour, minute: minute, half: half?.value, form: form)
    return clock.minuteOfDay(in: nil) == nil ? nil : clock
  }

  private func form(_ mark: String) -> Clock.Form? {
    switch mark {
    case "": .bare
    case ":": .colon
    case ".": .point
    case _ where tables.language.clockWords.contains(mark): .named
    default: tables.language.hourMarks.contains(mark) ? .mark : nil
    }
  }
}

/// A time of day that is being read.
struct Clock: Equatable {
  enum Form {
    /// The forms, in their order: "18:00", "18.30", "18uhr", "18h30", "18".
    case colon, point, named, mark, bare
  }

  let hour: Int
  var minute: Int?
  var half: Half?
  let form: Form
  /// The minutes of "y media" or "moins le quart".
  var quarter = 0

  static let noon = Clock(hour: 12, minute: 0, half: .pm, form: .colon)
  static let midnight = Clock(hour: 0, minute: 0, half: nil, form: .bare)

  /// Whether this is midnight, which is between two days: "friday midnight" could be either end of the day.
  var isMidnight: Bool { self == .midnight }

  /// Whether the half of the day is unknown: nobody who says "at 9" says which half it is.
  var isVague: Bool { half == nil && form != .colon && (0...12).contains(hour) }

  /// Returns the minutes after midnight; nil when no clock shows the hour, or when that part of the day has no such
  /// time.
  func minuteOfDay(in part: DayPart?) -> Int? {
    let read = half.map { $0.hour(hour) } ?? (hour < 24 ? hour : nil)
    guard let read else { return nil }
    guard let meant = hour(read, in: part) else { return nil }
    return (60 * meant + (minute ?? 0) + quarter + 1_440) % 1_440
  }

  private func hour(_ read: Int, in part: DayPart?) -> Int? {
    guard let part else { return read }
    guard half == nil, (1...12).contains(hour) else { return part.has(read) ? read : nil }
    return part.hour(ofTwelve: hour)
  }
}
