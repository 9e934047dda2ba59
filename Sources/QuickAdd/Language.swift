import Domain

// The words of a language, as data. One grammar serves all languages (protocol/quick-add.md) and asks no table which
// language it is: a language that lacks an order of words has an empty table for it. An entry is a word or a phrase of
// up to `Words.phraseWordsMax` words, all lower-case, with "'" as apostrophe. Change that document along with an entry
// here: a test compares them.

/// The tables with which a line is read.
package struct Language: Sendable {
  enum Unit: Sendable {
    case day, week, month, year
  }

  enum Name: Sendable {
    case english, englishInFull, german, french, spanish
  }

  var name: Name

  // MARK: days

  var weekdays: [String: Weekday] = [:]
  /// Names that are other words as well ("so", "mar"). They are read behind `sureOfDay`, before a time and with a date.
  var weakWeekdays: [String: Weekday] = [:]
  /// Whether weak weekdays are read where no word follows, too: "swim sun".
  var isWeakReadAtEnd = false
  /// Whether weak weekdays are read behind "every", too.
  var isWeakReadInRules = false
  /// Words that mean each such day by the name alone: "montags".
  var eachWeekday: [String: Weekday] = [:]
  /// Words that make each such day of a weekday: "los lunes".
  var beforeEachWeekday: Set<String> = []
  /// The names of months; a point may stand behind them.
  var months: [String: Int] = [:]
  /// Those of these names that are other words as well: "may", "mars".
  var weakMonths: Set<String> = []
  /// Whether "dec 24" is read as well as "24 dec".
  var isMonthFirst = false
  /// Words between day, month and year: "24 de diciembre".
  var ofDate: Set<String> = []
  /// Marks besides the point between the numbers of a date: "24/12/2026", behind a word such as "le" also "24/12".
  var dateSeparators: [Character] = []
  /// Words that mean a number of days from today.
  var days: [String: Int] = [:]
  /// Those of these words that are names of people when they begin with a capital: "Tom".
  var daysInSmallLetters: Set<String> = []
  var units: [String: Unit] = [:]
  /// Words before a date: "on", "by".
  var beforeDate: Set<String> = []
  /// Words before a date behind which nothing but a day can follow.
  var sureOfDay: Set<String> = []
  /// Words before a day or a time, or behind it: "at the latest".
  var latest: Set<String> = []
  /// Words before a weekday that mean the coming one, and not today's.
  var this: Set<String> = []
  /// Words before a weekday, or behind it, that mean the coming one and nothing else.
  var coming: Set<String> = []
  var comingBehind: Set<String> = []
  /// Words before a weekday that mean the one of next week.
  var nextOfDay: Set<String> = []
  /// Words for "next" before a unit, or behind it.
  var next: Set<String> = []
  var nextBehind: Set<String> = []
  /// Words between a weekday and the next week.
  var ofWeek: Set<String> = []
  /// Words for so many weeks behind the weekday before them: "jeudi en huit".
  var weeksBehind: [String: Int] = [:]
  var within: Set<String> = []
  /// Whether a number alone behind a weekday is a day of the month: "vendredi 13".
  var isDayOfMonthBare = false
  /// Words between "first monday" and its month.
  var inMonth: Set<String> = []
  /// Phrases of which nothing is made: "am morgen" is no "morgen".
  var fixed: Set<String> = []

  // MARK: rules

  /// Words that say a whole rule: "daily".
  var adverbs: [String: Unit] = [:]
  var eachWorkday: Set<String> = []
  var eachWeekend: Set<String> = []
  /// Words for "every"; with an exclamation mark after it the rule counts from completion.
  var every: Set<String> = []
  /// Words between "every" and a unit or weekday: "other" is 2. Ordinals count weeks if no `ofMonth` follows.
  var intervals: [String: Int] = [:]
  /// The endings that make such a word of a number: "2."
  var intervalEndings: Set<String> = []
  var workday: Set<String> = []
  var weekend: Set<String> = []
  var numbers: [String: Int] = [:]
  /// Words for places in a month: "first"; "last" is −1.
  var ordinals: [String: Int] = [:]
  /// Words for places in a month that are days and nothing else: "seventh".
  var laterOrdinals: Set<String> = []
  /// Endings after the number of a day: "1st".
  var ordinalEndings: Set<String> = []
  /// Words for "on" between a unit and its days.
  var on: Set<String> = []
  var the: Set<String> = []
  var and: Set<String> = []
  /// Words behind days of a month.
  var ofMonth: Set<String> = []
  /// Words behind days of a month that make a rule of them.
  var ofEveryMonth: Set<String> = []
  var until: Set<String> = []
  var times: Set<String> = []
  /// Words before a day that say that the rule begins then.
  var starting: Set<String> = []
  /// Words behind a rule that let it count from completion, as an exclamation mark does.
  var afterDone: Set<String> = []

  // MARK: times

  /// Words before a time, and before nothing but a time: "by 6pm".
  var beforeDeadline: Set<String> = []
  /// Words that make an hour of the number behind them: "at 9".
  var beforeTime: Set<String> = []
  /// Words that belong to a time that has the form of a time: "à 18h".
  var beforeClock: Set<String> = []
  var noon: Set<String> = []
  /// Words for noon that are read behind `beforeTime` and `beforeClock` only.
  var weakNoon: Set<String> = []
  /// The words for 0:00, the end of today. They are read behind those words only.
  var midnight: Set<String> = []
  /// Endings of an hour: "6pm".
  var halves: [String: Half] = [:]
  /// Words behind an hour that say in which half of the day it is: "6 pm".
  var halfWords: [String: Half] = [:]
  /// Words beside a day or a time: "in the evening".
  var dayParts: [String: DayPart] = [:]
  /// Whether weekdays and the parts below are one word: "Freitagabend".
  var joinsDayParts = false
  /// Words directly behind a day or a time, and behind "every": "tomorrow evening".
  var bareDayParts: [String: DayPart] = [:]
  /// Words for that part of today: "tonight".
  var todayParts: [String: DayPart] = [:]
  /// Endings of an hour behind which minutes may follow: "18h30".
  var hourMarks: Set<String> = []
  /// The hour from which an hour with such a mark is a time. Smaller ones are a length, unless `beforeTime` or
  /// `beforeClock` stands before them: "2h".
  var markedHourFrom = 24
  /// Words behind an hour that make an hour of any number: "uhr".
  var clockWords: Set<String> = []
  /// Words behind an hour that may also be a length: "heures".
  var hourWords: Set<String> = []
  /// Whether "18.30" is read where a word says that it is a time.
  var isClockPointed = false
  /// Words for minutes, behind the hour: "y media".
  var quarters: [String: Int] = [:]

  // MARK: things that are not read

  /// Words directly before a phrase with which it means something else.
  var spoilersBefore: Set<String> = []
  /// Words before a phrase, and behind it when more about time follows: "after".
  var relations: Set<String> = []
  /// Words directly before or behind a phrase.
  var spoilers: Set<String> = []
  /// Relations with the word behind them, which name no other day: "after work".
  var habits: Set<String> = []
  /// Names of days of which no piece is made: "christmas eve".
  var occasions: Set<String> = []
  /// Words behind "every" that make a rule which is not read: "every winter".
  var cycles: Set<String> = []
  /// Words and letters before the number of a week: "wk 50", "W50".
  var weekMarks: Set<String> = []
  /// Words directly behind a rule, as in "every day except", and between two things.
  var exceptions: Set<String> = []
  /// Words between two things about time: "mon or tue", "9 - 17".
  var joiners: Set<String> = []
  /// Words directly behind a number at the end of a phrase: "march 3 miles", "um 5 Prozent".
  var measures: Set<String> = []
  /// Whether nouns begin with a capital. Where they do not, a capital behind an hour without a mark begins an address:
  /// "at 8 Mile Road".
  var hasCapitalNouns = false

  // MARK: marks and lengths

  var priorities: [String: Priority] = [:]
  var behindPriority: Set<String> = []
  /// Words that belong to the mark behind them: "for @editor", "in #groceries".
  var beforePerson: Set<String> = []
  var beforeList: Set<String> = []
  var beforeTag: Set<String> = []
  /// Words that belong to the length behind them: "for 50m".
  var beforeLength: Set<String> = []
  var minuteUnits: Set<String> = ["m", "min", "mins"]
  var hourUnits: Set<String> = ["h", "hr", "hrs"]
  /// Words of which `beforeLength` makes a length when they stand behind a number.
  var minuteWords: Set<String> = []
  var lengthHours: Set<String> = []
}

extension Language {
  /// Returns the tables with which a person's line is read, by the language of their profile (RFC 5646). The first
  /// table that makes a guess of some words wins. The result is never empty.
  ///
  /// Many people type "tomorrow" whatever their language is, so English stands behind the other languages. It lacks its
  /// short words there, which are words of those languages: "mon" père, "Tod", "tue".
  package static func tables(for locale: String) -> [Language] {
    switch locale.lowercased().split(separator: "-").first {
    case "de": [german, englishInFull]
    case "es": [spanish, englishInFull]
    case "fr": [french, englishInFull]
    default: [english]
    }
  }

  /// The languages that have tables of their own.
  package static let locales = ["en", "de", "es", "fr"]
}

/// The other spelling of words that people type whose keyboard lacks some letters.
struct Spelling {
  let letters: [Character: String]

  func plain(_ word: String) -> String {
    word.reduce(into: "") { $0 += letters[$1] ?? String($1) }
  }

  func table<Value>(_ words: [String: Value]) -> [String: Value] {
    words.reduce(into: words) { $0[plain($1.key)] = $1.value }
  }

  func set(_ words: Set<String>) -> Set<String> { words.union(words.map(plain)) }
}
