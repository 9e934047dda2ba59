import Foundation
import Testing

@testable import Text

@Suite("Unsafe text is never written on a terminal")
struct TerminalSafeTests {
  @Test("replaced visibly, everything else as it is")
  func rows() {
    let rows: [(String, String)] = [
      ("plain ~", "plain ~"), ("é 日 😀 🇵🇹", "é 日 😀 🇵🇹"), ("a\tb", "a b"), ("a\nb\r\n", "a␊b␍␊"),
      ("\u{1B}[2J", "␛[2J"), ("\u{7F}\0", "␡␀"), ("\u{9B}31m", "\u{FFFD}31m"),
      ("\u{202E}abc", "\u{FFFD}abc"), ("a\u{200B}b", "a\u{FFFD}b"), ("\u{2028}", "\u{FFFD}"),
      ("\u{E000}", "\u{FFFD}"), ("\u{FFFF}", "\u{FFFD}"), ("\u{378}", "\u{FFFD}"),
      ("\u{301}a", "\u{25CC}\u{301}a"), ("\u{200D}a", "\u{FFFD}a"), ("👨\u{200D}👩", "👨\u{200D}👩"),
      ("می\u{200C}خ", "می\u{200C}خ"), ("a\u{E0041}", "a\u{FFFD}"),
      (LineTests.scotland, LineTests.scotland), ("\n\u{301}", "␊\u{301}"),
      ("\t\u{301}\u{200C}", " \u{301}\u{FFFD}"),
    ]
    for (text, safe) in rows {
      #expect(
        Text.terminalSafe(text).unicodeScalars.elementsEqual(safe.unicodeScalars),
        "\(text.debugDescription)")
    }
  }

  @Test("marks beyond eight end in one replacement")
  func marks() {
    let eight = "x" + String(repeating: "\u{316}", count: 8)
    #expect(Text.terminalSafe(eight + "y") == eight + "y")
    #expect(Text.terminalSafe(eight + "\u{316}\u{316}y") == eight + "\u{FFFD}y")
  }

  @Test(
    "whatever goes in, nothing comes out that a line refuses",
    arguments: [UInt64.random(in: 1 ... .max), 1, 7_289_810_644_823_038_405])
  func random(seed: UInt64) {
    var random = Random(state: seed)
    let pool: [UInt32] = [
      0x1B, 0x9B, 0x0A, 0x202E, 0x200D, 0x200C, 0x301, 0x61, 0x1F468, 0xFE0F, 0x600, 0xE0067,
    ]
    for _ in 0..<20_000 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<random.below(14) {
        let value =
          random.below(3) == 0
          ? random.below(0x110000) : pool[Int(random.below(UInt32(pool.count)))]
        if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
      }
      let safe = Text.terminalSafe(String(scalars))
      let isClean = safe.allSatisfy { Graphemes.takes($0, marksMax: 8) }
      #expect(isClean, "seed \(seed): \(scalars.map { String($0.value, radix: 16) })")
      let again = Text.terminalSafe(safe)
      #expect(
        again.unicodeScalars.elementsEqual(safe.unicodeScalars),
        "seed \(seed): \(scalars.map { String($0.value, radix: 16) })")
    }
  }
}

@Suite("Columns on a terminal")
struct ColumnTests {
  @Test("graphemes")
  func graphemes() {
    let rows: [(Character, Int)] = [
      ("a", 1), ("~", 1), (" ", 1), ("\u{7F}", 0), ("\n", 0), ("é", 1), ("e\u{301}", 1), ("日", 2),
      ("ｱ", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("⌚", 2), ("🇵🇹", 2),
      ("❤", 1), ("❤\u{FE0F}", 2), ("👨\u{200D}👩\u{200D}👧\u{200D}👦", 2), ("👍🏽", 2),
      ("1\u{FE0F}\u{20E3}", 2), (Character(LineTests.scotland), 2), ("…", 1), ("ש", 1),
      ("\u{FFFD}", 1), ("␛", 1), ("─", 1),
    ]
    for (grapheme, columns) in rows {
      #expect(Text.columns(of: grapheme) == columns, "\(grapheme.debugDescription)")
    }
  }

  /// `Tests/EndToEnd/columns.py` asks tmux for the same.
  @Test("Texts of all scripts are as wide as tmux draws them")
  func scripts() throws {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let table = here.appendingPathComponent("../EndToEnd/columns.json")
    let rows = try JSONSerialization.jsonObject(with: Data(contentsOf: table)) as? [[String: Any]]
    for row in try #require(rows) {
      let text = try #require(row["text"] as? String)
      let script = row["script"] as? String ?? ""
      #expect(Text.columns(of: text) == row["columns"] as? Int, "\(script): \(text)")
      #expect(Text.terminalSafe(text) == text, "\(script): \(text)")
    }
    #expect(try #require(rows).count > 100)
  }

  @Test("A letter that joins the one before it is cut off with it or takes no column")
  func joined() {
    let text = "ක\u{DCA}\u{200D}රක"
    #expect(Text.columns(of: text) == 2)
    #expect(Text.truncated(text, columns: 2) == text)
    #expect(Text.columns(of: Text.truncated(text + "ක", columns: 2)) == 2)
    #expect(Text.columns(of: "ක\u{DCA}\u{200D} a") == 3, "a blank joins nothing")
  }

  @Test("Characters of different widths on terminals are left out where a row must not wrap")
  func even() {
    let rows = [
      ("#shop", "#shop"), ("日本😀", "日本😀"), ("e\u{301}", "e\u{301}"), ("हिन्दी", "हिन्दी"),
      ("a👨\u{200D}👩\u{200D}👧b", "a_b"), ("❤\u{FE0F}🇵🇹👍🏽", "___"), ("1\u{FE0F}\u{20E3}", "_"),
    ]
    for (text, expected) in rows { #expect(Text.evenColumns(text) == expected) }
  }

  @Test("letters from right to left are known, whatever stands beside them")
  func rightToLeft() {
    for text in ["ש", "abc ש", "ب12", "٣", "\u{1E900}"] {
      #expect(Text.runsRightToLeft(text), "\(text)")
    }
    for text in ["", "abc 12", "日本", "é", "😀", "\u{301}", "हिन्दी"] {
      #expect(!Text.runsRightToLeft(text), "\(text)")
    }
  }

  @Test("31 marks in a row are a heap, wherever they begin", arguments: [0, 1, 29, 30, 31, 5_000])
  func heaps(count: Int) {
    let marks = String(String.UnicodeScalarView(repeatElement("\u{301}", count: count)))
    for text in [marks, "a" + marks, "a" + marks + "b" + marks] {
      #expect(Text.heapsMarks(text) == (count > 30))
    }
  }

  @Test("texts are cut at whole graphemes and say so")
  func truncated() {
    let rows: [(String, Int, String)] = [
      ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abc", 1, "…"), ("abc", 0, ""), ("", 0, ""),
      ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
      ("👨\u{200D}👩\u{200D}👧xy", 3, "👨\u{200D}👩\u{200D}👧…"),
      ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ]
    for (text, columns, expected) in rows {
      let cut = Text.truncated(text, columns: columns)
      #expect(cut == expected, "\(text) \(columns)")
      #expect(Text.columns(of: cut) <= columns)
    }
  }
}
