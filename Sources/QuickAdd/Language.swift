import Domain

/// The words of a language, as data: all lower-case. Sentences have the order of the grammar in protocol/quick-add.md.
package struct Language: Sendable {
  enum Unit: Sendable {
    case day, week, month, year
  }

  let weekdays: [String: Weekday]
  let months: [String: Int]
  /// Days from today.
  let days: [String: Int]
  let units: [String: Unit]
  /// Words that say a whole rule: "daily".
  let adverbs: [String: Unit]
  /// "every"; with an exclamation mark after it, from completion.
  let every: Set<String>
  let other: Set<String>
  let workday: Set<String>
  let weekend: Set<String>
  let numbers: [String: Int]
  /// "first", "last": −1.
  let ordinals: [String: Int]
  /// After a number of a day: "1st".
  let ordinalEndings: Set<String>
  /// Before a date: "on", "by".
  let beforeDate: Set<String>
  let beforeTime: Set<String>
  /// "on" between a unit and its days.
  let on: Set<String>
  let the: Set<String>
  let and: Set<String>
  let within: Set<String>
  let next: Set<String>
  let until: Set<String>
  let times: Set<String>
  let noon: Set<String>
  /// After the hour: added to 1–11, and to 12.
  let halves: [String: (toHour: Int, toTwelve: Int)]
  let priorities: [String: Priority]
  let minuteUnits: Set<String>
  let hourUnits: Set<String>
}

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
    days: ["today": 0, "tod": 0, "tomorrow": 1, "tom": 1, "tmr": 1],
    units: [
      "day": .day, "days": .day, "week": .week, "weeks": .week, "month": .month, "months": .month,
      "year": .year, "years": .year,
    ],
    adverbs: [
      "daily": .day, "weekly": .week, "monthly": .month, "yearly": .year, "annually": .year,
    ],
    every: ["every", "each"], other: ["other"], workday: ["weekday", "workday"],
    weekend: ["weekend"],
    numbers: [
      "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
      "eight": 8, "nine": 9, "ten": 10,
    ],
    ordinals: ["first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1],
    ordinalEndings: ["st", "nd", "rd", "th"], beforeDate: ["on", "by", "due"], beforeTime: ["at"],
    on: ["on"], the: ["the"], and: ["and"], within: ["in"], next: ["next"],
    until: ["until", "till"],
    times: ["times", "time"], noon: ["noon"],
    halves: ["am": (0, -12), "pm": (12, 0)],
    priorities: [
      "high": .high, "h": .high, "1": .high, "medium": .medium, "med": .medium, "m": .medium,
      "2": .medium, "low": .low, "l": .low, "3": .low,
    ],
    minuteUnits: ["m", "min", "mins"], hourUnits: ["h", "hr", "hrs"])
}
