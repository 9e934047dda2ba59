import Foundation
import Testing

@testable import Domain
@testable import QuickAdd

extension Language {
  /// Its tables by their names, with the words and phrases of each.
  var entries: [(table: String, words: [String])] {
    Mirror(reflecting: self).children.compactMap { child in
      let table = Mirror(reflecting: child.value)
      let words: [String] =
        switch table.displayStyle {
        case .set: table.children.compactMap { $0.value as? String }
        case .dictionary:
          table.children.compactMap {
            Mirror(reflecting: $0.value).children.first?.value as? String
          }
        default: []
        }
      return child.label.map { ($0, words) }
    }
  }
}

@Suite("protocol/quick-add.md: the tables of the languages")
struct LanguageTests {
  static let sections: [(title: String, language: Language, spelling: Spelling)] = [
    ("English", .english, Spelling(letters: [:])),
    ("German", .german, Language.germanSpelling),
    ("French", .french, Language.frenchSpelling),
    ("Spanish", .spanish, Language.spanishSpelling),
  ]

  @Test("the document names the words of each table, and no others", arguments: 0..<4)
  func document(index: Int) throws {
    let (title, language, spelling) = LanguageTests.sections[index]
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../protocol/quick-add.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n### \(title)\n").last)
    let rows = section.components(separatedBy: "\n### ")[0].split(separator: "\n")
    var named: [String: Set<String>] = [:]
    for row in rows where row.hasPrefix("| `") {
      let cells = row.split(separator: "|").map { LanguageTests.quoted($0) }
      // "À" alone keeps its accent.
      named[cells[0][0]] = Set(cells[1] + cells[1].filter { $0 != "à" }.map(spelling.plain))
    }
    for (table, words) in language.entries {
      #expect(named[table, default: []] == Set(words), "\(title): \(table)")
      named[table] = nil
    }
    #expect(named.isEmpty)
  }

  private static func quoted(_ cell: Substring) -> [String] {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
  }

  @Test("entries are as words are compared: lower-case, of few words, also without accents")
  func entries() {
    for (title, language, spelling) in LanguageTests.sections {
      for (table, words) in language.entries {
        for word in words {
          #expect(
            Words(word, refusing: []).phrases.first?.contains(word) == true, "\(title): \(word)")
          // "À" alone keeps its accent: without it, it is another word.
          #expect(
            word == "à" || words.contains(spelling.plain(word)), "\(title), \(table): \(word)")
        }
      }
    }
  }

  @Test("every table that is asked for runs of words is among all words")
  func allWords() {
    let others: Set<String> = [
      "halves", "hourMarks", "intervalEndings", "ordinalEndings", "priorities",
    ]
    for (title, language, _) in LanguageTests.sections {
      let named = Set(language.entries.filter { !others.contains($0.table) }.flatMap(\.words))
      #expect(language.allWords == named, "\(title)")
    }
  }

  @Test(
    "the language of a profile chooses the table",
    arguments: [
      ("de", "morgen"), ("de-AT", "morgen"), ("DE-CH", "morgen"), ("fr-CA", "demain"),
      ("es-419", "hoy"), ("en-GB", "tom"), ("pt-PT", "tom"), ("", "tom"), ("den", "tom"),
    ])
  func locale(locale: String, day: String) {
    #expect(Language.tables(for: locale)[0].days[day] != nil)
  }

  @Test("English is understood beside every language, in full words")
  func english() {
    for locale in Language.locales {
      let it = QuickAdd(
        "call on monday at 18 every 2 weeks", today: Day(number: 20_779), minuteOfDay: 0,
        languages: Language.tables(for: locale))
      #expect(it.title == "call" && it.minuteOfDay == 1_080 && it.recurrence?.rule.interval == 2)
    }
  }
}
