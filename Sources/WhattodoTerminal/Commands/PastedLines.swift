// Several lines that were pasted at once, mostly a list from elsewhere. Each line becomes a post. The marks that made
// it an item of that list are removed:
//  - a bullet (`-`, `*`, `+`, `•` …) with a blank behind it;
//  - a box: `[ ]`, `☐`. A ticked item (`[x]`, `☑`, `✔`) is done already: it is left out, and the person is told;
//  - a number (`1.`, `2)`), if the numbers of the paste go up by one from 1 or are all 1. Other numbers belong to the
//    text: "24. Dezember".
// Empty lines and lines of signs alone (`---`) are dropped.

import Text

/// One pasted line that becomes a post.
struct PastedLine: Equatable {
  /// The text without the marks of a list item.
  let text: String
  /// The text with its number, which may belong to a date; nil where there was none.
  let numbered: String?
  /// The place of the line in the paste, from 1.
  let place: Int
}

/// The posts that a pasted text contains.
struct PastedLines: Equatable {
  let lines: [PastedLine]
  /// The number of items that were ticked off.
  let ticked: Int

  /// The maximum of lines, enough for the list of a shop or the project of a year. More would keep the server busy for
  /// minutes.
  static let max = 5_000

  /// Whether there are several lines that say something.
  static func areSeveral(in text: String) -> Bool {
    rows(of: text).count > 1
  }

  init(_ text: String) {
    let items = PastedLines.rows(of: text).map { Item($0.text, place: $0.place) }
    let isCounted = PastedLines.isCounted(items.compactMap { $0.number?.value })
    lines = items.filter { !$0.isTicked && !$0.text.isEmpty }.map { item in
      guard let number = item.number else {
        return PastedLine(text: item.text, numbered: nil, place: item.place)
      }
      let whole = number.written + " " + item.text
      return PastedLine(
        text: isCounted ? item.text : whole, numbered: isCounted ? whole : nil, place: item.place)
    }
    ticked = items.count { $0.isTicked }
  }

  private static func rows(of text: String) -> [(text: String, place: Int)] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .compactMap { index, row in
        let row = trimmed(row)
        guard !row.isEmpty, row.contains(where: { !"-*_=~ ".contains($0) }) else { return nil }
        return (row, index + 1)
      }
  }

  /// Removes blanks around the row and characters that cannot be seen; a tab counts as a blank.
  private static func trimmed(_ row: Substring) -> String {
    let clean = Text.cleaned(line: String(row.map { $0 == "\t" ? " " : $0 }))
    var rest = clean.drop { $0.isWhitespace }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }

  private static func isCounted(_ numbers: [Int]) -> Bool {
    guard let first = numbers.first, first == 1 else { return false }
    return numbers.allSatisfy { $0 == 1 }
      || zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 || $1 == 1 }
  }
}

/// One row, taken apart.
private struct Item {
  var text: String
  let place: Int
  var isTicked = false
  var number: (written: String, value: Int)?

  init(_ row: String, place: Int) {
    text = row
    self.place = place
    takeBullet()
    takeNumber()
    takeBox()
  }

  private static let bullets: Set<Character> = [
    "-", "*", "+", "•", "‣", "◦", "▪", "▫", "●", "○", "·", "–", "—", "■", "□", "►", "➢", "⁃",
  ]
  private static let open: Set<Character> = ["☐", "◻", "⬜", "🔲", "🔳"]
  private static let done: Set<Character> = ["☑", "☒", "✔", "✓", "✅", "✗", "✘"]

  private mutating func take(_ count: Int) {
    text = String(text.dropFirst(count).drop { $0.isWhitespace })
  }

  private mutating func takeBullet() {
    guard let first = text.first, Item.bullets.contains(first) else { return }
    let next = text.dropFirst().first
    if next.map(\.isWhitespace) ?? true { take(1) }
  }

  private mutating func takeNumber() {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count)
    guard (1...4).contains(digits.count), let value = Int(digits), let sign = rest.first,
      sign == "." || sign == ")", let blank = rest.dropFirst().first, blank.isWhitespace
    else { return }
    number = (String(digits) + String(sign), value)
    take(digits.count + 1)
  }

  private mutating func takeBox() {
    if let first = text.first, let base = first.unicodeScalars.first.map(Character.init) {
      if Item.open.contains(base) { return take(1) }
      if Item.done.contains(base) {
        isTicked = true
        return take(1)
      }
    }
    guard text.hasPrefix("["), let end = text.firstIndex(of: "]") else { return }
    let mark = text[text.index(after: text.startIndex)..<end]
    let behind = text[text.index(after: end)...]
    guard mark.count <= 1, behind.first.map(\.isWhitespace) ?? true else { return }
    isTicked = !mark.allSatisfy(\.isWhitespace)
    text = String(behind.drop { $0.isWhitespace })
  }
}
