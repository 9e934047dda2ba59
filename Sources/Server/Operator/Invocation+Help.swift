// Makes the texts of `--help` and `man`, both from the rows of OperatorCall.swift and ServerOption.swift.

internal import Text

extension Invocation {
  /// The text of `--help`: what there is to type, in 80 columns.
  package static var usage: String {
    let calls = OperatorCall.all.flatMap {
      columns($0.call, $0.sentences.joined(separator: "; "))
    }
    let options = ServerOption.all.flatMap { columns($0.row.call, $0.row.sentence) }
    return
      ([
        "usage: whattodo-server [OPTION]…   serve until SIGTERM or SIGINT",
        "       whattodo-server COMMAND     do one of these with the data of --data",
        "", "commands:",
      ] + calls + ["", "options:"] + options).joined(separator: "\n")
  }

  /// The manual page, in the macros of man(7).
  package static var manualPage: String {
    (head + description + commands + options + surroundings).joined(separator: "\n")
  }

  private static let columnsMax = 80
  /// The column in which the sentences of help begin, from 0.
  private static let secondColumn = 27

  /// Returns the lines of one row of help. The sentence stands beside the call, or below a long one.
  private static func columns(_ call: String, _ sentence: String) -> [String] {
    let texts = wrapped(sentence, columnsMax - secondColumn)
    let margin = String(repeating: " ", count: secondColumn)
    let below = texts.dropFirst().map { margin + $0 }
    let first = "  \(call)"
    guard first.count < secondColumn - 1 else { return [first, margin + texts[0]] + below }
    return [first + margin.dropFirst(first.count) + texts[0]] + below
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

extension Invocation {
  private static var head: [String] {
    Roff.title("whattodo-server", source: "whattodo \(Server.version)")
      + [
        Roff.section("NAME"), Roff.line("whattodo-server - serves shared lists, live"),
        Roff.section("SYNOPSIS"),
      ]
      + Roff.asTyped(
        (["whattodo-server [OPTION]…"]
          + OperatorCall.all.map {
            "whattodo-server \($0.call)\($0.takesFolder ? " [--data DIR]" : "")"
          }).joined(separator: "\n"))
  }

  private static var description: [String] {
    [
      Roff.section("DESCRIPTION"),
      Roff.line(
        "Without a command it serves from one folder until a signal ends it. When it accepts, it "
          + "prints one line on standard output: ready and its URLs. The log goes to standard "
          + "error."),
    ]
  }

  private static var commands: [String] {
    [Roff.section("COMMANDS")]
      + OperatorCall.all.flatMap { Roff.entry($0.name, $0.rest, $0.sentences) }
  }

  private static var options: [String] {
    [Roff.section("OPTIONS")]
      + ServerOption.all.flatMap { Roff.entry($0.row.name, $0.row.value, [$0.row.sentence]) }
  }

  private static var surroundings: [String] {
    section("SIGNALS", signals) + section("ENVIRONMENT", variables) + section("FILES", files)
      + section("EXIT STATUS", exits)
      + [
        Roff.section("SEE ALSO"), Roff.line("whattodo(1), whattodo-bot(1)"), ".br",
        Roff.line(
          "Sources/OPERATING.md says how to run a server: TLS, metrics, backups, the clock."),
      ]
  }

  private static func section(_ title: String, _ rows: [(name: String, text: String)]) -> [String] {
    [Roff.section(title)] + rows.flatMap { Roff.entry($0.name, "", [$0.text]) }
  }

  private static let signals = [
    (
      name: "SIGTERM, SIGINT",
      text: "stop: accept nothing more, finish what is in work, and exit with 0"
    ),
    (
      name: "SIGHUP",
      text: "with --tls-certificate, read certificate and key again; without, stop as SIGTERM does"
    ),
  ]

  private static let files = [
    (name: "whattodo.db", text: "the database; whattodo.db-wal and whattodo.db-shm belong to it"),
    (name: "secret", text: "the secret of which all codes and links are made"),
    (name: "reserve", text: "room that the server gives up when the disk is full"),
    (name: "lock", text: "held by the server that serves from this folder"),
    (
      name: "\(AccountEndRequest.prefix)…",
      text: "what user delete has left for the server; it removes the file"
    ),
    (
      name: "\(BotOwnerRequest.prefix)…",
      text: "what bot give has left for the server; it removes the file"
    ),
    (
      name: OperatorCommands.clockMarkName,
      text: "clock confirm has left it: the server believes the clock, and removes the file"
    ),
  ]

  private static let exits = [
    (name: "0", text: "done"),
    (name: "1", text: "it could not be done; verify found a difference"),
    (name: "2", text: "the arguments are wrong"),
  ]
}
