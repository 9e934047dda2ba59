import TestRandom
import Testing

@testable import Domain
@testable import QuickAdd

/// Phrases are made of pieces whose meaning is known, and that meaning is worked out here, apart from the reader.
@Suite("protocol/quick-add.md: a phrase about time is read whole, or not at all")
struct PhraseTests {
  static let seed: UInt64 = 21
  static let phrasesCount = 3_000

  @Test(
    "generated phrases mean all that they say, or nothing", arguments: PhraseWords.all)
  func generated(words: PhraseWords) {
    var maker = PhraseMaker(words: words, seed: PhraseTests.seed)
    var (understood, readable) = (0, 0)
    for _ in 0..<PhraseTests.phrasesCount {
      let phrase = maker.phrase()
      let it = QuickAdd(
        phrase.line, today: phrase.today, minuteOfDay: phrase.now,
        languages: Language.tables(for: words.locale))
      let said = "\(words.locale) on \(phrase.today) at \(phrase.now): \(phrase.line)"
      if phrase.meaning != nil { readable += 1 }
      if it.guesses.isEmpty {
        #expect(it.title == phrase.line, "\(said)")
        #expect(phrase.meaning == nil, "nothing was understood of \(said)")
      } else {
        understood += 1
        #expect(PhraseMeaning(it) == phrase.meaning, "\(said)")
        #expect(it.title == phrase.title, "\(said)")
      }
    }
    print(
      "quick add, \(words.locale): \(PhraseTests.phrasesCount) phrases, \(understood) understood, "
        + "seed \(PhraseTests.seed)")
    #expect(understood > PhraseTests.phrasesCount / 3 && readable >= understood)
  }
}

/// The meaning of a phrase.
struct PhraseMeaning: Equatable {
  var due: Day?
  var minute: Int?
  var rule: String?

  init() {}

  init(_ it: QuickAdd) {
    due = it.due
    minute = it.minuteOfDay
    rule = it.recurrence?.rule.description
  }
}

struct MadePhrase {
  let line: String
  /// The words that say nothing of time.
  let title: String
  let today: Day
  let now: Int
  /// Nil: nothing may be made of it.
  let meaning: PhraseMeaning?
}

/// Makes phrases of a language.
struct PhraseMaker {
  let words: PhraseWords
  private var random: SeededRandom
  private var today = Day(number: 0)
  private var now = 0

  init(words: PhraseWords, seed: UInt64) {
    self.words = words
    random = SeededRandom(seed: seed)
  }

  mutating func phrase() -> MadePhrase {
    // Two years from 2026-11-25 on.
    today = Day(number: 20_782 + random.below(730))
    now = random.below(1_440)
    let (text, meaning) = timed()
    let before = pick(["x", "call Ann", "Nr. 7a"])
    let after = random.below(3) == 0 ? pick(["zzz", "zzz (yyy)"]) : ""
    let title = after.isEmpty ? before : before + " " + after
    let line = [before, text, after].filter { !$0.isEmpty }.joined(separator: " ")
    return MadePhrase(line: line, title: title, today: today, now: now, meaning: meaning)
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[random.below(values.count)]
  }

  private mutating func timed() -> (String, PhraseMeaning?) {
    switch random.below(15) {
    case 0: dayAlone()
    case 1, 2: dayAndTime()
    case 3, 4: dayPartAndHour()
    case 5: timeAlone()
    case 6: weekdayAndDate()
    case 7: rule()
    case 8: startingRule()
    case 9: spoiled()
    case 10: joined()
    case 11, 12: unreadDay()
    case 13: unreadTime()
    default: contradicting()
    }
  }

  // MARK: - pieces

  /// A day, without a word before it.
  private mutating func day() -> (text: String, day: Day) {
    let monday = today.number - weekday(of: today)
    switch random.below(8) {
    case 0: return (pick(words.tomorrow), Day(number: today.number + 1))
    case 1: return (pick(words.dayAfterTomorrow), Day(number: today.number + 2))
    case 2:
      // In some languages 8 and 15 days are one week and two.
      let days = pick([2, 3, 5, 9, 10, 14, 20])
      return (words.inDays(days), Day(number: today.number + days))
    case 3:
      let weekday = random.below(7)
      let weeks = 1 + random.below(3)
      guard weekday != self.weekday(of: today) else {
        return (pick(words.tomorrow), Day(number: today.number + 1))
      }
      return (
        words.weekdays[weekday] + " " + words.inWeeks(weeks + 1),
        Day(number: coming(weekday).number + 7 * (weeks + 1))
      )
    case 4:
      let weekday = random.below(7)
      let text = pick(words.weekdayOfNextWeek).replacing("*", with: words.weekdays[weekday])
      return (text, Day(number: monday + 7 + weekday))
    case 5: return first()
    case 6: return date()
    default:
      let weekday = random.below(7)
      return (words.weekdays[weekday], coming(weekday))
    }
  }

