/// Lines of a manual page in the macros of man(7). Texts go in as they are to be read: nothing in them becomes a
/// request or an escape. `WhattodoBot` may not use this module and has the escaping a second time.
package enum Roff {
  /// Returns the lines that begin a page of section 1. The source may have no quote in it. No word of the page is
  /// divided, because people copy names from it.
  package static func title(_ name: String, source: String) -> [String] {
    [
      ".TH \(escaped(name.uppercased())) 1 \"\" \"\(escaped(source))\" \"User Commands\"", ".nh",
      ".ad l",
    ]
  }

  /// Returns the line that begins a section.
  package static func section(_ title: String) -> String { ".SH \(escaped(title))" }

  /// Returns a bold term with its values in italics, and the sentences about it, each on a line of its own.
  package static func entry(_ term: String, _ values: String, _ sentences: [String]) -> [String] {
    let tag = values.isEmpty ? bold(term) : "\(bold(term)) \(italic(values))"
    return [".TP", tag]
      + sentences.enumerated().flatMap { place, sentence in
        (place == 0 ? [] : [".br"]) + [line(sentence)]
      }
  }

  /// Returns lines whose blanks and ends stay as they are.
  package static func asTyped(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return [".nf"] + lines.map { line("\($0)") } + [".fi"]
  }

  /// Returns a line of text, which is no request whatever it begins with. A line feed in it becomes a blank.
  package static func line(_ text: String) -> String {
    let safe = escaped(text)
    return safe.hasPrefix(".") ? "\\&\(safe)" : safe
  }

  package static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  package static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// Returns text in which every character stands for itself, inside a line.
  package static func escaped(_ text: String) -> String {
    text.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\e"
      case "-": text += "\\-"
      // Some printers make other characters of these, which a shell does not take.
      case "'": text += "\\(aq"
      case "~": text += "\\(ti"
      case "^": text += "\\(ha"
      case "`": text += "\\(ga"
      case "\n", "\r\n": text += " "
      default: text.append(character)
      }
    }
  }
}
