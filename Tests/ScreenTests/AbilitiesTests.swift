import Testing

@testable import Screen

/// terminfo keeps one terminal per process: one test after the other.
@Suite("abilities: terminfo(5), no-color.org", .serialized)
struct AbilitiesTests {
  static let rows: [(String, Bool, Bool)] = [
    ("xterm-256color", true, true), ("screen", true, true), ("linux", true, true),
    ("vt100", true, false), ("dumb", false, false), ("no-such-terminal", false, false),
    ("", false, false),
  ]

  @Test("The abilities of a terminal are asked, not assumed", arguments: rows)
  func asked(name: String, canClear: Bool, hasColors: Bool) {
    let abilities = Abilities(terminal: name, colors: true)
    #expect((abilities.clearToEndOfLine != nil) == canClear)
    #expect((abilities.cursorUp != nil) == canClear)
    #expect(!abilities.green.isEmpty == hasColors)
    #expect(abilities.bracketedPaste == canClear)
  }

  @Test("without colours weight stays")
  func noColor() {
    let abilities = Abilities(terminal: "xterm-256color", colors: false)
    let hues = [abilities.red, abilities.green, abilities.cyan, abilities.yellow]
    #expect((hues + [abilities.blue, abilities.magenta]).allSatisfy { $0.isEmpty })
    #expect(!abilities.bold.isEmpty)
  }

  @Test("padding marks are left out")
  func padding() {
    let abilities = Abilities(terminal: "vt100", colors: true)
    let all = [abilities.clearToEndOfLine, abilities.clearScreen, abilities.bold, abilities.normal]
    #expect(all.compactMap(\.self).allSatisfy { !$0.contains("$<") })
  }

  @Test(
    "every style ends where its text ends",
    arguments: [Style.plain, .strong, .dim, .good, .bad, .warn, .accent, .blue, .magenta])
  func ends(style: Style) {
    let abilities = Abilities(terminal: "xterm-256color", colors: true)
    var painter = Painter(abilities: abilities, columns: 40)
    let bytes = String(decoding: painter.print([Line("x", style)]), as: UTF8.self)
    #expect(bytes.contains(style == .plain ? "x\r\n" : "x" + abilities.normal + "\r\n"))
  }
}
