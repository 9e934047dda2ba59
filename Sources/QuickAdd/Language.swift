import Domain

// The words of a language, as data. The grammar is one for all (protocol/quick-add.md) and asks no table which
// language it is: an order of words that a language has not is an empty table. An entry is a word or a phrase of up
// to `Words.phraseWordsMax` words, all lower-case, with "'" as apostrophe. What changes here changes in that document
// too: a test compares them.

/// The tables that a line is read with.
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
  /// Names that are other words as well ("so", "mar"): read behind `sureOfDay`, before a time and with a date.
  var weakWeekdays: [String: Weekday] = [:]
  /// Whether these are read where no word follows, too: "swim sun".
  var isWeakReadAtEnd = false
  /// Whether these are read behind "every", too.
  var isWeakReadInRules = false
  /// Each such day, by the name alone: "montags".
  var eachWeekday: [String: Weekday] = [:]
  /// Makes each such day of a weekday: "los lunes".
  var beforeEachWeekday: Set<String> = []
  /// The names of months; a point may stand behind them.
  var months: [String: Int] = [:]
  /// "dec 24" beside "24 dec".
  var isMonthFirst = false
  /// Between day, month and year: "24 de diciembre".
  var ofDate: Set<String> = []
  /// Besides the point, between the numbers of a date: "24/12/2026", behind a word such as "le" also "24/12".
  var dateSeparators: [Character] = []
  /// Days from today.
  var days: [String: Int] = [:]
  /// Those of them that are names of people when they begin with a capital: "Tom".
  var daysInSmallLetters: Set<String> = []
  var units: [String: Unit] = [:]
  /// Before a date: "on", "by".
  var beforeDate: Set<String> = []
  /// The words before a date behind which nothing but a day can follow.
  var sureOfDay: Set<String> = []
  /// Before a day or a time, or behind it: "at the latest".
  var latest: Set<String> = []
  /// Before a weekday: the coming one, and not today's.
  var this: Set<String> = []
  /// Before a weekday, or behind it, and nothing but the coming one.
  var coming: Set<String> = []
  var comingBehind: Set<String> = []
  /// Before a weekday: that of next week.
  var nextOfDay: Set<String> = []
  /// Before a unit, or behind it.
  var next: Set<String> = []
  var nextBehind: Set<String> = []
  /// Between a weekday and the next week.
  var ofWeek: Set<String> = []
  /// So many weeks behind the weekday before it: "jeudi en huit".
  var weeksBehind: [String: Int] = [:]
  var within: Set<String> = []
  /// "vendredi 13": a number alone behind a weekday is a day of the month.
  var isDayOfMonthBare = false
  /// Between "first monday" and its month.
  var inMonth: Set<String> = []
  /// Words of which nothing is made: "am morgen" is no "morgen".
  var fixed: Set<String> = []

  // MARK: rules

  /// Words that say a whole rule: "daily".
  var adverbs: [String: Unit] = [:]
  var eachWorkday: Set<String> = []
  var eachWeekend: Set<String> = []
  /// "every"; with an exclamation mark after it, from completion.
  var every: Set<String> = []
  /// Between "every" and a unit or weekday: "other", 2. Ordinals that count weeks if no `ofMonth` follows.
  var intervals: [String: Int] = [:]
  /// The endings that make such a one of a number: "2."
  var intervalEndings: Set<String> = []
  var workday: Set<String> = []
  var weekend: Set<String> = []
  var numbers: [String: Int] = [:]
  /// "first", "last": −1.
  var ordinals: [String: Int] = [:]
  /// After a number of a day: "1st".
  var ordinalEndings: Set<String> = []
  /// "on" between a unit and its days.
  var on: Set<String> = []
  var the: Set<String> = []
  var and: Set<String> = []
  /// Behind days of a month.
  var ofMonth: Set<String> = []
  /// Behind days of a month, and makes a rule of them.
  var ofEveryMonth: Set<String> = []
  var until: Set<String> = []
  var times: Set<String> = []
  /// Before a day: the rule begins then.
  var starting: Set<String> = []
  /// Behind a rule: counted from completion, as an exclamation mark says it.
  var afterDone: Set<String> = []

  // MARK: times

  /// Before a time, and nothing but a time: "by 6pm".
  var beforeDeadline: Set<String> = []
  /// Makes an hour of the number behind it: "at 9".
  var beforeTime: Set<String> = []
  /// Belongs to a time that is one by its form: "à 18h".
  var beforeClock: Set<String> = []
  var noon: Set<String> = []
  /// Read behind `beforeTime` and `beforeClock` only.
  var weakNoon: Set<String> = []
  /// The words for 0:00, the end of today, read behind those words only.
  var midnight: Set<String> = []
  /// At the end of the hour: "6pm".
  var halves: [String: Half] = [:]
  /// Behind the hour, as words of their own.
  var halfWords: [String: Half] = [:]
  /// Beside a day or a time: "in the evening".
  var dayParts: [String: DayPart] = [:]
  /// "Freitagabend": weekdays and the parts below are one word.
  var joinsDayParts = false
  /// Directly behind a day or a time, and behind "every": "tomorrow evening".
  var bareDayParts: [String: DayPart] = [:]
  /// Today, in that part of it: "tonight".
  var todayParts: [String: DayPart] = [:]
  /// At the end of the hour, minutes may follow: "18h30".
  var hourMarks: Set<String> = []
  /// Smaller hours with such a mark are a length, unless `beforeTime` or `beforeClock` stands before them: "2h".
  var markedHourFrom = 24
  /// Behind an hour, and makes one of any number: "uhr".
  var clockWords: Set<String> = []
  /// Behind an hour: "heures", which are also a length.
  var hourWords: Set<String> = []
  /// "18.30", where a word says that it is a time.
  var isClockPointed = false
  /// Minutes, behind the hour: "y media".
  var quarters: [String: Int] = [:]

  // MARK: what is not read

  /// Directly before a phrase: it means something else.
  var spoilersBefore: Set<String> = []
  /// Before it, and behind it when more about time follows: "after".
  var relations: Set<String> = []
  /// Directly before or behind it.
  var spoilers: Set<String> = []
  /// Directly behind a rule: "every day except", and between two things.
  var exceptions: Set<String> = []
  /// Between two things about time: "mon or tue", "9 - 17".
  var joiners: Set<String> = []
  /// Directly behind a number at the end of a phrase: "march 3 miles", "um 5 Prozent".
  var measures: Set<String> = []
  /// Otherwise a capital behind an hour without a mark begins an address: "at 8 Mile Road".
  var hasCapitalNouns = false

  // MARK: marks and lengths

  var priorities: [String: Priority] = [:]
  var behindPriority: Set<String> = []
  /// Belong to the mark behind them: "for @editor", "in #groceries".
  var beforePerson: Set<String> = []
  var beforeList: Set<String> = []
  var beforeTag: Set<String> = []
  /// Belongs to the length behind it: "for 50m".
  var beforeLength: Set<String> = []
  var minuteUnits: Set<String> = ["m", "min", "mins"]
  var hourUnits: Set<String> = ["h", "hr", "hrs"]
  /// Words behind a number that `beforeLength` makes a length of.
  var minuteWords: Set<String> = []
  var lengthHours: Set<String> = []
}

extension Language {
  /// What a person's line is read with, by the language of their profile (RFC 5646); the first table that makes a
  /// guess of some words wins. Never empty.
  ///
  /// Many people type "tomorrow" whatever their language is, so English stands behind the others; without its short
  /// words, which are words of theirs: "mon" père, "Tod", "tue".
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

/// How words are also typed, by those whose keyboard lacks some letters.
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
