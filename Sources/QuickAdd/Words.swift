/// A line cut at white space, with the place of each word in Unicode scalars.
struct Words {
  struct Word {
    /// The word as it was typed.
    let said: String
    /// The word for comparing with the tables: lower-case, with "'" for a typographic apostrophe.
    let lower: String
    let range: Range<Int>
    /// Whether no guess may be made of the word: it was refused, or begins with a backslash.
    let isPlain: Bool

    /// The forms of the word: first itself, then without the punctuation around it, as in "do.,", "do.", "do".
    let forms: [String]

    /// Whether a comma or another mark stands behind the word, so that it begins nothing together with the next one.
    var endsClause: Bool { lower.last.map { ",;:!?.)…".contains($0) } ?? false }
    var isAsked: Bool { lower.contains("?") }
    /// The number of parentheses that the word opens, less those that it closes.
    var parentheses: Int {
      lower.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
    }
  }

  /// A run of words, as a table may have it.
  struct Candidate {
    let text: String
    let count: Int
  }

  /// The greatest number of words in an entry of a table.
  static let phraseWordsMax = 4
  private static let trailing: Set<Character> = [",", ";", ":", ".", "!", "?", ")", "…"]

  let all: [Word]
  /// The runs at each place, as the tables have them: the word, then the word with the next one, and so on up to a
  /// plain word.
  let phrases: [[String]]
  /// The runs at each place, the longest first. A run with punctuation around it is there without the punctuation, too.
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

  /// Makes a word. `\fri` is the word "fri" and no guess; a backslash alone is itself.
  private static func word(_ text: String, range: Range<Int>, refused: Bool) -> Word {
    let escaped = text.unicodeScalars.first == "\\" && text.unicodeScalars.count > 1
    let said = escaped ? String(String.UnicodeScalarView(text.unicodeScalars.dropFirst())) : text
    let lower = String(said.lowercased().map { $0 == "\u{2019}" ? "'" : $0 })
    return Word(
      said: said, lower: lower, range: range, isPlain: refused || escaped, forms: forms(of: lower))
  }

  /// Returns the text, then the text without an opening parenthesis, and then without up to three marks at its end.
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
