extension Reader {
  /// `18:00`, `9:30`, `6pm`, `6:30pm`, `noon`, `18 Uhr`, `18h30`, and after "at" also an hour alone.
  mutating func time() -> Int? {
    let isHour = skip(language.beforeTime)
    let isLed = isHour || skip(language.beforeClock)
    if skip(language.noon) || isLed && skip(language.weakNoon) { return 720 }
    guard var clock = word({ $0.clock($1) }) else { return nil }
    let isNamed = skip(language.clockWords)
    let isUnited = isNamed || (isLed || clock.form == .colon) && skip(language.hourWords)
    if clock.half == nil, (1...12).contains(clock.hour) { clock.half = entry(language.halfWords) }
    let isTime =
      switch clock.form {
      case .colon, .named: true
      case .mark: isLed || clock.hour >= language.markedHourFrom
      case .point: isLed || isUnited
      case .bare: isHour || isUnited || clock.half != nil
      }
    guard isTime else { return nil }
    return minute(of: clock, isUnited: isUnited)
  }

  /// With what stands behind: minutes, "y media", "du soir".
  private mutating func minute(of clock: Clock, isUnited: Bool) -> Int? {
    var clock = clock
    var quarter = 0
    if clock.minute == nil {
      if isUnited || clock.form == .mark {
        clock.minute = word { $0.number($1[...], digits: 2...2).flatMap { $0 < 60 ? $0 : nil } }
      }
      if clock.minute == nil { quarter = entry(language.quarters) ?? 0 }
    }
    if clock.half == nil, let part = entry(language.dayParts), (1...12).contains(clock.hour) {
      clock.half = part
    }
    return clock.minuteOfDay.map { ($0 + quarter + 1_440) % 1_440 }
  }

  private func clock(_ word: String) -> Clock? {
    let half = language.halves.first { word.hasSuffix($0.key) }
    let text = half.map { word.dropLast($0.key.count) } ?? word[...]
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let hour = number(digits, digits: 1...2) else { return nil }
    let mark = text.dropFirst(digits.count).prefix { !$0.isNumber }
    let after = text.dropFirst(digits.count + mark.count)
    let minuteDigits = after.prefix { $0.isASCII && $0.isNumber }
    let end = String(after.dropFirst(minuteDigits.count))
    let minute = number(minuteDigits, digits: 2...2)
    guard let form = form(String(mark)),
      end.isEmpty || language.hourMarks.contains(end) || language.clockWords.contains(end),
      minute.map({ $0 < 60 }) ?? (after.isEmpty && form != .colon && form != .point)
    else { return nil }
    let clock = Clock(hour: hour, minute: minute, half: half?.value, form: form)
    return clock.minuteOfDay == nil ? nil : clock
  }

  private func form(_ mark: String) -> Clock.Form? {
    switch mark {
    case "": .bare
    case ":": .colon
    case "." where language.isClockPointed: .point
    case _ where language.clockWords.contains(mark): .named
    default: language.hourMarks.contains(mark) ? .mark : nil
    }
  }

  /// `50m`, `90min`, `2h`, `1h30`, `1h30m`, `for 50m`: how long it takes.
  mutating func minutes() -> Int? {
    skip(language.beforeLength)
    return word { reader, word in
      guard let length = reader.length(word[...]), (1...QuickAdd.minutesMax).contains(length) else {
        return nil
      }
      return length
    }
  }

  private func length(_ word: Substring) -> Int? {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard let count = number(digits, digits: 1...4) else { return nil }
    let rest = word.dropFirst(digits.count)
    if language.minuteUnits.contains(String(rest)) { return count }
    if language.hourUnits.contains(String(rest)) { return 60 * count }
    let unit = rest.prefix { !$0.isNumber }
    let minutes = rest.dropFirst(unit.count)
    let minuteDigits = minutes.prefix { $0.isASCII && $0.isNumber }
    let end = String(minutes.dropFirst(minuteDigits.count))
    guard language.hourUnits.contains(String(unit)), let more = number(minuteDigits, digits: 1...2),
      more < 60, end.isEmpty || language.minuteUnits.contains(end)
    else { return nil }
    return 60 * count + more
  }
}

/// A time of day that is being read.
private struct Clock {
  enum Form {
    /// "18:00", "18.30", "18uhr", "18h30", "18".
    case colon, point, named, mark, bare
  }

  let hour: Int
  var minute: Int?
  var half: Language.Half?
  let form: Form

  /// Nil when no clock shows it.
  var minuteOfDay: Int? {
    guard let half else { return hour < 24 ? 60 * hour + (minute ?? 0) : nil }
    guard (1...12).contains(hour) else { return nil }
    return 60 * (hour + (hour == 12 ? half.toTwelve : half.toHour)) + (minute ?? 0)
  }
}
