import CUtf8proc

/// The door to utf8proc: the only file that sees a pointer.
enum Utf8proc {
  /// Returns normalisation form C (UAX 15). Runs of marks must be short: ordering them is quadratic.
  ///
  /// utf8proc 2.8 takes U+11A7, the vowel before the first final of Hangul, for a final of no sound and drops it. It
  /// composes with nothing (UAX 15 §16), so the text on each side of it is normalised by itself.
  static func nfc(_ text: String) -> String {
    text.unicodeScalars.split(separator: "\u{11A7}", omittingEmptySubsequences: false)
      .map { composed(String($0)) }.joined(separator: "\u{11A7}")
  }

  private static func composed(_ text: String) -> String {
    let options = utf8proc_option_t(
      rawValue: UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue)
    var utf8 = Array(text.utf8)
    // A canonical decomposition makes at most four scalars of three bytes, and three of two.
    var scalars = [Int32](repeating: 0, count: 2 * utf8.count + 4)
    let decomposed = utf8.withUnsafeMutableBufferPointer { bytes in
      utf8proc_decompose(
        bytes.baseAddress, bytes.count, &scalars, scalars.count, options)
    }
    precondition(
      (0...scalars.count).contains(decomposed), "utf8proc takes every String and fits the buffer")
    let composed = utf8proc_normalize_utf32(&scalars, decomposed, options)
    precondition((0...decomposed).contains(composed), "composition never grows")
    var result = String.UnicodeScalarView()
    for value in scalars[..<composed] {
      guard let scalar = Unicode.Scalar(UInt32(value)) else {
        preconditionFailure("utf8proc answers scalars")
      }
      result.append(scalar)
    }
    return String(result)
  }

  /// Returns the columns of one scalar on a terminal: 0, 1 or 2, like the C library's `wcwidth`, which tmux asks.
  ///
  /// utf8proc differs for three kinds. Vowels and finals of Hangul stand inside the square of their initial; utf8proc
  /// counts them. Spacing marks (Mc: the vowels of Indic scripts beside their letter) have a column of their own;
  /// utf8proc gives them none, except for the tone marks of Hangul and of old Yi. Hexagrams and numbers on black
  /// squares are wide.
  static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
    case 0x3248...0x324F, 0x4DC0...0x4DFF: return 2
    default: break
    }
    let columns = Int(utf8proc_charwidth(Int32(scalar.value)))
    guard columns == 0, utf8proc_category(Int32(scalar.value)) == UTF8PROC_CATEGORY_MC else {
      return columns
    }
    return 1
  }

  /// Answers whether the scalar is assigned in the Unicode version that terminals of this system know.
  static func isAssigned(_ scalar: Unicode.Scalar) -> Bool {
    utf8proc_category(Int32(scalar.value)) != UTF8PROC_CATEGORY_CN
  }

  /// Answers whether it is a letter or digit of a script that is written from right to left (UAX 9: R, AL, AN).
  static func runsRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    let found = utf8proc_get_property(Int32(scalar.value)).pointee.bidi_class
    return [UTF8PROC_BIDI_CLASS_R, UTF8PROC_BIDI_CLASS_AL, UTF8PROC_BIDI_CLASS_AN]
      .contains { $0.rawValue == UInt32(found) }
  }

  /// The part that a scalar plays in a search.
  enum Part {
    /// A part of words: letters, digits, and the marks on them.
    case letter
    /// A sign that stands for something by itself. An unassigned scalar may become one.
    case picture
    case format
    case other
  }

  static func part(_ scalar: Unicode.Scalar) -> Part {
    let category = utf8proc_category(Int32(scalar.value))
    switch category {
    case UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT, UTF8PROC_CATEGORY_LM,
      UTF8PROC_CATEGORY_LO, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC, UTF8PROC_CATEGORY_ME,
      UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NL, UTF8PROC_CATEGORY_NO:
      return .letter
    case UTF8PROC_CATEGORY_SO, UTF8PROC_CATEGORY_CN: return .picture
    // These are the skin tones of emoji; the others are accents that stand alone.
    case UTF8PROC_CATEGORY_SK: return scalar.value >= 0x1F000 ? .picture : .other
    case UTF8PROC_CATEGORY_CF: return .format
    default: return .other
    }
  }

  /// The plain forms of one scalar: NFKD and case folding (Words.swift). The buffer is kept and used again.
  struct FoldBuffer {
    private(set) var count = 0
    /// The values. The longest form has 18 scalars (U+FDFA).
    private var values = [Int32](repeating: 0, count: 32)

    subscript(index: Int) -> Unicode.Scalar {
      guard let scalar = Unicode.Scalar(UInt32(values[index])) else {
        preconditionFailure("utf8proc answers scalars")
      }
      return scalar
    }

    mutating func fold(_ scalar: Unicode.Scalar) {
      let options = utf8proc_option_t(
        rawValue: UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
          | UTF8PROC_CASEFOLD.rawValue)
      var boundary: Int32 = 0
      let room = values.count
      count = utf8proc_decompose_char(Int32(scalar.value), &values, room, options, &boundary)
      precondition((0...room).contains(count), "utf8proc takes every scalar and fits the buffer")
    }
  }
}
