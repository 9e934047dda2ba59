import Testing

@testable import Screen

@Suite("line editor")
struct LineEditorTests {
  /// Types a text and presses keys; `|` in the answer is the cursor.
  private func after(_ text: String, _ keys: [Key]) -> String {
    var editor = LineEditor()
    for scalar in text.unicodeScalars { _ = editor.handle(.scalar(scalar)) }
    for key in keys { _ = editor.handle(key) }
    return editor.head + "|" + editor.tail
  }

  static let rows: [(String, [Key], String)] = [
    ("milk", [], "milk|"),
    ("milk", [.left, .left], "mi|lk"),
    ("milk", [.home], "|milk"),
    ("milk", [.control("a"), .right], "m|ilk"),
    ("milk", [.home, .end], "milk|"),
    ("milk", [.left, .scalar("x")], "milx|k"),
    ("milk", [.backspace], "mil|"),
    ("milk", [.home, .backspace], "|milk"),
    ("milk", [.home, .delete], "|ilk"),
    ("milk", [.delete], "milk|"),
    ("oat milk", [.control("w")], "oat |"),
    ("oat milk  ", [.control("w")], "oat |"),
    ("oat milk", [.control("u")], "|"),
    ("oat milk", [.wordLeft, .control("u")], "|milk"),
    ("oat milk", [.wordLeft, .control("k")], "oat |"),
    ("oat milk", [.control("w"), .control("y"), .control("y")], "oat milkmilk|"),
    ("oat milk", [.home, .wordRight], "oat| milk"),
    ("e\u{301}", [.backspace], "|"),
    ("ae\u{301}b", [.left, .left], "a|e\u{301}b"),
    ("👨‍👩‍👧x", [.left, .backspace], "|x"),
    ("🇵🇹", [.backspace], "|"),
    ("牛乳", [.left], "牛|乳"),
    ("", [.paste("a\nb\tc")], "a b c|"),
    ("", [.paste("a\r\nb\r\n")], "a b|"),
    ("x", [.escape, .unknown], "x|"),
  ]

  @Test("keys edit by graphemes", arguments: rows)
  func edits(text: String, keys: [Key], expected: String) {
    #expect(after(text, keys) == expected)
  }

  @Test("enter submits and empties")
  func submits() {
    var editor = LineEditor()
    _ = editor.handle(.paste("milk"))
    #expect(editor.handle(.enter) == .submitted("milk"))
    #expect(editor.isEmpty)
    #expect(editor.handle(.enter) == .submitted(""))
  }

  @Test("the history goes back and returns to what was being typed")
  func history() {
    var editor = LineEditor()
    for line in ["one", "two"] {
      _ = editor.handle(.paste(line))
      _ = editor.handle(.enter)
    }
    _ = editor.handle(.paste("dra"))
    var seen: [String] = []
    for key in [Key.up, .up, .up, .down, .down, .down] {
      _ = editor.handle(key)
      seen.append(editor.text)
    }
    #expect(seen == ["two", "one", "one", "two", "dra", "dra"])
  }

  @Test("the history has a maximum and no doubles in a row")
  func historyMax() {
    var history = History()
    for index in 0..<(History.entriesMax + 5) {
      history.add("\(index)")
      history.add("\(index)")
    }
    var last: String?
    var count = 0
    while let line = history.older(than: "") {
      last = line
      count += 1
    }
    #expect(count == History.entriesMax)
    #expect(last == "5")
  }

  @Test("ctrl-c throws the line away, ctrl-d ends only an empty one")
  func leaving() {
    var editor = LineEditor()
    #expect(editor.handle(.control("d")) == .ended)
    _ = editor.handle(.paste("x"))
    #expect(editor.handle(.control("d")) == .nothing)
    #expect(editor.handle(.control("c")) == .interrupted("x"))
    #expect(editor.handle(.control("c")) == .interrupted(nil))
  }

  @Test("a line has a maximum", arguments: [-1, 0, 1])
  func lineMax(over: Int) {
    var editor = LineEditor()
    let count = LineEditor.scalarsMax + over
    _ = editor.handle(.paste(String(repeating: "a", count: count)))
    #expect(editor.text.unicodeScalars.count == min(count, LineEditor.scalarsMax))
    if over >= 0 { #expect(editor.handle(.scalar("b")) == .nothing) }
  }

  @Test("A paste leaves out what nobody sees and keeps what scripts need")
  func pastedInvisibles() {
    var editor = LineEditor()
    _ = editor.handle(.paste("\u{FEFF}mi\u{200B}lk\u{2028}می\u{200C}خ 👩\u{200D}🚀\u{200E}\n"))
    #expect(editor.text == "milk می\u{200C}خ 👩\u{200D}🚀")
  }

  @Test("completion replaces the word before the cursor")
  func completion() {
    var editor = LineEditor()
    _ = editor.handle(.paste("/open #gr"))
    #expect(editor.wordBeforeCursor == "#gr")
    editor.replaceWord(with: "#groceries ")
    #expect(editor.text == "/open #groceries ")
  }
}
