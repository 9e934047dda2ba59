import Testing

@testable import Text

@Suite("Text of one line")
struct LineTests {
  @Test("trimmed and normalised")
  func kept() throws {
    let rows: [(String, String)] = [
      ("milk", "milk"), ("  milk \n", "milk"), ("\u{85}\u{2028}\u{3000}a\u{A0}", "a"),
      ("two  words", "two  words"), ("e\u{301}", "\u{E9}"), ("A\u{30A}\u{327}", "\u{C5}\u{327}"),
      ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"), ("\u{2126}", "\u{3A9}"),
      ("\u{958}", "\u{915}\u{93C}"),
      ("ﬁ", "ﬁ"), ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("日本語", "日本語"), ("~!", "~!"),
      ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("क\u{94D}\u{200D}ष", "क\u{94D}\u{200D}ष"),
      ("👨\u{200D}👩\u{200D}👧\u{200D}👦", "👨\u{200D}👩\u{200D}👧\u{200D}👦"), ("❤\u{FE0F}", "❤\u{FE0F}"),
      (LineTests.scotland, LineTests.scotland), ("🇵🇹", "🇵🇹"),
      ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"), ("\u{378}", "\u{378}"),
    ]
    for (raw, expected) in rows {
      let line = try Text.line(raw, scalars: 1...50)
      #expect(line.unicodeScalars.elementsEqual(expected.unicodeScalars), "\(raw.debugDescription)")
      let again = try Text.line(line, scalars: 1...50)
      #expect(again.unicodeScalars.elementsEqual(line.unicodeScalars))
    }
  }

  static let scotland = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"

  static let forbidden: [UInt32] = [
    0x00, 0x07, 0x09, 0x0A, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0xAD, 0x600, 0x61C,
    0x180E, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0x206F,
    0xE000, 0xF8FF, 0xFDD0, 0xFDEF, 0xFEFF, 0xFFF9, 0xFFFE, 0xFFFF, 0x1FFFE, 0xE0001, 0xE0020,
    0xE007F, 0xF0000, 0x10FFFD, 0x10FFFF,
  ]

  @Test("refused inside, whatever stands around", arguments: forbidden)
  func refused(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    for around in ["a", "é", "日", "😀"] {
      let text = around + String(Character(scalar)) + around
      #expect(throws: TextError.forbidden(scalar, at: 1)) { try Text.line(text, scalars: 1...50) }
    }
  }

  @Test("every scalar of the refused categories is refused, every other one is kept")
  func everyScalar() {
    var wrong: [Unicode.Scalar] = []
    for scalar in telling {
      let isTaken: Bool
      switch scalar.properties.generalCategory {
      case .control, .format, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator:
        isTaken = Graphemes.isJoiner(scalar)  // after a letter they join it
      default: isTaken = !scalar.properties.isNoncharacterCodePoint
      }
      let text = "a" + String(Character(scalar)) + "b"
      let line = try? Text.line(text, scalars: 1...50)
      if (line != nil) != isTaken { wrong.append(scalar) }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(20).map { String($0.value, radix: 16) })")
  }

