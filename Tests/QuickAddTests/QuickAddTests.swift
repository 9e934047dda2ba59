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
  private func read(_ line: String, today: String?, refusing: [Range<Int>] = []) throws -> QuickAdd
  {
    let today = try #require(Day(today ?? "2026-11-22"))
    return QuickAdd(line, today: today, minuteOfDay: 720, refusing: refusing)
  }

  @Test("protocol/vectors/quick-add.json", arguments: QuickAddRow.all)
  func vectors(row: QuickAddRow) throws {
    let refused = (row.refuse ?? []).map { $0[0]..<$0[1] }
    let it = try read(row.line, today: row.today, refusing: refused)
    #expect(QuickAddRow.Expected(it) == row.means)
    let guesses = it.guesses.map {
      QuickAddRow.Guess(kind: $0.kind.rawValue, range: [$0.range.lowerBound, $0.range.upperBound])
    }
    #expect(guesses == row.guesses)
  }

  @Test(
    "each guess can be refused, and then its words are in the title", arguments: QuickAddRow.all)
  func refused(row: QuickAddRow) throws {
    let it = try read(row.line, today: row.today)
    for guess in it.guesses {
      let without = try read(row.line, today: row.today, refusing: [guess.range])
      #expect(without.guesses.allSatisfy { !$0.range.overlaps(guess.range) })
      let scalars = Array(row.line.unicodeScalars)[guess.range]
      let words = String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isWhitespace)
      #expect(without.title.contains(words.joined(separator: " ")))
    }
    let none = try read(row.line, today: row.today, refusing: [0..<Int.max])
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
        try check(before)
        try check(after)
        try check(before + strange[place % strange.count] + after)
      }
    }
  }

  @Test("random words of the tables in any order, seed 9")
  func random() throws {
    var random = SeededRandom(seed: 9)
    let words =
      "every every! other 2 three day weeks month on the 31st 1st last mon, and fri tue,wed until times 24.12. "
      + "2026-02-29 31 apr feb 29 2027 next in a at 18 18:00 25:00 6pm 12am noon 1h30 99999m 50m !high !!! +tag + +1 "
      + "@ann @A-Member #12 #list , \\fri daily due by 0 999 weekday 9999"
    let table = words.split(separator: " ")
    for _ in 0..<20_000 {
      try check(
        (0..<(1 + random.below(8))).map { _ in String(table[random.below(table.count)]) }.joined(
          separator: " "))
    }
  }

  @Test("a line that is too long is a title")
  func long() throws {
    let line = String(repeating: "fri ", count: QuickAdd.scalarsMax)
    let it = try read(line, today: nil)
    #expect(it.guesses.isEmpty && it.due == nil)
    #expect(try !read("fri " + String(repeating: "x", count: 1_996), today: nil).guesses.isEmpty)
  }

  private func check(_ line: String) throws {
    let it = try read(line, today: nil)
    var end = 0
    for guess in it.guesses {
      #expect(guess.range.lowerBound >= end && guess.range.count > 0, "\(line.debugDescription)")
      end = guess.range.upperBound
    }
    #expect(end <= line.unicodeScalars.count)
    if let rule = it.recurrence?.rule { #expect(try RecurrenceRule(rule.description) == rule) }
  }
}
