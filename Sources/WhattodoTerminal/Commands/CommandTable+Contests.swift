import Domain

// Commands about races and coops: what a post is done for together, and how far each person is.
extension CommandTable {
  static let contests: [CommandEntry] = [
    CommandEntry(
      "race", usage: "[#LIST] NUMBER [off] [again]", brief: "who has done it first",
      help: "everybody does it, who is first? off: none", rare: true, times: true,
      hint: "race 3, race 3 off; again behind it takes back what was done"
    ) {
      $0.contest(.race)
    },
    CommandEntry(
      "coop", usage: "[#LIST] NUMBER [off] [again]", brief: "do it together",
      help: "all do it together; /claim 12.3 a step", rare: true, times: true,
      hint: "coop 3, coop 3 off; again behind it takes back what was done"
    ) {
      $0.contest(.coop)
    },
    CommandEntry(
      "goal", usage: "[#LIST] NUMBER [AMOUNT UNIT]", brief: "how much is to be done",
      help: "of a race or a coop: 300 pages; off", rare: true, times: true, value: .cleared,
      hint: "whole numbers only, such as 10500 m for 10.5 km; off takes it away"
    ) {
      $0.goal()
    },
    CommandEntry(
      "at", usage: "[#LIST] NUMBER [AMOUNT [correct]]", brief: "how far you are",
      help: "how far you are in a race or a coop", rare: true, value: .shown,
      hint: "a whole number, such as at 3 120; at 3 100 correct sets less than before"
    ) {
      $0.reach()
    },
    CommandEntry(
      "withdraw", usage: "[#LIST] NUMBER…", brief: "leave a race",
      help: "leave a race; /join 12 joins one", rare: true
    ) {
      $0.numbered(PostAction.withdraw)
    },
  ]
}

extension Words {
  /// Reads `[#LIST] NUMBER [off] [again]`.
  fileprivate mutating func contest(_ contest: Contest) -> Action? {
    guard let post = aboutPost() else { return nil }
    var edit = PostEdit()
    edit.restart = skipLast("again")
    switch value() {
    case .nothing: edit.contest = .set(contest)
    case .off: edit.contest = .clear
    case .some: return nil
    }
    return .field(.set(post.list, post.number, edit))
  }

  /// Reads `[#LIST] NUMBER [AMOUNT UNIT] [again]`; without a goal the action shows it.
  fileprivate mutating func goal() -> Action? {
    guard let post = aboutPost() else { return nil }
    var edit = PostEdit()
    edit.restart = skipLast("again")
    switch value() {
    case .nothing:
      return edit.restart ? nil : .show(.value(post.list, PostNumber(post.number), .goal))
    case .off: edit.goal = .clear
    case .some(let text):
      guard let goal = Goal(typed: text) else { return nil }
      edit.goal = .set(goal)
    }
    return .field(.set(post.list, post.number, edit))
  }

  /// Reads `[#LIST] NUMBER [AMOUNT [correct]]`; without an amount the action shows how far everybody is.
  fileprivate mutating func reach() -> Action? {
    guard let post = aboutPost() else { return nil }
    guard let word = next() else { return .show(.post(post.list, post.number)) }
    guard let amount = Words.amount(word) else { return nil }
    let corrects = skip("correct")
    return done(.post(.reach(post.list, post.number, amount, isCorrection: corrects)))
  }

  /// Reads a whole number from 0 on. Nil for any other word, and for a number that is too large.
  fileprivate static func amount(_ word: String) -> Int64? {
    guard (1...16).contains(word.utf8.count), word.utf8.allSatisfy({ (48...57).contains($0) }),
      let amount = Int64(word), amount <= Limits.amountMax
    else { return nil }
    return amount
  }
}

extension Goal {
  /// Reads `300 pages`. Nil for anything but a whole number with a unit behind it.
  fileprivate init?(typed text: String) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let amount = Words.amount(String(parts[0])), amount > 0 else {
      return nil
    }
    let unit = String(parts[1].drop { $0 == " " })
    guard unit.unicodeScalars.count <= Limits.unitScalarsMax else { return nil }
    self.init(amount: amount, unit: unit)
  }
}
