// Knows which scalars show something by themselves. A name of nothing else looks like no name at all: nobody can read
// it, click it or tell it from another one.

/// The question whether a text shows something.
enum Showing {
  /// Answers whether a reader sees anything: a letter, a digit, a sign or a picture.
  static func shows(_ text: String) -> Bool { text.unicodeScalars.contains(where: shows) }

  /// Answers whether a scalar shows. Marks show on a letter only. Default_Ignorable_Code_Point (Unicode
  /// DerivedCoreProperties) has the fillers of Hangul, the inherent vowels of Khmer, selectors and tags.
  ///
  /// Controls count as showing here: a sender of one is told of it, and not that the text is empty.
  static func shows(_ scalar: Unicode.Scalar) -> Bool {
    if (0x21...0x7E).contains(scalar.value) { return true }
    let properties = scalar.properties
    if properties.generalCategory == .control || properties.generalCategory == .format {
      return !properties.isWhitespace
    }
    return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
      && !Graphemes.isMark(scalar) && !blanks.contains(scalar.value)
  }

  /// The signs that are blank by their meaning: a cell of Braille without dots, a notehead that is not drawn, squares
  /// between hieroglyphs.
  private static let blanks: Set<UInt32> = [0x2800, 0x1D159, 0x13441, 0x13442]
}
