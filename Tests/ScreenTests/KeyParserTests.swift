import TestRandom
import Testing

@testable import Screen

@Suite("keyboard: ECMA-48 §5.4 sequences, xterm keys, bracketed paste, UTF-8")
struct KeyParserTests {
  static let rows: [(String, [UInt8], [Key])] = [
    ("letters", Array("ab".utf8), [.scalar("a"), .scalar("b")]),
    ("two bytes", Array("ä".utf8), [.scalar("ä")]),
    ("three bytes", Array("€".utf8), [.scalar("€")]),
    ("four bytes", Array("🥛".utf8), [.scalar("🥛")]),
    ("enter", [13], [.enter]),
    ("line feed", [10], [.enter]),
    ("backspace both ways", [8, 127], [.backspace, .backspace]),
    ("control letters", [1, 5, 11, 21, 23], "aekuw".map { .control($0) }),
    ("tab", [9], [.tab]),
    ("arrows", Array("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D".utf8), [.up, .down, .right, .left]),
    ("application arrows", Array("\u{1B}OA\u{1B}OD".utf8), [.up, .left]),
    ("home and end", Array("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~".utf8), [.home, .end, .home, .end]),
    ("delete and pages", Array("\u{1B}[3~\u{1B}[5~\u{1B}[6~".utf8), [.delete, .pageUp, .pageDown]),
    (
      "words", Array("\u{1B}[1;5D\u{1B}[1;3C\u{1B}b\u{1B}f".utf8),
      [.wordLeft, .wordRight, .wordLeft, .wordRight]
    ),
    ("an unknown sequence is swallowed", Array("\u{1B}[99;99zx".utf8), [.unknown, .scalar("x")]),
    ("a function key", Array("\u{1B}OPx".utf8), [.unknown, .scalar("x")]),
    ("an answer of the terminal", Array("\u{1B}]11;rgb:0\u{7}x".utf8), [.unknown, .scalar("x")]),
    ("an answer ended by ST", Array("\u{1B}P1$r\u{1B}\\x".utf8), [.unknown, .scalar("x")]),
    ("a broken sequence", Array("\u{1B}[1\u{1}".utf8), [.unknown, .control("a")]),
    ("paste", Array("\u{1B}[200~a\nb\u{1B}[201~c".utf8), [.paste("a\nb"), .scalar("c")]),
    (
      "paste with an escape in it", Array("\u{1B}[200~x\u{1B}[20\u{1B}[201~".utf8),
      [.paste("x\u{1B}[20")]
    ),
    ("lone continuation byte", [0x80, 0x61], [.scalar("\u{FFFD}"), .scalar("a")]),
    ("broken off text", [0xE2, 0x61], [.scalar("\u{FFFD}"), .scalar("a")]),
    ("overlong text", [0xC0, 0xAF], [.scalar("\u{FFFD}"), .scalar("\u{FFFD}")]),
    ("a C1 control written as text", [0xC2, 0x9B], [.scalar("\u{FFFD}")]),
    ("a surrogate", [0xED, 0xA0, 0x80], [.scalar("\u{FFFD}")]),
  ]

  @Test("bytes become keys", arguments: rows)
  func keys(name: String, bytes: [UInt8], expected: [Key]) {
    var parser = KeyParser()
    #expect(bytes.flatMap { parser.receive($0) } == expected, "\(name)")
    #expect(!parser.isWaiting)
  }

  @Test("a lone escape is a key once it is quiet")
  func loneEscape() {
    var parser = KeyParser()
    #expect(parser.receive(0x1B) == [])
    #expect(parser.isWaiting)
    #expect(parser.quiet() == [.escape])
    #expect(parser.quiet() == [])
  }

  @Test(
    "an unfinished sequence is given up once it is quiet",
    arguments: ["\u{1B}[1", "\u{1B}O", "\u{1B}]0"])
  func unfinished(text: String) {
    var parser = KeyParser()
    #expect(text.utf8.flatMap { parser.receive($0) } == [])
    #expect(parser.quiet() == [.unknown])
    #expect(parser.receive(0x61) == [.scalar("a")])
  }

  @Test("a pause inside a paste does not end it")
  func slowPaste() {
    var parser = KeyParser()
    _ = "\u{1B}[200~ab".utf8.flatMap { parser.receive($0) }
    #expect(parser.quiet() == [])
    #expect("\u{1B}[201~".utf8.flatMap { parser.receive($0) } == [.paste("ab")])
  }

  @Test(
    "A paste that is longer than its maximum is told, and its text is not kept",
    arguments: [-1, 0, 1])
  func longPaste(over: Int) {
    var parser = KeyParser()
    _ = "\u{1B}[200~".utf8.flatMap { parser.receive($0) }
    #expect(parser.isPasting)
    let count = KeyParser.pasteBytesMax + over
    for _ in 0..<count { _ = parser.receive(0x61) }
    let keys = "\u{1B}[201~".utf8.flatMap { parser.receive($0) }
    #expect(keys == [over > 0 ? .longPaste : .paste(String(repeating: "a", count: count))])
    #expect(!parser.isPasting)
    #expect("\u{1B}[200~b\u{1B}[201~".utf8.flatMap { parser.receive($0) } == [.paste("b")])
  }

  @Test("an endless sequence takes no memory and ends at its final byte")
  func longSequence() {
    var parser = KeyParser()
    _ = "\u{1B}[".utf8.flatMap { parser.receive($0) }
    for _ in 0..<10_000 { _ = parser.receive(0x31) }
    #expect(parser.receive(0x7A) == [.unknown])
  }

  @Test("random bytes never leave the parser stuck", arguments: 0..<50)
  func randomBytes(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var parser = KeyParser()
    for _ in 0..<2_000 { _ = parser.receive(UInt8(truncatingIfNeeded: random.next())) }
    _ = "\u{1B}[201~".utf8.flatMap { parser.receive($0) }
    _ = parser.quiet()
    _ = parser.quiet()
    #expect(parser.receive(0x61) == [.scalar("a")], "seed \(seed)")
  }
}
