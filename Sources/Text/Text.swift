// Checks texts that people write, and makes of them what is kept.
//
// Everything that Unicode calls text is kept. Refused is what shows as nothing, as something else or in another place
// (Unicode TR36 §2 and §3):
// - Cc controls (notes may hold line feed and tab), Zl and Zp: they end or break lines;
// - Cf formats: bidi overrides, zero-width spaces, soft hyphens. Three are needed and accepted where they belong: ZWJ
//   and ZWNJ after something visible in the same grapheme (emoji, Persian, Indic), and tags in a flag (UTS 51 ED-14a:
//   U+1F3F4, three to six tag letters or digits, U+E007F);
// - Cs (no String holds them), Co and noncharacters: they mean nothing to anybody else;
// - more than eight marks and joiners on one grapheme: no script needs them, and they climb over lines.
// A text of which nothing shows (fillers, selectors, marks without a letter: Showing.swift) is empty.
//
// The order is: CR LF becomes LF (notes), trimming of White_Space, whether anything shows, the checks, NFC, the checks
// again (a normalised grapheme may hold more marks), and only then the count of scalars. Unassigned scalars are kept: a
// newer Unicode gives them letters, and an older server must not lose those.
//
// A text that is kept already is never judged again: a newer rule is for what comes from outside.
//
// Texts are bounded before normalisation too. A scalar of NFC comes from at most four, so more than 4 × max can never
// fit; and utf8proc orders a run of marks in quadratic time, so runs are short.

