/// The reason why a text or a set of parts is no recurrence rule here.
package enum RecurrenceProblem: Error, Equatable, Sendable {
  /// The parts of RFC 5545 §3.3.10 and RFC 7529 §5. `rawValue` is their name.
  package enum Part: String, CaseIterable, Sendable {
    case frequency = "FREQ"
    case interval = "INTERVAL"
    case count = "COUNT"
    case until = "UNTIL"
    case months = "BYMONTH"
    case monthDays = "BYMONTHDAY"
    case weekdays = "BYDAY"
    case positions = "BYSETPOS"
    case weekStart = "WKST"
    case calendar = "RSCALE"
    case skip = "SKIP"
    case yearDays = "BYYEARDAY"
    case weeks = "BYWEEKNO"
    case hours = "BYHOUR"
    case minutes = "BYMINUTE"
    case seconds = "BYSECOND"
  }

  /// The lines that calendar programs write beside an RRULE.
  package enum Line: String, CaseIterable, Sendable {
    case start = "DTSTART"
    case leftOut = "EXDATE"
    case added = "RDATE"
    case exception = "EXRULE"
  }

  case tooLong
  /// The line says something that a due or a method says here, and no rule.
  case line(Line)
  /// A piece is not `NAME=VALUE;NAME=VALUE` with names of the RFC.
  case notAPart
  case twice(Part)
  case noFrequency
  /// The value is not one of this part, or out of its range.
  case badValue(Part)
  /// A part of the RFC is not accepted here.
  case notTaken(Part)
  /// A part of the RFC is accepted only without other parts that name days.
  case onlyAlone(Part)
  /// The first part says nothing without the second.
  case without(Part, Part)
  /// The due has another time than BYHOUR and BYMINUTE say.
  case otherTime
  /// The rule fires more than once a day.
  case tooOften(Part)
  /// The first part says nothing, or nothing clear, beside the second or with this frequency.
  case notTogether(Part, Part)
  case neverFires
}

extension RecurrenceProblem {
  /// The problem as words about the rule ("is too long").
  package var reason: String {
    switch self {
    case .tooLong: "has more than \(RecurrenceRule.textBytesMax) bytes"
    case .line(.start): "has a DTSTART; when it begins is said by the due"
    case .line(.leftOut): "has an EXDATE; post.skip leaves out a time"
    case .line(let line): "has an \(line.rawValue), and only an RRULE is taken"
    case .notAPart: "must be parts such as FREQ=WEEKLY;BYDAY=MO"
    case .twice(let part): "names \(part.rawValue) twice"
    case .noFrequency: "needs FREQ"
    case .badValue(let part): "has a wrong \(part.rawValue)"
    case .notTaken(.weeks): "names BYWEEKNO, and weeks of the year are not counted here"
    case .notTaken(.seconds): "names a BYSECOND other than 0, and a due has minutes only"
    case .notTaken(let part): "names \(part.rawValue), which is not taken in this way"
    case .onlyAlone(let part):
      "names \(part.rawValue), which is taken only without another part that names days"
    case .without(let part, let other): "names \(part.rawValue) without \(other.rawValue)"
    case .otherTime: "names another time by its BYHOUR and BYMINUTE than the due"
    case .tooOften(let part): "fires more than once a day by its \(part.rawValue)"
    case .notTogether(let part, let other):
      "has \(part.rawValue), which says nothing clear beside its \(other.rawValue)"
    case .neverFires: "never fires from the due on"
    }
  }
}

extension RecurrenceRule {
  func checkRanges() throws(RecurrenceProblem) {
    try require((1...RecurrenceRule.intervalMax).contains(interval), .badValue(.interval))
    try require(months.allSatisfy { (1...12).contains($0) }, .badValue(.months))
    try require(monthDays.allSatisfy { (1...31).contains(abs($0)) }, .badValue(.monthDays))
    try require(positions.allSatisfy { (1...366).contains(abs($0)) }, .badValue(.positions))
    let ordinalMax = frequency == .yearly && months.isEmpty ? 53 : 5
    try require(weekdays.allSatisfy { abs($0.ordinal) <= ordinalMax }, .badValue(.weekdays))
    if case .count(let count) = end {
      try require((1...RecurrenceRule.countMax).contains(count), .badValue(.count))
    }
  }

  /// Checks combinations that RFC 5545 §3.3.10 forbids, and those that it leaves unclear.
  func checkParts() throws(RecurrenceProblem) {
    let ordinals = weekdays.contains { $0.ordinal != 0 }
    if frequency == .weekly { try require(monthDays.isEmpty, .notTogether(.monthDays, .frequency)) }
    if frequency == .daily || frequency == .weekly {
      try require(!ordinals, .notTogether(.weekdays, .frequency))
    }
    // "The first Monday, if it is the 13th": each program reads it in its own way.
    try require(!ordinals || monthDays.isEmpty, .notTogether(.weekdays, .monthDays))
    // One day has no second one.
    try require(positions.isEmpty || frequency != .daily, .notTogether(.positions, .frequency))
    try require(
      positions.isEmpty || !weekdays.isEmpty || !monthDays.isEmpty,
      .notTogether(.positions, .frequency))
    guard keepsShortMonths else { return }
    try require(frequency != .weekly && frequency != .daily, .notTogether(.skip, .frequency))
    try require(!monthDays.isEmpty, .notTogether(.skip, .monthDays))
    try require(weekdays.isEmpty, .notTogether(.skip, .weekdays))
    try require(positions.isEmpty, .notTogether(.skip, .positions))
  }

  /// Checks what can be checked without a calendar. The rest shows when the first day is looked for.
  func checkItMayFire() throws(RecurrenceProblem) {
    let months = months.isEmpty ? Array(1...12) : months
    let longest = months.map { Day.lengthOfMonth($0, year: 2_000) }.max() ?? 31
    try require(
      monthDays.isEmpty || keepsShortMonths || monthDays.contains { abs($0) <= longest },
      .neverFires)
    if frequency == .weekly, !positions.isEmpty {
      try require(positions.contains { abs($0) <= weekdays.count }, .neverFires)
    }
  }

  private func require(_ holds: Bool, _ problem: RecurrenceProblem) throws(RecurrenceProblem) {
    if !holds { throw problem }
  }
}