  @Test("joiners only where they join, tags only in a flag")
  func joiners() {
    let rows: [(String, Unicode.Scalar, Int)] = [
      ("\u{200D}a", "\u{200D}", 0), ("a \u{200D}b", "\u{200D}", 2),
      ("\u{200C}", "\u{200C}", 0),
      ("a\u{E0067}\u{E007F}", "\u{E0067}", 1),
      ("🏴\u{E0067}\u{E0062}\u{E0065}", "\u{E0067}", 1),
      ("🏴\u{E0067}\u{E007F}", "\u{E0067}", 1),
      ("🏴\u{E0041}\u{E0042}\u{E0043}\u{E007F}", "\u{E0041}", 1),
      ("😀\u{E0068}\u{E0069}\u{E0069}\u{E007F}", "\u{E0068}", 1),
    ]
    for (text, scalar, place) in rows {
      #expect(throws: TextError.forbidden(scalar, at: place), "\(text.debugDescription)") {
        try Text.line(text, scalars: 1...50)
      }
    }
  }

  @Test("marks on one grapheme: eight are taken, nine are not")
  func marks() throws {
    func marked(_ base: String, _ count: Int) -> String {
      base + String(repeating: "\u{316}", count: count)
    }
    _ = try Text.line(marked("x", 8), scalars: 1...50)
    #expect(throws: TextError.tooManyMarks(max: 8, at: 0)) {
      try Text.line(marked("x", 9), scalars: 1...50)
    }
    // Marks that compose with the base do not count, marks that a letter falls apart into do.
    _ = try Text.line("e\u{301}" + String(repeating: "\u{316}", count: 8), scalars: 1...50)
    #expect(throws: TextError.tooManyMarks(max: 8, at: 0)) {
      try Text.line(marked("\u{958}", 8), scalars: 1...50)
    }
    #expect(throws: TextError.tooManyMarks(max: 8, at: 0)) {
      try Text.line("a" + String(repeating: "\u{200D}", count: 9), scalars: 1...50)
    }
    _ = try Text.line(String(repeating: marked("x", 8), count: 5), scalars: 1...50)
  }

  /// The standard library and utf8proc both sort marks in quadratic time: half a minute for these.
  @Test("a run of a hundred thousand marks is refused and shown in a moment")
  func marksAtScale() {
    let text = "x" + String(repeating: "\u{301}\u{316}", count: 50_000)
    let time = ContinuousClock().measure {
      #expect(throws: TextError.tooManyMarks(max: 32, at: 0)) {
        try Text.line(text, scalars: 1...100_000)
      }
      #expect(throws: TextError.tooManyMarks(max: 32, at: 0)) {
        try Text.notes(text, scalars: 1...100_000)
      }
      #expect(throws: TextError.tooLong(max: 500)) { try Text.line(text, scalars: 1...500) }
      #expect(Text.terminalSafe(text).unicodeScalars.count == 10)
      #expect(Text.columns(of: text) == 1)
    }
    #expect(time < .seconds(5), "\(time)")
  }

  @Test("length is counted in scalars after NFC: one below, at, one above")
  func length() throws {
    for unit in ["a", "e\u{301}", "\u{1100}\u{1161}\u{11A8}", "日"] {
      for count in [4, 5] {
        let line = try Text.line(String(repeating: unit, count: count), scalars: 1...5)
        #expect(line.unicodeScalars.count == count)
      }
      #expect(throws: TextError.tooLong(max: 5)) {
        try Text.line(String(repeating: unit, count: 6), scalars: 1...5)
      }
    }
    // One scalar that NFC writes as three.
    #expect(throws: TextError.tooLong(max: 2)) { try Text.line("\u{FB2C}", scalars: 1...2) }
    _ = try Text.line("\u{FB2C}", scalars: 1...3)
  }

  @Test("A fault is told with the scalars that stand before it in the text as it was given")
  func places() {
    let rows: [(String, Int)] = [
      ("milk\u{200B}bread", 4), ("\u{200B}milk", 0), ("  milk\u{200B}", 6),
      ("\u{3000}\u{A0}\u{200B}x", 2), ("😀 e\u{301}\u{200B}", 4), ("\u{1100}\u{1161}\u{200B}", 2),
      ("👩\u{200D}🚀 \u{200B}", 4), ("q\u{307}\u{323} \u{2066}x", 4), ("日本\u{FEFF}", 2),
    ]
    for (text, place) in rows {
      #expect(TextError.place(in: text) == place, "\(text.debugDescription)")
    }
    let heap = "e\u{301} x" + String(repeating: "\u{316}", count: 9)
    #expect(throws: TextError.tooManyMarks(max: 8, at: 3)) {
      try Text.line(heap, scalars: 1...50)
    }
    for (text, place) in [
      ("a\r\nb\u{200B}", 4), ("\r\n a\r\n\r\n\u{200B}", 8), ("a\n\tb\u{7}", 4), ("a\rb", 1),
      ("\r\r\na\u{7}", 4),
    ] {
      #expect(TextError.place(inNotes: text) == place, "\(text.debugDescription)")
    }
  }

  static let unshown = [
    "\u{3164}", "\u{2800}", "\u{115F}", "\u{1160}", "\u{FFA0}", "\u{34F}", "\u{17B4}", "\u{17B5}",
    "\u{FE0F}", "\u{FE00}", "\u{E0100}", "\u{180B}", "\u{301}", "\u{93E}", "\u{20DD}", "\u{5B0}",
    "\u{1D159}", "\u{A0}", "\u{2003}", "\u{202F}", "\u{205F}", "\u{A0}\u{301}",
    "\u{3164} \u{3164}", "\u{2800}\u{FE0F}\u{301}\u{3164}", "\u{301} \u{302}", "\u{115F}\u{1160}",
  ]

  @Test("A text of which nothing shows is empty", arguments: unshown)
  func unshownIsEmpty(text: String) throws {
    for around in ["", " ", "\u{A0}"] {
      #expect(throws: TextError.empty, "\(text.debugDescription)") {
        try Text.line(around + text + around, scalars: 1...50)
      }
    }
    #expect(try Text.line(text, scalars: 0...50).isEmpty)
    #expect(!(try Text.line("x" + text, scalars: 1...50)).isEmpty)
  }

  @Test(
    "A letter, a digit, a sign or a picture is enough to show",
    arguments: [
      "a", "1", ".", "-", "é", "日", "ا", "ﷺ", "❤\u{FE0F}", "🇵🇹", "\u{378}", "ー", "⠁", "\u{1100}",
      "\u{115F}\u{1161}", "क\u{93E}", "\u{25CC}\u{301}", "𝄀",
    ])
  func shows(text: String) throws {
    #expect(!(try Text.line(text, scalars: 1...50)).isEmpty)
  }

  @Test("empty after trimming", arguments: ["", " ", "\n\t ", "\u{3000}\u{2003}"])
  func empty(raw: String) throws {
    #expect(throws: TextError.empty) { try Text.line(raw, scalars: 1...5) }
    #expect(try Text.line(raw, scalars: 0...5).isEmpty)
  }
}

