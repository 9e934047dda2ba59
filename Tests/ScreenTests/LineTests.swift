import Testing

@testable import Screen

@Suite("lines: safe text, wrapped")
struct LineTests {
  static let attacks = [
    "\u{1B}[2J", "\u{1B}]0;title\u{7}", "a\rb", "a\nb", "a\u{8}b", "\u{9B}31m", "\u{202E}abc",
    "\u{2066}x", "\u{2028}x", "a\u{7F}b", "a\u{0}b",
  ]

  @Test("no text becomes a control or an override", arguments: attacks)
  func safe(text: String) {
    let shown = Line("\(text)").plain.unicodeScalars
    #expect(shown.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    let steering: [ClosedRange<UInt32>] = [0x2028...0x202E, 0x2066...0x2069]
    #expect(shown.allSatisfy { scalar in !steering.contains { $0.contains(scalar.value) } })
  }

  @Test("the editor's row is as safe as a line", arguments: attacks)
  func safeEditor(text: String) {
    var editor = LineEditor()
    for scalar in text.unicodeScalars { _ = editor.handle(.scalar(scalar)) }
    let view = EditorView(editor, columns: 40)
    #expect(Line("\(view.text)").plain == view.text)
  }

  static let wraps: [(String, Int, Int, [String])] = [
    ("one two three", 8, 0, ["one two", "three"]),
    ("one two three", 8, 2, ["one two", "  three"]),
    ("abcdefghij", 8, 0, ["abcdefgh", "ij"]),
    ("", 8, 0, [""]),
    ("12345678", 8, 0, ["12345678"]),
    ("1234567 8", 8, 0, ["1234567", "8"]),
    ("牛乳牛乳牛乳", 8, 0, ["牛乳牛乳", "牛乳"]),
    ("a牛乳牛乳牛", 8, 0, ["a牛乳牛", "乳牛"]),
    ("+ abcdefghij", 8, 2, ["+ abcdef", "  ghij"]),
    ("@editor + abcdef", 10, 2, ["@editor +", "  abcdef"]),
    ("one   two three", 8, 0, ["one", "two", "three"]),
    ("  one two", 8, 0, ["  one", "two"]),
    ("one two  ", 8, 0, ["one two"]),
  ]

  @Test("lines wrap at blanks, in columns", arguments: wraps)
  func wrap(text: String, columns: Int, hang: Int, expected: [String]) {
    #expect(Line("\(text)", hang: hang).wrapped(columns: columns).map(\.plain) == expected)
  }

  @Test("every word that fits in a row is whole, however wide the terminal", arguments: 8...90)
  func words(columns: Int) {
    let text = "It opens the account when the password is lost , so write it down and keep it"
    let rows = Line("\(text)").wrapped(columns: columns)
    #expect(rows.allSatisfy { $0.width <= columns })
    #expect(rows.map(\.plain).joined(separator: " ") == text)
  }
}
