import Glibc
import Text

// A terminal that does not expect UTF-8 takes its bytes one by one, and 0x80–0x9F are control codes there. The bytes of
// Û, C3 9B, would begin a control sequence (ECMA-48 §5.3). So such a terminal gets ASCII only.

/// The letters that a terminal takes.
package enum Charset: Sendable {
  case utf8
  case ascii

  /// Reads the character set from the locale (locale(7): the first of LC_ALL, LC_CTYPE, LANG that is set). When none is
  /// set it is UTF-8, as on every current terminal that nobody has set up. The locale itself need not be installed.
  package init(environment: (String) -> String?) {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
    let name = set?.lowercased() ?? "utf-8"
    self = name.contains("utf-8") || name.contains("utf8") ? .utf8 : .ascii
  }

  /// The character set of this process.
  package static var here: Charset {
    Charset { name in getenv(name).map { String(cString: $0) } }
  }

  /// Returns the text as the terminal gets it, as wide as before. Control codes for the terminal pass unchanged.
  package func encoded(_ text: String) -> String {
    switch self {
    case .utf8: text
    case .ascii: text.reduce(into: "") { $0 += Charset.ascii(for: $1) }
    }
  }

  private static func ascii(for character: Character) -> String {
    let scalars = character.unicodeScalars
    if scalars.allSatisfy(\.isASCII) { return String(character) }
    if scalars.count == 1, let sign = signs[character] { return sign }
    return String(repeating: "?", count: Text.columns(of: character))
  }

  /// ASCII for our own signs; every other character becomes question marks.
  private static let signs: [Character: String] = [
    "●": "*", "○": "o", "❯": ">", "▸": ">", "✔": "x", "✘": "-", "↺": "<", "→": ">", "✎": "~",
    "…": ".", "◷": "o", "💬": "c:",
    "—": "-", "–": "-", "’": "'",
  ]
}
