import Screen
import Text
import Wire

/// The manual page, made from the table of commands and the subjects of `/help`, in the macros of man(7).
enum ManPage {
  static var text: String {
    (head + synopsis + commands + subjects + ends).joined(separator: "\n")
  }

  private static var head: [String] {
    Roff.title("whattodo", source: "whattodo \(Release.version)")
      + [Roff.section("NAME"), Roff.line("whattodo - shared lists, live")]
  }

  private static var synopsis: [String] {
    [Roff.section("SYNOPSIS")] + Roff.asTyped(OptionWords.calls) + [Roff.section("OPTIONS")]
      + Roff.asTyped(OptionWords.options) + [Roff.section("SCRIPTS")]
      + Roff.asTyped(OptionWords.scripts)
  }

  private static var commands: [String] {
    [
      Roff.section("COMMANDS"),
      "They stand behind \(Roff.bold("do")), and in the chat behind a slash.",
    ]
      + CommandTable.entries.flatMap(command)
  }

  private static func command(_ entry: CommandEntry) -> [String] {
    let others = entry.names.dropFirst().joined(separator: ", ")
    let place = CommandTable.onlyInChat.contains(entry.name) ? " (only in the chat)" : ""
    let hint = entry.hint == entry.help ? "" : entry.hint
    let sentences = [entry.help + place, hint, others.isEmpty ? "" : "also: \(others)"]
    return Roff.entry(entry.name, entry.usage, sentences.filter { !$0.isEmpty })
      + CommandExamples.of(entry.name).flatMap { [".br", Roff.italic($0)] }
  }

  private static var subjects: [String] {
    HelpTopic.all.flatMap { topic in
      [Roff.section(topic.word.uppercased())]
        + Roff.asTyped(
          topic.lines.flatMap { $0.wrapped(columns: 72) }.map(\.plain).joined(separator: "\n"))
    }
  }

  private static var ends: [String] {
    [
      Roff.section("FILES"), Roff.line("${XDG_STATE_HOME:-~/.local/state}/whattodo"), ".br",
      Roff.line("the sign-in and the copies; --state names another folder"),
    ]
  }
}
