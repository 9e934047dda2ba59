import Testing

@testable import Server

@Suite("the manual page and the help of whattodo-server")
struct ManPageTests {
  private static let page = shown(Invocation.manualPage)
  /// The help in one line, with one blank between two words.
  private static let help = Invocation.usage.split { $0 == " " || $0 == "\n" }.joined(
    separator: " ")

  @Test(
    "both have every option with what is said of it", arguments: ServerOption.all.map(\.row.name))
  func options(_ name: String) throws {
    let row = try #require(ServerOption.named(name)).row
    let values = row.value.isEmpty ? "" : " \\fI\(row.value)\\fR"
    #expect(Self.page.contains(".TP\n\\fB\(name)\\fR\(values)\n\(row.sentence)\n"))
    #expect(Self.help.contains("\(row.call) \(row.sentence)"))
  }

  @Test(
    "both have every command with its words and options", arguments: OperatorCall.all.map(\.name))
  func commands(_ name: String) throws {
    let call = try #require(OperatorCall.all.first { $0.name == name })
    let rest = call.rest.isEmpty ? "" : " \\fI\(call.rest)\\fR"
    let sentences = call.sentences.joined(separator: "\n.br\n")
    #expect(Self.page.contains(".TP\n\\fB\(name)\\fR\(rest)\n\(sentences)\n"))
    #expect(Self.page.contains("\nwhattodo-server \(call.call)"))
    #expect(Self.help.contains("\(call.call) \(call.sentences.joined(separator: "; "))"))
  }

  @Test("an option has one row, and so has a command")
  func once() {
    #expect(Set(ServerOption.all.map(\.row.name)).count == ServerOption.all.count)
    #expect(Set(OperatorCall.all.map(\.name)).count == OperatorCall.all.count)
  }

  @Test("the numbers that they name are taken, and the numbers beside these are refused")
  func ranges() throws {
    for row in ServerOption.all.map(\.row) {
      guard let numbers = row.numbers else { continue }
      #expect(row.sentence.contains("\(numbers.lowerBound) to \(numbers.upperBound)"))
      for number in [numbers.lowerBound, numbers.upperBound] {
        #expect(throws: Never.self) { try read(row.name, "\(number)") }
      }
      for number in [numbers.lowerBound - 1, numbers.upperBound + 1] {
        #expect(throws: UsageError.self) { try read(row.name, "\(number)") }
      }
    }
  }

  @Test("the defaults that they name are what holds without an option")
  func defaults() throws {
    for (name, usual) in [
      ("--grace", "14"), ("--keep-removed", "30"), ("--scrypt-log-n", "15"),
      ("--command-rate", "20"), ("--bot-rate", "50"), ("--hello-rate", "60"),
      ("--line-rate", "30"),
      ("--bytes-per-day", "268435456"), ("--stored-bytes", "2147483648"),
      ("--group-stored-bytes", "8589934592"), ("--connections", "19000"),
      ("--listen", "127.0.0.1:8484"),
    ] {
      #expect(try #require(ServerOption.named(name)).row.sentence.contains("default \(usual)"))
    }
    guard case .serve(let options) = try read() else {
      Issue.record("without a command it serves")
      return
    }
    #expect((options.graceDays, options.keepRemovedDays) == (14, 30))
    #expect((options.scryptCost.logN, options.connectionsMax) == (15, 19_000))
    #expect((options.commandRate ?? options.session.rate).count == 20)
    #expect((options.botCommandRate ?? options.session.botRate).count == 50)
    #expect(options.helloRate.count == 60)
    #expect((options.lineRate.count, options.botLineRate.count) == (30, 300))
    #expect(options.storage.bytesPerDay == 268_435_456)
    #expect(options.storage.storedBytesMax == 2_147_483_648)
    #expect(options.storage.groupStoredBytesMax == 8_589_934_592)
    #expect(options.listen.map { "\($0)" } == ["127.0.0.1:8484"])
  }

  @Test("the page has its sections, signals, variables and files")
  func sections() {
    for section in [
      "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "SIGNALS", "ENVIRONMENT", "FILES",
      "EXIT STATUS", "SEE ALSO",
    ] {
      #expect(Self.page.split(separator: "\n").count { $0 == ".SH \(section)" } == 1, "\(section)")
    }
    let files = [
      "whattodo.db", "secret", "reserve", "lock", "\(AccountEndRequest.prefix)…",
      "\(BotOwnerRequest.prefix)…", OperatorCommands.clockMarkName,
    ]
    for word in Invocation.variables.map(\.name) + ["SIGTERM, SIGINT", "SIGHUP"] + files {
      #expect(Self.page.contains(".TP\n\\fB\(word)\\fR\n"), "\(word)")
    }
  }

  @Test("Each line of the help fits into 80 columns")
  func widths() {
    for line in Invocation.usage.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("nothing in it is a request or an escape by mistake")
  func requests() {
    let lines = Invocation.manualPage.split(separator: "\n", omittingEmptySubsequences: false)
    let known: Set<Substring> = [".TH", ".nh", ".ad", ".SH", ".TP", ".nf", ".fi", ".br"]
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

  private func read(_ arguments: String...) throws(UsageError) -> Invocation {
    try Invocation(arguments, environment: ["HOME": "/home/author"])
  }
}
