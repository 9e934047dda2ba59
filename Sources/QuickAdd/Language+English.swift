import Domain

extension Language {
  package static let english = Language(
    name: .english,
    weekdays: [
      "monday": .monday, "mon": .monday, "tuesday": .tuesday, "tue": .tuesday, "tues": .tuesday,
      "wednesday": .wednesday, "wed": .wednesday, "thursday": .thursday, "thu": .thursday,
      "thur": .thursday, "thurs": .thursday, "friday": .friday, "fri": .friday,
      "saturday": .saturday, "sunday": .sunday,
    ],
    weakWeekdays: ["sat": .saturday, "sun": .sunday], isWeakReadAtEnd: true,
    isWeakReadInRules: true,
    eachWeekday: [
      "mondays": .monday, "tuesdays": .tuesday, "wednesdays": .wednesday, "thursdays": .thursday,
      "fridays": .friday, "saturdays": .saturday, "sundays": .sunday,
    ],
    months: [
      "january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4,
      "may": 5, "june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9,
      "sep": 9, "sept": 9, "october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12,
      "dec": 12,
    ],
    weakMonths: ["april", "august", "jan", "june", "march", "may"],
    isMonthFirst: true, ofDate: ["of"],
    days: [
      "today": 0, "tod": 0, "tomorrow": 1, "tom": 1, "tmr": 1, "day after tomorrow": 2,
      "the day after tomorrow": 2,
    ],
    daysInSmallLetters: ["tom"],
    units: [
      "day": .day, "days": .day, "week": .week, "weeks": .week, "month": .month, "months": .month,
      "year": .year, "years": .year,
    ],
    beforeDate: ["for"], sureOfDay: ["on", "by", "due"],
    latest: ["at the latest", "by no later than", "no later than"], this: ["this"],
    coming: ["coming", "this coming"], nextOfDay: ["next"], next: ["next"], ofWeek: ["of"],
    within: ["in"], inMonth: ["of", "in"],
    fixed: [
      "ash wednesday", "black friday", "cyber monday", "easter monday", "easter sunday",
      "giving tuesday", "good friday", "happy friday", "happy monday", "palm sunday",
      "shrove tuesday", "super tuesday", "wednesday addams", "friday night lights",
      "saturday night live", "super sunday", "mon ami", "mon amour", "mon oncle", "sunday times",
      "today show", "tonight show", "tomorrow never dies", "all mondays", "all tuesdays",
      "all wednesdays", "all thursdays", "all fridays", "all saturdays", "all sundays",
      "all weekdays", "all weekends", "all workdays", "every so often", "every now and then",
      "every once in a",
    ],
    adverbs: [
      "daily": .day, "weekly": .week, "monthly": .month, "yearly": .year, "annually": .year,
    ],
    eachWorkday: ["weekdays", "workdays"], eachWeekend: ["weekends"], every: ["every", "each"],
    intervals: ["other": 2], workday: ["weekday", "workday"], weekend: ["weekend"],
    numbers: [
      "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
      "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
      "fifteen": 15, "twenty": 20, "thirty": 30,
    ],
    ordinals: ["first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1],
    laterOrdinals: [
      "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth",
      "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
      "twentieth", "twenty-first", "twenty-second", "twenty-third", "twenty-fourth",
      "twenty-fifth", "twenty-sixth", "twenty-seventh", "twenty-eighth", "twenty-ninth",
      "thirtieth", "thirty-first",
    ],
    ordinalEndings: ["st", "nd", "rd", "th"], on: ["on"], the: ["the"], and: ["and"],
    ofMonth: ["of the month"], ofEveryMonth: ["of every month", "of each month"],
    until: ["until", "till"], times: ["times", "time"],
    starting: ["starting", "starting on", "starting from", "beginning", "beginning on", "from"],
    afterDone: ["after done"], beforeDeadline: ["by", "due", "due by", "for"],
    beforeTime: ["at", "@"], noon: ["noon", "midday"], midnight: ["midnight"],
    halves: ["am": .am, "pm": .pm],
    halfWords: ["am": .am, "pm": .pm, "a.m.": .am, "p.m.": .pm],
    dayParts: [
      "in the morning": .morning, "in the afternoon": .afternoon, "in the evening": .evening,
      "at night": .night, "in the night": .night,
    ],
    bareDayParts: [
      "morning": .morning, "afternoon": .afternoon, "evening": .evening, "night": .night,
    ],
    todayParts: [
      "tonight": .night, "this morning": .morning, "this afternoon": .afternoon,
      "this evening": .evening,
    ],
    clockWords: ["o'clock", "oclock", "o clock"],
    spoilersBefore: [
      "but", "alternate", "alternating",
      "about", "another", "any", "around", "as of", "beginning", "between", "by the end of",
      "during", "early", "end", "last", "late", "later", "mid", "no", "not", "of", "once", "past",
      "previous", "since", "some", "start", "than", "that", "this", "through", "to", "twice",
      "until", "till", "within", "~", "half", "other", "ca", "ca.", "circa", "approx",
      "approximately", "roughly", "most", "following", "nearly", "almost", "thrice", "bi",
    ],
    relations: ["after", "before", "from", "following", "prior to"],
    spoilers: [
      "ago", "asap", "cob", "earlier", "edt", "eod", "eom", "eow", "est", "fortnight", "gmt",
      "half past", "hour", "hours", "hourly", "last", "later", "local time", "midnight", "minute",
      "minutes", "nightly", "pdt", "pst", "quarter", "quarter past", "quarter to", "utc", "bst",
      "cet", "cest", "cst", "cdt", "mst", "mdt", "ist", "weekend", "weekends", "yesterday",
      "after next", "first thing", "lunchtime", "noonish", "biweekly", "bi-weekly", "bimonthly",
      "bi-monthly", "semimonthly", "fortnightly", "fortnights", "quarterly", "biannually",
      "semiannually", "in the small hours", "in the early hours", "at dawn", "at dusk",
      "at sunrise", "at sunset", "or so",
    ],
    habits: [
      "after breakfast", "after class", "after dinner", "after lunch", "after school", "after work",
      "before bed", "before breakfast", "before class", "before dinner", "before lunch",
      "before school", "before work",
    ],
    occasions: [
      "christmas", "christmas eve", "christmas day", "xmas", "xmas eve", "boxing day", "new year",
      "new year's", "new year's eve", "new year's day", "new years eve", "new years day",
      "new years", "easter", "advent", "pentecost", "whitsun", "halloween", "thanksgiving",
      "valentine's day", "valentines day", "mother's day", "father's day", "labor day",
      "labour day", "memorial day", "independence day", "st patrick's day", "hanukkah", "passover",
      "ramadan", "diwali",
    ],
    cycles: [
      "autumn", "birthday", "dawn", "fall", "holiday", "season", "spring", "summer", "sunrise",
      "sunset", "winter",
    ],
    weekMarks: ["cw", "w", "wk"],
    exceptions: ["except", "except on", "excluding"],
    joiners: [
      "and", "or", "to", "through", "thru", "until", "till", "but", "not", "-", "–", "—", "&", "/",
      "+", "in", "of", "around", "about", "between",
    ],
    measures: [
      "%", "dollars", "euros", "feet", "ft", "guys", "kg", "kilometers", "kilometres", "km", "lbs",
      "meters", "metres", "mile", "miles", "pages", "people", "percent", "persons", "points",
      "pounds",
    ],
    priorities: [
      "high": .high, "h": .high, "1": .high, "medium": .medium, "med": .medium, "m": .medium,
      "2": .medium, "low": .low, "l": .low, "3": .low,
    ],
    behindPriority: ["priority", "prio"],
    beforePerson: ["for", "with", "by", "to", "assigned to", "assign to"],
    beforeList: ["in", "to", "on", "for", "into"], beforeTag: ["with", "tagged", "for"],
    beforeLength: ["for"],
    minuteWords: ["minute", "minutes"], lengthHours: ["hour", "hours"])

  /// The English words for lines in another language. It lacks words that are short, that are names of things
  /// ("Daily"), or that two languages could share ("Gruppe 6 am Montag").
  static let englishInFull: Language = {
    var it = english
    it.name = .englishInFull
    it.weekdays = it.weekdays.filter { $0.key.hasSuffix("day") }
    it.weakWeekdays = [:]
    it.months = it.months.filter { $0.key.count > 4 || ["may", "june", "july"].contains($0.key) }
    it.days = it.days.filter { $0.key.hasSuffix("today") || $0.key.hasSuffix("tomorrow") }
    it.adverbs = [:]
    it.halfWords = [:]
    return it
  }()
}