extension TextError {
  /// Nil when the text is taken, or refused for its length.
  fileprivate static func place(in line: String) -> Int? {
    place { () throws(TextError) in _ = try Text.line(line, scalars: 1...50) }
  }

  fileprivate static func place(inNotes notes: String) -> Int? {
    place { () throws(TextError) in _ = try Text.notes(notes, scalars: 0...50) }
  }

  private static func place(_ body: () throws(TextError) -> Void) -> Int? {
    do throws(TextError) {
      try body()
      return nil
    } catch {
      switch error {
      case .forbidden(_, let place), .tooManyMarks(_, let place): return place
      case .empty, .tooLong: return nil
      }
    }
  }
}

@Suite("Text of several lines")
struct NotesTests {
  @Test("takes line feed and tab, makes CR LF one line feed")
  func kept() throws {
    let rows: [(String, String)] = [
      ("a\nb", "a\nb"), ("a\r\nb\r\n\r\nc", "a\nb\n\nc"), ("a\tb", "a\tb"),
      ("- é\r\n- 日\n", "- é\n- 日"), (" \r\n", ""),
    ]
    for (raw, expected) in rows {
      let notes = try Text.notes(raw, scalars: 0...50)
      #expect(notes.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
  }

  @Test(
    "refuses what a line refuses, a lone CR too",
    arguments: ["\r", "\u{B}", "\u{C}", "\u{1B}", "\u{85}", "\u{2028}", "\u{2029}", "\u{202E}"])
  func refused(text: String) throws {
    let scalar = try #require(text.unicodeScalars.first)
    #expect(throws: TextError.forbidden(scalar, at: 1)) {
      try Text.notes("a" + text + "b", scalars: 0...50)
    }
  }
}

@Suite("Usernames")
struct UsernameTests {
  @Test("3–32 of a-z 0-9 . _ -, a letter or digit first")
  func rows() {
    let good = ["abc", "a.b", "0-9", "ada_l", "a--", String(repeating: "a", count: 32)]
    let bad = [
      "", "ab", ".ab", "-ab", "_ab", "Abc", "aBc", "a b", "ab\n", "abé", "äbc", "ab\u{200D}c",
      "a/b",
      "a@b", String(repeating: "a", count: 33), "ａｂｃ",
    ]
    for name in good { #expect(Text.isUsername(name), "\(name)") }
    for name in bad { #expect(!Text.isUsername(name), "\(name)") }
  }
}
