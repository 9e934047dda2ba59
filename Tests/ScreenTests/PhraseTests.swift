import Testing

@testable import Screen

@Suite("UAX 9 §3.1.2: others' text is kept apart from our words")
struct PhraseTests {
  static let steering: Set<Unicode.Scalar> = ["\u{2068}", "\u{2069}", "\u{200E}"]

  static let rows: [(Phrase, String)] = [
    ("milk (1/6)", "milk (1/6)"),
    ("\("milk") (\(1)/\(6))", "milk (1/6)"),
    (
      "\("שלום") (1/6 in \("#קניות"))",
      "\u{2068}שלום\u{2069}\u{200E} (1/6 in \u{2068}#קניות\u{2069}\u{200E})"
    ),
    ("✔ \("مرحبا 456") (\(2)/7)", "✔ \u{2068}مرحبا 456\u{2069}\u{200E} (2/7)"),
    ("\("٣٤") 5", "\u{2068}٣٤\u{2069}\u{200E} 5"),
    ("\("a") → \("ب" as Phrase)", "a → ب"),
    (("x " as Phrase) + "\("ב")", "x \u{2068}ב\u{2069}\u{200E}"),
  ]

  @Test("only what runs from right to left is isolated, and only on a terminal", arguments: rows)
  func isolated(phrase: Phrase, shown: String) {
    let line = Line(phrase)
    #expect(line.shown == shown)
    let scalars = shown.unicodeScalars.filter { !Self.steering.contains($0) }
    #expect(line.plain == String(String.UnicodeScalarView(scalars)))
  }

  @Test("a wrapped text is isolated on every row, and its isolation ends there", arguments: 8...40)
  func wrapped(columns: Int) {
    let line = Line(
      "@editor ✔ \("שלום עולם אחד שתיים 12 שלוש") (\(1)/\(6) in \("#קניות"))", hang: 2)
    for row in line.wrapped(columns: columns) {
      var depth = 0
      for scalar in row.shown.unicodeScalars {
        if scalar == "\u{2068}" { depth += 1 }
        if scalar == "\u{2069}" { depth -= 1 }
        #expect((0...1).contains(depth))
        #expect(depth == 1 || !(0x590...0x6FF).contains(scalar.value))
      }
      #expect(depth == 0)
      #expect(row.width <= columns)
    }
  }

  @Test(
    "no text ends its isolation", arguments: ["\u{2069}", "\u{202C}", "\u{202E}", "\u{200F}", "\r"])
  func escape(control: String) {
    let shown = Line("\("א" + control + "ב") (1/6)").shown.unicodeScalars
    #expect(shown.count { $0 == "\u{2068}" } == 1)
    #expect(shown.count { $0 == "\u{2069}" } == 1)
    #expect(!shown.contains { ["\u{202C}", "\u{202E}", "\u{200F}", "\r"].contains($0) })
  }

  @Test("a mark at the beginning of a text does not climb on our words")
  func mark() {
    #expect(Line("#4 \("\u{301}x")").plain == "#4 \u{25CC}\u{301}x")
  }
}

@Suite("locale(7): the locale decides which characters a terminal takes")
struct CharsetTests {
  static let rows: [([String: String], Charset)] = [
    ([:], .utf8), (["LANG": "C.UTF-8"], .utf8), (["LANG": "de_DE.utf8"], .utf8),
    (["LANG": "de_DE"], .ascii), (["LANG": "C"], .ascii), (["LANG": "de_DE.ISO-8859-1"], .ascii),
    (["LC_ALL": "C", "LANG": "C.UTF-8"], .ascii), (["LC_ALL": "", "LANG": "C.UTF-8"], .utf8),
    (["LC_CTYPE": "en_US.UTF-8", "LANG": "C"], .utf8),
  ]

  @Test("the first variable that is set decides", arguments: rows)
  func locale(variables: [String: String], charset: Charset) {
    #expect(Charset { variables[$0] } == charset)
  }

  @Test(
    "a terminal without UTF-8 gets no byte that it could take for a control",
    arguments: ["Û2J", "● #牛乳 ❯ ", "👨‍👩‍👧", "e\u{301}", "שלום"])
  func ascii(text: String) {
    var abilities = FakeTerminal.abilities
    abilities.charset = .ascii
    var painter = Painter(abilities: abilities, columns: 40)
    var editor = LineEditor()
    _ = editor.handle(.paste(text))
    _ = painter.show(prompt: Line("\(text)"), editor: editor)
    let ours = painter.print([Line("\(text)")]).filter { $0 >= 0x80 }
    #expect(Charset.ascii.encoded(text).utf8.allSatisfy { (0x20...0x7E).contains($0) })
    // What is left is how this test's terminal clears a line.
    #expect(ours.count % "⌫".utf8.count == 0 && ours.count <= 2 * "⌫".utf8.count)
  }
}
