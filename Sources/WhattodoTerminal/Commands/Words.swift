import Domain

/// The words behind the name of a command, taken from the left.
struct Words {
  private let all: Substring
  private var remaining: Substring

  init(_ text: some StringProtocol) {
    all = Words.trimmed(Substring(text))
    remaining = all
  }

  var isAtEnd: Bool { remaining.isEmpty }

  /// Takes everything that is left, with the blanks inside it; nil when nothing is left.
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

  /// Takes the next word if it is this one, and answers whether it was.
  mutating func skip(_ word: String) -> Bool {
    guard peek() == word else { return false }
    _ = next()
    return true
  }

  /// Takes the last word if it is this one, and answers whether it was.
  mutating func skipLast(_ word: String) -> Bool {
    guard remaining.split(separator: " ").last.map(String.init) == word else { return false }
    remaining = Words.trimmed(remaining.dropLast(word.count))
    return true
  }

  /// Reads `12` or `#12`.
  mutating func number() -> Int? {
    guard let word = peek(), let number = Words.number(in: word) else { return nil }
    _ = next()
    return number
  }

  /// Reads `#groceries`. `#12` counts as a list only when more words follow.
  mutating func reference() -> Reference? {
    guard let word = peek(), word.count > 1, word.hasPrefix("#") else { return nil }
    let isOnlyWord = remaining.count == word.count
    if PostNumber(word) != nil, isOnlyWord { return nil }
    _ = next()
    return Reference(word)
  }

  /// Reads `[#LIST] NUMBER`, where `#12` is a post. When it is neither it takes no word and returns nil.
  mutating func aboutPost() -> (list: Reference?, number: Int)? {
    var words = self
    var list: Reference?
    if let word = peek(), Words.number(in: word) == nil { list = words.reference() }
    guard let number = words.number() else { return nil }
    self = words
    return (list, number)
  }

  /// Reads `author` or `@author`, and returns it in lower case.
  mutating func person() -> String? {
    guard let word = next()?.lowercased() else { return nil }
    let name = word.hasPrefix("@") ? String(word.dropFirst()) : word
    return name.isEmpty ? nil : name
  }

  /// Reads a role, such as `doer`.
  mutating func role() -> Role? {
    guard let role = peek().flatMap({ Role(word: $0.lowercased()) }) else { return nil }
    _ = next()
    return role
  }

  static let groupVerbs: Set = ["rename", "remove", "restore"]

  /// Reads `rename GROUP NAME`, `remove GROUP` or `restore GROUP`. For anything else it takes no word and returns nil.
  mutating func groupAction() -> GroupAction? {
    var words = self
    let verb = words.next()
    guard let group = words.next().map({ Reference($0) }) else { return nil }
    let rest = words.rest()
    let action: GroupAction? =
      switch (verb, rest) {
      case ("rename", let name?): .rename(group, name)
      case ("remove", nil): .remove(group)
      case ("restore", nil): .restore(group)
      default: nil
      }
    if action != nil { self = words }
    return action
  }

  /// Reads numbers as long as they follow each other, such as `3 5-9 #12`. Each is returned once.
  mutating func numbers() -> [Int] {
    var numbers: [Int] = []
    while let some = number().map({ [$0] }) ?? range() {
      numbers += some.filter { !numbers.contains($0) }
    }
    return numbers
  }

  /// Reads a range, such as `5-9`.
  private mutating func range() -> [Int]? {
    let ends = (peek() ?? "").split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Words.number(in: String(ends[0])),
      let last = Words.number(in: String(ends[1])), first <= last,
      last - first < Limits.batchCommandsMax
    else { return nil }
    _ = next()
    return Array(first...last)
  }

  /// Takes all words as tags, with or without their sign: `+uni essay`.
  mutating func tags() -> [String] {
    var tags: [String] = []
    while let word = next() {
      let name = word.hasPrefix("+") ? String(word.dropFirst()) : word
      if !name.isEmpty { tags.append(name) }
    }
    return tags
  }

