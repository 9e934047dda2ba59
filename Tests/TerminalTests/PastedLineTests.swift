import Testing

@testable import WhattodoTerminal

@Suite("lines with what nobody sees")
struct PastedLineTests {
  static let pasted: [(String, Input)] = [
    ("\u{FEFF}mi\u{200B}lk\u{202C}", .action(.post(.quickAdd("milk")))),
    ("\u{200E}/quit", .action(.program(.quit))),
    ("می\u{200C}خ\u{200F}", .action(.post(.quickAdd("می\u{200C}خ")))),
    ("\u{200B} \u{2060}", .nothing),
    ("milk\u{2028}bread", .action(.post(.quickAdd("milk bread")))),
    ("👩\u{200D}🚀", .action(.post(.quickAdd("👩\u{200D}🚀")))),
  ]

  @Test(
    "Characters that nobody sees are left out of a line, and those that scripts need stay",
    arguments: pasted)
  func pastedLines(line: String, input: Input) {
    #expect(Input(chat: line) == input)
  }
}
