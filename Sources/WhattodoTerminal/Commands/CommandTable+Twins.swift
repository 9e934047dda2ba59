extension CommandTable {
  static let twins = CommandEntry(
    "twins", usage: "[#LIST] TITLE", brief: "posts that say the same",
    help: "posts with this title, open or done", rare: true
  ) { words in
    let list = words.reference()
    return words.rest().map { .ask(.twins(list, $0)) }
  }
}
