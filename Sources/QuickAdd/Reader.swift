import Domain

/// Reads words from a place on. Each reading takes words and answers, or answers nothing and is undone by `try`.
struct Reader {
  let words: Words
  var tables: Tables
  let today: Day
  var position = 0

  init(words: Words, tables: Tables, today: Day) {
    self.words = words
    self.tables = tables
    self.today = today
  }

  var current: Words.Word? { position < words.all.count ? words.all[position] : nil }

  mutating func `try`<Value>(_ read: (inout Reader) -> Value?) -> Value? {
    let before = position
    let value = read(&self)
    if value == nil { position = before }
    return value
  }

  /// What the first of these languages that reads something here makes of it.
  mutating func firstOf<Value>(
    _ languages: [Tables], _ read: (inout Reader) -> Value?
  ) -> Value? {
    for language in languages {
      self.tables = language
      if let value = self.try(read) { return value }
    }
    return nil
  }

  /// What such a reading would make of the words here; none is taken.
  func peek<Value>(_ read: (inout Reader) -> Value) -> Value {
    var after = self
    return read(&after)
  }

  /// The word here, as it stands or without punctuation around it, taken when the body makes something of it; plain
  /// words are never taken.
  mutating func word<Value>(_ body: (Reader, String) -> Value?) -> Value? {
    guard let current, !current.isPlain else { return nil }
    for form in current.forms {
      guard let value = body(self, form) else { continue }
      position += 1
      return value
    }
    return nil
  }

  /// The longest phrase here of which the body makes something.
  mutating func phrase<Value>(_ body: (String) -> Value?) -> Value? {
    guard position < words.all.count else { return nil }
    for candidate in tables.candidates[position] {
      guard let value = body(candidate.text) else { continue }
      position += candidate.count
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
    entry(tables.language.numbers) ?? word { $0.number($1[...], digits: 1...3) }
  }

  /// "15th", or with `bare` also "15": a day of the month.
  func dayOfMonth(_ text: String, bare: Bool) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let ending = String(text.dropFirst(digits.count))
    guard ending.isEmpty ? bare : tables.language.ordinalEndings.contains(ending),
      let day = number(digits, digits: 1...2), (1...31).contains(day)
    else { return nil }
    return day
  }
}