  /// Reads `rename TAG NAME`, `color TAG WORD` or `remove TAG`, with or without a list before it. No words show the
  /// tags.
  mutating func tagAction() -> Action? {
    let list = reference()
    guard let verb = next() else { return .show(.tags(list)) }
    guard let tag = next().map({ $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }) else {
      return nil
    }
    switch (verb, rest()) {
    case ("rename", nil), ("color", nil): return .show(.tag(list, tag))
    case ("rename", let name?): return .mark(.changeTag(list, tag, .rename(name)))
    case ("color", let word?):
      let color = SaidValue.isOff(word) ? .standard : Color(rawValue: word.lowercased())
      return color.map { .mark(.changeTag(list, tag, .color($0))) }
    case ("remove", nil): return .mark(.changeTag(list, tag, .remove))
    default: return nil
    }
  }

  /// Reads a list before numbers: `/done #3 #4` names two posts, `/done #groceries 3` a list and a post.
  mutating func listBeforeNumbers() -> Reference? {
    guard let word = peek(), Words.number(in: word) == nil else { return nil }
    return reference()
  }

  /// Reads `[#LIST] NUMBER…`.
  mutating func numbered(_ make: (Reference?, [Int]) -> PostAction) -> Action? {
    let list = listBeforeNumbers()
    let numbers = numbers()
    return isAtEnd && !numbers.isEmpty ? .post(make(list, numbers)) : nil
  }

  /// Reads a list before numbers of posts or steps, so `#12` and `#12.3` are no lists.
  mutating func listBeforePostNumbers() -> Reference? {
    guard let word = peek(), PostNumber(word) == nil else { return nil }
    return reference()
  }

  /// Reads numbers of posts or steps as long as they follow each other, such as `3 5-9 12.1`. Each is returned once.
  mutating func postNumbers() -> [PostNumber] {
    var numbers: [PostNumber] = []
    while let some = postNumber().map({ [$0] }) ?? range()?.map({ PostNumber($0) }) {
      numbers += some.filter { !numbers.contains($0) }
    }
    return numbers
  }

  /// Reads `12` or `12.3`.
  mutating func postNumber() -> PostNumber? {
    guard let number = peek().flatMap({ PostNumber($0) }) else { return nil }
    _ = next()
    return number
  }

  /// Reads `top`, `bottom`, `before 12.3`, `to #LIST`, or `#LIST` alone.
  mutating func target() -> MoveTarget? {
    if let list = reference() { return .list(list) }
    return switch next() {
    case "top": .top
    case "bottom": .bottom
    case "before": postNumber().map { .before($0) }
    case "to": reference().map { .list($0) }
    default: nil
    }
  }

  /// Reads `#12` alone or `#LIST NUMBER` as a post. For anything else it takes no word and returns nil.
  mutating func post() -> (Reference?, Int)? {
    var words = self
    let list = words.reference()
    guard list != nil || peek()?.hasPrefix("#") == true, let number = words.number(),
      words.isAtEnd
    else { return nil }
    self = words
    return (list, number)
  }

  /// Reads `[#LIST] NUMBER…` again from the first word on.
  mutating func again(_ make: (Reference?, [Int]) -> PostAction) -> Action? {
    remaining = all
    return numbered(make)
  }

  /// Reads a place: nothing, or `to PLACE` with the given word, or `#LIST` without it. The inner nil means that no
  /// place is named, the outer nil that the words are wrong.
  mutating func place(_ word: String) -> Reference?? {
    if isAtEnd { return .some(nil) }
    guard skip(word) || peek()?.hasPrefix("#") == true, let place = rest() else { return nil }
    return Reference(place)
  }

  /// Reads `NAME` or `NAME in GROUP`, split at the last such word.
  mutating func split(at word: String) -> (String, Reference?)? {
    guard let text = rest() else { return nil }
    let words = text.split(separator: " ")
    guard let index = words.lastIndex(where: { $0 == word }), index > 0, index + 1 < words.count
    else { return (text, nil) }
    let name = text[..<words[index].startIndex]
    return (String(Words.trimmed(name)), Reference(text[words[index + 1].startIndex...]))
  }

  /// Reads `[PLACE]` or `[PLACE] WORD PERSON`; nil when the name of the person is empty.
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

  /// Returns the action if no words are left.
  func done(_ action: Action) -> Action? { isAtEnd ? action : nil }

  func peek() -> String? {
    let word = remaining.prefix { $0 != " " }
    return word.isEmpty ? nil : String(word)
  }

  /// Returns the name of a new list. A leading `#`, as lists are written everywhere, is not a part of it. Nil when
  /// nothing is left.
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
