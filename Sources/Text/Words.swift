// Says what of a text is compared when somebody searches (protocol §8 `search`).
//
// A text is cut into words, and the plain form of each letter is kept (PlainLetters.swift): compatibility forms are
// taken apart (NFKD), capitals become small (case folding), accents go, and so do the optional points of Hebrew and
// Arabic; letters with a stroke, letters of one shape and digits of other scripts become one. Marks that are letters to
// their readers (vowels of Indic scripts, the voicing of kana) stay.
// - Where writers put spaces, a word is found by its beginning: `mil` finds `Milk`, `ilk` does not. Five letters a–z or
//   more are also found inside of a word, behind two letters or more: `kuchen` in `Apfelkuchen`.
// - Han, kana, Thai and other scripts are written without spaces, and nothing tells where a word begins. So in a run of
//   these every letter may begin a match. The same holds for pictures, such as emoji.
// Anything else (punctuation, symbols of mathematics and money, white space) parts words and is never found.
//
// Some words have several spellings, and people type any of them:
// - a letter that is also written as two: `Müller`, `Muller`, `Mueller` (WordFolder.spellings);
// - words that a hyphen, an apostrophe or a zero-width non-joiner ties together: `e-mail`, `email` (TiedWords.swift);
// - a number behind letters: `2.0.1` in `v2.0.1`.
// A text keeps its other spellings behind its words, and is found by any of them.
//
// A folded text is its words in their order as UTF-8, each after a byte: 0 before a word that is found by its
// beginning, 1 before a run. No word holds these bytes. So a word is found with one search for its bytes, with the 0
// before it or, in a run, without a byte before it. The scalars of the two kinds differ, so no search finds the other
// kind. The other spellings are words of the first kind behind all words of all texts of a post, each once: the bytes
// in front of them are the words as they were written (`plain`).
//
// The forms come from utf8proc. A newer one knows more letters: texts that were folded by an older one are then found
// by these letters only when they are written again.

/// Folds texts for search.
package enum Words {
  /// The ways in which texts have been folded. Databases that were written by an earlier version have rows of an
  /// earlier form (Store/Schema+Words.swift).
  package enum Form: Sendable {
    /// Words in one spelling, with fewer of their letters made plain.
    case first
    case present
  }

  /// Returns the folded texts of one thing.
  package static func folded(_ texts: [String], form: Form = .present) -> [UInt8] {
    var folder = WordFolder(form)
    for text in texts { folder.add(text) }
    return folder.bytes + folder.spellings
  }

  /// Returns the words of one text without their other spellings. The folded bytes of a thing whose first text this is
  /// begin with these.
  package static func plain(_ text: String, form: Form = .present) -> [UInt8] {
    var folder = WordFolder(form)
    folder.add(text)
    return folder.bytes
  }

  static let beginning: UInt8 = 0
  static let run: UInt8 = 1

  /// The bytes that the other spellings of one thing may have: a text of nothing but hyphens would be five times as
  /// long with them as without. It is as much as the longest notes of plain letters.
  static let spellingsBytesMax = 16_384
  /// The number of letters from which on a word is found inside of another …
  static let innerLettersMin = 5
  /// … behind this number of letters (`Abrechnung`, `Eierkuchen`): one letter makes another word (`flight`, `mother`).
  static let lettersBeforeInnerMin = 2

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
