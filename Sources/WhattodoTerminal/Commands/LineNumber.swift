/// A line of talk as a person names it: `57` is its own number, `12.c3` the third comment on the post #12. `/talk`
/// shows the one, and `/talk 12` both.
enum LineNumber: Equatable, ExpressibleByIntegerLiteral {
  case line(Int)
  case comment(Int, on: Int)

  init(integerLiteral number: Int) { self = .line(number) }

  /// Reads a word; nil when it is no such number.
  init?(_ word: String) {
    let parts = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let number = Words.number(in: String(parts[0])) else { return nil }
    guard parts.count > 1 else {
      self = .line(number)
      return
    }
    guard parts[1].lowercased().hasPrefix("c"), !parts[1].dropFirst().hasPrefix("#"),
      let place = Words.number(in: String(parts[1].dropFirst()))
    else { return nil }
    self = .comment(place, on: number)
  }

  /// Whether it names a comment by its post.
  var isComment: Bool { if case .comment = self { true } else { false } }
}

extension Words {
  /// Reads `57` or `12.c3`.
  mutating func lineNumber() -> LineNumber? {
    guard let number = peek().flatMap({ LineNumber($0) }) else { return nil }
    _ = next()
    return number
  }

  /// Reads `[#LIST] 12.c3` or `[#LIST | in GROUP:] line 57`, which can get a sign. For anything else it takes no word
  /// and returns nil: a number alone is that of a post.
  mutating func lineToSign() -> (place: Reference?, number: LineNumber)? {
    var words = self
    let place = words.placeOfTalk()
    let isNamed = words.skip("line")
    guard let number = words.lineNumber(), number.isComment != isNamed else { return nil }
    self = words
    return (place, number)
  }

  /// Reads `#LIST`, or `in GROUP:`. For anything else it takes no word and returns nil; `#12` is a post.
  mutating func placeOfTalk() -> Reference? {
    if peek().flatMap({ LineNumber($0) }) == nil, let list = reference() { return list }
    var words = self
    guard words.skip("in") else { return nil }
    var names: [String] = []
    while let word = words.next() {
      names.append(word)
      guard word.hasSuffix(":") else { continue }
      let name = names.joined(separator: " ").dropLast()
      guard !name.isEmpty else { return nil }
      self = words
      return Reference(name)
    }
    return nil
  }
}
