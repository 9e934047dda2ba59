import Domain
import Wire

/// A filter as a person writes it: `mine !high +uni week #study by due`. The screen shows filters in the same words.
struct FilterWish: Equatable {
  var criteria = PostWhere()
  var days: DayWindow?
  /// The name of a tag in the first list that is named, or in the open list.
  var tag: String?
  var lists: [Reference] = []
  var sort = ViewSort.created

  init() {}

  /// Reads the words; nil when one of them is unknown, or when the sort order needs open posts and others are asked
  /// for.
  init?(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "by", let sort = rest.popFirst().flatMap({ ViewSort(rawValue: $0) }) {
        self.sort = sort
      } else if !take(word) {
        return nil
      }
    }
    guard sort == .created || criteria.state == .open else { return nil }
  }

  private mutating func take(_ word: String) -> Bool {
    if let state = PostState(rawValue: word) {
      criteria.state = state
    } else if let days = FilterWish.days[word] {
      self.days = days
    } else if word == "mine" {
      criteria.by = .me
    } else if word == "assigned" {
      criteria.assignee = .me
    } else if word.hasPrefix("!"), let priority = Priority(rawValue: String(word.dropFirst())) {
      criteria.priority = priority
    } else if word.hasPrefix("+"), word.count > 1 {
      tag = String(word.dropFirst())
    } else if word.hasPrefix("#"), word.count > 1 {
      lists.append(Reference(word))
    } else {
      return false
    }
    return true
  }

  /// The words for windows of due days, counted from the day on which one looks.
  static let days: [String: DayWindow] = [
    "overdue": DayWindow(until: -1), "today": DayWindow(until: 0),
    "tomorrow": DayWindow(from: 1, until: 1), "week": DayWindow(until: 6),
    "month": DayWindow(until: 30),
  ]

  /// Returns the words for a window. A filter that another program made may have a window without a word of its own.
  static func words(_ days: DayWindow) -> String {
    if let word = FilterWish.days.first(where: { $0.value == days })?.key { return word }
    switch (days.from, days.until) {
    case (let from?, let until?): return "due in \(from) to \(until) days"
    case (let from?, nil): return "due in \(from) days or later"
    case (nil, let until?): return "due in \(until) days or sooner"
    case (nil, nil): return ""
    }
  }
}

extension CommandTable {
  static let filters: [CommandEntry] = [
    CommandEntry(
      "filter", "filters", usage: "[NAME | save NAME WORD… | remove NAME]",
      brief: "views with a name", help: "mine !high +tag today #list by due", rare: true,
      value: .shown,
      hint: "save urgent !high today; save NAME mine +tag #list by due; save all open"
    ) { words in
      guard let name = words.next() else { return .filter(.list) }
      switch name {
      case "save":
        guard let name = words.next() else { return nil }
        guard let text = words.rest() else { return .filter(.look(name)) }
        return FilterWish(text.split(separator: " ").map(String.init)).map {
          .filter(.save(name, $0))
        }
      case "remove":
        return words.next().flatMap { words.done(.filter(.remove($0))) }
      default: return words.done(.filter(.show(name)))
      }
    }
  ]
}
