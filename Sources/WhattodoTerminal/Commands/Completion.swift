import Domain

/// The possible ends of a word that was begun: commands, lists, people, or tags.
struct Completion: Equatable {
  /// The candidates, in order.
  let candidates: [String]
  /// The text that replaces the word; nil when it would not be longer.
  let word: String?

  init(of begun: String, in situation: Situation) {
    candidates =
      begun.isEmpty
      ? []
      : Completion.all(begun, situation).filter {
        $0.lowercased().hasPrefix(begun.lowercased())
      }
    let shared = candidates.count == 1 ? candidates[0] + " " : Completion.sharedStart(candidates)
    word = shared.count > begun.count ? shared : nil
  }

  private static func all(_ begun: String, _ situation: Situation) -> [String] {
    switch begun.first {
    case "/": return CommandTable.entries.map { "/" + $0.name }
    case "#": return situation.catalog.lists.map(\.tag)
    case "@":
      let members = situation.streams.values.flatMap(\.members).map { "@" + $0.username }
      return Set(members).sorted()
    case "+":
      let open = situation.openList.flatMap { situation.streams[.category($0.id)] }
      return (open?.tags ?? []).map(\.word)
    default: return []
    }
  }

  private static func sharedStart(_ words: [String]) -> String {
    guard var start = words.first else { return "" }
    for word in words {
      while !word.lowercased().hasPrefix(start.lowercased()) { start.removeLast() }
    }
    return start
  }
}
