import Domain

// Commands about several posts, also of several lists: `#groceries 3 5-9 #chores 2`.

extension Words {
  /// Reads `[#LIST] NUMBER… #LIST NUMBER…`, the numbers of posts or of their steps: `3 5-9 12.1`.
  mutating func picked(_ make: (Reference?, [PostNumber]) -> PostAction) -> Action? {
    let picks = picks { $0.postNumbers() }
    return isAtEnd ? Words.together(picks) { .post(make($0, $1)) } : nil
  }

  /// Reads posts, then `TAG…`.
  mutating func tagged(_ make: (Reference?, [Int], [String]) -> MarkAction) -> Action? {
    let picks = picks { $0.numbers() }
    let tags = tags()
    return tags.isEmpty ? nil : Words.together(picks) { .mark(make($0, $1, tags)) }
  }

  /// Reads `[#LIST] NUMBER off`. For anything else it takes no word and returns nil.
  mutating func allOff(_ make: (Reference?, Int) -> MarkAction) -> Action? {
    var words = self
    guard let post = words.aboutPost(), words.value() == .off else { return nil }
    self = words
    return .mark(make(post.list, post.number))
  }

  /// Reads posts, then `PERSON…`.
  mutating func given(_ make: (Reference?, [Int], [String]) -> MarkAction) -> Action? {
    let picks = picks { $0.numbers() }
    var people: [String] = []
    while let person = person() { people.append(person) }
    return people.isEmpty || !isAtEnd ? nil : Words.together(picks) { .mark(make($0, $1, people)) }
  }

  /// Reads posts and a place, such as `top` or `to #LIST`; or lists and a place among one's own lists.
  mutating func moved() -> Action? {
    if let action = movedLists() { return action }
    let picks = picks { $0.postNumbers() }
    guard let place = target(), isAtEnd else { return nil }
    return Words.together(picks) { .post(.move($0, $1, place)) }
  }

  /// Reads `#LIST… top`. For anything else it takes no word and returns nil; `#12` is a post.
  private mutating func movedLists() -> Action? {
    var words = self
    var lists: [Reference] = []
    while let word = words.peek(), PostNumber(word) == nil, let list = words.reference() {
      lists.append(list)
    }
    guard !lists.isEmpty, let place = words.listTarget(), words.isAtEnd else { return nil }
    self = words
    return .list(.move(lists, place))
  }

  /// Reads `top`, `bottom` or `before #LIST`; the list may be its number in `/lists`.
  private mutating func listTarget() -> ListTarget? {
    switch next() {
    case "top": .top
    case "bottom": .bottom
    case "before": next().map { .before(Reference($0)) }
    default: nil
    }
  }

  /// Reads `#LIST…`, at least one. For anything else it takes no word and returns nil; `#12` is a post.
  mutating func lists(_ make: (Reference) -> ListAction) -> Action? {
    let actions = listsAlone().map { Action.list(make($0)) }
    return actions.count > 1 ? .together(actions) : actions.first
  }

  /// Reads `#LIST…`. For anything else it takes no word and returns no list.
  mutating func listsAlone() -> [Reference] {
    var words = self
    var lists: [Reference] = []
    while let word = words.peek(), PostNumber(word) == nil, let list = words.reference() {
      lists.append(list)
    }
    guard words.isAtEnd else { return [] }
    self = words
    return lists
  }

  /// Takes as many lists with numbers as there are, and no word behind the last number.
  private mutating func picks<Number>(
    _ numbers: (inout Words) -> [Number]
  ) -> [(list: Reference?, numbers: [Number])] {
    var picks: [(list: Reference?, numbers: [Number])] = []
    while true {
      var words = self
      let list = words.listBeforePostNumbers()
      let some = numbers(&words)
      guard !some.isEmpty, picks.isEmpty || list != nil else { return picks }
      picks.append((list, some))
      self = words
    }
  }

  private static func together<Number>(
    _ picks: [(list: Reference?, numbers: [Number])], _ make: (Reference?, [Number]) -> Action
  ) -> Action? {
    guard let first = picks.first else { return nil }
    guard picks.count > 1 else { return make(first.list, first.numbers) }
    return .together(picks.map { make($0.list, $0.numbers) })
  }
}
