// A command that can set a value shows the value when it is given none, and clears it for `off` alone. The text `off`
// itself is written `\off`: in a plain line, too, a `\` before a word makes it plain text (`protocol/quick-add.md`).

/// A value of a post that a command shows when it is given none.
enum ShownField: String, CaseIterable {
  case title
  case notes
  case due
  case recurrence
  case mode
  case goal
  case priority
  case color
  case location
  case tags
  case assignees
  /// The fields from here on belong to the person alone.
  case plan
  case reminders
  case snooze
  case privateNote
}

/// A value of a list that a command shows when it is given none.
enum ShownListField: String, CaseIterable {
  case name
  case color
  case zone
}

/// How a command treats the value that it can set.
enum ValueRule {
  /// It sets no value; its name and what it is about say all.
  case none
  /// Without a value it shows the present one.
  case shown
  /// Without a value it shows the present one, and `off` clears it.
  case cleared
}

/// The words at the place of a value.
enum SaidValue: Equatable {
  case nothing
  case off
  case some(String)

  static func isOff(_ word: String) -> Bool { word.lowercased() == "off" }

  /// Removes one `\` where the text would be `off` without them: `\off` stands for `off`, and `\\off` for `\off`.
  static func text(_ typed: String) -> String {
    typed.hasPrefix("\\") && isOff(String(typed.drop { $0 == "\\" }))
      ? String(typed.dropFirst()) : typed
  }
}

extension Words {
  /// Takes all words that are left as a value.
  mutating func value() -> SaidValue {
    guard let text = rest() else { return .nothing }
    return SaidValue.isOff(text) ? .off : .some(SaidValue.text(text))
  }

  /// Reads `[#LIST] NUMBER [VALUE]`; without a value the action shows the field. `set` gets nil for `off`, and returns
  /// nil for a text that is no such value.
  mutating func field(
    _ shown: ShownField, _ set: (Reference?, Int, String?) -> FieldAction?
  ) -> Action? {
    guard let post = aboutPost() else { return nil }
    switch value() {
    case .nothing: return .show(.value(post.list, PostNumber(post.number), shown))
    case .off: return set(post.list, post.number, nil).map { .field($0) }
    case .some(let text): return set(post.list, post.number, text).map { .field($0) }
    }
  }

  /// Reads `[#LIST] NUMBER` with nothing behind it. For anything else it takes no word and returns nil.
  mutating func look(at field: ShownField) -> Action? {
    var words = self
    guard let post = words.aboutPost(), words.isAtEnd else { return nil }
    self = words
    return .show(.value(post.list, PostNumber(post.number), field))
  }
}
