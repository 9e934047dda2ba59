import Testing

@testable import WhattodoBot

@Suite("the manual page and the help of whattodo-bot")
struct ManPageTests {
  private static let page = shown(ManPage.page)
  private static let help = words(ManPage.usage)

  @Test("both have every option with what is said of it", arguments: Option.allCases)
  func options(_ option: Option) {
    let value = option.value.isEmpty ? "" : " \\fI\(option.value)\\fR"
    #expect(Self.page.contains(".TP\n\\fB\(option.rawValue)\\fR\(value)\n\(option.text)\n"))
    #expect(Self.help.contains("\(option.call) \(option.text)"))
  }

  @Test(
    "both have every command with its example, and the page its options",
    arguments: Command.allCases)
  func commands(_ command: Command) {
    let usage = command.usage.isEmpty ? "" : " \\fI\(command.usage)\\fR"
    let options = command.options.map(\.rawValue).joined(separator: ", ")
    let taken = options.isEmpty ? "" : ".br\nOptions: \(options)\n"
    #expect(
      Self.page.contains(
        ".TP\n\\fB\(command.rawValue)\\fR\(usage)\n\(command.text)\n\(taken).IP\n.nf\n"
          + "\(command.example)\n.fi\n"))
    #expect(Self.help.contains(Self.words("\(command.text) \(command.example)")))
  }

  @Test(
    "a command takes its options and no other",
    arguments: [
      (Command.run, ["#list", "job", "--", "make"], [Option.phase, .progress]),
      (.pipe, ["#list", "job"], [.phase, .progress]), (.bring, ["#list", "forge"], []),
      (.digest, ["#list"], [.week]),
    ])
  func taken(_ command: Command, _ words: [String], _ own: [Option]) throws {
    for option in Option.allCases where option != .help {
      let arguments = [command.rawValue, option.rawValue, option == .week ? option.value : "x"]
      let isRead = try Options(arguments + words, authorities: nil) != nil
      #expect(isRead == ([.state, .authorities] + own).contains(option), "\(option)")
    }
  }

  @Test("man stands alone")
  func alone() throws {
    #expect(try Options(["man"], authorities: nil)?.work == .manual)
    #expect(try Options(["man", "pipe"], authorities: nil)?.work == nil)
    #expect(try Options(["man", "--state", "x"], authorities: nil)?.work == nil)
  }

  @Test("the page has its sections")
  func sections() {
    for section in [
      "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT",
      "FILES", "SEE ALSO",
    ] {
      #expect(Self.page.split(separator: "\n").count { $0 == ".SH \(section)" } == 1, "\(section)")
    }
  }

  @Test("Each line of the help fits into 80 columns, unless it is an example")
  func widths() {
    for line in ManPage.usage.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test(
    "every character stands for itself",
    arguments: [
      (".TH is shown", "\\&.TH is shown"), ("'br is shown", "\\(aqbr is shown"),
      ("\\fB", "\\efB"), ("--data", "\\-\\-data"), ("~/x^2 `y`", "\\(ti/x\\(ha2 \\(gay\\(ga"),
    ])
  func escaped(_ text: String, _ line: String) {
    #expect(ManPage.line(text) == line)
  }

  @Test("nothing in it is a request or an escape by mistake")
  func requests() {
    let lines = ManPage.page.split(separator: "\n", omittingEmptySubsequences: false)
    let known: Set<Substring> = [
      ".TH", ".nh", ".ad", ".SH", ".TP", ".IP", ".PP", ".nf", ".fi", ".br",
    ]
    for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(known.contains(line.split(separator: " ")[0]), "\(line)")
    }
    let escapes = ["f", "e", "-", "&", "(aq", "(ti", "(ha", "(ga"]
    for line in lines {
      let behind = line.split(separator: "\\", omittingEmptySubsequences: false).dropFirst()
      #expect(behind.allSatisfy { escapes.contains(where: $0.hasPrefix) }, "\(line)")
    }
    #expect(lines.count { $0 == ".nf" } == lines.count { $0 == ".fi" })
  }

  /// Returns the page as it is read, but for its requests and fonts.
  private static func shown(_ page: String) -> String {
    page.replacing("\\-", with: "-").replacing("\\e", with: "\\").replacing("\\(aq", with: "'")
      .replacing("\\(ti", with: "~").replacing("\\(ha", with: "^").replacing("\\(ga", with: "`")
  }

  /// Returns the text in one line, with one blank between two words.
  private static func words(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }
}