/// The texts that people write, made safe to keep and to show.
package enum Text {
  /// The most marks on a grapheme. A base letter with more marks than any script needs is an attack on the screen.
  package static let marksPerGraphemeMax = 8

  /// The most marks on a grapheme before normalisation: more than eight of NFC can come from, each from at most three,
  /// and three of the base.
  private static let rawMarksPerGraphemeMax = 32

  /// The treatment of a text of which nothing shows.
  package enum Unshown: Sendable {
    case empty
    /// The text is accepted as it is: a version that knew nothing of this rule kept it.
    case shown
  }

  /// Returns the text of one line as it is kept: trimmed, in NFC, and with a number of scalars in the range. A range
  /// that begins at 0 accepts a text of nothing but white space as empty, and with `unshown` `.empty` also one of which
  /// nothing shows.
  package static func line(
    _ raw: String, scalars: ClosedRange<Int>, unshown: Unshown = .empty
  ) throws(TextError) -> String {
    do throws(TextError) {
      return try kept(raw, scalars: scalars, takesLines: false, unshown)
    } catch {
      let trimmed = leadingWhitespace(of: raw)
      throw error.told { $0 + trimmed }
    }
  }

  /// Returns a text of several lines in the same way. Line feed and tab are accepted, and CR LF becomes LF.
  package static func notes(
    _ raw: String, scalars: ClosedRange<Int>
  ) throws(TextError) -> String {
    do throws(TextError) {
      return try kept(withLineFeeds(raw), scalars: scalars, takesLines: true, .empty)
    } catch {
      throw error.told { place(of: $0 + leadingWhitespace(of: withLineFeeds(raw)), in: raw) }
    }
  }

  private static func leadingWhitespace(of text: String) -> Int {
    text.unicodeScalars.prefix { $0.properties.isWhitespace }.count
  }

  /// Returns the place in `raw` of a scalar of `withLineFeeds(raw)`.
  private static func place(of scalar: Int, in raw: String) -> Int {
    let scalars = Array(raw.unicodeScalars)
    var before = 0
    for place in scalars.indices where !isReturnOfPair(place, in: scalars) {
      if before == scalar { return place }
      before += 1
    }
    return scalars.count
  }

  /// Answers whether more than 30 marks follow on each other (UAX 15 §13). No message may hold that.
  package static func heapsMarks(_ text: String) -> Bool {
    var inARow = 0
    return text.unicodeScalars.contains { scalar in
      inARow = Graphemes.isMark(scalar) ? inARow + 1 : 0
      return inARow > 30
    }
  }

  /// Answers whether this is a username: 3–32 of `a-z 0-9 . _ -`, the first one a letter or digit.
  package static func isUsername(_ text: String) -> Bool {
    guard (3...32).contains(text.utf8.count), let first = text.utf8.first else { return false }
    return isLetterOrDigit(first)
      && text.utf8.allSatisfy { byte in
        isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: "-")
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  private static func kept(
    _ raw: String, scalars: ClosedRange<Int>, takesLines: Bool, _ unshown: Unshown
  ) throws(TextError) -> String {
    var text = trimmed(raw)
    if unshown == .empty, !Showing.shows(text) { text = "" }
    guard !text.isEmpty || scalars.lowerBound == 0 else { throw .empty }
    if isPlain(text, takesLines: takesLines) {
      guard text.utf8.count <= scalars.upperBound else { throw .tooLong(max: scalars.upperBound) }
      return text
    }
    guard text.unicodeScalars.count <= 4 * scalars.upperBound else {
      throw .tooLong(max: scalars.upperBound)
    }
    // Below U+0300 nothing composes, decomposes or is reordered.
    if text.unicodeScalars.contains(where: { $0.value >= 0x300 }) {
      let marks = try check(text, takesLines: takesLines, marksMax: rawMarksPerGraphemeMax)
      let given = text
      text = Utf8proc.nfc(given)
      // Normalisation leaves a text that was normal already as it was checked.
      if marks > marksPerGraphemeMax || !text.utf8.elementsEqual(given.utf8) {
        try checkNormal(text, takesLines: takesLines, madeOf: given)
      }
    } else {
      _ = try check(text, takesLines: takesLines, marksMax: marksPerGraphemeMax)
    }
    guard text.unicodeScalars.count <= scalars.upperBound else {
      throw .tooLong(max: scalars.upperBound)
    }
    return text
  }

  /// Answers whether the text is printable ASCII, in which there is nothing to find and nothing to normalise.
  private static func isPlain(_ text: String, takesLines: Bool) -> Bool {
    text.utf8.allSatisfy { byte in
      0x20...0x7E ~= byte || takesLines && (byte == 0x0A || byte == 0x09)
    }
  }

  /// Returns the text without White_Space (Unicode PropList) at both ends.
  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  static func withLineFeeds(_ text: String) -> String {
    guard text.utf8.contains(0x0D) else { return text }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for place in scalars.indices where !isReturnOfPair(place, in: scalars) {
      result.append(scalars[place])
    }
    return String(result)
  }

  private static func isReturnOfPair(_ place: Int, in scalars: [Unicode.Scalar]) -> Bool {
    scalars[place] == "\r" && place + 1 < scalars.count && scalars[place + 1] == "\n"
  }

  /// Checks every grapheme. Returns the greatest number of marks and joiners that one has.
  private static func check(
    _ text: String, takesLines: Bool, marksMax: Int
  ) throws(TextError) -> Int {
    var (place, most) = (0, 0)
    for grapheme in text {
      let scalars = grapheme.unicodeScalars
      let count = scalars.count
      let isOfLines = takesLines && count == 1 && (scalars.first == "\n" || scalars.first == "\t")
      if !isOfLines {
        do throws(TextError) {
          most = max(most, try Graphemes.marks(in: scalars, marksMax: marksMax))
        } catch {
          throw error.told { $0 + place }
        }
      }
      place += count
    }
    return most
  }

  /// Checks the normalised text. An error names the place in the given text: there are as many graphemes before NFC as
  /// after it.
  private static func checkNormal(
    _ text: String, takesLines: Bool, madeOf given: String
  ) throws(TextError) {
    do throws(TextError) {
      _ = try check(text, takesLines: takesLines, marksMax: marksPerGraphemeMax)
    } catch {
      throw error.told { place in
        var left = place
        let graphemes = text.prefix { grapheme in
          left -= grapheme.unicodeScalars.count
          return left >= 0
        }.count
        return given.prefix(graphemes).unicodeScalars.count
      }
    }
  }
}
