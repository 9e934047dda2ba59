/// The tables of a language for one line, and the entries of the line that are in any of them. They are held by
/// reference, since a reader is copied to look ahead. Readers ask `tables.language.every`, and have no `language` of
/// their own: a debug build would copy all fifty tables each time.
final class Tables: Sendable {
  let language: Language
  /// The entries that begin at each place of the line, the longest first. Nearly all runs of words are in no table, and
  /// each of the tables is asked at nearly every place.
  let candidates: [[Words.Candidate]]

  init(_ language: Language, _ words: Words) {
    let known = Tables.known(language.name)
    self.language = language
    candidates = words.candidates.map { candidates in
      candidates.filter { candidate in
        known.contains(candidate.text)
          // The mark of "every!" is no part of the entry.
          || candidate.text.last == "!" && known.contains(String(candidate.text.dropLast()))
      }
    }
  }

  private static let english = Language.english.allWords
  private static let englishInFull = Language.englishInFull.allWords
  private static let german = Language.german.allWords
  private static let french = Language.french.allWords
  private static let spanish = Language.spanish.allWords

  private static func known(_ name: Language.Name) -> Set<String> {
    switch name {
    case .english: english
    case .englishInFull: englishInFull
    case .german: german
    case .french: french
    case .spanish: spanish
    }
  }
}

extension Language {
  /// The entries of all tables that are asked for runs of words. A test compares them with the tables.
  var allWords: Set<String> {
    let sets = [
      beforeEachWeekday, ofDate, beforeDate, sureOfDay, latest, this, coming, comingBehind,
      nextOfDay,
      next, nextBehind, ofWeek, within, inMonth, fixed, daysInSmallLetters, eachWorkday,
      eachWeekend, every, workday, weekend, on, the, and, ofMonth, ofEveryMonth, until, times,
      starting, afterDone, beforeDeadline, beforeTime, beforeClock, noon, weakNoon, midnight,
      clockWords, hourWords, spoilersBefore, relations, spoilers, exceptions, joiners, measures,
      behindPriority, beforePerson, beforeList, beforeTag, beforeLength, minuteUnits, hourUnits,
      minuteWords, lengthHours, weakMonths, laterOrdinals, habits, occasions, cycles, weekMarks,
    ]
    let keys: [[String]] = [
      Array(weekdays.keys), Array(weakWeekdays.keys), Array(eachWeekday.keys),
      Array(months.keys), Array(days.keys), Array(units.keys), Array(weeksBehind.keys),
      Array(adverbs.keys), Array(intervals.keys), Array(numbers.keys), Array(ordinals.keys),
      Array(halfWords.keys), Array(dayParts.keys), Array(bareDayParts.keys),
      Array(todayParts.keys), Array(quarters.keys),
    ]
    return sets.reduce(into: Set(keys.joined())) { $0.formUnion($1) }
  }
}
