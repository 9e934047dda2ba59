import Testing

@testable import Text

@Suite("Texts are cleaned of what shows as nothing")
struct CleaningTests {
  static let rows: [(String, String)] = [
    // Nothing to do.
    ("milk", "milk"), ("two  words ~", "two  words ~"), ("Été 日本 😀", "Été 日本 😀"),
    ("a\u{A0}b", "a\u{A0}b"),
    // What nobody sees.
    ("mi\u{200B}lk", "milk"), ("mi\u{AD}lk", "milk"), ("\u{FEFF}milk", "milk"),
    ("\u{200E}milk\u{200F}", "milk"), ("\u{61C}حليب", "حليب"), ("a\u{2060}b", "ab"),
    ("\u{2066}a\u{2067}b\u{2068}c\u{2069}", "abc"),
    ("\u{202A}a\u{202B}b\u{202C}\u{202D}\u{202E}c", "abc"),
    ("a\u{180E}b", "ab"), ("a\u{2061}\u{2062}\u{2063}\u{2064}b", "ab"),
    ("a\u{FFF9}b\u{FFFB}", "ab"),
    ("\u{E0001}a\u{E0041}", "a"), ("x\u{17B4}", "x"), ("\u{200B}", ""),
    ("a\u{2065}b\u{E0002}", "ab"),
    // Joiners of scripts that need them.
    ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("ه\u{200D}.ش", "ه\u{200D}.ش"),
    ("क\u{94D}\u{200D}ष", "क\u{94D}\u{200D}ष"), ("क\u{94D}\u{200C}ष", "क\u{94D}\u{200C}ष"),
    ("ශ\u{DCA}\u{200D}රී", "ශ\u{DCA}\u{200D}රී"), ("ന\u{D4D}\u{200D} പ", "ന\u{D4D}\u{200D} പ"),
    ("mi\u{200D}lk\u{200C}", "milk"), ("\u{200C}می", "می"), ("می \u{200C}خ", "می خ"),
    ("می\u{200C}\u{200C}خ", "می\u{200C}خ"), ("é\u{200D}x", "éx"), ("日\u{200D}", "日\u{200D}"),
    // Pictures.
    ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"), ("👩🏽\u{200D}🚀", "👩🏽\u{200D}🚀"),
    ("❤\u{FE0F}\u{200D}🔥", "❤\u{FE0F}\u{200D}🔥"), ("👨\u{200D}", "👨"), ("👨\u{200D}a", "👨a"),
    ("👨\u{200C}👩", "👨👩"), ("❤\u{FE0F}", "❤\u{FE0F}"), ("❤\u{FE0E}", "❤\u{FE0E}"),
    ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"), ("a\u{FE0F}", "a"), ("\u{FE0F}a", "a"),
    ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}"), (" \u{FE0F}", " "), ("葛\u{E0100}", "葛\u{E0100}"),
    ("a\u{E0100}", "a"),
    ("ᠮ\u{180B}", "ᠮ\u{180B}"), ("m\u{180B}", "m"), ("⊕\u{FE00}", "⊕\u{FE00}"),
    (LineTests.scotland, LineTests.scotland), ("🏴\u{E0067}\u{E0062}", "🏴"),
    ("😀\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "😀"),
    ("🏴\u{200D}☠\u{FE0F}", "🏴\u{200D}☠\u{FE0F}"), ("🇵🇹\u{200B}🇵🇹", "🇵🇹🇵🇹"),
    // A joiner of graphemes stays between marks.
    ("שׁ\u{34F}\u{5B0}", "שׁ\u{34F}\u{5B0}"), ("a\u{34F}b", "ab"),
    // Formats that show, controls and private ones are for the server to tell.
    ("\u{600}١", "\u{600}١"), ("a\u{7}", "a\u{7}"), ("\u{1B}[1m", "\u{1B}[1m"),
    ("\u{E000}", "\u{E000}"),
    // Ends of lines.
    ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"), ("a\r\nb\rc\n", "a\r\nb\rc\n"),
  ]

  @Test("Characters that do not show go, and those that a script or a picture needs stay")
  func lines() {
    for (text, cleaned) in CleaningTests.rows {
      let found = Text.cleaned(line: text)
      #expect(
        found.unicodeScalars.elementsEqual(cleaned.unicodeScalars), "\(text.debugDescription)")
      #expect(Text.cleaned(line: found).unicodeScalars.elementsEqual(found.unicodeScalars))
    }
  }

  @Test("Each end of a line becomes a line feed in notes")
  func notes() {
    let rows = [
      ("a\u{2028}b\u{2029}c\u{85}d", "a\nb\nc\nd"), ("a\r\nb\rc\n\td", "a\nb\nc\n\td"),
      ("a\u{200B}\r\n", "a\n"),
      ("plain", "plain"),
    ]
    for (text, cleaned) in rows {
      let found = Text.cleaned(notes: text)
      #expect(
        found.unicodeScalars.elementsEqual(cleaned.unicodeScalars), "\(text.debugDescription)")
    }
  }

  /// Whatever is not seen is gone, so that nobody is told of it.
  @Test(
    "A cleaned text is never refused for a format that does not show",
    arguments: [UInt64.random(in: 1 ... .max), 1, 2])
  func random(seed: UInt64) {
    var random = Random(state: seed)
    let pool: [UInt32] = [
      0x200B, 0x200C, 0x200D, 0x200E, 0x202E, 0x2066, 0xAD, 0xFEFF, 0x61C, 0x34F, 0xFE0F, 0xE0067,
      0xE007F, 0x1F3F4,
      0x1F468, 0x2764, 0x61, 0x20, 0xA0, 0x301, 0x93E, 0x94D, 0x915, 0x627, 0x5D0, 0x5B0, 0x1100,
      0x1160, 0x1F1F5,
      0x2028, 0x3042, 0x600,
    ]
    for _ in 0..<20_000 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<(1 + random.below(10)) {
        if let scalar = Unicode.Scalar(pool[Int(random.below(UInt32(pool.count)))]) {
          scalars.append(scalar)
        }
      }
      let cleaned = Text.cleaned(line: String(scalars))
      let hex = scalars.map { String($0.value, radix: 16) }
      do throws(TextError) {
        _ = try Text.line(cleaned, scalars: 0...100)
      } catch {
        // Only what shows may be refused, and heaps of marks.
        if case .forbidden(let scalar, _) = error {
          #expect(scalar.value == 0x600, "seed \(seed): \(hex)")
        }
      }
      #expect(Text.cleaned(line: cleaned) == cleaned, "seed \(seed): \(hex)")
    }
  }
}