  private mutating func date() -> (text: String, day: Day) {
    let day = Day(number: today.number + 1 + random.below(360))
    let (year, month, number) = day.parts
    let text = pick(words.dates)
      .replacing("YYYY", with: "\(year)").replacing("NAME", with: "#")
      .replacing("MM", with: month < 10 ? "0\(month)" : "\(month)")
      .replacing("DD", with: number < 10 ? "0\(number)" : "\(number)")
      .replacing("D", with: "\(number)").replacing("M", with: "\(month)")
      .replacing("#", with: words.months[month - 1])
    return (text, day)
  }

  /// "the first monday of january"
  private mutating func first() -> (text: String, day: Day) {
    let (weekday, month) = (random.below(7), 1 + random.below(12))
    let text = words.firstOfMonth.replacing("*", with: words.weekdays[weekday])
      .replacing("NAME", with: words.months[month - 1])
    for year in today.parts.year...(today.parts.year + 1) {
      let found = (1...7).compactMap { Day(year: year, month: month, day: $0) }
        .first { self.weekday(of: $0) == weekday }
      if let found, found >= today { return (text, found) }
    }
    preconditionFailure("one of two years has such a day to come")
  }

  private func weekday(of day: Day) -> Int { (day.number + 3) % 7 }

  /// The next one, never today.
  private func coming(_ weekday: Int) -> Day {
    let days = (weekday - self.weekday(of: today) + 7) % 7
    return Day(number: today.number + (days == 0 ? 7 : days))
  }

  /// A time that says which half of the day it is.
  private mutating func time() -> (text: String, minute: Int) {
    let (hour, minute) = (13 + random.below(10), random.below(60))
    let text = pick(words.times).replacing("HH", with: "\(hour)")
      .replacing("MM", with: minute < 10 ? "0\(minute)" : "\(minute)")
    let isWhole = !text.contains { $0 == ":" } && pickedWhole(text, hour)
    return (text, 60 * hour + (isWhole ? 0 : minute))
  }

  /// Whether the form has no minutes: "18 Uhr".
  private func pickedWhole(_ text: String, _ hour: Int) -> Bool {
    words.times.contains { !$0.contains("MM") && $0.replacing("HH", with: "\(hour)") == text }
  }

  private mutating func separator() -> String { pick([" ", " ", ", ", ": "]) }

  private func onDay(_ day: Day, _ minute: Int? = nil) -> PhraseMeaning {
    var meaning = PhraseMeaning()
    (meaning.due, meaning.minute) = (day, minute)
    return meaning
  }

  // MARK: - phrases that say one thing

  private mutating func dayAlone() -> (String, PhraseMeaning?) {
    let (text, day) = day()
    return (text + pick(["", ",", ":"]), onDay(day))
  }

  private mutating func timeAlone() -> (String, PhraseMeaning?) {
    let (text, minute) = time()
    return (text, onDay(Day(number: today.number + (minute > now ? 0 : 1)), minute))
  }

  private mutating func dayAndTime() -> (String, PhraseMeaning?) {
    let (dayText, day) = day()
    let (timeText, minute) = time()
    let text = random.below(2) == 0 ? dayText + separator() + timeText : timeText + " " + dayText
    return (text, onDay(day, minute))
  }

