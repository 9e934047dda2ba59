import Testing

@testable import Text

@Suite("man(7): text in the lines of a manual page")
struct RoffTests {
  @Test(
    "every character stands for itself",
    arguments: [
      (".TH is shown", "\\&.TH is shown"), ("'br is shown", "\\(aqbr is shown"),
      ("a.b 'c'", "a.b \\(aqc\\(aq"), ("\\fB", "\\efB"), ("--data", "\\-\\-data"),
      ("~/x^2 `y`", "\\(ti/x\\(ha2 \\(gay\\(ga"), ("", ""), ("…", "…"),
      ("one\n.br two", "one .br two"), ("one\r\ntwo", "one two"),
    ])
  func escaped(_ text: String, _ line: String) {
    #expect(Roff.line(text) == line)
  }

  @Test("an entry has its term, its values and a line for each sentence")
  func entry() {
    #expect(
      Roff.entry("--grace", "DAYS", ["first", ".second"])
        == [".TP", "\\fB\\-\\-grace\\fR \\fIDAYS\\fR", "first", ".br", "\\&.second"])
    #expect(Roff.entry("verify", "", []) == [".TP", "\\fBverify\\fR"])
  }

  @Test("typed lines stay apart, empty ones too")
  func typed() {
    #expect(Roff.asTyped("a\n\n.b") == [".nf", "a", "", "\\&.b", ".fi"])
  }

  @Test("a page begins with its name in capitals and its program, and divides no word")
  func title() {
    #expect(
      Roff.title("whattodo-bot", source: "whattodo 1")
        == [".TH WHATTODO\\-BOT 1 \"\" \"whattodo 1\" \"User Commands\"", ".nh", ".ad l"])
  }
}
