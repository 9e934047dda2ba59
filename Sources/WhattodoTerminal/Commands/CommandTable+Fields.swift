import Domain

extension CommandTable {
  /// The fields of posts, and those of lists that are like them.
  static let fields: [CommandEntry] = [
    CommandEntry(
      "due", usage: "[#LIST] NUMBER [WHEN]", brief: "when a post is due",
      help: "fri, tomorrow 18:00, 24.12., 2026-12-24", times: true,
      hint: "fri, tomorrow 18:00, 24.12., 2026-12-24, off"
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      guard let text = words.rest(), !["off", "none"].contains(text) else {
        return .due(post.list, post.number, nil)
      }
      return DueWish(text).map { .due(post.list, post.number, $0) }
    },
    CommandEntry(
      "repeat", usage: "[#LIST] NUMBER WORDS", brief: "how a post comes again",
      help: "every week, every mon wed, 5 times, off", rare: true,
      hint: "every 2 weeks, every mon wed, monthly on the last day, daily 5 times, off; "
        + "behind it, if you like: after done, one by one, rotate, rotate least, confirmed"
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      return words.rest().flatMap { RepeatWish($0) }.map {
        .repeating(post.list, post.number, $0)
      }
    },
    CommandEntry(
      "skip", usage: "[#LIST] NUMBER…", brief: "leave out one time",
      help: "posts that come again: not this time", rare: true
    ) {
      $0.again(Action.skip)
    },
    CommandEntry(
      "claim", usage: "[#LIST] NUMBER… [2h]", brief: "I'm on it",
      help: "I'm on it; next instead of a number", rare: true
    ) {
      $0.claim()
    },
    CommandEntry(
      "release", usage: "[#LIST] NUMBER…", brief: "not on it any more",
      help: "give back what you are on", rare: true
    ) {
      $0.again(Action.release)
    },
    CommandEntry(
      "priority", "p", usage: "[#LIST] NUMBER [WORD]", brief: "how much a post matters",
      help: "low, medium or high; without it none", rare: true, times: true
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      guard let word = words.next() else {
        return .set(post.list, post.number, PostEdit(priority: .clear))
      }
      guard let priority = Priority(rawValue: word.lowercased()) else { return nil }
      return words.done(.set(post.list, post.number, PostEdit(priority: .set(priority))))
    },
    CommandEntry(
      "each", usage: "[#LIST] NUMBER [off]", brief: "everybody does it",
      help: "everybody does it for themselves; off", rare: true, times: true
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      let mode: FieldChange<PostMode> = words.skip("off") ? .clear : .set(.each)
      return words.done(.set(post.list, post.number, PostEdit(mode: mode)))
    },
    CommandEntry(
      "where", usage: "[#LIST] NUMBER [PLACE]", brief: "where a post is to be done",
      help: "words, geo:LAT,LON or both", rare: true, times: true
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      guard let typed = words.rest() else {
        return .set(post.list, post.number, PostEdit(location: .clear))
      }
      return Location(typed: typed).map {
        .set(post.list, post.number, PostEdit(location: .set($0)))
      }
    },
    CommandEntry(
      "color", usage: "[#LIST] [NUMBER] COLOR", brief: "of a post, or of a list",
      help: "of a post or a list: red, teal, gray …", rare: true, times: true
    ) { words in
      let post = words.aboutPost()
      let list = post?.list ?? words.reference()
      guard let color = words.next().flatMap({ Color(rawValue: $0.lowercased()) }) else {
        return nil
      }
      let change: FieldChange<Color> = color == .standard ? .clear : .set(color)
      guard let post else { return words.done(.editList(list, CategoryEdit(color: change))) }
      return words.done(.set(list, post.number, PostEdit(color: change)))
    },
    CommandEntry(
      "copy", usage: "[#LIST] NUMBER… [to #LIST] | #LIST …", brief: "add posts like others",
      help: "posts, or #LIST [done] [as NAME] [from DAY]", rare: true
    ) { words in
      if let action = words.listCopy() { return action }
      let list = words.listBeforeNumbers()
      let numbers = words.numbers()
      guard !numbers.isEmpty else { return nil }
      if words.isAtEnd { return .copy(list, numbers, to: nil) }
      guard words.next() == "to", let other = words.reference() else { return nil }
      return words.done(.copy(list, numbers, to: other))
    },
    CommandEntry(
      "zone", usage: "[#LIST] ZONE", brief: "whose days a list has",
      help: "whose days a list has: Europe/Lisbon", rare: true
    ) { words in
      let list = words.reference()
      return words.rest().map { .editList(list, CategoryEdit(zone: $0)) }
    },
  ]
}

extension Location {
  /// Words, and a link to a point among them; nil when there is one that names no point.
  fileprivate init?(typed text: String) {
    var words: [Substring] = []
    var point: GeoPoint?
    for word in text.split(separator: " ") {
      if point == nil, let found = GeoPoint(link: String(word)) {
        point = found
      } else if word.lowercased().hasPrefix("geo:") {
        return nil
      } else {
        words.append(word)
      }
    }
    self.init(text: words.joined(separator: " "), point: point)
  }
}
