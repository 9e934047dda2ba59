import Screen
import Wire

/// The manual page, made from the table of commands and the subjects of `/help`, in the macros of man(7).
enum ManPage {
  static var text: String {
    (head + synopsis + commands + subjects + ends).joined(separator: "\n")
  }

  private static var head: [String] {
    [
      ".TH WHATTODO 1 \"\" \"whattodo \(Release.version)\" \"User Commands\"",
      ".SH NAME", "whattodo \\- shared lists, live",
    ]
  }

  private static var synopsis: [String] {
    [".SH SYNOPSIS"] + asTyped(OptionWords.calls) + [".SH OPTIONS"]
      + asTyped(OptionWords.options) + [".SH SCRIPTS"] + asTyped(OptionWords.scripts)
  }

  private static var commands: [String] {
    [".SH COMMANDS", "They stand behind \\fBdo\\fR, and in the chat behind a slash."]
      + CommandTable.entries.flatMap(command)
  }

  private static func command(_ entry: CommandEntry) -> [String] {
    let usage = entry.usage.isEmpty ? "" : " \(escaped(entry.usage))"
    let others = entry.names.dropFirst().joined(separator: ", ")
    let place = CommandTable.onlyInChat.contains(entry.name) ? " (only in the chat)" : ""
    let hint = entry.hint == entry.help ? "" : entry.hint
    let sentences = [entry.help + place, hint, others.isEmpty ? "" : "also: \(others)"]
    return [".TP", "\\fB\(escaped(entry.name))\\fR\(usage)"]
      + sentences.filter { !$0.isEmpty }.enumerated().flatMap { place, sentence in
        (place == 0 ? [] : [".br"]) + [line(sentence)]
      }
      + CommandExamples.of(entry.name).flatMap { [".br", "\\fI\(escaped($0))\\fR"] }
  }

  private static var subjects: [String] {
    HelpTopic.all.flatMap { topic in
      [".SH \(topic.word.uppercased())"]
        + asTyped(
          topic.lines.flatMap { $0.wrapped(columns: 72) }.map(\.plain).joined(separator: "\n"))
    }
  }

  private static var ends: [String] {
    [
      ".SH FILES", line("${XDG_STATE_HOME:-~/.local/state}/whattodo"), ".br",
      line("the sign-in and the copies; --state names another folder"),
    ]
  }

  /// Returns lines whose blanks and ends stay as they are.
  private static func asTyped(_ text: String) -> [String] {
    [".nf"] + text.split(separator: "\n", omittingEmptySubsequences: false).map { line("\($0)") }
      + [".fi"]
  }

  /// Returns a line of text, which is no request whatever it begins with.
  private static func line(_ text: String) -> String {
    let safe = escaped(text)
    return safe.hasPrefix(".") ? "\\&\(safe)" : safe
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\e"
      case "-": text += "\\-"
      // Some printers make other characters of these, which a shell does not take.
      case "'": text += "\\(aq"
      case "~": text += "\\(ti"
      case "^": text += "\\(ha"
      case "`": text += "\\(ga"
      default: text.append(character)
      }
    }
  }
}
