import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

// Lines that name members and posts, and the signs that people give to lines.
extension TalkLinesTests {
  @Test("A line shows members by their present usernames, and oneself in another style")
  func mentions() {
    let both = [Mention(Demo.author, at: 0, length: 4), Mention(Demo.editor, at: 9, length: 3)]
    let lines = row("@old and @it.\nbye", both)
    #expect(
      lines.map(\.plain) == ["  57  00:00 @editor: @author and @editor.", "            bye"])
    let styles = lines[0].runs.filter { $0.text.hasPrefix("@") }.map(\.style)
    #expect(styles == [.strong, .accent, .strong])
  }

  @Test("A member whom no copy knows keeps the word of the text, and one who has left a name")
  func former() {
    let stranger = Mention(UserID(UUID(high: 1, low: 99)), at: 3, length: 6)
    #expect(row("hi @ghost!", [stranger])[0].plain.hasSuffix(": hi @ghost!"))
    var left = Demo.situation()
    _ = Demo.applied(.member(.removed(Demo.editor, .left)), by: Demo.editor, in: list, &left)
    let editor = Mention(Demo.editor, at: 3, length: 6)
    #expect(row("hi @ghost!", [editor], in: left)[0].plain.hasSuffix(": hi @editor!"))
  }

  static let misplaced: [[Mention]] = [
    [Mention(Demo.editor, at: -1, length: 3)], [Mention(Demo.editor, at: 99, length: 3)],
    [Mention(Demo.editor, at: 0, length: .max)], [Mention(Demo.editor, at: 0, length: 0)],
    [Mention(Demo.editor, at: .max, length: .max)],
  ]

  @Test("A mention that is not in the text leaves the text as it is", arguments: misplaced)
  func misplacedMentions(mentions: [Mention]) {
    #expect(row("@me hi", mentions)[0].plain == "  57  00:00 @editor: @me hi")
  }

  @Test("Mentions that cover the same place are not both shown")
  func overlapping() {
    let twice = [Mention(Demo.editor, at: 0, length: 3), Mention(Demo.author, at: 1, length: 2)]
    #expect(row("@me hi", twice)[0].plain == "  57  00:00 @editor: @editor hi")
  }

  @Test("A text from right to left stays one piece, with the names in it")
  func mentionsFromRightToLeft() {
    let line = row("שלום @me", [Mention(Demo.author, at: 5, length: 3)])[0]
    #expect(line.shown.contains("\u{2068}שלום @author\u{2069}"))
    #expect(line.runs.last?.style == .accent)
  }

  static let titled: [(String, String)] = [
    ("#1?", "#1 (milk)?"), ("see #1, #1 and #2", "see #1 (milk), #1 and #2 (bread)"),
    ("#9 #0 # ##1 a#1 #1a #1.2 &#1", "#9 #0 # ##1 a#1 #1a #1.2 &#1"),
    ("no number", "no number"), ("#1.", "#1 (milk)."),
  ]

  @Test("The number of a post has its title behind it, once", arguments: titled)
  func titles(text: String, shown: String) {
    #expect(row(text)[0].plain == "  57  00:00 @editor: \(shown)")
  }

  @Test("Signs stand behind a line, and who gave them below it")
  func signs() throws {
    let given = [
      LineReaction(user: Demo.editor, sign: "👍"), LineReaction(user: Demo.author, sign: "👍"),
    ]
    #expect(
      row("hi", [], given).map(\.plain)
        == ["  57  00:00 @editor: hi  👍2", "        👍 @editor, you"])
    let one = LineReaction(user: Demo.editor, sign: "🎉")
    #expect(row("hi", [], [one])[0].plain.hasSuffix("hi  🎉"))
    #expect(row("hi").count == 1)
  }

  @Test("A sign is a line for whom it is for and for who gives it")
  func signEvents() {
    var open = Demo.situation()
    _ = Demo.applied(
      .line(.said(SaidLine(line: 20, text: "thanks!"))), by: Demo.author, in: list, &open)
    func sign(_ sign: String?, to user: UserID = Demo.author) -> LineOp {
      .reacted(line: 20, to: user, sign: sign)
    }
    let told = "👍 \"thanks!\" (in #groceries)"
    #expect(self.told(sign("👍"), by: Demo.editor, open) == ["@editor " + told])
    #expect(self.told(sign("👍", to: Demo.editor), by: Demo.author, open) == [told])
    #expect(self.told(sign("👍", to: Demo.editor), by: Demo.editor, open) == [])
    #expect(self.told(sign(nil), by: Demo.editor, open) == [])
    #expect(self.told(sign("👍"), by: Demo.editor, past: [], open) == ["@editor " + told])
  }

  @Test("A comment is signed by its place among those of the post, as the screen shows it")
  func reactToComment() throws {
    var world = world(said)
    #expect(
      try command("/react 1.c2 👍", world) == .line(.react(list, line: 21, sign: "👍")))
    #expect(
      try command("/react 1.c1 off", world) == .line(.react(list, line: 7, sign: nil)))
    #expect(
      try command("/react line 57 👍", world) == .line(.react(list, line: 57, sign: "👍")))
    #expect(
      try command("/answer 1.c1 oat", world)
        == .line(.say(list, text: "oat", post: milk.id, answers: 7)))
    let refusals = [
      ("/react 1.c9 👍", "#1 has no comment c9; /talk 1 shows them"),
      ("/react 2.c1 👍", "#2 has no comment c1; /talk 2 shows them"),
      ("/react line 58 👍", "there is no line 58 in #groceries; /talk shows the numbers"),
      ("/react line 3 👍", "line 3 is older than the lines that get signs"),
    ]
    for (line, sentence) in refusals {
      #expect(throws: Problem(sentence)) { try command(line, world) }
    }
    // The one that was c2 on the screen stays so when the one before it is gone.
    let place = try world.place(nil)
    world.shown.note(.talk(place, about: milk), world)
    _ = Demo.applied(.line(.removed(line: 7)), by: Demo.editor, in: list, &world)
    #expect(
      try command("/react 1.c2 👍", world) == .line(.react(list, line: 21, sign: "👍")))
    #expect(throws: Problem("#1 has no comment c1; /talk 1 shows them")) {
      try command("/react 1.c1 👍", world)
    }
    let line = try shown("react 1.c2", world)
    #expect(line.contains("  21  09:30 you answer 7 on #1 milk: oat"))
  }

  @Test("A comment is changed or taken back by its place only where that was shown")
  func destroyComment() throws {
    var world = world(said)
    let sentence =
      "1.c2 was not shown here: name the line by its own number, which /talk 1 shows"
    for line in ["/unsay 1.c2", "/resay 1.c2 rye"] {
      #expect(throws: Problem(sentence), "\(line)") { try command(line, world) }
    }
    #expect(try command("/unsay 21", world) == .line(.remove(list, line: 21)))
    let place = try world.place(nil)
    world.shown.note(.talk(place, about: milk), world)
    #expect(try command("/unsay 1.c2", world) == .line(.remove(list, line: 21)))
    #expect(
      try command("/resay 1.c2 rye", world) == .line(.edit(list, line: 21, text: "rye")))
    // One that came since has a number, which nobody has seen.
    let new = SaidLine(line: 20, text: "now", post: milk.id)
    _ = Demo.applied(.line(.said(new)), by: Demo.author, in: list, &world)
    #expect(try command("/react 1.c3 👍", world) == .line(.react(list, line: 20, sign: "👍")))
    #expect(throws: Problem.self) { try command("/unsay 1.c3", world) }
    for name in ["unsay", "resay"] {
      let help = HelpLines.one(name).map(\.plain).joined()
      #expect(help.contains("12.c3 only in a chat"))
    }
  }

  @Test("A line that is not confirmed gets no sign, and no number among the comments")
  func pendingComment() throws {
    var world = world(said)
    world.pending = [list: [TalkLine.key(of: 21)]]
    #expect(throws: Problem.self) { try command("/react 1.c2 👍", world) }
    #expect(try shown("talk 1", world).contains("   …      09:30 you answer 7: oat"))
  }
}
