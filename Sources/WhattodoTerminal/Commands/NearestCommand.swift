// Suggestions for a command that does not exist. The suggested command is one that has the typed word as its name
// elsewhere, or begins with it, or differs from it by slips of the fingers: a letter too many, missing, or wrong, or
// two swapped letters (optimal string alignment). One slip is allowed for three letters.

extension CommandTable {
  /// Names of commands in other programs.
  static let otherNames: [String: String] = [
    "delete": "rm", "del": "rm", "remove": "rm", "trash": "bin", "complete": "done",
    "check": "done",
    "tick": "done", "finish": "done", "close": "done", "uncheck": "reopen", "untick": "reopen",
    "create": "new", "mk": "new", "ls": "show", "list": "show", "cat": "show", "cd": "open",
    "mv": "move", "cp": "copy", "duplicate": "copy", "search": "find", "grep": "find",
    "title": "edit",
    "change": "edit", "notes": "note", "describe": "note", "deadline": "due",
    "date": "due", "reminder": "remind", "alarm": "remind", "place": "where", "location": "where",
    "label": "tag", "give": "assign", "delegate": "assign", "take": "claim", "start": "claim",
    "share": "invite", "members": "who", "people": "who", "users": "who", "log": "history",
    "whoami": "me", "profile": "me", "config": "settings", "set": "settings", "unmute": "mute",
    "signout": "logout", "login": "help", "man": "help", "commands": "help", "bye": "quit",
    "schedule": "plan", "repeats": "repeat", "recur": "repeat", "subtask": "step", "inbox": "n",
    "notifications": "n", "read": "n", "seen": "n", "empty": "purge", "erase": "purge",
    "hide": "archive", "chat": "talk", "comments": "talk", "message": "say", "tell": "say",
    "reply": "answer", "return": "back", "contest": "race", "target": "goal", "progress": "at",
  ]

  /// Returns the command that was perhaps meant; nil when none is near.
  static func nearest(to typed: String) -> CommandEntry? {
    let word = typed.lowercased()
    guard !word.isEmpty, word.count <= nameLengthMax else { return nil }
    if let other = otherNames[word] { return entry(named: other) }
    let begun = entries.filter { word.count > 1 && $0.name.hasPrefix(word) }
    if let first = begun.first { return first }
    let names = entries.flatMap { entry in entry.names.map { (word: $0, entry: entry) } }
    let others = otherNames.keys.sorted().compactMap { other in
      otherNames[other].flatMap { entry(named: $0) }.map { (word: other, entry: $0) }
    }
    let near = (names + others).enumerated().filter { $0.element.word.count > 1 }.map {
      (slips: slips(from: word, to: $0.element.word), place: $0.offset, entry: $0.element.entry)
    }
    guard let best = near.min(by: { ($0.slips, $0.place) < ($1.slips, $1.place) }),
      best.slips <= max(1, word.count / 3), best.slips < word.count
    else { return nil }
    return best.entry
  }

  /// The length above which no typed word is near a name.
  private static let nameLengthMax = 20

  private static func slips(from typed: String, to name: String) -> Int {
    let (one, other) = (Array(typed), Array(name))
    var before: [Int] = []
    var last = Array(0...other.count)
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        let same = one[i] == other[j] ? 0 : 1
        var least = min(row[j] + 1, last[j + 1] + 1, last[j] + same)
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
          least = min(least, before[j - 1] + 1)
        }
        row.append(least)
      }
      before = last
      last = row
    }
    return last[other.count]
  }
}

extension CommandTable {
  /// Returns text to append to a sentence: `. Do you mean /done?`; nil when no command is near.
  static func suggestion(for name: String, slash: Bool) -> String? {
    nearest(to: name).map { ". Do you mean \(slash ? "/" : "")\($0.name)?" }
  }
}
