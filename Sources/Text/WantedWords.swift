/// The words that somebody searches for. All of them must be there, in any order.
package struct WantedWords: Equatable, Sendable {
  /// The words as lists of spellings, as they stand in a folded text. The text must have one of each list. Each list is
  /// there once, the longest first: it is the rarest more often than not.
  package let words: [[[UInt8]]]
  /// The words as they stand in texts that were folded in the first form, where a word has one spelling.
  package let wordsOfFirstForm: [[UInt8]]

  /// Makes the words of a text. Nil when it has no word.
  package init?(_ text: String) {
    var folder = WordFolder(.present, keepsTied: true)
    folder.add(text)
    var seen: Set<[[UInt8]]> = []
    let runs = WantedWords.words(in: folder.bytes).filter { $0.first != Words.beginning }
    let wanted = (folder.tied.flatMap(\.wanted) + runs.map { [$0] }).filter {
      seen.insert($0).inserted
    }
    guard !wanted.isEmpty else { return nil }
    words = wanted.enumerated().sorted { left, right in
      (right.element[0].count, left.offset) < (left.element[0].count, right.offset)
    }.map(\.element)
    wordsOfFirstForm = WantedWords.words(in: Words.plain(text, form: .first))
  }

  private static func words(in folded: [UInt8]) -> [[UInt8]] {
    var words: [[UInt8]] = []
    for byte in folded {
      switch byte {
      case Words.beginning: words.append([byte])
      case Words.run: words.append([])
      default: words[words.count - 1].append(byte)
      }
    }
    return words
  }

  /// Answers whether a folded text has all words.
  package func areIn(_ folded: [UInt8]) -> Bool {
    words.allSatisfy { spellings in
      spellings.contains { WantedWords.place(of: $0, in: folded, from: 0) != nil }
    }
  }

  /// Answers whether a text that was folded in the first form has all words as that form has them.
  package func areInFirstForm(_ folded: [UInt8]) -> Bool {
    wordsOfFirstForm.allSatisfy { WantedWords.start(of: $0, in: folded, from: 0) != nil }
  }

  /// Returns bytes that every text with the word has, and that a database can look for. A word that is also found
  /// inside of others is looked for without its beginning.
  package static func mark(of word: [UInt8]) -> [UInt8] {
    isFoundInside(word) ? Array(word.dropFirst()) : word
  }

  /// Whether it does not suffice that a text has the marks.
  package var needsALook: Bool { words.joined().contains(where: WantedWords.isFoundInside) }

  /// Returns the places of the words in the text: ranges of its scalars, in order, apart from each other. Marks on the
  /// last letter belong to it; ties between words do not.
  package func places(in text: String) -> [Range<Int>] {
    var folder = WordFolder(.present, notesPlaces: true)
    folder.add(text)
    let folded = folder.bytes + folder.spellings
    let origins = folder.places + folder.spellingPlaces
    let scalars = Array(text.unicodeScalars)
    var found: [Range<Int>] = []
    for word in words.joined() {
      var from = 0
      while let letters = WantedWords.place(of: word, in: folded, from: from) {
        found += WantedWords.ranges(of: origins[letters], in: scalars)
        from = letters.lowerBound + 1
      }
    }
    return WantedWords.joined(found)
  }

  /// Returns the letters of a match, parted where something parts words.
  private static func ranges(
    of origins: ArraySlice<Int>, in scalars: [Unicode.Scalar]
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for origin in origins {
      if let last = ranges.last, origin >= last.lowerBound,
        scalars[last.upperBound..<max(origin, last.upperBound)].allSatisfy(goesWithLetters)
      {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, origin + 1)
      } else {
        ranges.append(origin..<origin + 1)
      }
    }
    return ranges.map { range in
      let marks = scalars[range.upperBound...].prefix(while: Graphemes.isMark).count
      return range.lowerBound..<range.upperBound + marks
    }
  }

  /// Answers whether the scalar may stand inside of a word and parts nothing that is seen.
  private static func goesWithLetters(_ scalar: Unicode.Scalar) -> Bool {
    Graphemes.isMark(scalar) || scalar.properties.generalCategory == .format
      || PlainLetters.plain(scalar)?.letters.isEmpty == true
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
}

// Finds places in a folded text.
extension WantedWords {
  /// Returns the letters of the next match.
  private static func place(of word: [UInt8], in folded: [UInt8], from: Int) -> Range<Int>? {
    guard isFoundInside(word) else {
      guard let start = start(of: word, in: folded, from: from) else { return nil }
      return start + (word[0] == Words.beginning ? 1 : 0)..<start + word.count
    }
    let letters = Array(word.dropFirst())
    var from = from
    while let start = start(of: letters, in: folded, from: from) {
      if mayBegin(at: start, in: folded) { return start..<start + letters.count }
      from = start + 1
    }
    return nil
  }

  /// Answers whether the word is found inside of others: when it has five letters a–z or more. In other scripts nothing
  /// tells what is a word of its own in another.
  private static func isFoundInside(_ word: [UInt8]) -> Bool {
    word.count > Words.innerLettersMin && word[0] == Words.beginning
      && word.dropFirst().allSatisfy(Words.isLetter)
  }

  /// Answers whether a match may begin here: at the beginning of a word, or behind enough of its letters.
  private static func mayBegin(at place: Int, in folded: [UInt8]) -> Bool {
    if place > 0, folded[place - 1] == Words.beginning { return true }
    let first = place - Words.lettersBeforeInnerMin
    return first >= 0 && folded[first..<place].allSatisfy(Words.isLetter)
  }

  private static func start(of word: [UInt8], in folded: [UInt8], from: Int) -> Int? {
    guard let first = word.first else { return nil }
    var start = from
    while start + word.count <= folded.count {
      if folded[start] == first, folded[start..<start + word.count].elementsEqual(word) {
        return start
      }
      start += 1
    }
    return nil
  }
}
