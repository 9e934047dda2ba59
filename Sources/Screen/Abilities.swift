// What this terminal can do, asked of terminfo (terminfo(5)) through curses' low-level half; the screen
// half of curses is not used: it owns the whole screen, and a chat wants the terminal's own scrollback.

import CCurses

/// Byte sequences of one terminal; nil where it cannot do that. Padding marks are left out.
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
  /// Orange where there are 256 colors.
  package var yellow = ""
  package var blue = ""
  package var magenta = ""
  /// Typed text and pasted text can be told apart.
  package var bracketedPaste = false

  package var charset = Charset.utf8

  /// A terminal that can only write.
  package init() {}

  /// Asks terminfo about this terminal; an unknown or dumb one can only write.
  /// `colors: false` is NO_COLOR (no-color.org): weight stays, hue goes.
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

  /// `$<5>` asks for a pause that no terminal of this century needs.
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
