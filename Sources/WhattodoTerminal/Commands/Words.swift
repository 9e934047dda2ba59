import Domain

/// The words behind a command's name, taken from the left.
struct Words {
  private let all: Substring
  private var remaining: Substring

  init(_ text: some StringProtocol) {
    all = Words.trimmed(Substring(text))
    remaining = all
  }

  var isAtEnd: Bool { remaining.isEmpty }

  /// Everything that is left, with the blanks inside it; nil when nothing is.
  mutating func rest() -> String? {
    guard !remaining.isEmpty else { return nil }
    defer { remaining = "" }
    return String(remaining)
  }

  mutating func next() -> String? {
    guard let word = peek() else { return nil }
    remaining = Words.trimmed(remaining.dropFirst(word.count))
    return word
  }

  /// Takes the next word if it is this one.
  mutating func skip(_ word: String) -> Bool {
    guard peek() == word else { return false }
    _ = next()
    return true
  }

  /// Takes the last word if it is this one.
  mutating func skipLast(_ word: String) -> Bool {
    guard remaining.split(separator: " ").last.map(String.init) == word else { return false }
    remaining = Words.trimmed(remaining.dropLast(word.count))
    return true
  }

  /// `12` or `#12`.
  mutating func number() -> Int? {
    guard let word = peek(), let number = Words.number(in: word) else { return nil }
    _ = next()
    return number
  }

  /// `#groceries`; `#12` is a list called 12 only in front of something else.
  mutating func reference() -> Reference? {
    guard let word = peek(), word.count > 1, word.hasPrefix("#") else { return nil }
    let isOnlyWord = remaining.count == word.count
    if PostNumber(word) != nil, isOnlyWord { return nil }
    _ = next()
    return Reference(word)
  }

  /// `[#LIST] NUMBER`, where `#12` is a post; nothing is taken when it is none.
  mutating func aboutPost() -> (list: Reference?, number: Int)? {
    var words = self
    var list: Reference?
    if let word = peek(), Words.number(in: word) == nil { list = words.reference() }
    guard let number = words.number() else { return nil }
    self = words
    return (list, number)
  }

  /// `author` or `@author`, in lower case.
  mutating func person() -> String? {
    guard let word = next()?.lowercased() else { return nil }
    let name = word.hasPrefix("@") ? String(word.dropFirst()) : word
    return name.isEmpty ? nil : name
  }

  /// `doer`
  mutating func role() -> Role? {
    guard let role = peek().flatMap({ Role(word: $0.lowercased()) }) else { return nil }
    _ = next()
    return role
  }

  static let groupVerbs: Set = ["rename", "remove", "restore"]

  /// `rename GROUP NAME`, `remove GROUP`, `restore GROUP`; nothing is taken when it is none of these.
  mutating func groupAction() -> Action? {
    var words = self
    let verb = words.next()
    guard let group = words.next().map({ Reference($0) }) else { return nil }
    let rest = words.rest()
    let action: Action? =
      switch (verb, rest) {
      case ("rename", let name?): .renameGroup(group, name)
      case ("remove", nil): .removeGroup(group)
      case ("restore", nil): .restoreGroup(group)
      default: nil
      }
    if action != nil { self = words }
    return action
  }

  /// `3 5-9 #12`: as many as follow each other, each once.
  mutating func numbers() -> [Int] {
    var numbers: [Int] = []
    while let some = number().map({ [$0] }) ?? range() {
      numbers += some.filter { !numbers.contains($0) }
    }
    return numbers
  }

  /// `5-9`
  private mutating func range() -> [Int]? {
    let ends = (peek() ?? "").split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Words.number(in: String(ends[0])),
      let last = Words.number(in: String(ends[1])), first <= last,
      last - first < Limits.batchCommandsMax
    else { return nil }
    _ = next()
    return Array(first...last)
  }

  /// `+uni essay`: tags, with or without their sign; to the end.
  mutating func tags() -> [String] {
    var tags: [String] = []
    while let word = next() {
      let name = word.hasPrefix("+") ? String(word.dropFirst()) : word
      if !name.isEmpty { tags.append(name) }
    }
    return tags
  }

  /// `rename TAG NAME`, `color TAG WORD`, `remove TAG`, each behind a list or not.
  mutating func tagAction() -> Action? {
    let list = reference()
    guard let verb = next() else { return .tags(list) }
    guard let tag = next().map({ $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }) else {
      return nil
    }
    switch (verb, rest()) {
    case ("rename", nil), ("color", nil): return .lookAtTag(list, tag)
    case ("rename", let name?): return .changeTag(list, tag, .rename(name))
    case ("color", let word?):
      let color = SaidValue.isOff(word) ? .standard : Color(rawValue: word.lowercased())
      return color.map { .changeTag(list, tag, .color($0)) }
    case ("remove", nil): return .changeTag(list, tag, .remove)
    default: return nil
    }
  }

