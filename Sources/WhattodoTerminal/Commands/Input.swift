import Text

/// A line of the chat, read but not looked up.
enum Input: Equatable {
  case nothing
  case action(Action)
  /// A line that begins with `/` and is no command; it is never sent to anybody.
  case unknown(String)
  case wrong(UsageError)

  /// Reads a line of the chat: a command, a line of talk behind `'`, or a new post (`protocol/quick-add.md`), usually
  /// for the open list. In a view of talk, `talking`, a plain line is said, and a post stands behind `+`.
  init(chat line: String, talking: Bool = false) {
    let text = Input.typed(line)
    if text.isEmpty {
      self = .nothing
    } else if talking, !text.hasPrefix("/") {
      self = Input(inTalk: text)
    } else if text.hasPrefix("'") {
      let said = Input.typed(String(text.dropFirst()))
      self = said.isEmpty ? Input(command: "say") : .action(.talk(.say(nil, said)))
    } else if text.hasPrefix("/") {
      let command = text.dropFirst()
      self = command.first == " " ? .unknown("") : Input(command: String(command))
    } else {
      self = .action(.post(.quickAdd(text)))
    }
  }

  /// Reads a line of a view of talk. A letter or a blank follows the `+` of a post, so that `+1` is said.
  private init(inTalk text: String) {
    let rest = text.dropFirst()
    if text.hasPrefix("+"), let first = rest.first, first == " " || first.isLetter {
      self = .action(.post(.quickAdd(Input.typed(String(rest)))))
    } else {
      let said = text.hasPrefix("'") ? Input.typed(String(rest)) : text
      self = said.isEmpty ? Input(command: "say") : .action(.talk(.sayHere(said)))
    }
  }

  /// Reads a line of a script: a command with or without its `/`, or `+` and a line as people write it in the chat.
  init(script line: String) {
    let text = Input.typed(line)
    if text.hasPrefix("+ ") {
      self = .action(.post(.quickAdd(Input.typed(String(text.dropFirst())))))
    } else {
      self = Input(command: text.hasPrefix("/") ? String(text.dropFirst()) : text)
    }
  }

  /// Reads a command without its `/`.
  init(command line: String) {
    let text = Input.typed(line)
    let name = text.prefix { $0 != " " }
    guard let entry = CommandTable.entry(named: name) else {
      self = .unknown(String(name))
      return
    }
    var words = Words(text.dropFirst(name.count))
    let times = entry.saysTimes ? words.times() : nil
    guard let action = entry.parse(&words), words.isAtEnd, times == nil || action.isOfTimes else {
      self = .wrong(
        UsageError(command: entry.name, usage: entry.usage, hint: entry.hint(for: text)))
      return
    }
    self = .action(times.map { .times($0, action) } ?? action)
  }

  /// Removes blanks at both ends and characters that people cannot see, except those that a writing system needs. The
  /// server refuses the rest.
  private static func typed(_ line: String) -> String {
    var text = Text.cleaned(line: line).drop { $0.isWhitespace }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
