// Reads the text of a rule as calendar programs write it: names and words in any case, with or without `RRULE:` in
// front and `;` behind, with blanks, in folded lines (RFC 5545 §3.1).
//
// It reads bytes and scalars and no characters: a loop reads the rules of requests that are refused for their rate too,
// and characters took 40 % of a loop that was flooded with rules.

extension RecurrenceRule {
  /// Reads the text of an RRULE.
  package init(_ text: String) throws(RecurrenceProblem) {
    guard text.utf8.count <= RecurrenceRule.textBytesMax else { throw .tooLong }
    let parts = try RuleParts(RuleLines.value(of: text))
    try parts.checkTaken()
    let yearDays = try parts.yearDays()
    try self.init(
      parts.frequency(), interval: parts.number(.interval) ?? 1, months: parts.numbers(.months),
      monthDays: parts.numbers(.monthDays),
      weekdays: yearDays.isEmpty ? parts.weekdays() : Weekday.allCases.map { WeekdayOfPeriod($0) },
      positions: yearDays.isEmpty ? parts.numbers(.positions) : yearDays,
      weekStart: parts.weekStart(), keepsShortMonths: parts.keepsShortMonths(), end: parts.end(),
      times: parts.times())
    // BYYEARDAY is written in other words, which may be longer, and a post's rule is read again from its text.
    guard yearDays.isEmpty || description.utf8.count <= RecurrenceRule.textBytesMax else {
      throw .tooLong
    }
  }
}

/// The lines that the text of a rule may have.
private enum RuleLines {
  /// Returns the value of the rule's line, in upper case and without blanks.
  static func value(of text: String) throws(RecurrenceProblem) -> Substring {
    var value: Substring?
    for line in unfolded(text.uppercased()) {
      if let other = RecurrenceProblem.Line.allCases.first(where: { isLine(line, $0.rawValue) }) {
        throw .line(other)
      }
      guard value == nil else { throw .notAPart }
      value = isLine(line, "RRULE") ? line.dropFirst("RRULE:".count) : line[...]
    }
    guard let value else { throw .notAPart }
    return value
  }

  private static func isLine(_ line: String, _ name: String) -> Bool {
    line.hasPrefix(name + ":") || line.hasPrefix(name + ";")
  }

  /// Joins folded lines: a line that begins with a blank continues the one before.
  private static func unfolded(_ text: String) -> [String] {
    var lines: [String] = []
    for line in text.unicodeScalars.split(whereSeparator: \.endsLine) {
      var words = String.UnicodeScalarView()
      for scalar in line where !scalar.isBlank { words.append(scalar) }
      guard !words.isEmpty else { continue }
      if let last = lines.indices.last, line.first?.isBlank == true {
        lines[last] += String(words)
      } else {
        lines.append(String(words))
      }
    }
    return lines
  }
}

extension Unicode.Scalar {
  /// Whether a line ends with it (UAX 14, the class BK, and CR, LF and NL).
  fileprivate var endsLine: Bool {
    switch value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  fileprivate var isBlank: Bool {
    isASCII ? value == 0x20 || value == 0x09 : properties.isWhitespace
  }
}

extension Substring {
  /// Returns the pieces between these bytes, which are ASCII. Some may be empty.
  fileprivate func pieces(between separator: UInt8) -> [Substring] {
    utf8.split(separator: separator, omittingEmptySubsequences: false).map { Substring($0) }
  }
}

/// The parts of a rule by their names, not yet understood.
private struct RuleParts {
  private var values: [RecurrenceProblem.Part: Substring] = [:]

  /// Reads the value of an RRULE, in upper case.
  init(_ text: Substring) throws(RecurrenceProblem) {
    let text = text.utf8.last == UInt8(ascii: ";") ? Substring(text.utf8.dropLast()) : text
    for part in text.pieces(between: UInt8(ascii: ";")) {
      guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")),
        let name = RecurrenceProblem.Part(rawValue: String(part[..<equals]))
      else { throw .notAPart }
      let value = Substring(part.utf8[equals...].dropFirst())
      guard values.updateValue(value, forKey: name) == nil else {
        throw .twice(name)
      }
    }
  }

  /// Checks the parts in a fixed order, so that a text always gets the same answer.
  func checkTaken() throws(RecurrenceProblem) {
    for part in [RecurrenceProblem.Part.hours, .minutes, .seconds] {
      if let value = values[part], value.contains(",") { throw .tooOften(part) }
    }
    if values[.weeks] != nil { throw .notTaken(.weeks) }
  }

