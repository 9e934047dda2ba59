/// The times of a post that comes again for which a command is meant. The word stands before the command's other words:
/// `/rm this 3`, `/due all 3 fri`. Without it the person is asked.
enum Times: String, CaseIterable {
  /// The next time.
  case this
  case all
}

extension Times {
  /// Returns the line with this word in it: `rm 3` becomes `rm all 3`.
  func said(in line: String) -> String {
    let line = line.drop { $0.isWhitespace }
    let name = line.prefix { !$0.isWhitespace }
    return "\(name) \(rawValue)\(line.dropFirst(name.count))"
  }
}

extension Action {
  /// Whether the action is about posts that may come again. Lists do not, and steps are there every time.
  var isOfTimes: Bool {
    switch self {
    case .field(.title(_, let number, _)): number.step == nil
    case .field(.notes), .field(.due), .field(.set), .show(.value): true
    case .field(.repeating), .field(.personal): false
    case .post(.remove(_, let numbers)): numbers.allSatisfy { $0.step == nil }
    case .together(let actions): actions.allSatisfy(\.isOfTimes)
    case .program, .show, .ask, .filter, .post, .mark, .list, .group, .people, .talk, .account,
      .undo, .redo, .unsent, .times:
      false
    }
  }
}

extension Words {
  /// Takes `this` or `all` if more words follow. Otherwise it takes no word and returns nil.
  mutating func times() -> Times? {
    var words = self
    guard let times = words.next().flatMap({ Times(rawValue: $0.lowercased()) }), !words.isAtEnd
    else { return nil }
    self = Words(words.rest() ?? "")
    return times
  }
}
