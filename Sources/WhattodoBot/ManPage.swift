// Makes the texts of `--help` and `man`, both from the rows of Command.swift. The escapes of man(7) are here a second
// time: the package has them in `Text/Roff.swift`, which no program outside of it can use.

/// The words of `--help`, and the manual page.
enum ManPage {
  /// The text of `--help`, in 80 columns.
  static var usage: String {
    let calls = Command.allCases.enumerated().map { place, command in
      "\(place == 0 ? "usage: " : "       ")\(call(command))"
    }
    let options = Option.allCases.flatMap { option in
      wrapped(option.text, 60).enumerated().map { place, line in
        let head = place == 0 ? option.call : ""
        return "  \(head)\(String(repeating: " ", count: 18 - head.count))\(line)"
      }
    }
    let commands = Command.allCases.flatMap { command in
      [""] + wrapped(command.text, 80) + indented(command.example)
    }
    return
      (calls + ["", "options:"] + options + commands + [""] + wrapped(owner, 80)
      + indented(login)).joined(separator: "\n")
  }

  /// The manual page, in the macros of man(7).
  static var page: String {
    (head + description + commands + options + surroundings).joined(separator: "\n")
  }

  private static func call(_ command: Command) -> String {
    let options = command.options.isEmpty ? "" : " [OPTIONS]"
    return "whattodo-bot \(command.rawValue)\(options)"
      + (command.usage.isEmpty ? "" : " \(command.usage)")
  }

  private static let owner = """
    Its owner makes the bot in the chat: /bot new NAME, /invite NAME to #LIST, and /token NAME CI \
    shows a token. Here:
    """
  private static let login =
    "whattodo login NAME --token-stdin --server URL --state DIR < token"

  private static func indented(_ text: String) -> [String] {
    text.split(separator: "\n").map { "    \($0)" }
  }

  /// Returns the text in lines of at most so many characters. A longer word has a line of its own.
  private static func wrapped(_ text: String, _ columns: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = "\(word)"
      } else if line.count + 1 + word.count <= columns {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append("\(word)")
      }
    }
    return lines
  }
}

// MARK: The manual page

extension ManPage {
  private static var head: [String] {
    [
      ".TH WHATTODO\\-BOT 1 \"\" \"whattodo\" \"User Commands\"",
      // No word is divided: people copy names from the page.
      ".nh", ".ad l",
      ".SH NAME", line("whattodo-bot - tells in shared lists what other programs do"),
      ".SH SYNOPSIS",
    ] + asTyped(Command.allCases.map(call).joined(separator: "\n"))
  }

  private static var description: [String] {
    [
      ".SH DESCRIPTION",
      line("It acts as a bot in shared lists. There it tells at posts what other programs do."),
      ".PP", line(owner),
    ] + asTyped(login)
  }

  private static var commands: [String] {
    [".SH COMMANDS"]
      + Command.allCases.flatMap { command in
        let options = command.options.map(\.rawValue).joined(separator: ", ")
        return entry(command.rawValue, command.usage, command.text)
          + (options.isEmpty ? [] : [".br", line("Options: \(options)")])
          + [".IP"] + asTyped(command.example)
      }
  }

  private static var options: [String] {
    [".SH OPTIONS"] + Option.allCases.flatMap { entry($0.rawValue, $0.value, $0.text) }
  }

  private static var surroundings: [String] {
    section("EXIT STATUS", exits) + section("ENVIRONMENT", variables)
      + section("FILES", files)
      + [".SH SEE ALSO", line("whattodo(1), whattodo-server(1)")]
  }

  private static func section(_ title: String, _ rows: [(name: String, text: String)]) -> [String] {
    [".SH \(title)"] + rows.flatMap { entry($0.name, "", $0.text) }
  }

  private static let exits = [
    (name: "0", text: "done"),
    (name: "1", text: "something could not be done or told; import left out a line"),
    (name: "2", text: "the arguments are wrong"),
    (name: "3", text: "there is no connection"),
    (name: "4", text: "the bot is not signed in"),
    (
      name: "the command's",
      text: "run ends with the status of its command, also when nobody could be told: 128 and the "
        + "number of the signal that ended it, 127 when there is no such program, 126 when it "
        + "could not be started"
    ),
  ]

  private static let variables = [
    (name: "WHATTODO_CA_FILE", text: "the file of --ca-file when the option is not given"),
    (
      name: "XDG_STATE_HOME",
      text: "the folder in which whattodo is the folder of --state when the option is not given"
    ),
    (name: "HOME", text: "the folder in which .local/state is the one of XDG_STATE_HOME otherwise"),
  ]

  private static let files = [
    (
      name: "${XDG_STATE_HOME:-~/.local/state}/whattodo",
      text: "the sign-in of the bot; --state names another folder"
    )
  ]

  // MARK: The macros

  private static func entry(_ term: String, _ values: String, _ text: String) -> [String] {
    let rest = values.isEmpty ? "" : " \\fI\(escaped(values))\\fR"
    return [".TP", "\\fB\(escaped(term))\\fR\(rest)", line(text)]
  }

  private static func asTyped(_ text: String) -> [String] {
    [".nf"] + text.split(separator: "\n").map { line("\($0)") } + [".fi"]
  }

  /// Returns a line of text, which is no request whatever it begins with.
  static func line(_ text: String) -> String {
    let safe = escaped(text)
    return safe.hasPrefix(".") ? "\\&\(safe)" : safe
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { text, character in
      switch character {
      case "\\": text += "\\e"
      case "-": text += "\\-"
      case "'": text += "\\(aq"
      case "~": text += "\\(ti"
      case "^": text += "\\(ha"
      case "`": text += "\\(ga"
      default: text.append(character)
      }
    }
  }
}
