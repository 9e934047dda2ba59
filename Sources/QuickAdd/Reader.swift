import Domain

/// A reader of words from a place on. Each reading takes words and returns a value, or returns nil and is undone by
/// `try`.
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

  /// Returns the reading of the first of these languages that reads something here.
  mutating func firstOf<Value>(
    _ languages: [Tables], _ read: (inout Reader) -> Value?
  ) -> Value? {
    for language in languages {
      self.tables = language
      if let value = self.try(read) { return value }
    }
    return nil
  }

  /// Returns the reading of the words here, and takes none of them.
  func peek<Value>(_ read: (inout Reader) -> Value) -> Value {
    var after = self
    return read(&after)
  }

  /// Takes the word here when the body makes something of it, as it stands or without punctuation around it. Plain
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

  /// Takes the longest phrase here of which the body makes something.
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

  /// Takes one of these phrases, if it is there.
  @discardableResult
  mutating func skip(_ set: Set<String>) -> Bool {
    !set.isEmpty && phrase { set.contains($0) ? true : nil } == true
  }

  // MARK: - numbers

  /// Returns the number that a text of ASCII digits names; nil unless it has so many digits.
  func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    let bytes = text.utf8
    guard digits.contains(bytes.count), bytes.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return bytes.reduce(0) { 10 * $0 + Int($1) - 48 }
  }

  /// Takes "3" or "three".
  mutating func count() -> Int? {
    entry(tables.language.numbers) ?? word { $0.number($1[...], digits: 1...3) }
  }

  /// Returns the day of the month of "15th", or with `bare` also of "15".
  func dayOfMonth(_ text: String, bare: Bool) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let ending = String(text.dropFirst(digits.count))
    guard ending.isEmpty ? bare : tables.language.ordinalEndings.contains(ending),
      let day = number(digits, digits: 1...2), (1...31).contains(day)
    else { return nil }
    return day
  }
}