  /// "tomorrow evening at 8", "at 8 tomorrow evening"; of today only when it is still to come.
  private mutating func dayPartAndHour() -> (String, PhraseMeaning?) {
    let part = pick(words.parts)
    let hour = part.hours.lowerBound + random.below(part.hours.count)
    let said = pick(words.hours).replacing("HH", with: "\(hour > 12 ? hour - 12 : hour)")
    let isToday = part.today != nil && random.below(3) == 0
    let weekday = random.below(7)
    let (name, day) =
      isToday
      ? (part.today ?? "", today)
      : random.below(2) == 0
        ? (words.tomorrow[0] + " " + part.behind, Day(number: today.number + 1))
        : (words.weekdays[weekday] + " " + part.behind, coming(weekday))
    let text = random.below(2) == 0 ? name + pick([" ", ", "]) + said : said + " " + name
    let isOver = isToday && 60 * hour <= now
    return (text, isOver ? nil : onDay(day, 60 * hour))
  }

  private mutating func weekdayAndDate() -> (String, PhraseMeaning?) {
    let (text, day) = date()
    let isRight = random.below(2) == 0
    let weekday = (weekday(of: day) + (isRight ? 0 : 1 + random.below(6))) % 7
    let (timeText, minute) = time()
    return (
      words.weekdays[weekday] + pick([" ", ", "]) + text + separator() + timeText,
      isRight ? onDay(day, minute) : nil
    )
  }

  private mutating func rule() -> (String, PhraseMeaning?) {
    let rule = pick(words.rules)
    let (timeText, minute) = time()
    var meaning = PhraseMeaning()
    (meaning.rule, meaning.minute) = (rule.rule, minute)
    return (rule.text + pick([" ", ", "]) + timeText, meaning)
  }

  private mutating func startingRule() -> (String, PhraseMeaning?) {
    let weekday = random.below(7)
    let (text, day) = date()
    let wait = (weekday - self.weekday(of: day) + 7) % 7
    var meaning = onDay(Day(number: day.number + wait))
    meaning.rule = "FREQ=WEEKLY;BYDAY=\(Weekday.allCases[weekday].rawValue)"
    let every = words.everyWeekday.replacing("*", with: words.weekdays[weekday])
    return (every + " " + pick(words.starting) + " " + text, meaning)
  }

  // MARK: - phrases that say something else

  private mutating func spoiled() -> (String, PhraseMeaning?) {
    let text =
      switch random.below(3) {
      case 0: words.weekdays[random.below(7)]
      case 1: pick(words.tomorrow)
      default: date().text
      }
    let isBefore = random.below(2) == 0
    return (isBefore ? pick(words.before) + " " + text : text + " " + pick(words.behind), nil)
  }

  /// "mon or tue at 18:00", "18:00 - 20:00"
  private mutating func joined() -> (String, PhraseMeaning?) {
    let joiner = " " + pick(words.joiners) + " "
    if random.below(2) == 0 {
      let first = random.below(7)
      let second = (first + 1 + random.below(6)) % 7
      return (words.weekdays[first] + joiner + words.weekdays[second] + " " + time().text, nil)
    }
    return (words.tomorrow[0] + " " + time().text + joiner + time().text, nil)
  }

  /// "mid-january at 18:00", "christmas 18:00", "week 50 monday"; a month without a number, too.
  private mutating func unreadDay() -> (String, PhraseMeaning?) {
    let month = pick(words.months)
    let weekday = words.weekdays[random.below(7)]
    let text =
      switch random.below(4) {
      case 0: month + " " + time().text
      case 1: pick(words.vagueMonths).replacing("NAME", with: month) + " " + time().text
      case 2: pick(words.occasions) + " " + time().text
      default: weekday + " " + pick(words.behindWeekday) + pick(["", " " + time().text])
      }
    return (text, nil)
  }

  /// "every christmas at 18:00", "tomorrow 8 to 10"
  private mutating func unreadTime() -> (String, PhraseMeaning?) {
    if random.below(2) == 0 { return (pick(words.unreadRules) + " " + time().text, nil) }
    let day = random.below(2) == 0 ? pick(words.tomorrow) : words.weekdays[random.below(7)]
    return (day + " " + pick(words.hoursBehindDay), nil)
  }

  /// Two days that are not one, or two times.
  private mutating func contradicting() -> (String, PhraseMeaning?) {
    if random.below(2) == 0 {
      let (first, day) = date()
      let other = pick(words.tomorrow)
      guard day.number != today.number + 1 else { return (first, onDay(day)) }
      return (first + separator() + other, nil)
    }
    let first = random.below(7)
    let second = (first + 1 + random.below(6)) % 7
    return (words.weekdays[first] + separator() + words.weekdays[second], nil)
  }
}
