// Maps letters that Unicode tells apart and people type alike (protocol §8 `search` has the table).

/// The letters that a letter becomes when it is compared, where NFKD and case folding leave it as it is.
struct PlainLetters: Equatable {
  let letters: String
  /// The letters that are added in the word's other spelling: `ø` is `o`, or `oe`.
  let more: String

  private init(_ letters: String, _ more: String = "") {
    self.letters = letters
    self.more = more
  }

  private init(_ scalar: UInt32) {
    self.init(Unicode.Scalar(scalar).map { String(Character($0)) } ?? "")
  }

  /// Returns the plain letters. Nil for a letter that stays.
  static func plain(_ scalar: Unicode.Scalar) -> PlainLetters? {
    switch scalar.value {
    case 0xE6...0x2AF: latin(scalar.value)
    case 0x491: PlainLetters(0x433)
    // Tatweel and the like only make a word longer. The others are marks of Arabic that are newer than `droppedMarks`.
    case 0x640, 0x674, 0x7FA, 0x8CA...0x8E1, 0x8E3...0x8FF: PlainLetters("")
    case 0x671...0x6D5: arabic(scalar.value)
    case 0x629: PlainLetters(0x647)
    case 0x649: PlainLetters(0x64A)
    case 0x30A1...0x30F6, 0x30FD...0x30FE: PlainLetters(scalar.value - 0x60)
    default: digit(scalar)
    }
  }

  private static func latin(_ value: UInt32) -> PlainLetters? {
    switch value {
    case 0xE6: PlainLetters("ae")
    case 0xF0: PlainLetters("d", "h")
    case 0xF8: PlainLetters("o", "e")
    case 0xFE: PlainLetters("th")
    case 0x111: PlainLetters("d", "j")
    case 0x127: PlainLetters("h")
    case 0x131, 0x268: PlainLetters("i")
    case 0x138: PlainLetters("k")
    case 0x142, 0x19A, 0x26B: PlainLetters("l")
    case 0x14B: PlainLetters("n", "g")
    case 0x153: PlainLetters("oe")
    case 0x167: PlainLetters("t")
    case 0x180, 0x253: PlainLetters("b")
    case 0x188: PlainLetters("c")
    case 0x18D, 0x256, 0x257: PlainLetters("d")
    case 0x1DD, 0x259, 0x25B, 0x247: PlainLetters("e")
    case 0x192: PlainLetters("f")
    case 0x1E5, 0x260: PlainLetters("g")
    case 0x199: PlainLetters("k")
    case 0x19E, 0x272: PlainLetters("n")
    case 0x254, 0x275: PlainLetters("o")
    case 0x1A5: PlainLetters("p")
    case 0x1AD, 0x288: PlainLetters("t")
    case 0x289, 0x28A: PlainLetters("u")
    case 0x28B: PlainLetters("v")
    case 0x1B4, 0x24F: PlainLetters("y")
    case 0x1B6, 0x225: PlainLetters("z")
    default: nil
    }
  }

  /// Returns the letter of the same shape: Persian, Urdu, Kurdish and Uyghur keyboards have other letters than Arabic
  /// ones. Letters with a hamza are without it already: it is a mark.
  private static func arabic(_ value: UInt32) -> PlainLetters? {
    switch value {
    case 0x671: PlainLetters(0x627)
    case 0x6A9, 0x6AA: PlainLetters(0x643)
    case 0x6BE, 0x6C1, 0x6C3, 0x6D5: PlainLetters(0x647)
    case 0x6CC, 0x6CE: PlainLetters(0x64A)
    default: nil
    }
  }

  /// Returns the digit that everybody can type for a digit of any script (Nd).
  private static func digit(_ scalar: Unicode.Scalar) -> PlainLetters? {
    let properties = scalar.properties
    guard properties.generalCategory == .decimalNumber, let value = properties.numericValue
    else { return nil }
    return PlainLetters("\(Int(value))")
  }

  /// Returns the second letter of a vowel in its other spelling, where this mark is on it: `ä` is `a` or `ae`, `å` is
  /// `a` or `aa`.
  static func secondLetter(behind letter: UInt8?, with mark: Unicode.Scalar) -> UInt8? {
    switch (mark.value, letter) {
    case (0x308, UInt8(ascii: "a")), (0x308, UInt8(ascii: "o")), (0x308, UInt8(ascii: "u")):
      UInt8(ascii: "e")
    case (0x30A, UInt8(ascii: "a")): UInt8(ascii: "a")
    default: nil
    }
  }

  /// Answers whether the scalar ties words: hyphens, apostrophes (also those that are letters to Unicode), points
  /// inside of words, and the zero-width non-joiner.
  static func isTie(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x22, 0x27, 0x2D, 0x60, 0xB4, 0xB7, 0x2B9, 0x2BB, 0x2BC, 0x58A, 0x5BE, 0x5F3, 0x5F4,
      0x1806, 0x200C,
      0x2010...0x2013, 0x2018, 0x2019, 0x2027, 0x2212, 0xA78C, 0xFE63, 0xFF07, 0xFF0D:
      true
    default: false
    }
  }

  /// Answers whether the mark is dropped: accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, variation
  /// selectors.
  static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    droppedMarks.contains { $0.contains(scalar.value) }
  }

  private static let droppedMarks: [ClosedRange<UInt32>] = [
    0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF...0x05BF, 0x05C1...0x05C2,
    0x05C4...0x05C5, 0x05C7...0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670...0x0670,
    0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8, 0x06EA...0x06ED, 0x1AB0...0x1AFF,
    0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xE0100...0xE01EF,
  ]

  /// Answers whether the scalar belongs to a script whose words have no spaces between them.
  static func isWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
    withoutSpaces.contains { $0.contains(scalar.value) }
  }

  /// The ranges of Thai, Lao, Myanmar and Khmer, of radicals, kana, Bopomofo and Han.
  private static let withoutSpaces: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007,
    0x3021...0x3029, 0x3031...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF,
    0x4E00...0x9FFF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F, 0xF900...0xFAFF, 0x1B000...0x1B16F,
    0x20000...0x3FFFD,
  ]
}
