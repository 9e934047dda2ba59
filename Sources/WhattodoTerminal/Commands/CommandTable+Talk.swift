// The commands of talk. A line that is said has a number of its own, which `/talk` shows. A plain line that begins with
// `'` is one of these, because people type it most.

import Domain

extension CommandTable {
  static let talk: [CommandEntry] = [
    CommandEntry(
      "talk", usage: "[off|on] [#LIST] [NUMBER] | GROUP", brief: "what people say there",
      help: "what people say there; off and on switch it", rare: true
    ) { words in
      if let setting = words.talkSetting() {
        return .talk(.set(words.rest().map { Reference($0) }, setting))
      }
      let list = words.listBeforeNumbers()
      if let number = words.number() { return words.done(.show(.comments(list, number))) }
      guard list == nil, let group = words.rest() else { return words.done(.show(.talk(list))) }
      return .show(.talk(Reference(group)))
    },
    CommandEntry(
      "say", usage: "[#LIST | in GROUP:] TEXT", brief: "say a line to all there",
      help: "say a line there; in a chat also 'TEXT", rare: true
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
      help: "say a line of yours in other words", rare: true
    ) {
      $0.lineOfTalk(TalkAction.edit)
    },
    CommandEntry(
      "unsay", usage: "[#LIST | in GROUP:] LINE", brief: "take a line back",
      help: "take back a line; admins take any back", rare: true
    ) { words in
      let place = words.placeOfTalk()
      return words.number().flatMap { words.done(.talk(.remove(place, $0))) }
    },
  ]
}

extension Words {
  /// Reads `#LIST`, or `in GROUP:`. For anything else it takes no word and returns nil; `#12` is a post.
  fileprivate mutating func placeOfTalk() -> Reference? {
    if let list = listBeforeNumbers() { return list }
    var words = self
    guard words.skip("in") else { return nil }
    var names: [String] = []
    while let word = words.next() {
      names.append(word)
      guard word.hasSuffix(":") else { continue }
      let name = names.joined(separator: " ").dropLast()
      guard !name.isEmpty else { return nil }
      self = words
      return Reference(name)
    }
    return nil
  }

  /// Reads `off` or `on`. For anything else it takes no word and returns nil.
  fileprivate mutating func talkSetting() -> TalkSetting? {
    TalkSetting.allCases.first { skip($0.rawValue) }
  }

  /// Reads `[#LIST | in GROUP:] LINE TEXT`.
  fileprivate mutating func lineOfTalk(
    _ make: (Reference?, Int, String) -> TalkAction
  ) -> Action? {
    let place = placeOfTalk()
    guard let line = number(), let text = rest() else { return nil }
    return .talk(make(place, line, text))
  }
}
