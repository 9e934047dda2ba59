import Foundation
import TestRandom
import Testing

@testable import Domain
@testable import QuickAdd

/// One row of `protocol/vectors/quick-add.json`.
struct QuickAddRow: Decodable, Sendable, CustomTestStringConvertible {
  struct Expected: Decodable, Sendable, Equatable {
    struct Again: Decodable, Sendable, Equatable {
      let rule: String
      let from: String
    }
    var title: String
    var due: String?
    var time: String?
    var recurrence: Again?
    var priority: String?
    var tags: [String]?
    var assignees: [String]?
    var category: String?
    var minutes: Int?
  }
  struct Guess: Decodable, Sendable, Equatable {
    let kind: String
    let range: [Int]
  }
  let line: String
  /// The language of the profile; English when it is missing.
  let locale: String?
  let today: String?
  let refuse: [[Int]]?
  let means: Expected
  let guesses: [Guess]
  var testDescription: String { line }

  static let all: [QuickAddRow] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../protocol/vectors/quick-add.json")
    return try! JSONDecoder().decode([QuickAddRow].self, from: Data(contentsOf: file))
  }()
}

extension QuickAddRow.Expected {
  init(_ it: QuickAdd) {
    title = it.title
    due = it.due?.description
    time = it.minuteOfDay.map { String(format: "%02d:%02d", $0 / 60, $0 % 60) }
    recurrence = it.recurrence.map { Again(rule: $0.rule.description, from: $0.basis.rawValue) }
    priority = it.priority?.rawValue
    tags = it.tags.isEmpty ? nil : it.tags
    assignees = it.assignees.isEmpty ? nil : it.assignees
    category = it.category
    minutes = it.minutes
  }
}

@Suite("protocol/quick-add.md")
struct QuickAddTests {
  private func read(
    _ line: String, today: String?, locale: String?, refusing: [Range<Int>] = []
  ) throws -> QuickAdd {
    let today = try #require(Day(today ?? "2026-11-22"))
    return QuickAdd(
      line, today: today, minuteOfDay: 720, languages: Language.tables(for: locale ?? ""),
      refusing: refusing)
  }

  @Test("protocol/vectors/quick-add.json", arguments: QuickAddRow.all)
  func vectors(row: QuickAddRow) throws {
    let refused = (row.refuse ?? []).map { $0[0]..<$0[1] }
    let it = try read(row.line, today: row.today, locale: row.locale, refusing: refused)
    #expect(QuickAddRow.Expected(it) == row.means)
    let guesses = it.guesses.map {
      QuickAddRow.Guess(kind: $0.kind.rawValue, range: [$0.range.lowerBound, $0.range.upperBound])
    }
    #expect(guesses == row.guesses)
  }

  @Test(
    "each guess can be refused, and then its words are in the title", arguments: QuickAddRow.all)
  func refused(row: QuickAddRow) throws {
    let it = try read(row.line, today: row.today, locale: row.locale)
    for guess in it.guesses {
      let without = try read(
        row.line, today: row.today, locale: row.locale, refusing: [guess.range])
      #expect(without.guesses.allSatisfy { !$0.range.overlaps(guess.range) })
      let scalars = Array(row.line.unicodeScalars)[guess.range]
      let words = String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isWhitespace)
      #expect(without.title.contains(words.joined(separator: " ")))
    }
    let none = try read(
      row.line, today: row.today, locale: row.locale, refusing: [0..<Int.max])
    #expect(none.guesses.isEmpty)
  }

  @Test(
    "cut at every place, and with strange scalars at every place: no crash, ranges in their order")
  func cuts() throws {
    let strange = [
      "\u{0}", "\u{301}", "\u{200D}", "🇵🇹", "٣", "İ", "ß", "\u{FFFF}", "\\", "!", " ", ",",
    ]
    for row in QuickAddRow.all {
      let scalars = Array(row.line.unicodeScalars)
      for place in 0...scalars.count {
        let before = String(String.UnicodeScalarView(scalars[..<place]))
        let after = String(String.UnicodeScalarView(scalars[place...]))
        for line in [before, after, before + strange[place % strange.count] + after] {
          try check(line, locale: row.locale)
        }
      }
    }
  }

  @Test("random words of the tables in any order, seed 9", arguments: Language.locales)
  func random(locale: String) throws {
    var random = SeededRandom(seed: 9)
    let words =
      "every every! other 2 three day weeks month on the 31st 1st last mon, and fri tue,wed until times 24.12. "
      + "2026-02-29 31 apr feb 29 2027 next in a at 18 18:00 25:00 6pm 12am noon 1h30 99999m 50m !high !!! +tag + +1 "
      + "@ann @A-Member #12 #list , \\fri daily due by 0 999 weekday 9999 18h30 31. 24/12 24/12/2026 18.30 7h"
    let table =
      words.split(separator: " ").map(String.init)
      + Language.tables(for: locale).flatMap { $0.entries.flatMap(\.words) }.sorted()
    for _ in 0..<20_000 {
      let line = (0..<(1 + random.below(8))).map { _ in table[random.below(table.count)] }
      try check(line.joined(separator: " "), locale: locale)
    }
  }

  @Test("a line that is too long is a title")
  func long() throws {
    let line = String(repeating: "fri ", count: QuickAdd.scalarsMax)
    let it = try read(line, today: nil, locale: nil)
    #expect(it.guesses.isEmpty && it.due == nil)
    let shorter = "fri " + String(repeating: "x", count: QuickAdd.scalarsMax - 4)
    #expect(try !read(shorter, today: nil, locale: nil).guesses.isEmpty)
  }

  private func check(_ line: String, locale: String?) throws {
    let it = try read(line, today: nil, locale: locale)
    var end = 0
    for guess in it.guesses {
      #expect(guess.range.lowerBound >= end && guess.range.count > 0, "\(line.debugDescription)")
      end = guess.range.upperBound
    }
    #expect(end <= line.unicodeScalars.count)
    if let rule = it.recurrence?.rule { #expect(try RecurrenceRule(rule.description) == rule) }
  }
}
