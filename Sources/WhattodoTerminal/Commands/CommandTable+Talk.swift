// The commands of talk. A line that is said has a number of its own, which `/talk` shows. A plain line that begins with
// `'` is one of these, because people type it most. In a chat `/talk` also opens the view of talk (`TalkView`).

import Domain

extension CommandTable {
  static let talk: [CommandEntry] = [
    CommandEntry(
      "talk", usage: "[off|on] [#LIST] [NUMBER] [older [LINE]] | GROUP",
      brief: "what people say there",
      help: "what people say there; off and on switch it", rare: true,
      hint: "in a chat it stays open: a line is said, + TEXT adds a post, /back leaves; "
        + "older shows what was said before that"
    ) {
      $0.talk()
    },
    CommandEntry(
      "back", brief: "leave the talk", help: "leave the view of talk; so does escape", rare: true
    ) {
      $0.done(.program(.back))
    },
    CommandEntry(
      "say", usage: "[#LIST | in GROUP:] TEXT", brief: "say a line to all there",
      help: "say a line there; in a chat also 'TEXT", rare: true,
      hint: "@NAME tells a member of it, #12 shows the title of a post"
    ) { words in
      let place = words.placeOfTalk()
      return words.rest().map { .talk(.say(place, $0)) }
    },
    CommandEntry(
      "comment", "c", usage: "[#LIST] NUMBER [TEXT]", brief: "say a line about a post",
      help: "say a line about a post; alone: shows them", rare: true, value: .shown
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      return words.rest().map { .talk(.comment(post.list, post.number, $0)) }
        ?? .show(.comments(post.list, post.number))
    },
    CommandEntry(
      "answer", usage: "[#LIST | in GROUP:] LINE TEXT", brief: "say a line to a line",
      help: "answer a line by its number in talk", rare: true
    ) {
      $0.lineOfTalk(TalkAction.answer)
    },
    CommandEntry(
      "resay", usage: "[#LIST | in GROUP:] LINE TEXT", brief: "change what you said",
      help: "say a line of yours in other words", rare: true, hint: ownNumber
    ) {
      $0.lineOfTalk(TalkAction.edit)
    },
    CommandEntry(
      "unsay", usage: "[#LIST | in GROUP:] LINE", brief: "take a line back",
      help: "take back a line; admins take any back", rare: true, hint: ownNumber
    ) { words in
      let place = words.placeOfTalk()
      return words.lineNumber().flatMap { words.done(.talk(.remove(place, $0))) }
    },
  ]

  /// The hint of the commands after which the words of a line are gone.
  private static let ownNumber =
    "LINE is the number that talk shows; 12.c3 only in a chat, where /talk 12 shows it"
}

extension Words {
  /// Reads `off` or `on` and a place, `[#LIST] [NUMBER] [older [LINE]]`, or `GROUP [older [LINE]]`.
  fileprivate mutating func talk() -> Action? {
    if let setting = talkSetting() {
      return .talk(.set(rest().map { Reference($0) }, setting))
    }
    let list = listBeforeNumbers()
    let post = number()
    if let before = older() { return .ask(.olderTalk(list, post, before: before)) }
    if let post { return done(.show(.comments(list, post))) }
    guard list == nil, !isAtEnd else { return done(.show(.talk(list))) }
    var group: [String] = []
    while let word = next() {
      group.append(word)
      guard let before = older() else { continue }
      return .ask(.olderTalk(Reference(group.joined(separator: " ")), nil, before: before))
    }
    return .show(.talk(Reference(group.joined(separator: " "))))
  }

  /// Reads `older` or `older 57` at the end. The inner nil means that no number stands there. For anything else it
  /// takes no word and returns the outer nil.
  private mutating func older() -> Int?? {
    var words = self
    guard words.skip("older") else { return nil }
    let before = words.number()
    guard words.isAtEnd else { return nil }
    self = words
    return .some(before)
  }

  /// Reads `off` or `on`. For anything else it takes no word and returns nil.
  private mutating func talkSetting() -> TalkSetting? {
    TalkSetting.allCases.first { skip($0.rawValue) }
  }

  /// Reads `[#LIST | in GROUP:] LINE TEXT`.
  fileprivate mutating func lineOfTalk(
    _ make: (Reference?, LineNumber, String) -> TalkAction
  ) -> Action? {
    let place = placeOfTalk()
    guard let line = lineNumber(), let text = rest() else { return nil }
    return .talk(make(place, line, text))
  }
}
