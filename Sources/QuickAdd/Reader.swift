import Domain

/// Reads words from a place on. Each reading takes words and answers, or answers nothing and is undone by `try`.
struct Reader {
  let words: Words
  let language: Language
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

  /// The word here, taken when the body makes something of it; plain words are never taken.
  mutating func word<Value>(_ body: (Reader, String) -> Value?) -> Value? {
    guard let current, !current.isPlain, let value = body(self, current.lower) else { return nil }
    position += 1
    return value
  }

  /// One of these words, if it is there.
  @discardableResult
  mutating func skip(_ set: Set<String>) -> Bool {
    word { set.contains($1) ? true : nil } ?? false
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

  // MARK: - times

  /// `18:00`, `9:30`, `6pm`, `6:30pm`, `noon`, and after "at" also an hour alone.
  mutating func time() -> Int? {
    let said = skip(language.beforeTime)
    return word { reader, word in
      if reader.language.noon.contains(word) { return 720 }
      let half = reader.language.halves.first { word.hasSuffix($0.key) }
      let clock = half.map { word.dropLast($0.key.count) } ?? word[...]
      let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2, parts.count == 2 || half != nil || said,
        let hour = reader.number(parts[0], digits: 1...2),
        let minute = parts.count == 2 ? reader.number(parts[1], digits: 2...2) : 0, minute < 60
      else { return nil }
      guard let half else { return hour < 24 ? 60 * hour + minute : nil }
      guard (1...12).contains(hour) else { return nil }
      return 60 * (hour + (hour == 12 ? half.value.toTwelve : half.value.toHour)) + minute
    }
  }

  /// `50m`, `90min`, `2h`, `1h30`, `1h30m`: how long it takes.
  mutating func minutes() -> Int? {
    word { reader, word in
      guard let length = reader.length(word[...]), (1...QuickAdd.minutesMax).contains(length) else {
        return nil
      }
      return length
    }
  }

  private func length(_ word: Substring) -> Int? {
    let digits = word.prefix { $0.isASCII && $0.isNumber }
    guard let count = number(digits, digits: 1...4) else { return nil }
    let rest = word.dropFirst(digits.count)
    if language.minuteUnits.contains(String(rest)) { return count }
    if language.hourUnits.contains(String(rest)) { return 60 * count }
    let unit = rest.prefix { !$0.isNumber }
    let minutes = rest.dropFirst(unit.count)
    let minuteDigits = minutes.prefix { $0.isASCII && $0.isNumber }
    let end = String(minutes.dropFirst(minuteDigits.count))
    guard language.hourUnits.contains(String(unit)), let more = number(minuteDigits, digits: 1...2),
      more < 60, end.isEmpty || language.minuteUnits.contains(end)
    else { return nil }
    return 60 * count + more
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
    word { $0.language.numbers[$1] ?? $0.number($1[...], digits: 1...3) }
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
