/// Writes folded texts, scalar by scalar (Words.swift).
struct WordFolder {
  private(set) var bytes: [UInt8] = []
  /// The place of the scalar in the text from which each byte comes. Empty unless asked for.
  private(set) var places: [Int] = []
  /// The other spellings, each after a byte, and the places from which their bytes come.
  private(set) var spellings: [UInt8] = []
  private(set) var spellingPlaces: [Int] = []
  /// The words that are tied together, in their order. Empty unless asked for.
  private(set) var tied: [TiedWords] = []

  private let form: Words.Form
  private let notesPlaces: Bool
  private let keepsTied: Bool
  /// The kind of the word that is being written.
  private var open: Kind = .gap
  /// Whether a tie, and nothing else, stands behind the last word.
  private var isTied = false
  /// The place where the letters of the present or last word begin. Nil when it is no word that may be tied.
  private var start: Int?
  /// The word's other spelling.
  private var other: Spelling?
  /// The words before it that ties hold together with it.
  private var chain: [SpelledWord] = []
  private var seen: Set<[UInt8]> = []
  private var forms = Utf8proc.FoldBuffer()

  private enum Kind {
    /// A letter of a word that is found by its beginning.
    case bound
    /// A letter of a run.
    case free
    /// Left out; it parts nothing.
    case dropped
    /// Parts words.
    case gap
  }

  init(_ form: Words.Form, notesPlaces: Bool = false, keepsTied: Bool = false) {
    self.form = form
    self.notesPlaces = notesPlaces
    self.keepsTied = keepsTied
  }

  /// Adds one text. Whatever is added after it is another text.
  mutating func add(_ text: String) {
    open = .gap
    isTied = false
    for (place, scalar) in text.unicodeScalars.enumerated() { add(scalar, at: place) }
    endWord(isTied: false)
    endChain()
    open = .gap
  }

  private mutating func add(_ scalar: Unicode.Scalar, at place: Int) {
    switch UInt8(exactly: scalar.value) {
    case .some(UInt8(ascii: "a")...UInt8(ascii: "z")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      put(scalar, .bound, at: place)
    case .some(UInt8(ascii: "A")...UInt8(ascii: "Z")):
      put(Unicode.Scalar(UInt8(scalar.value) | 0x20), .bound, at: place)
    case .some(0...0x7F):
      part(scalar)
    default:
      guard form == .first || !PlainLetters.isTie(scalar) else { return part(scalar) }
      forms.fold(scalar)
      for index in 0..<forms.count { add(folded: forms[index], at: place) }
    }
  }

  private mutating func add(folded scalar: Unicode.Scalar, at place: Int) {
    if form == .present, !scalar.isASCII {
      if PlainLetters.isTie(scalar) { return part(scalar) }
      if let more = PlainLetters.secondLetter(behind: bytes.last, with: scalar), open == .bound {
        return spell(more, at: place)
      }
      if let plain = PlainLetters.plain(scalar) { return put(plain, at: place) }
    }
    switch WordFolder.kind(of: scalar) {
    case .dropped: break
    case .gap: part(scalar)
    case .bound: put(scalar, .bound, at: place)
    case .free: put(scalar, .free, at: place)
    }
  }

  private mutating func put(_ plain: PlainLetters, at place: Int) {
    for letter in plain.letters.unicodeScalars {
      let isFree = WordFolder.kind(of: letter) == .free
      put(letter, isFree ? .free : .bound, at: place)
    }
    for letter in plain.more.utf8 { spell(letter, at: place) }
  }

  private mutating func put(_ scalar: Unicode.Scalar, _ kind: Kind, at place: Int) {
    let before = bytes.count
    if open != kind {
      beginWord(kind, with: scalar)
      bytes.append(kind == .bound ? Words.beginning : Words.run)
    }
    open = kind
    if scalar.isASCII {
      bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    if notesPlaces {
      places.append(contentsOf: repeatElement(place, count: bytes.count - before))
    }
    if other != nil, kind == .bound { other?.append(contentsOf: bytes[before...], at: place) }
  }

  private mutating func part(_ scalar: Unicode.Scalar) {
    isTied = form == .present && open == .bound && ties(scalar)
    open = .gap
  }

  /// Answers whether the scalar that parts the words here ties them. A full stop does so behind one letter: `U.S.A.`,
  /// `z.B.`
  private func ties(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar == ".", let start else { return PlainLetters.isTie(scalar) }
    return bytes.count == start + 1 && Words.isLetter(bytes[start])
  }

  /// Answers whether the word that begins is tied to the one before. Two numbers are no word together: `3-4 eggs` is
  /// not `34`.
  private func isTied(to scalar: Unicode.Scalar) -> Bool {
    guard isTied, chain.count + 1 < TiedWords.countMax, let last = bytes.last else { return false }
    return !(Words.isDigit(last) && ("0"..."9").contains(scalar))
  }

  /// Notes that the word has another spelling, with one more letter here.
  private mutating func spell(_ letter: UInt8, at place: Int) {
    guard let start else { return }
    var longer = other ?? spelling(from: start)
    longer.append(contentsOf: CollectionOfOne(letter), at: place)
    other = longer
  }

  private func spelling(from start: Int) -> Spelling {
    Spelling(bytes: Array(bytes[start...]), places: notesPlaces ? Array(places[start...]) : [])
  }

  private mutating func beginWord(_ kind: Kind, with scalar: Unicode.Scalar) {
    guard form == .present else { return }
    let goesOn = kind == .bound && isTied(to: scalar)
    endWord(isTied: goesOn)
    if !goesOn { endChain() }
    isTied = false
    if kind == .bound { start = bytes.count + 1 }
  }

  /// Ends a word. Most words are alone and have one spelling: nothing more is kept of these.
  private mutating func endWord(isTied: Bool) {
    guard let first = start else { return }
    start = nil
    let number = numberBegins(behind: first)
    guard isTied || keepsTied || !chain.isEmpty || other != nil || number != nil else { return }
    chain.append(SpelledWord(plain: spelling(from: first), other: other, numberAt: number))
    other = nil
  }

  private mutating func endChain() {
    guard !chain.isEmpty else { return }
    let words = TiedWords(chain)
    chain = []
    if keepsTied { tied.append(words) }
    for other in words.otherSpellings { keep(other) }
  }

  /// Returns where the number begins in a word such as `v2`. Nil when there is none. A number behind letters other than
  /// a–z is found only together with them.
  private func numberBegins(behind start: Int) -> Int? {
    var place = start
    while place < bytes.count, Words.isLetter(bytes[place]) { place += 1 }
    guard place > start, place < bytes.count, Words.isDigit(bytes[place]) else { return nil }
    return place - start
  }

  private mutating func keep(_ other: Spelling) {
    guard spellings.count + other.bytes.count < Words.spellingsBytesMax,
      seen.insert(other.bytes).inserted
    else { return }
    spellings.append(Words.beginning)
    spellings += other.bytes
    guard notesPlaces, let first = other.places.first else { return }
    spellingPlaces.append(first)
    spellingPlaces += other.places
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    if scalar.isASCII {
      let isWord = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      return isWord ? .bound : .gap
    }
    if PlainLetters.isDropped(scalar) { return .dropped }
    switch Utf8proc.part(scalar) {
    case .letter: return PlainLetters.isWithoutSpaces(scalar) ? .free : .bound
    case .picture: return .free
    case .format: return .dropped
    case .other: return .gap
    }
  }
}
