/// Which times of a post that comes again a command is about. Said in front of its words: `/rm this 3`,
/// `/due all 3 fri`; who says none is asked.
enum Times: String, CaseIterable {
  /// The one that is next.
  case this
  case all
}

extension Times {
  /// The line again, with this in it: `rm 3` is `rm all 3`.
  func said(in line: String) -> String {
    let line = line.drop { $0.isWhitespace }
    let name = line.prefix { !$0.isWhitespace }
    return "\(name) \(rawValue)\(line.dropFirst(name.count))"
  }
}

extension Action {
  /// Whether it is about posts that may come again: not about steps, which are there every time, nor about lists.
  var isOfTimes: Bool {
    switch self {
    case .edit(_, let number, title: _): number.step == nil
    case .remove(_, let numbers): numbers.allSatisfy { $0.step == nil }
    case .note, .due, .set, .look: true
    case .together(let actions): actions.allSatisfy(\.isOfTimes)
    default: false
    }
  }
}

extension Words {
  /// `this` or `all` with more behind it; nothing is taken when it is neither.
  mutating func times() -> Times? {
    var words = self
    guard let times = words.next().flatMap({ Times(rawValue: $0.lowercased()) }), !words.isAtEnd
    else { return nil }
    self = Words(words.rest() ?? "")
    return times
  }
}