  /// `/done #3 #4` are two posts; `/done #groceries 3` is a list and a post.
  mutating func listBeforeNumbers() -> Reference? {
    guard let word = peek(), Words.number(in: word) == nil else { return nil }
    return reference()
  }

  /// `[#LIST] NUMBER…`
  mutating func numbered(_ make: (Reference?, [Int]) -> Action) -> Action? {
    let list = listBeforeNumbers()
    let numbers = numbers()
    return isAtEnd && !numbers.isEmpty ? make(list, numbers) : nil
  }

  /// A list in front of such numbers: `#12` is one of these.
  mutating func listBeforePostNumbers() -> Reference? {
    guard let word = peek(), PostNumber(word) == nil else { return nil }
    return reference()
  }

  /// `3 5-9 12.1`: as many as follow each other, each once.
  mutating func postNumbers() -> [PostNumber] {
    var numbers: [PostNumber] = []
    while let some = postNumber().map({ [$0] }) ?? range()?.map({ PostNumber($0) }) {
      numbers += some.filter { !numbers.contains($0) }
    }
    return numbers
  }

  /// `12` or `12.3`
  mutating func postNumber() -> PostNumber? {
    guard let number = peek().flatMap({ PostNumber($0) }) else { return nil }
    _ = next()
    return number
  }

  /// `top`, `bottom`, `before 12.3` or `to #LIST`
  mutating func target() -> MoveTarget? {
    switch next() {
    case "top": .top
    case "bottom": .bottom
    case "before": postNumber().map { .before($0) }
    case "to": reference().map { .list($0) }
    default: nil
    }
  }

  /// `#12` alone, or `#LIST NUMBER`: a post; nothing is taken when it is neither.
  mutating func post() -> (Reference?, Int)? {
    var words = self
    let list = words.reference()
    guard list != nil || peek()?.hasPrefix("#") == true, let number = words.number(),
      words.isAtEnd
    else { return nil }
    self = words
    return (list, number)
  }

  /// The same from the first word again.
  mutating func again(_ make: (Reference?, [Int]) -> Action) -> Action? {
    remaining = all
    return numbered(make)
  }

  /// Nothing, or `to PLACE` with the given word, or `#LIST` without it; nil inside nil-able: the words are wrong.
  mutating func place(_ word: String) -> Reference?? {
    if isAtEnd { return .some(nil) }
    guard skip(word) || peek()?.hasPrefix("#") == true, let place = rest() else { return nil }
    return Reference(place)
  }

  /// `NAME` or `NAME in GROUP`, parted at the last such word.
  mutating func split(at word: String) -> (String, Reference?)? {
    guard let text = rest() else { return nil }
    let words = text.split(separator: " ")
    guard let index = words.lastIndex(where: { $0 == word }), index > 0, index + 1 < words.count
    else { return (text, nil) }
    let name = text[..<words[index].startIndex]
    return (String(Words.trimmed(name)), Reference(text[words[index + 1].startIndex...]))
  }

  /// `[PLACE]` or `[PLACE] WORD PERSON`; nil when there is more behind.
  mutating func place(before word: String) -> (Reference?, String?)? {
    var words = (rest() ?? "").split(separator: " ").map(String.init)
    var person: String?
    if words.count >= 2, words[words.count - 2] == word {
      let name = words.removeLast().lowercased()
      person = name.hasPrefix("@") ? String(name.dropFirst()) : name
      words.removeLast()
    }
    guard person != "" else { return nil }
    return (words.isEmpty ? nil : Reference(words.joined(separator: " ")), person)
  }

  /// The action, if there are no words left.
  func done(_ action: Action) -> Action? { isAtEnd ? action : nil }

  func peek() -> String? {
    let word = remaining.prefix { $0 != " " }
    return word.isEmpty ? nil : String(word)
  }

  /// What a list is to be called: as lists are written everywhere, `#groceries`, its name begins behind the sign. Nil
  /// when nothing is.
  static func listName(_ text: String) -> String? {
    let name = trimmed(text.hasPrefix("#") ? text.dropFirst() : text[...])
    return name.isEmpty ? nil : String(name)
  }

  static func number(in word: String) -> Int? {
    let digits = word.hasPrefix("#") ? word.dropFirst() : word[...]
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(digits).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
