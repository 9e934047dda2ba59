import Testing

@testable import Text

@Suite("protocol §8: words of a search")
struct WordsTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let text: String
    let wanted: String
    /// The parts that are marked; nil when the text has not all words.
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
    // Inside of words: five letters, behind two.
    Row("Apfelkuchen", "kuchen", ["kuchen"]), Row("Kühlschranktür", "schrank", ["schrank"]),
    Row("Haustürschlüssel", "schluessel", ["schlüssel"]), Row("Apfelkuchen", "kuch", nil),
    Row("Obstkuchenform, Kuchen", "kuchen", ["kuchen", "Kuchen"]), Row("flight", "light", nil),
    Row("mother", "other", nil), Row("Apfelkuchen", "apfel", ["Apfel"]),
    Row("日本kuchen", "kuchen", ["kuchen"]), Row("Müllabfuhr", "abfuhr", ["abfuhr"]),
    Row("12kuchen", "kuchen", nil), Row("Abrechnung", "rechnung", ["rechnung"]),
    Row("Ölheizung", "heizung", ["heizung"]), Row("Brötchenkuchen", "kuchen", ["kuchen"]),
    // Numbers behind letters.
    Row("v2.0.1", "2.0.1", ["2", "0", "1"]), Row("v2.0.1", "v2", ["v2"]),
    Row("iPhone15", "15", ["15"]),
    Row("ISO9001", "900", ["900"]), Row("a1b2", "b2", nil), Row("2.0.1", "0.1", ["0", "1"]),
    Row("Größe12", "12", ["12"]), Row("v２", "2", ["２"]),
    // What ties words is not told.
    Row("Send an e-mail", "email", ["e", "mail"]), Row("l'école", "ecole", ["école"]),
    Row("l’école", "lecole", ["l", "école"]), Row("dont", "don't", ["dont"]),
    Row("می\u{200C}خواهم", "خواهم", ["خواهم"]),
    Row("می\u{200C}خواهم", "میخواهم", ["می\u{200C}خواهم"]), Row("سـلام", "سلام", ["سـلام"]),
    Row("Müller", "mueller", ["Müller"]), Row("Müller", "mue", ["Mü"]),
    Row("Mueller", "Müller", ["Mueller"]),
    Row("Muller", "Müller", ["Muller"]), Row("smørrebrød", "smoer", ["smør"]),
    Row("ﬁne-tune", "finet", ["ﬁne", "t"]),
    Row("wifi", "wi-fi", ["wifi"]), Row("wi fi", "wi-fi", ["wi", "fi"]),
    Row("e-mail email", "email", ["e", "mail", "email"]),
    // Control characters part words, too.
    Row("a\nb\tc", "b c", ["b", "c"]),
  ]

  @Test("are found, and the places told, as written here", arguments: rows)
  func found(_ row: Row) throws {
    let wanted = try #require(WantedWords(row.wanted))
    #expect(wanted.areIn(Words.folded([row.text])) == (row.found != nil))
    guard let expected = row.found else { return }
    let scalars = Array(row.text.unicodeScalars)
    let found = wanted.places(in: row.text).map { place in
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[place])
      return String(view)
    }
    #expect(found.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
  }

  /// Each pair finds the other, whichever is searched for.
  static let same: [(String, String)] = [
    ("Łódź", "lodz"), ("smørrebrød", "smorrebrod"), ("smørrebrød", "smoerrebroed"),
    ("Đorđe", "Djordje"),
    ("Đorđe", "Dorde"), ("ısı", "isi"), ("cœur", "coeur"), ("ægir", "aegir"), ("Þór", "thor"),
    ("Straße", "strasse"), ("STRAẞE", "Strasse"), ("Ħal", "hal"), ("Ŋgoro", "ngoro"),
    ("Reykjavíkurborg", "reykjavikurborg"),
    ("guðrún", "gudrun"), ("Ələt", "elet"),
    // A letter that is also written as two.
    ("Müller", "Mueller"), ("Müller", "Muller"), ("MU\u{308}LLER", "mueller"), ("Jäger", "jaeger"),
    ("schön", "schoen"),
    ("Ålesund", "Aalesund"), ("Ålesund", "alesund"), ("Größe", "groesse"),
    // Arabic and Persian.
    ("كتاب", "کتاب"), ("علي", "علی"), ("على", "علی"), ("مدرسة", "مدرسه"), ("أحمد", "احمد"),
    ("إسلام", "اسلام"),
    ("آمال", "امال"), ("ٱلله", "الله"), ("مؤمن", "مومن"), ("بئر", "بير"), ("سـلام", "سلام"),
    ("مُحَمَّد", "محمد"),
    ("ہفتہ", "هفته"), ("سؤال", "سوال"), ("شِمش", "شمش"),
    ("می\u{200C}خواهم", "میخواهم"), ("می\u{200C}خواهم", "می خواهم"), ("کتاب\u{200C}ها", "كتابها"),
    // Digits of other scripts.
    ("١٢٣", "123"), ("۱۲۳", "123"), ("१२३", "123"), ("১২৩", "123"), ("１２３", "123"), ("๑๒๓", "123"),
    ("𝟏𝟐𝟑", "123"),
    ("۱۲", "١٢"), ("၁၂", "12"), ("፩", "፩"),
    // Tied words.
    ("e-mail", "email"), ("E‑Mail", "email"), ("Wi-Fi", "wifi"), ("wi–fi", "wifi"),
    ("don't", "dont"), ("don’t", "dont"),
    ("don‘t", "don't"), ("donʼt", "don't"), ("covid-19", "covid19"), ("U.S.A.", "usa"),
    ("z.B.", "zB"), ("T-Shirt", "tshirt"),
    ("rendez-vous", "rendezvous"), ("aujourd'hui", "aujourdhui"), ("צה״ל", "צהל"),
    ("ג׳ירפה", "גירפה"), ("col·lecció", "colleccio"),
    ("п’ять", "пять"), ("Hawaiʻi", "Hawaii"), ("Über-Ich", "ueberich"), ("e-mail", "e mail"),
    ("cooperation", "co-operation"), ("to-do-list", "todolist"),
    // Kana.
    ("ミルク", "みるく"), ("ﾐﾙｸ", "みるく"), ("ガギ", "がぎ"), ("ヴァイオリン", "ゔぁいおりん"), ("ヽヾ", "ゝゞ"),
    // Others.
    ("ґрунт", "грунт"), ("ΟΔΟΣ", "οδος"),
  ]

  @Test("Two ways to write a word find each other", arguments: same)
  func foundBothWays(_ one: String, _ other: String) throws {
    for (text, asked) in [(one, other), (other, one), (one, one), (other, other)] {
      // What is asked for with a space may stand apart; the text with one is not asked for as one word.
      if text.contains(" "), !asked.contains(where: { " -\u{200C}".contains($0) }) { continue }
      let wanted = try #require(WantedWords(asked))
      #expect(wanted.areIn(Words.folded(["first", "a \(text) b"])), "\(asked) in \(text)")
      #expect(!wanted.places(in: text).isEmpty, "\(asked) in \(text)")
    }
  }

  @Test("A letter has as many spellings as are typed, and no more")
  func noMore() throws {
    for (text, asked) in [
      ("due", "du"), ("blue", "blu"),
    ] {
      #expect(try #require(WantedWords(asked)).areIn(Words.folded([text])))
    }
    for (text, asked) in [
      ("bluff", "blue"), ("duck", "due"), ("Muller", "mueller"), ("Mueller", "muller"),
      ("3-4 eggs", "34"),
      ("e mail", "email"), ("e - mail", "email"), ("a.b", "cab"), ("milk.bread", "milkbread"),
      ("milk_bread", "milkbread"), ("a/b", "ab"), ("کتاب", "گتاب"), ("e--mail", "email"),
    ] {
      #expect(
        !(try #require(WantedWords(asked)).areIn(Words.folded([text]))), "\(asked) in \(text)")
    }
  }

  @Test("The kept forms of a text have a limit besides its words")
  func limit() throws {
    let text = (0..<8_000).map { "a\($0)" }.joined(separator: "-")
    let folded = Words.folded([text])
    let plain = Words.plain(text)
    #expect(folded.starts(with: plain))
    #expect(folded.count - plain.count <= Words.spellingsBytesMax)
    #expect(try #require(WantedWords("a7999")).areIn(folded))
  }

  @Test("The first form is what databases of earlier versions have")
  func firstForm() {
    let rows: [(String, [[UInt8]])] = [
      ("Łódź e-mail", [Array("łodz".utf8), Array("e".utf8), Array("mail".utf8)]),
      ("v2.0.1", [Array("v2".utf8), Array("0".utf8), Array("1".utf8)]),
      ("می\u{200C}خ ۱", [Array("میخ".utf8), Array("۱".utf8)]), ("ﻛـ", [Array("كـ".utf8)]),
    ]
    for (text, words) in rows {
      #expect(Words.folded([text], form: .first) == words.flatMap { [0] + $0 })
    }
  }

  @Test(
    "a text without a word asks for nothing", arguments: ["", " ", "+ (*)", "—…", "\u{301}", "\n"])
  func wordless(_ text: String) {
    #expect(WantedWords(text) == nil)
  }

  @Test("the words of two texts do not run into each other")
  func apart() throws {
    let folded = Words.folded(["oat", "milk", "京", "都"])
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
      #expect(
        wanted.areIn(Words.folded([text])),
        "seed \(seed): \(scalars.map { String($0.value, radix: 16) })")
      let places = wanted.places(in: text)
      #expect(!places.isEmpty)
      #expect(places.allSatisfy { 0 <= $0.lowerBound && $0.upperBound <= scalars.count })
      #expect(zip(places, places.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    }
  }

  @Test("a folded text is UTF-8, and its words hold neither 0 nor 1")
  func wellFormed() {
    for scalar in telling {
      let folded = Words.folded(["a" + String(Character(scalar)) + "京"])
      let words = folded.split { $0 <= Words.run }
      #expect(words.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
      #expect(folded.first == Words.beginning && folded.contains(Words.run))
    }
  }
}
