import Domain

/// The one meaning of everything that a line says of time.
struct Moment {
  private(set) var due: Day?
  private(set) var minuteOfDay: Int?
  private(set) var recurrence: QuickAdd.Again?

  /// Joins the phrases of a line. Nil when they contradict each other, or when nobody can be sure of what they mean.
  init?(_ phrases: [Phrase], today: Day, minuteOfDay now: Int) {
    let parts = phrases.filter(\.isPartAlone).compactMap(\.part)
    let phrases = phrases.filter { !$0.isPartAlone }
    guard let said = Said(phrases) else { return nil }
    if let rule = said.rule {
      guard let again = Moment.again(rule) else { return nil }
      recurrence = again
    }
    if !said.day.pieces.isEmpty {
      guard let day = Moment.day(said, today) else { return nil }
      due = day
    }
    guard let clock = said.clock else {
      // No rule says "every morning" without its hour.
      if said.rule != nil, said.part != nil { return nil }
      return
    }
    guard let minute = clock.minuteOfDay(in: said.part), parts.allSatisfy({ $0.has(minute / 60) })
    else { return nil }
    minuteOfDay = minute
    if due != nil, !place(clock, said, today, now) { return nil }
    if due == nil, recurrence == nil { due = today.adding(days: minute > now ? 0 : 1) }
  }

  /// Moves the midnight of today to its end. Returns false when the day and the time together are not sure.
  private mutating func place(_ clock: Clock, _ said: Said, _ today: Day, _ now: Int) -> Bool {
    guard let day = due, let minute = minuteOfDay else { return true }
    let isNight = said.part == .night
    if clock.isMidnight || isNight && minute < 300 {
      // Only "tonight" says which night of a day is meant, and only for its midnight.
      guard recurrence == nil, said.day.isToday, minute == 0 else { return recurrence != nil }
      due = day.adding(days: 1)
      return true
    }
    // A time of today that is over is not meant if another one could be, and its 0:00 could be its end.
    let isOver = day == today && minute <= now
    return !isOver || minute > 0 && !clock.isVague && said.part == nil
  }

  private static func again(_ parts: RuleParts) -> QuickAdd.Again? {
    parts.rule().map { QuickAdd.Again(rule: $0, basis: parts.basis) }
  }

  private static func day(_ said: Said, _ today: Day) -> Day? {
    guard let day = said.day.day(from: today) else { return nil }
    guard let rule = said.rule else { return said.day.isStart ? nil : day }
    if said.day.isUntil { return nil }
    if said.day.isStart { return rule.first(from: day) }
    return rule.names(day) ? day : nil
  }
}

/// Everything that the phrases of a line say together, each thing once.
private struct Said {
  var day = DayGroup()
  var clock: Clock?
  var part: DayPart?
  var rule: RuleParts?

  init?(_ phrases: [Phrase]) {
    guard !phrases.isEmpty else { return nil }
    for phrase in phrases {
      guard !phrase.hasDay || day.pieces.isEmpty, phrase.clock == nil || clock == nil,
        phrase.part == nil || part == nil, phrase.rule == nil || rule == nil
      else { return nil }
      if phrase.hasDay { day = phrase.day }
      clock = clock ?? phrase.clock
      part = part ?? phrase.part
      rule = rule ?? phrase.rule
    }
  }
}
