// Words that a tie holds together are one word to people who type them without it: `e-mail`, `don't`, `می‌خواهم`.
//
// Besides the words, a text keeps what they are together from each of them on (`rendez-vous-ci`: `rendezvousci`,
// `vousci`), so that the beginning of any of these is found. Somebody who searches for tied words wants each of them,
// or all of them as one word: for `e-mail` a text must have `e`, and `mail` or `email`.

/// The bytes of a word and, where they are asked for, the places of the scalars from which each byte comes.
struct Spelling: Equatable {
  var bytes: [UInt8]
  var places: [Int]

  /// Appends the bytes of one scalar.
  mutating func append(contentsOf new: some Collection<UInt8>, at place: Int) {
    bytes += new
    if !places.isEmpty { places += repeatElement(place, count: new.count) }
  }

  static func + (left: Spelling, right: Spelling) -> Spelling {
    Spelling(bytes: left.bytes + right.bytes, places: left.places + right.places)
  }
}

/// A word with its other spelling, if it has one: `muller`, `mueller`.
struct SpelledWord: Equatable {
  let plain: Spelling
  let other: Spelling?
  /// The place in it where a number behind letters begins. Nil when there is none.
  let numberAt: Int?

  var all: [Spelling] { other.map { [plain, $0] } ?? [plain] }
}

/// One word, or several with ties between.
struct TiedWords: Equatable {
  let words: [SpelledWord]

  /// The number of words that are kept together. A longer chain is parted, because each word lengthens what is kept of
  /// the others.
  static let countMax = 8

  init(_ words: [SpelledWord]) { self.words = words }

  /// The spellings that a text keeps besides the words.
  var otherSpellings: [Spelling] {
    words.compactMap(\.other) + words.compactMap(\.number)
      + words.indices.dropLast().flatMap { TiedWords.together(words[$0...]) }
  }

  /// The spellings that a text must have to be found: one from each list.
  var wanted: [[[UInt8]]] {
    let whole = words.count > 1 ? TiedWords.together(words[...]) : []
    return words.enumerated().map { index, word in
      // A text that begins with the whole begins with the first word.
      let spellings = index == 0 ? word.all : word.all + whole
      return spellings.map { [Words.beginning] + $0.bytes }
    }
  }

  private static func together(_ words: ArraySlice<SpelledWord>) -> [Spelling] {
    let plain = words.dropFirst().reduce(words[words.startIndex].plain) { $0 + $1.plain }
    guard words.contains(where: { $0.other != nil }) else { return [plain] }
    let first = words[words.startIndex]
    let other = words.dropFirst().reduce(first.other ?? first.plain) { $0 + ($1.other ?? $1.plain) }
    return [plain, other]
  }
}

extension SpelledWord {
  fileprivate var number: Spelling? {
    numberAt.map { at in
      Spelling(
        bytes: Array(plain.bytes[at...]),
        places: plain.places.isEmpty ? [] : Array(plain.places[at...]))
    }
  }
}
