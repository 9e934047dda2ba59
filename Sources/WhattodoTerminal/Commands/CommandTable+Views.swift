import Domain

/// The condition of a view: open posts of all lists, or of one list by a tag.
enum ViewWish: Equatable {
  /// Posts that are overdue, or due until the end of the day.
  case today
  /// Posts that are due within 48 hours, or within the hours that `/settings soon` sets.
  case soon
  /// Posts that are due on a day; nil means today.
  case day(DueWish?)
  /// The number of posts that are due on each day of a month; nil means this month.
  case month(Month?)
  /// Posts that one added oneself.
  case mine
  /// Posts that are the work of this person; nil means one's own work.
  case assigned(String?)
  case tagged(Reference?, String)
}

/// A month of a year, as `2026-12`.
struct Month: Equatable {
  let first: Day

  /// Makes the month that contains the day.
  init(of day: Day) { first = day.adding(days: 1 - day.parts.day) }

  /// Reads exactly the form `2026-12`; nil for any other text.
  init?(_ text: String) {
    guard let first = Day(text + "-01"), Due.days.contains(first) else { return nil }
    self.first = first
  }

  var last: Day {
    let (year, month, _) = first.parts
    return first.adding(days: Day.lengthOfMonth(month, year: year) - 1)
  }
}

extension CommandTable {
  static let views: [CommandEntry] = [
    CommandEntry(
      "today", "t", brief: "what is due, in all lists", help: "overdue, or due today, in all lists"
    ) {
      $0.done(.ask(.view(.today)))
    },
    CommandEntry(
      "soon", brief: "what is due soon", help: "due within 48 hours, or as /settings says",
      rare: true
    ) {
      $0.done(.ask(.view(.soon)))
    },
    CommandEntry(
      "day", usage: "[DAY]", brief: "what is due on a day",
      help: "fri, tomorrow, 24.12., 2026-12-24", rare: true,
      hint: "fri, tomorrow, 24.12., 2026-12-24"
    ) { words in
      guard let text = words.rest() else { return .ask(.view(.day(nil))) }
      return DueWish(text).map { .ask(.view(.day($0))) }
    },
    CommandEntry(
      "month", usage: "[2026-12]", brief: "how much is due when",
      help: "how much is due on which day", rare: true
    ) { words in
      guard let text = words.next() else { return .ask(.view(.month(nil))) }
      return Month(text).flatMap { words.done(.ask(.view(.month($0)))) }
    },
    CommandEntry(
      "mine", brief: "what you added", help: "open posts that you added", rare: true
    ) {
      $0.done(.ask(.view(.mine)))
    },
    CommandEntry(
      "assigned", usage: "[PERSON]", brief: "what is whose work",
      help: "open posts that are your work, or another's", rare: true
    ) { words in
      guard words.peek() != nil else { return .ask(.view(.assigned(nil))) }
      return words.person().flatMap { words.done(.ask(.view(.assigned($0)))) }
    },
    CommandEntry(
      "tagged", usage: "[#LIST] TAG", brief: "posts with a tag", help: "open posts with a tag",
      rare: true
    ) { words in
      let list = words.reference()
      guard let tag = words.next() else { return nil }
      let name = tag.hasPrefix("+") ? String(tag.dropFirst()) : tag
      return words.done(.ask(.view(.tagged(list, name))))
    },
  ]
}
