// What of a text is compared when somebody searches (protocol §8.56).
//
// A text is cut into words, and of each letter the plain form is kept: compatibility forms are taken apart
// (NFKD), capitals become small (case folding), accents go, and so do the optional points of Hebrew and Arabic.
// Marks that are letters to those who read them (vowels of Indic scripts, the voicing of kana) stay.
//   - Where writers put spaces, a word is found by its beginning: `mil` finds `Milk`, `ilk` does not.
//   - Han, kana, Thai and other scripts are written without spaces, and nothing tells where a word begins; so in
//     a run of these every letter may begin a match. The same holds for pictures, such as emoji.
// Anything else (punctuation, symbols of mathematics and money, white space) parts words and is never found.
//
// A folded text is its words in their order as UTF-8, each after a byte: 0 before one that is found by its
// beginning, 1 before a run. No word holds these bytes. So a word that is asked for is found with one search
// for its bytes, with the 0 before it or, in a run, without a byte before it; the scalars of the two kinds
// differ, so no search finds the other kind.
//
// The forms come from utf8proc. A newer one knows more letters: texts that were folded by an older one are then
// found by these letters only when they are written again.

/// Folds texts for search.
package enum Words {
  /// Appends the folded text.
  package static func append(_ text: String, to folded: inout [UInt8]) {
    var folder = WordFolder(folded, notesPlaces: false)
    folded = []
    folder.add(text)
    folded = folder.bytes
  }

  static let beginning: UInt8 = 0
  static let run: UInt8 = 1
}

/// What somebody searches for: all of its words must be there, in any order.
package struct WantedWords: Equatable, Sendable {
  /// As they stand in a folded text, each once, the longest first: it is the rarest more often than not.
  package let needles: [[UInt8]]

  /// Nil when the text has no word.
  package init?(_ text: String) {
    var folder = WordFolder([], notesPlaces: false)
    folder.add(text)
    var seen: Set<[UInt8]> = []
    var found: [[UInt8]] = []
    for needle in WantedWords.needles(of: folder.bytes) where seen.insert(needle).inserted {
      found.append(needle)
    }
    guard !found.isEmpty else { return nil }
    needles = found.enumerated().sorted { left, right in
      (right.element.count, left.offset) < (left.element.count, right.offset)
    }.map(\.element)
  }

  private static func needles(of folded: [UInt8]) -> [[UInt8]] {
    var needles: [[UInt8]] = []
    for byte in folded {
      switch byte {
      case Words.beginning: needles.append([byte])
      case Words.run: needles.append([])
      default: needles[needles.count - 1].append(byte)
      }
    }
    return needles
  }

  /// Whether a folded text has all words.
  package func areIn(_ folded: [UInt8]) -> Bool {
    needles.allSatisfy { WantedWords.place(of: $0, in: folded, from: 0) != nil }
  }

  /// Where the text has one of the words: ranges of its scalars, in order, apart from each other. Marks on the
  /// last letter go with it.
  package func places(in text: String) -> [Range<Int>] {
    var folder = WordFolder([], notesPlaces: true)
    folder.add(text)
    let scalars = Array(text.unicodeScalars)
    var found: [Range<Int>] = []
    for needle in needles {
      var from = 0
      while let start = WantedWords.place(of: needle, in: folder.bytes, from: from) {
        let first = start + (needle[0] == Words.beginning ? 1 : 0)
        var end = folder.places[start + needle.count - 1] + 1
        while end < scalars.count, Graphemes.isMark(scalars[end]) { end += 1 }
        found.append(folder.places[first]..<end)
        from = start + 1
      }
    }
    return WantedWords.joined(found)
  }

  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in ranges.sorted(by: {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }) {
      guard let last = joined.last, range.lowerBound <= last.upperBound else {
        joined.append(range)
        continue
      }
      joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }
    return joined
  }

  private static func place(of needle: [UInt8], in folded: [UInt8], from: Int) -> Int? {
    guard let first = needle.first else { return nil }
    var start = from
    while start + needle.count <= folded.count {
      if folded[start] == first,
        folded[start..<start + needle.count].elementsEqual(needle)
      {
        return start
      }
      start += 1
    }
    return nil
  }
}

/// Writes a folded text, scalar by scalar.
struct WordFolder {
  private(set) var bytes: [UInt8]
  /// Of each byte the scalar of the text that it comes from; empty unless asked for.
  private(set) var places: [Int] = []
  private let notesPlaces: Bool
  /// The word that is being written.
  private var open: Kind = .gap
  private var forms = Utf8proc.FoldBuffer()

  private enum Kind {
    /// A letter of a word that is found by its beginning.
    case bound
    /// Of a run.
    case free
    /// Left out, and parts nothing.
    case dropped
    /// Parts words.
    case gap
  }

  init(_ bytes: [UInt8], notesPlaces: Bool) {
    self.bytes = bytes
    self.notesPlaces = notesPlaces
  }

  /// One text; what follows is another.
  mutating func add(_ text: String) {
    open = .gap
    for (place, scalar) in text.unicodeScalars.enumerated() { add(scalar, at: place) }
    open = .gap
  }

  private mutating func add(_ scalar: Unicode.Scalar, at place: Int) {
    switch UInt8(exactly: scalar.value) {
    case .some(UInt8(ascii: "a")...UInt8(ascii: "z")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      put(scalar, .bound, at: place)
    case .some(UInt8(ascii: "A")...UInt8(ascii: "Z")):
      put(Unicode.Scalar(UInt8(scalar.value) | 0x20), .bound, at: place)
    case .some(0...0x7F):
      open = .gap
    default:
      forms.fold(scalar)
      for index in 0..<forms.count { add(folded: forms[index], at: place) }
    }
  }

  private mutating func add(folded scalar: Unicode.Scalar, at place: Int) {
    switch WordFolder.kind(of: scalar) {
    case .dropped: break
    case .gap: open = .gap
    case .bound: put(scalar, .bound, at: place)
    case .free: put(scalar, .free, at: place)
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar, _ kind: Kind, at place: Int) {
    let before = bytes.count
    if open != kind { bytes.append(kind == .bound ? Words.beginning : Words.run) }
    open = kind
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    guard notesPlaces else { return }
    places.append(contentsOf: repeatElement(place, count: bytes.count - before))
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    if scalar.isASCII {
      let isWord = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      return isWord ? .bound : .gap
    }
    if droppedMarks.contains(where: { $0.contains(scalar.value) }) { return .dropped }
    switch Utf8proc.part(scalar) {
    case .letter: return withoutSpaces.contains { $0.contains(scalar.value) } ? .free : .bound
    case .picture: return .free
    case .format: return .dropped
    case .other: return .gap
    }
  }

  /// Accents of Latin, Greek and Cyrillic; points of Hebrew and Arabic; variation selectors.
  private static let droppedMarks: [ClosedRange<UInt32>] = [
    0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF...0x05BF, 0x05C1...0x05C2,
    0x05C4...0x05C5, 0x05C7...0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670...0x0670,
    0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8, 0x06EA...0x06ED, 0x1AB0...0x1AFF,
    0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xE0100...0xE01EF,
  ]

  /// Thai, Lao, Myanmar, Khmer; radicals, kana, Bopomofo, Han.
  private static let withoutSpaces: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007,
    0x3021...0x3029, 0x3031...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF,
    0x4E00...0x9FFF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F, 0xF900...0xFAFF, 0x1B000...0x1B16F,
    0x20000...0x3FFFD,
  ]
}
