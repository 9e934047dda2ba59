/// A line cut at white space, with the place of each word in Unicode scalars.
struct Words {
  struct Word {
    /// As typed.
    let said: String
    /// For comparing with the tables: with "'" for a typographic apostrophe.
    let lower: String
    let range: Range<Int>
    /// Nothing may be guessed of it: it was refused, or begins with a backslash.
    let isPlain: Bool
  }

  /// No entry of a table has more.
  static let phraseWordsMax = 4

  let all: [Word]
  /// Of each place: the word, the same with the next one, and so on, as the tables have them; up to a plain word.
  let phrases: [[String]]

  init(_ line: String, refusing: [Range<Int>]) {
    var words: [Word] = []
    var scalars = String.UnicodeScalarView()
    var place = 0
    let scalarCount = line.unicodeScalars.count
    func end() {
      if !scalars.isEmpty {
        let range = (place - scalars.count)..<place
        words.append(
          Words.word(
            String(scalars), range: range,
            refused: scalarCount > QuickAdd.scalarsMax || refusing.contains { $0.overlaps(range) }))
      }
      scalars = String.UnicodeScalarView()
    }
    for scalar in line.unicodeScalars {
      if scalar.properties.isWhitespace { end() } else { scalars.append(scalar) }
      place += 1
    }
    end()
    all = words
    phrases = words.indices.map { Words.phrases(at: $0, of: words) }
  }

  private static func phrases(at place: Int, of all: [Word]) -> [String] {
    var phrases: [String] = []
    for word in all[place...].prefix(phraseWordsMax) {
      guard !word.isPlain else { break }
      phrases.append(phrases.last.map { $0 + " " + word.lower } ?? word.lower)
    }
    return phrases
  }

  /// `\fri` is the word "fri" and no guess; a backslash alone is itself.
  private static func word(_ text: String, range: Range<Int>, refused: Bool) -> Word {
    let escaped = text.unicodeScalars.first == "\\" && text.unicodeScalars.count > 1
    let said = escaped ? String(String.UnicodeScalarView(text.unicodeScalars.dropFirst())) : text
    let lower = said.lowercased().map { $0 == "\u{2019}" ? "'" : $0 }
    return Word(said: said, lower: String(lower), range: range, isPlain: refused || escaped)
  }
}
