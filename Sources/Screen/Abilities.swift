// The abilities of this terminal. They come from terminfo (terminfo(5)), read through the low-level half of curses. The
// screen half of curses is not used: it owns the whole screen, and a chat wants the terminal's own scrollback.

import CCurses

/// The byte sequences of one terminal, without padding marks. A sequence is nil or empty where the terminal lacks the
/// ability.
package struct Abilities: Equatable, Sendable {
  package var clearToEndOfLine: String?
  package var clearToEndOfScreen: String?
  package var clearScreen: String?
  package var cursorUp: String?
  package var normal = ""
  package var bold = ""
  package var dim = ""
  package var red = ""
  package var green = ""
  package var cyan = ""
  /// The color of warnings: orange where the terminal has 256 colors.
  package var yellow = ""
  package var blue = ""
  package var magenta = ""
  /// Whether the terminal marks pasted text, so that it can be told apart from typed text.
  package var bracketedPaste = false

  package var charset = Charset.utf8

  /// Makes a terminal that can only write.
  package init() {}

  /// Asks terminfo for the abilities of this terminal. An unknown or dumb terminal can only write.
  /// `colors: false` stands for NO_COLOR (no-color.org): bold and dim stay, colors go.
  package init(terminal name: String, colors: Bool, charset: Charset = .utf8) {
    self.init()
    self.charset = charset
    var status: Int32 = 0
    guard !name.isEmpty, setupterm(name, 1, &status) == 0 else { return }
    clearToEndOfLine = Abilities.string("el")
    clearToEndOfScreen = Abilities.string("ed")
    clearScreen = Abilities.string("clear")
    cursorUp = Abilities.string("cuu1")
    bracketedPaste = clearToEndOfLine != nil
    guard let normal = Abilities.string("sgr0") else { return }
    self.normal = normal
    bold = Abilities.string("bold") ?? ""
    dim = Abilities.string("dim") ?? ""
    guard colors, tigetnum("colors") >= 8 else { return }
    red = Abilities.color(1)
    green = Abilities.color(2)
    cyan = Abilities.color(6)
    yellow = Abilities.color(tigetnum("colors") >= 256 ? 208 : 3)
    blue = Abilities.color(4)
    magenta = Abilities.color(5)
  }

  func start(_ style: Style) -> String {
    switch style {
    case .plain: ""
    case .strong: bold
    case .dim: dim
    case .good: green
    case .bad: red
    case .warn: yellow
    case .accent: cyan
    case .blue: blue
    case .magenta: magenta
    }
  }

  private static func string(_ name: String) -> String? {
    guard let found = tigetstr(name), Int(bitPattern: found) != -1 else { return nil }
    return withoutPadding(String(cString: found))
  }

  private static func color(_ number: Int) -> String {
    guard let template = tigetstr("setaf"), Int(bitPattern: template) != -1,
      let made = whattodo_tparm(template, Int32(number))
    else { return "" }
    return withoutPadding(String(cString: made))
  }

  /// Removes padding marks. `$<5>` asks for a pause that no terminal of this century needs.
  private static func withoutPadding(_ text: String) -> String {
    var out = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "$"), rest[start...].hasPrefix("$<"),
      let end = rest[start...].firstIndex(of: ">")
    {
      out += rest[..<start]
      rest = rest[rest.index(after: end)...]
    }
    return out + rest
  }
}
