import Testing

@testable import Screen

@Suite("painter: lines above the line being typed")
struct PainterTests {
  private func typed(_ text: String, _ keys: [Key] = []) -> LineEditor {
    var editor = LineEditor()
    _ = editor.handle(.paste(text))
    for key in keys { _ = editor.handle(key) }
    return editor
  }

  static let kinds = [FakeTerminal.abilities, Abilities()]

  @Test("an incoming line goes above and the half-typed line stays", arguments: kinds)
  func above(abilities: Abilities) {
    var painter = Painter(abilities: abilities, columns: 40)
    var terminal = FakeTerminal(columns: 40)
    terminal.receive(painter.show(prompt: Line("> "), editor: typed("buy mi", [.left, .left])))
    terminal.receive(painter.print([Line("@author added milk"), Line("@author added bread")]))
    #expect(terminal.text == ["@author added milk", "@author added bread", "> buy mi"])
    #expect(terminal.column == 6)
  }

  @Test("a shorter line leaves nothing of the longer one", arguments: kinds)
  func shorter(abilities: Abilities) {
    var painter = Painter(abilities: abilities, columns: 40)
    var terminal = FakeTerminal(columns: 40)
    terminal.receive(painter.show(prompt: Line("> "), editor: typed("a long line")))
    terminal.receive(painter.show(prompt: Line("> "), editor: typed("x")))
    #expect(terminal.text == ["> x"])
    #expect(terminal.column == 3)
    terminal.receive(painter.print([Line("y")]))
    #expect(terminal.text == ["y", "> x"])
  }

  @Test("nothing is written when nothing would change")
  func quiet() {
    var painter = Painter(abilities: FakeTerminal.abilities, columns: 40)
    _ = painter.show(prompt: Line("> "), editor: typed("x"))
    #expect(painter.show(prompt: Line("> "), editor: typed("x")) == [])
    #expect(painter.print([]) == [])
  }

  @Test("a line longer than the row scrolls sideways and never wraps", arguments: 1...100)
  func long(count: Int) {
    var painter = Painter(abilities: FakeTerminal.abilities, columns: 30)
    var terminal = FakeTerminal(columns: 30)
    let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
    terminal.receive(painter.show(prompt: Line("> "), editor: typed(text)))
    #expect(terminal.rows.count == 1)
    #expect(terminal.column < 30)
    #expect(terminal.text[0].last == text.last)
  }

  @Test(
    "a terminal that became narrower is painted without leftovers", arguments: [20, 25, 39, 60])
  func resized(columns: Int) {
    let editor = typed("thirty-four letters on the one row")
    var painter = Painter(abilities: FakeTerminal.abilities, columns: 40)
    let before = painter.show(prompt: Line("> "), editor: editor)
    // The terminal folds the old row: the same bytes as if written at the new width.
    var terminal = FakeTerminal(columns: columns)
    terminal.receive(before)
    terminal.receive(painter.resize(columns: columns))
    terminal.receive(painter.show(prompt: Line("> "), editor: editor))
    #expect(terminal.text.count == 1)
    #expect(terminal.text[0].hasPrefix("> "))
  }

  @Test("styles are bytes of the terminal's, and only around text")
  func styles() {
    var abilities = FakeTerminal.abilities
    abilities.green = "<g>"
    abilities.normal = "<n>"
    var painter = Painter(abilities: abilities, columns: 40)
    let bytes = painter.print([Line("✔", .good).and(" milk")])
    #expect(String(decoding: bytes, as: UTF8.self).contains("<g>✔<n> milk\r\n"))
  }

  @Test("finishing wipes the row")
  func finish() {
    var painter = Painter(abilities: FakeTerminal.abilities, columns: 40)
    var terminal = FakeTerminal(columns: 40)
    terminal.receive(painter.show(prompt: Line("> "), editor: typed("x")))
    terminal.receive(painter.finish())
    #expect(terminal.text == [""])
    #expect(terminal.column == 0)
  }
}
