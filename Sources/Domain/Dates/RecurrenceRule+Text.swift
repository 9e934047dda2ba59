extension RecurrenceRule {
  /// From the text of an RRULE's value, names and words in any case.
  package init(_ text: String) throws(RecurrenceProblem) {
    guard text.utf8.count <= RecurrenceRule.textBytesMax else { throw .tooLong }
    var values: [RecurrenceProblem.Part: Substring] = [:]
    let upper = text.uppercased()
    for part in upper.split(separator: ";", omittingEmptySubsequences: false) {
      guard let equals = part.firstIndex(of: "="),
        let name = RecurrenceProblem.Part(rawValue: String(part[..<equals]))
      else { throw .notAPart }
      guard values.updateValue(part[part.index(after: equals)...], forKey: name) == nil else {
        throw .twice(name)
      }
    }
    let parts = RuleParts(values: values)
    try parts.checkTaken()
    try self.init(
      parts.frequency(), interval: parts.number(.interval) ?? 1, months: parts.numbers(.months),
      monthDays: parts.numbers(.monthDays), weekdays: parts.weekdays(),
      positions: parts.numbers(.positions), weekStart: parts.weekStart(),
      keepsShortMonths: parts.keepsShortMonths(), end: parts.end())
  }
}

/// The parts of a rule by their names, not yet understood.
private struct RuleParts {
  let values: [RecurrenceProblem.Part: Substring]

  /// In a fixed order, so that a text has one answer.
  func checkTaken() throws(RecurrenceProblem) {
    for part in [RecurrenceProblem.Part.hours, .minutes, .seconds] where values[part] != nil {
      throw .tooOften(part)
    }
    for part in [RecurrenceProblem.Part.yearDays, .weeks] where values[part] != nil {
      throw .notTaken(part)
    }
  }

  func frequency() throws(RecurrenceProblem) -> RecurrenceRule.Frequency {
    guard let word = values[.frequency] else { throw .noFrequency }
    if ["HOURLY", "MINUTELY", "SECONDLY"].contains(word) { throw .tooOften(.frequency) }
    guard let frequency = RecurrenceRule.Frequency(rawValue: String(word)) else {
      throw .badValue(.frequency)
    }
    return frequency
  }

  /// Digits only, as the RFC writes what has no sign; nil without the part.
  func number(_ part: RecurrenceProblem.Part) throws(RecurrenceProblem) -> Int? {
    guard let text = values[part] else { return nil }
    guard let number = Day.digits(Array(text.utf8)[...]) else { throw .badValue(part) }
    return number
  }

  /// Signed numbers without 0; nothing without the part.
  func numbers(_ part: RecurrenceProblem.Part) throws(RecurrenceProblem) -> [Int] {
    guard let text = values[part] else { return [] }
    var numbers: [Int] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = signed(word), number != 0 else { throw .badValue(part) }
      numbers.append(number)
    }
    return numbers
  }

  func weekdays() throws(RecurrenceProblem) -> [RecurrenceRule.WeekdayOfPeriod] {
    guard let text = values[.weekdays] else { return [] }
    var days: [RecurrenceRule.WeekdayOfPeriod] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let weekday = Weekday(rawValue: String(word.suffix(2))) else {
        throw .badValue(.weekdays)
      }
      let before = word.dropLast(2)
      guard let ordinal = before.isEmpty ? 0 : signed(before), before.isEmpty || ordinal != 0 else {
        throw .badValue(.weekdays)
      }
      days.append(RecurrenceRule.WeekdayOfPeriod(ordinal: ordinal, weekday))
    }
    return days
  }

  func weekStart() throws(RecurrenceProblem) -> Weekday {
    guard let text = values[.weekStart] else { return .monday }
    guard let weekday = Weekday(rawValue: String(text)) else { throw .badValue(.weekStart) }
    return weekday
  }

  /// RFC 7529 §5: SKIP needs RSCALE, and without it days that do not exist are left out.
  func keepsShortMonths() throws(RecurrenceProblem) -> Bool {
    if let calendar = values[.calendar], calendar != "GREGORIAN" { throw .notTaken(.calendar) }
    switch values[.skip] {
    case nil: return false
    case _ where values[.calendar] == nil: throw .notTogether(.skip, .calendar)
    case "OMIT": return false
    case "BACKWARD": return true
    case "FORWARD": throw .notTaken(.skip)
    default: throw .badValue(.skip)
    }
  }

  /// A day, `20261231`: RFC 5545 has UNTIL be of the kind of what it ends, and a rule here is of days.
  func end() throws(RecurrenceProblem) -> RecurrenceRule.End {
    if values[.count] != nil, values[.until] != nil { throw .notTogether(.count, .until) }
    if let count = try number(.count) { return .count(count) }
    guard let text = values[.until] else { return .never }
    let bytes = Array(text.utf8)
    guard bytes.count == 8, let year = Day.digits(bytes[0..<4]),
      let month = Day.digits(bytes[4..<6]),
      let day = Day.digits(bytes[6..<8]), let until = Day(year: year, month: month, day: day)
    else { throw .badValue(.until) }
    return .until(until)
  }

  private func signed(_ word: Substring) -> Int? {
    let sign = word.first
    let digits = sign == "-" || sign == "+" ? word.dropFirst() : word
    guard digits.utf8.count <= 3 else { return nil }
    return Day.digits(Array(digits.utf8)[...]).map { sign == "-" ? -$0 : $0 }
  }
}
