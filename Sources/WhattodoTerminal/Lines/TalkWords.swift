// The words of a line of talk as they are shown. Where the line names a member, the present username stands, because
// people may be called otherwise by now. Behind the number of a post stands its title. The words of others go through
// `Phrase`, piece by piece, like every text.

import Domain
import Screen
import Text

/// Makes rows of the texts of lines in one stream.
struct TalkWords {
  private struct Piece {
    let text: String
    var style = Style.plain
  }

  private let state: StreamState?
  private let me: UserID?
  /// The titles of the posts, by number. It is empty when no text has a number of a post.
  private let titles: [Int: String]

  /// The number of titles that one line gets, so that a line of numbers stays a line.
  private static let titlesMax = 4
  private static let titleColumns = 30

  /// Makes words for these texts. The titles are looked up once for all of them.
  init(_ texts: [String], in stream: StreamID, _ situation: Situation) {
    let state = situation.streams[stream]
    self.state = state
    me = situation.me
    let hasNumbers = texts.contains { text in
      text.utf8.contains(UInt8(ascii: "#"))
    }
    let posts = hasNumbers ? state?.posts ?? [] : []
    titles = Dictionary(posts.map { ($0.number, $0.shownTitle) }) { first, _ in first }
  }

  init(_ text: String, in stream: StreamID, _ situation: Situation) {
    self.init([text], in: stream, situation)
  }

  /// Returns the rows of a text, of which there is at least one.
  func rows(of text: String, _ mentions: [Mention]) -> [Line] {
    var rows = [Line()]
    for piece in pieces(of: text, mentions) {
      let parts = piece.text.split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      for (index, part) in parts.enumerated() {
        if index > 0 { rows.append(Line()) }
        rows[rows.count - 1].add("\(String(part))", piece.style)
      }
    }
    return rows
  }

  /// Returns the text in one row, with a mark where a row ended.
  func oneRow(_ text: String, _ mentions: [Mention]) -> Line {
    let rows = rows(of: text, mentions).filter { !$0.runs.isEmpty }
    return rows.dropFirst().reduce(rows.first ?? Line()) { $0.and(" / ").and($1) }
  }

  private func pieces(of text: String, _ mentions: [Mention]) -> [Piece] {
    let named = named(text, mentions)
    let whole = named.map(\.text).joined()
    // Pieces would stand in the order of our letters, and such a text has another.
    guard !Text.runsRightToLeft(whole) else {
      let isForMe = named.contains { $0.style == .accent }
      return [Piece(text: whole, style: isForMe ? .accent : .plain)]
    }
    var told: [Int] = []
    return named.flatMap { $0.style == .plain ? withTitles($0.text, &told) : [$0] }
  }

  /// Puts the present names where the text names members. A member whom no copy knows any more keeps the word of the
  /// text.
  private func named(_ text: String, _ mentions: [Mention]) -> [Piece] {
    let scalars = Array(text.unicodeScalars)
    var pieces: [Piece] = []
    var end = 0
    for it in mentions where it.at >= end && it.length > 0 && it.at < scalars.count {
      guard it.length <= scalars.count - it.at, let name = state?.member(it.user)?.username,
        !name.isEmpty
      else { continue }
      pieces.append(Piece(text: Self.string(scalars[end..<it.at])))
      pieces.append(Piece(text: "@" + name, style: it.user == me ? .accent : .strong))
      end = it.at + it.length
    }
    return pieces + [Piece(text: Self.string(scalars[end...]))]
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// Puts ` (milk)` behind `#12`, once for each post. `told` has the numbers whose titles stand in the line already.
  private func withTitles(_ text: String, _ told: inout [Int]) -> [Piece] {
    guard !titles.isEmpty else { return [Piece(text: text)] }
    var pieces: [Piece] = []
    var (begin, rest) = (text.startIndex, text.startIndex)
    while let sign = text[rest...].firstIndex(of: "#") {
      let digits = text[text.index(after: sign)...].prefix { $0.isASCII && $0.isNumber }
      rest = digits.endIndex
      guard told.count < Self.titlesMax, Self.standsAlone(sign..<rest, in: text),
        let number = Words.number(in: String(digits)), !told.contains(number),
        let title = titles[number]
      else { continue }
      told.append(number)
      pieces.append(Piece(text: String(text[begin..<rest])))
      let shown = Text.truncated(title, columns: Self.titleColumns)
      pieces.append(Piece(text: " (\(shown))", style: .dim))
      begin = rest
    }
    return pieces + [Piece(text: String(text[begin...]))]
  }

  /// Whether the number is no part of a longer word, such as the step `#12.3`.
  private static func standsAlone(_ range: Range<String.Index>, in text: String) -> Bool {
    if let last = text[..<range.lowerBound].last, joins(last) { return false }
    var behind = text[range.upperBound...]
    if behind.first == "." { behind = behind.dropFirst() }
    return behind.first.map { !joins($0) } ?? true
  }

  private static func joins(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "#_&/".contains(character)
  }
}

extension Situation {
  /// Returns the beginning of a line of talk in quotes, for words about it; nil when the copy does not hold the line.
  func quote(_ number: Int64, in stream: StreamID) -> Phrase? {
    guard let line = streams[stream]?.line(number) else { return nil }
    return quote(line, in: stream)
  }

  func quote(_ line: TalkLine, in stream: StreamID) -> Phrase {
    let row = TalkWords(line.text, in: stream, self).oneRow(line.text, line.mentions)
    return "\"\(Text.truncated(row.plain, columns: 40))\""
  }
}
