extension CommandTable {
  /// Returns a sentence as a script reads it. Commands stand there without the slash by which a chat knows them.
  static func withoutSlashes(_ sentence: String) -> String {
    sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let command = word.drop { $0 == "(" }
      let behind = command.dropFirst()
      let name = behind.prefix { $0.isLetter }
      guard command.hasPrefix("/"), !behind.dropFirst(name.count).hasPrefix("/"),
        let entry = entry(named: name), !onlyInChat.contains(entry.name)
      else { return String(word) }
      return String(word.prefix { $0 == "(" } + behind)
    }.joined(separator: " ")
  }
}
