import Domain

extension CommandTable {
  /// The commands for the fields of posts, and for similar fields of lists.
  static let fields: [CommandEntry] = [
    CommandEntry(
      "due", usage: "[#LIST] NUMBER [WHEN]", brief: "when a post is due",
      help: "fri, tomorrow 18:00, 24.12., 2026-12-24", times: true, value: .cleared,
      hint: "fri, tomorrow 18:00, 24.12., 2026-12-24, off"
    ) {
      $0.field(.due) { list, number, text in
        guard let text, text != "none" else { return .due(list, number, nil) }
        return DueWish(text).map { .due(list, number, $0) }
      }
    },
    CommandEntry(
      "repeat", usage: "[#LIST] NUMBER [WORDS]", brief: "how a post comes again",
      help: "every week, every mon wed, 5 times, off", rare: true, value: .cleared,
      hint: "every 2 weeks, every mon wed, monthly on the last day, daily 5 times, off; "
        + "behind it, if you like: after done, one by one, rotate, rotate least, confirmed"
    ) {
      $0.field(.recurrence) { list, number, text in
        RepeatWish(text ?? "off").map { .repeating(list, number, $0) }
      }
    },
    CommandEntry(
      "skip", usage: "[#LIST] NUMBER…", brief: "leave out one time",
      help: "posts that come again: not this time", rare: true
    ) {
      $0.again(PostAction.skip)
    },
    CommandEntry(
      "claim", usage: "[#LIST] NUMBER… [2h]", brief: "I'm on it",
      help: "I'm on it; next; or a coop's step: 12.3", rare: true
    ) {
      $0.claim()
    },
    CommandEntry(
      "release", usage: "[#LIST] NUMBER…", brief: "not on it any more",
      help: "give back what you are on", rare: true
    ) {
      $0.picked(PostAction.release)
    },
    CommandEntry(
      "react", usage: "[#LIST] NUMBER|12.c3|line LINE [SIGN]", brief: "a sign for what was done",
      help: "give 👏 to what somebody did or said; off", rare: true,
      hint: "one sign: react 12 👏, react 12 off; react 12.c3 👍 is for the third comment on #12, "
        + "react line 57 👍 for a line of talk"
    ) {
      $0.reaction()
    },
    CommandEntry(
      "priority", "p", usage: "[#LIST] NUMBER [WORD]", brief: "how much a post matters",
      help: "low, medium, high or off", rare: true, times: true, value: .cleared
    ) {
      $0.field(.priority) { list, number, word in
        guard let word else { return .set(list, number, PostEdit(priority: .clear)) }
        return Priority(rawValue: word.lowercased()).map {
          .set(list, number, PostEdit(priority: .set($0)))
        }
      }
    },
    CommandEntry(
      "each", usage: "[#LIST] NUMBER [WHOM]", brief: "everybody does it",
      help: "all or doers, each for themselves; off", rare: true, times: true,
      value: .cleared,
      hint: "all, doers, editors, admins, owners: the people with just this role; off: one for all"
    ) { words in
      let restarts = words.skipLast("again")
      return words.field(.mode) { list, number, word in
        guard var edit = FieldAction.each(word) else { return nil }
        edit.restart = restarts
        return .set(list, number, edit)
      }
    },
    CommandEntry(
      "where", usage: "[#LIST] NUMBER [PLACE]", brief: "where a post is to be done",
      help: "words, geo:LAT,LON or both; off", rare: true, times: true, value: .cleared
    ) {
      $0.field(.location) { list, number, typed in
        guard let typed else { return .set(list, number, PostEdit(location: .clear)) }
        return Location(typed: typed).map { .set(list, number, PostEdit(location: .set($0))) }
      }
    },
    CommandEntry(
      "color", usage: "[#LIST] [NUMBER] [COLOR]", brief: "of a post, or of a list",
      help: "of a post or a list: red, teal, off …", rare: true, times: true, value: .cleared
    ) { words in
      let post = words.aboutPost()
      let list = post?.list ?? words.reference()
      guard let word = words.next() else {
        return post.map { .show(.value(list, PostNumber($0.number), .color)) }
          ?? .show(.listValue(list, .color))
      }
      guard let change = FieldChange<Color>(typed: word) else { return nil }
      guard let post else { return words.done(.list(.edit(list, CategoryEdit(color: change)))) }
      return words.done(.field(.set(list, post.number, PostEdit(color: change))))
    },
    CommandEntry(
      "copy", usage: "[#LIST] NUMBER… [to #LIST] | #LIST …", brief: "add posts like others",
      help: "posts, or #LIST [done] [as NAME] [from DAY]", rare: true
    ) { words in
      if let action = words.listCopy() { return action }
      let list = words.listBeforeNumbers()
      let numbers = words.numbers()
      guard !numbers.isEmpty else { return nil }
      if words.isAtEnd { return .post(.copy(list, numbers, to: nil)) }
      guard words.next() == "to", let other = words.reference() else { return nil }
      return words.done(.post(.copy(list, numbers, to: other)))
    },
    CommandEntry(
      "zone", usage: "[#LIST] [ZONE]", brief: "whose days a list has",
      help: "whose days a list has: Europe/Lisbon", rare: true, value: .shown
    ) { words in
      let list = words.reference()
      return words.rest().map { .list(.edit(list, CategoryEdit(zone: $0))) }
        ?? .show(.listValue(list, .zone))
    },
  ]
}

extension FieldAction {
  /// Reads whom a post is for: `all`, or one role such as `doers`. Nil stands for one person, who completes it for all.
  /// Returns nil for any other word, and for a role that completes nothing.
  fileprivate static func each(_ word: String?) -> PostEdit? {
    guard let word = word?.lowercased() else { return PostEdit(mode: .clear) }
    guard word != "all" else { return PostEdit(mode: .set(.each), modeRole: .clear) }
    let role = Role.withParts.first { word == $0.word || word == $0.word + "s" }
    return role.map { PostEdit(mode: .set(.each), modeRole: .set($0)) }
  }
}

extension FieldChange<Color> {
  /// Reads the name of a color, or `off`. The standard color and `off` clear the field. Nil for any other word.
  init?(typed word: String) {
    guard !SaidValue.isOff(word) else {
      self = .clear
      return
    }
    guard let color = Color(rawValue: word.lowercased()) else { return nil }
    self = color == .standard ? .clear : .set(color)
  }
}

extension Location {
  /// Reads a place from words and at most one link to a point. Nil when a `geo:` link names no point.
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
