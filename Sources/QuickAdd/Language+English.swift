import Domain

extension Language {
  package static let english = Language(
    weekdays: [
      "monday": .monday, "mon": .monday, "tuesday": .tuesday, "tue": .tuesday, "tues": .tuesday,
      "wednesday": .wednesday, "wed": .wednesday, "thursday": .thursday, "thu": .thursday,
      "thur": .thursday, "thurs": .thursday, "friday": .friday, "fri": .friday,
      "saturday": .saturday, "sat": .saturday, "sunday": .sunday, "sun": .sunday,
    ],
    months: [
      "january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4,
      "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9,
      "sep": 9, "sept": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12,
      "dec": 12,
    ],
    isMonthFirst: true, ofDate: ["of"],
    days: ["today": 0, "tod": 0, "tomorrow": 1, "tom": 1, "tmr": 1],
    units: [
      "day": .day, "days": .day, "week": .week, "weeks": .week, "month": .month, "months": .month,
      "year": .year, "years": .year,
    ],
    beforeDate: ["on", "by", "due"], nextOfDay: ["next"], next: ["next"], within: ["in"],
    adverbs: [
      "daily": .day, "weekly": .week, "monthly": .month, "yearly": .year, "annually": .year,
    ],
    every: ["every", "each"], intervals: ["other": 2], workday: ["weekday", "workday"],
    weekend: ["weekend"],
    numbers: [
      "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
      "eight": 8, "nine": 9, "ten": 10,
    ],
    ordinals: ["first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1],
    ordinalEndings: ["st", "nd", "rd", "th"], on: ["on"], the: ["the"], and: ["and"],
    ofMonth: ["of the month"], ofEveryMonth: ["of every month", "of each month"],
    until: ["until", "till"], times: ["times", "time"], afterDone: ["after done"],
    beforeTime: ["at"], noon: ["noon"],
    halves: ["am": (0, -12), "pm": (12, 0)], halfWords: ["am": (0, -12), "pm": (12, 0)],
    dayParts: [
      "in the morning": (0, -12), "in the afternoon": (12, 0), "in the evening": (12, 0),
    ],
    priorities: [
      "high": .high, "h": .high, "1": .high, "medium": .medium, "med": .medium, "m": .medium,
      "2": .medium, "low": .low, "l": .low, "3": .low,
    ], beforeLength: ["for"])

  /// For lines in another language: without the words that are short, that are names of things ("Daily"), or that two
  /// languages could share ("Gruppe 6 am Montag").
  static let englishInFull: Language = {
    var it = english
    it.weekdays = it.weekdays.filter { $0.key.hasSuffix("day") }
    it.months = it.months.filter { $0.key.count > 4 || ["may", "june", "july"].contains($0.key) }
    it.days = ["today": 0, "tomorrow": 1]
    it.adverbs = [:]
    it.halfWords = [:]
    return it
  }()
}
