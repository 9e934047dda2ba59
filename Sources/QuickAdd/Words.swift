/// A line cut at white space, with the place of each word in Unicode scalars.
struct Words {
  struct Word {
    /// As typed.
    let said: String
    /// For comparing with the tables.
    let lower: String
    let range: Range<Int>
    /// Nothing may be guessed of it: it was refused, or begins with a backslash.
    let isPlain: Bool
  }

  let all: [Word]

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
  }

  /// `\fri` is the word "fri" and no guess; a backslash alone is itself.
  private static func word(_ text: String, range: Range<Int>, refused: Bool) -> Word {
    let escaped = text.unicodeScalars.first == "\\" && text.unicodeScalars.count > 1
    let said = escaped ? String(String.UnicodeScalarView(text.unicodeScalars.dropFirst())) : text
    return Word(said: said, lower: said.lowercased(), range: range, isPlain: refused || escaped)
  }
}
