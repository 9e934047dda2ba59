// A command that can set a value shows it when it is given none, and takes it away for `off` alone. A text that is
// `off` is written `\off`, as a `\` makes a word of a plain line a word (`protocol/quick-add.md`).

/// A value of a post that a command shows when it is given none.
enum ShownField: String, CaseIterable {
  case title
  case notes
  case due
  case recurrence
  case priority
  case color
  case location
  case tags
  case assignees
  /// What follows is the person's own.
  case plan
  case reminders
  case snooze
  case privateNote
}

/// The same of a list.
enum ShownListField: String, CaseIterable {
  case name
  case color
  case zone
}

/// What a command does with the value that it can set.
enum ValueRule {
  /// It sets none: its name and what it is about say all.
  case none
  /// Without a value it shows the one that there is.
  case shown
  /// The same; `off` takes it away.
  case cleared
}

/// The words where a value may stand.
enum SaidValue: Equatable {
  case nothing
  case off
  case some(String)

  static func isOff(_ word: String) -> Bool { word.lowercased() == "off" }

  /// `\off` is the word, `\\off` is `\off`: one sign less, where there would be `off` without them.
  static func text(_ typed: String) -> String {
    typed.hasPrefix("\\") && isOff(String(typed.drop { $0 == "\\" }))
      ? String(typed.dropFirst()) : typed
  }
}

extension Words {
  /// All that is left, as a value.
  mutating func value() -> SaidValue {
    guard let text = rest() else { return .nothing }
    return SaidValue.isOff(text) ? .off : .some(SaidValue.text(text))
  }

  /// `[#LIST] NUMBER [VALUE]`: without a value the field is shown. `set` has nil for `off`, and answers nil for what is
  /// no such value.
  mutating func field(
    _ shown: ShownField, _ set: (Reference?, Int, String?) -> Action?
  ) -> Action? {
    guard let post = aboutPost() else { return nil }
    switch value() {
    case .nothing: return .look(post.list, PostNumber(post.number), shown)
    case .off: return set(post.list, post.number, nil)
    case .some(let text): return set(post.list, post.number, text)
    }
  }

  /// `[#LIST] NUMBER` with nothing behind it; nothing is taken when there is anything else.
  mutating func look(at field: ShownField) -> Action? {
    var words = self
    guard let post = words.aboutPost(), words.isAtEnd else { return nil }
    self = words
    return .look(post.list, PostNumber(post.number), field)
  }
}
