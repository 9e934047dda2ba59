import Testing

@testable import WhattodoTerminal

@Suite("the manual page")
struct ManPageTests {
  private static let lines = ManPage.text.split(
    separator: "\n", omittingEmptySubsequences: false
  ).map(String.init)

  @Test("it has every command, with its examples, and every option")
  func complete() {
    let text = ManPage.text.replacing("\\-", with: "-").replacing("\\e", with: "\\")
      .replacing("\\(aq", with: "'").replacing("\\(ti", with: "~").replacing("\\(ha", with: "^")
      .replacing("\\(ga", with: "`")
    for entry in CommandTable.entries {
      #expect(text.contains("\n\\fB\(entry.name)\\fR"), "\(entry.name)")
      #expect(text.contains(entry.help), "\(entry.help)")
      for example in CommandExamples.of(entry.name) {
        #expect(text.contains("\\fI\(example)\\fR"), "\(example)")
      }
    }
    for name in Options.names { #expect(text.contains(name), "\(name)") }
    for name in Options.tasks where name != "help" {
      #expect(text.contains("whattodo \(name)"), "\(name)")
    }
  }

  @Test("nothing in it is a request or an escape by mistake")
  func requests() {
    let known: Set = [".TH", ".nh", ".ad", ".SH", ".TP", ".nf", ".fi", ".br"]
    for line in Self.lines where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(known.contains(line.split(separator: " ").first.map(String.init) ?? ""), "\(line)")
    }
    for line in Self.lines {
      let escapes = line.split(separator: "\\", omittingEmptySubsequences: false).dropFirst()
      #expect(
        escapes.allSatisfy {
          ["f", "e", "-", "&", "(aq", "(ti", "(ha", "(ga"].contains(where: $0.hasPrefix)
        }, "\(line)")
    }
    #expect(Self.lines.count { $0 == ".nf" } == Self.lines.count { $0 == ".fi" })
  }
}
