import Domain

/// Reads words from a place on. Each reading takes words and answers, or answers nothing and is undone by `try`.
struct Reader {
  let words: Words
  var language: Language
  let today: Day
  var position = 0

  init(words: Words, language: Language, today: Day) {
    self.words = words
    self.language = language
    self.today = today
  }

  var current: Words.Word? { position < words.all.count ? words.all[position] : nil }

  mutating func `try`<Value>(_ read: (inout Reader) -> Value?) -> Value? {
    let before = position
    let value = read(&self)
    if value == nil { position = before }
    return value
  }

  /// What such a reading would make of the words here; none is taken.
  func peek<Value>(_ read: (inout Reader) -> Value) -> Value {
    var after = self
    return read(&after)
  }

  /// The word here, taken when the body makes something of it; plain words are never taken.
  mutating func word<Value>(_ body: (Reader, String) -> Value?) -> Value? {
    guard let current, !current.isPlain, let value = body(self, current.lower) else { return nil }
    position += 1
    return value
  }

  /// The longest phrase here of which the body makes something.
  mutating func phrase<Value>(_ body: (String) -> Value?) -> Value? {
    guard position < words.all.count else { return nil }
    for (index, phrase) in words.phrases[position].enumerated().reversed() {
      guard let value = body(phrase) else { continue }
      position += index + 1
      return value
    }
    return nil
  }

  mutating func entry<Value>(_ table: [String: Value]) -> Value? {
    table.isEmpty ? nil : phrase { table[$0] }
  }

  /// One of these phrases, if it is there.
  @discardableResult
  mutating func skip(_ set: Set<String>) -> Bool {
    !set.isEmpty && phrase { set.contains($0) ? true : nil } == true
  }

  // MARK: - marks

  mutating func priority() -> Priority? {
    word { $1.first == "!" ? $0.language.priorities[String($1.dropFirst())] : nil }
  }

  /// A letter first, so that "+1" is a word.
  mutating func tag() -> String? {
    name(after: "+").flatMap { $0.first?.isLetter == true ? $0 : nil }
  }

  /// Not a number, which is a post's: "#12".
  mutating func category() -> String? {
    name(after: "#").flatMap { $0.allSatisfy(\.isNumber) ? nil : $0 }
  }

  mutating func assignee() -> String? {
    word { _, word in
      guard word.first == "@" else { return nil }
      let name = word.dropFirst()
      let allowed = name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
      return allowed && Limits.usernameCharacters.contains(name.utf8.count) ? String(name) : nil
    }
  }

  /// Letters, digits, `_`, `-` and `/` in the spelling of the line.
  private mutating func name(after mark: Character) -> String? {
    guard let said = current?.said, said.first == mark, said.count > 1 else { return nil }
    let name = said.dropFirst()
    guard name.unicodeScalars.count <= Limits.nameScalarsMax,
      name.allSatisfy({ $0.isLetter || $0.isNumber || "_-/".contains($0) })
    else { return nil }
    return word { _, _ in String(name) }
  }

  // MARK: - numbers

  /// ASCII digits, so many of them.
  func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    let bytes = text.utf8
    guard digits.contains(bytes.count), bytes.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return bytes.reduce(0) { 10 * $0 + Int($1) - 48 }
  }

  /// "3" or "three".
  mutating func count() -> Int? {
    entry(language.numbers) ?? word { $0.number($1[...], digits: 1...3) }
  }

  /// "15th", or with `bare` also "15": a day of the month.
  func dayOfMonth(_ text: String, bare: Bool) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let ending = String(text.dropFirst(digits.count))
    guard ending.isEmpty ? bare : language.ordinalEndings.contains(ending),
      let day = number(digits, digits: 1...2), (1...31).contains(day)
    else { return nil }
    return day
  }
}