  /// Returns the days of BYYEARDAY: these of all days of the year, which is written with BYDAY and BYSETPOS. Empty
  /// without the part.
  func yearDays() throws(RecurrenceProblem) -> [Int] {
    guard values[.yearDays] != nil else { return [] }
    guard try frequency() == .yearly else { throw .notTogether(.yearDays, .frequency) }
    for part in [RecurrenceProblem.Part.months, .monthDays, .weekdays, .positions, .skip]
    where values[part] != nil {
      throw .onlyAlone(.yearDays)
    }
    let days = try numbers(.yearDays)
    guard days.allSatisfy({ (1...366).contains(abs($0)) }) else { throw .badValue(.yearDays) }
    return days
  }

  /// Returns BYHOUR, BYMINUTE, and an UNTIL with a time.
  func times() throws(RecurrenceProblem) -> RuleTimes? {
    let hour = try clock(.hours, below: 24)
    let minute = try clock(.minutes, below: 60)
    if minute != nil, hour == nil { throw .without(.minutes, .hours) }
    if let second = try clock(.seconds, below: 61), second != 0 { throw .notTaken(.seconds) }
    return RuleTimes(until: until, hour: hour, minute: minute)
  }

  private func clock(
    _ part: RecurrenceProblem.Part, below bound: Int
  ) throws(RecurrenceProblem) -> Int? {
    guard let value = try number(part) else { return nil }
    guard value < bound else { throw .badValue(part) }
    return value
  }

  func frequency() throws(RecurrenceProblem) -> RecurrenceRule.Frequency {
    guard let word = values[.frequency] else { throw .noFrequency }
    if ["HOURLY", "MINUTELY", "SECONDLY"].contains(word) { throw .tooOften(.frequency) }
    guard let frequency = RecurrenceRule.Frequency(rawValue: String(word)) else {
      throw .badValue(.frequency)
    }
    return frequency
  }

  /// Reads digits without a sign, as the RFC writes such numbers. Nil without the part.
  func number(_ part: RecurrenceProblem.Part) throws(RecurrenceProblem) -> Int? {
    guard let text = values[part] else { return nil }
    guard let number = Day.digits(Array(text.utf8)[...]) else { throw .badValue(part) }
    return number
  }

  /// Reads signed numbers without 0. Empty without the part.
  func numbers(_ part: RecurrenceProblem.Part) throws(RecurrenceProblem) -> [Int] {
    guard let text = values[part] else { return [] }
    var numbers: [Int] = []
    for word in text.pieces(between: UInt8(ascii: ",")) {
      guard let number = signed(word), number != 0 else { throw .badValue(part) }
      numbers.append(number)
    }
    return numbers
  }

  func weekdays() throws(RecurrenceProblem) -> [RecurrenceRule.WeekdayOfPeriod] {
    guard let text = values[.weekdays] else { return [] }
    var days: [RecurrenceRule.WeekdayOfPeriod] = []
    for word in text.pieces(between: UInt8(ascii: ",")) {
      guard let weekday = Weekday(rawValue: String(Substring(word.utf8.suffix(2)))) else {
        throw .badValue(.weekdays)
      }
      let before = Substring(word.utf8.dropLast(2))
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

  /// Answers whether short months are kept. RFC 7529 §5: SKIP needs RSCALE, and without it days that do not exist are
  /// left out.
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

  /// Returns the end of the rule; its day is written `20261231`. An UNTIL with a time is in `times` until the due is
  /// known.
  func end() throws(RecurrenceProblem) -> RecurrenceRule.End {
    if values[.count] != nil, values[.until] != nil { throw .notTogether(.count, .until) }
    if let count = try number(.count) { return .count(count) }
    guard let text = values[.until], until == nil else { return .never }
    guard let day = Day(basic: Array(text.utf8)[...]) else { throw .badValue(.until) }
    return .until(day)
  }

  private var until: RuleUntil? { values[.until].flatMap { RuleUntil(Array($0.utf8)) } }

  private func signed(_ word: Substring) -> Int? {
    let isNegative = word.utf8.first == UInt8(ascii: "-")
    let isSigned = isNegative || word.utf8.first == UInt8(ascii: "+")
    let digits = Array(word.utf8.dropFirst(isSigned ? 1 : 0))
    guard digits.count <= 3 else { return nil }
    return Day.digits(digits[...]).map { isNegative ? -$0 : $0 }
  }
}
