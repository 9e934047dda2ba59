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

    /// The word and, behind it, the word without the punctuation around it: "do.,", "do.", "do".
    let forms: [String]

    /// A comma or another mark stands behind it, so that it begins nothing together with the next word.
    var endsClause: Bool { lower.last.map { ",;:!?.)…".contains($0) } ?? false }
    var isAsked: Bool { lower.contains("?") }
    /// How many parentheses it opens, less those that it closes.
    var parentheses: Int {
      lower.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
    }
  }

  /// So many words, as a table may have them.
  struct Candidate {
    let text: String
    let count: Int
  }

  /// No entry of a table has more.
  static let phraseWordsMax = 4
  private static let trailing: Set<Character> = [",", ";", ":", ".", "!", "?", ")", "…"]

  let all: [Word]
  /// Of each place: the word, the same with the next one, and so on, as the tables have them; up to a plain word.
  let phrases: [[String]]
  /// The same, the longest first, each also without punctuation around it.
  let candidates: [[Candidate]]

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
    let phrases = words.indices.map { Words.phrases(at: $0, of: words) }
    candidates = words.indices.map { Words.candidates(at: $0, phrases[$0], of: words) }
    self.phrases = phrases
  }

  private static func phrases(at place: Int, of all: [Word]) -> [String] {
    var phrases: [String] = []
    for word in all[place...].prefix(phraseWordsMax) {
      guard !word.isPlain else { break }
      phrases.append(phrases.last.map { $0 + " " + word.lower } ?? word.lower)
    }
    return phrases
  }

  private static func candidates(at place: Int, _ phrases: [String], of all: [Word]) -> [Candidate]
  {
    phrases.indices.reversed().flatMap { index in
      let forms = index == 0 ? all[place].forms : Words.forms(of: phrases[index])
      return forms.map { Candidate(text: $0, count: index + 1) }
    }
  }

  /// `\fri` is the word "fri" and no guess; a backslash alone is itself.
  private static func word(_ text: String, range: Range<Int>, refused: Bool) -> Word {
    let escaped = text.unicodeScalars.first == "\\" && text.unicodeScalars.count > 1
    let said = escaped ? String(String.UnicodeScalarView(text.unicodeScalars.dropFirst())) : text
    let lower = String(said.lowercased().map { $0 == "\u{2019}" ? "'" : $0 })
    return Word(
      said: said, lower: lower, range: range, isPlain: refused || escaped, forms: forms(of: lower))
  }

  /// The text first; then without an opening parenthesis, and without up to three marks at its end.
  static func forms(of text: String) -> [String] {
    var forms = [text]
    var rest = text[...]
    if rest.first == "(", rest.count > 1 {
      rest.removeFirst()
      forms.append(String(rest))
    }
    for _ in 0..<3 {
      guard let last = rest.last, rest.count > 1, trailing.contains(last) else { break }
      rest.removeLast()
      forms.append(String(rest))
    }
    return forms
  }
}
