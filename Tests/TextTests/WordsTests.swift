import Testing

@testable import Text

@Suite("protocol §8: words of a search")
struct WordsTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let wanted: String
    /// What is marked; nil: the text has not all words.
    let found: [String]?
    var testDescription: String { "\(wanted) in \(text)" }

    init(_ text: String, _ wanted: String, _ found: [String]?) {
      self.text = text
      self.wanted = wanted
      self.found = found
    }
  }

  static let rows: [Row] = [
    // A word is found by its beginning, in any case.
    Row("Oat milk", "mil", ["mil"]), Row("Oat milk", "MILK", ["milk"]),
    Row("Oat milk", "ilk", nil), Row("Oat milk", "milks", nil),
    Row("milk, Milk; oatmilk", "milk", ["milk", "Milk"]),
    Row("MP3s and b2b", "mp b2", ["MP", "b2"]), Row("room 12b", "12", ["12"]),
    // All words, in any order, each as often as it stands there.
    Row("Oat milk", "milk oat", ["Oat", "milk"]), Row("Oat milk", "milk rye", nil),
    Row("a b a", "a", ["a", "a"]), Row("milk", "m mi mil milk", ["milk"]),
    // What is no word parts words and is not compared: there are no operators.
    Row("call (bob)", "\"call\" -BOB*", ["call", "bob"]), Row("e-mail", "mail", ["mail"]),
    Row("don't", "don't", ["don", "t"]), Row("50 % of 3 €", "50 3", ["50", "3"]),
    Row("snake_case", "case", ["case"]), Row("\u{AD}", "x", nil),
    // Without accents, and other forms of the same letters.
    Row("Été à Montréal", "ete montreal", ["Été", "Montréal"]), Row("ete", "ÉTÉ", ["ete"]),
    Row("Straße", "strasse", ["Straße"]), Row("STRASSE", "straße", ["STRASSE"]),
    Row("ﬁne", "fine", ["ﬁne"]), Row("ﬁne", "f", ["ﬁ"]), Row("Ａｐｐｌｅ", "apple", ["Ａｐｐｌｅ"]),
    Row("İstanbul", "istanbul", ["İstanbul"]), Row("№ 5", "no 5", ["№", "5"]),
    Row("Đồng hồ", "đong ho", ["Đồng", "hồ"]), Row("g\u{308}ute", "gut", ["g\u{308}ut"]),
    Row("x\u{308}", "x", ["x\u{308}"]), Row("Ёлка", "елка", ["Ёлка"]),
    Row("Αθήνα", "αθηνα", ["Αθήνα"]),
    Row("ΟΔΟΣ", "οδός", ["ΟΔΟΣ"]), Row("שָׁלוֹם", "שלום", ["שָׁלוֹם"]), Row("مُحَمَّد", "محمد", ["مُحَمَّد"]),
    // Vowels of Indic scripts are letters.
    Row("हिन्दी", "हिन्दी", ["हिन्दी"]), Row("हिन्दी", "हन्दी", nil), Row("हिन्दी", "हि", ["हि"]),
    // Hangul is compared by its parts.
    Row("한국어 공부", "한국", ["한국"]), Row("한국어", "하", ["한"]), Row("한국어", "국", nil),
    // Scripts without spaces: anywhere.
    Row("東京都庁へ", "京都", ["京都"]), Row("东京", "京", ["京"]), Row("北京 市", "京市", nil),
    Row("ミルクを買う", "買う", ["買う"]), Row("ﾐﾙｸ", "ミルク", ["ﾐﾙｸ"]), Row("がく", "がく", ["がく"]),
    Row("ซื้อนมสด", "นม", ["นม"]), Row("iPhone手机壳", "手机", ["手机"]),
    Row("手机app下载", "app", ["app"]), Row("手机app", "手机app", ["手机app"]),
    // Emoji.
    Row("cake 🎂🎂 party", "🎂", ["🎂🎂"]), Row("👍🏽 ok", "👍", ["👍"]), Row("👩‍🚀", "🚀", ["🚀"]),
    Row("1️⃣ first", "1", ["1️⃣"]), Row("🇵🇹", "🇵🇹", ["🇵🇹"]),
    // Control characters part words, too.
    Row("a\nb\tc", "b c", ["b", "c"]),
  ]

  @Test("are found, and the places told, as written here", arguments: rows)
  func found(_ row: Row) throws {
    let wanted = try #require(WantedWords(row.wanted))
    var folded: [UInt8] = []
    Words.append(row.text, to: &folded)
    #expect(wanted.areIn(folded) == (row.found != nil))
    guard let expected = row.found else { return }
    let scalars = Array(row.text.unicodeScalars)
    let found = wanted.places(in: row.text).map { place in
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[place])
      return String(view)
    }
    #expect(found.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
  }

  @Test(
    "a text without a word asks for nothing", arguments: ["", " ", "+ (*)", "—…", "\u{301}", "\n"])
  func wordless(_ text: String) {
    #expect(WantedWords(text) == nil)
  }

  @Test("the words of two texts do not run into each other")
  func apart() throws {
    var folded: [UInt8] = []
    Words.append("oat", to: &folded)
    Words.append("milk", to: &folded)
    Words.append("京", to: &folded)
    Words.append("都", to: &folded)
    #expect(try #require(WantedWords("oat milk")).areIn(folded))
    #expect(!(try #require(WantedWords("oatmilk")).areIn(folded)))
    #expect(!(try #require(WantedWords("京都")).areIn(folded)))
    #expect(folded.count { $0 == Words.beginning } == 2 && folded.count { $0 == Words.run } == 2)
  }

  /// Whatever a text is made of, its own words are found in it, and their beginnings.
  @Test("every word of a text is found in it", arguments: [1, 2, 3] as [UInt64])
  func ownWords(seed: UInt64) throws {
    var random = Random(state: seed)
    for _ in 0..<3_000 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<(1 + random.below(12)) {
        scalars.append(
          random.below(3) == 0
            ? " " : telling[Int(random.below(UInt32(telling.count)))])
      }
      let text = String(scalars)
      guard let wanted = WantedWords(text) else { continue }
      var folded: [UInt8] = []
      Words.append(text, to: &folded)
      #expect(wanted.areIn(folded), "seed \(seed): \(scalars.map { String($0.value, radix: 16) })")
      let places = wanted.places(in: text)
      #expect(!places.isEmpty)
      #expect(places.allSatisfy { 0 <= $0.lowerBound && $0.upperBound <= scalars.count })
      #expect(zip(places, places.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    }
  }

  @Test("a folded text is UTF-8, and its words hold neither 0 nor 1")
  func wellFormed() {
    var folded: [UInt8] = []
    for scalar in telling {
      folded = []
      Words.append("a" + String(Character(scalar)) + "京", to: &folded)
      let words = folded.split { $0 <= Words.run }
      #expect(words.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
      #expect(folded.first == Words.beginning && folded.contains(Words.run))
    }
  }
}
