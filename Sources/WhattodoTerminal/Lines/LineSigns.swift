// Signs that people give to lines of talk (protocol §5.20), as those for what was completed (`ReactionLines`).

import Domain
import Screen
import Wire

extension TalkLine {
  /// The different signs with the people who gave each. The sign that was given first comes first, and so do people.
  var bySign: [(sign: String, users: [UserID])] {
    var all: [(sign: String, users: [UserID])] = []
    for it in reactions {
      if let place = all.firstIndex(where: { $0.sign == it.sign }) {
        all[place].users.append(it.user)
      } else {
        all.append((it.sign, [it.user]))
      }
    }
    return all
  }

  func sign(of user: UserID?) -> String? { reactions.first { $0.user == user }?.sign }

  /// The signs behind the line: `  👏3 🎉`.
  var signChips: Line {
    reactions.isEmpty ? Line() : Line("  \(SignWords.chips(bySign))", .accent)
  }

  /// Returns `👏 @editor, @owner` for each sign, below the line.
  func signRows(in stream: StreamID, _ situation: Situation) -> [Line] {
    SignWords.rows(bySign, in: stream, situation)
  }
}

/// Words for signs, whatever they are given to.
enum SignWords {
  /// Returns `👏3 🎉`, each sign with the number of people when there are several.
  static func chips(_ signs: [(sign: String, users: [UserID])]) -> String {
    signs.map { $0.users.count == 1 ? $0.sign : "\($0.sign)\($0.users.count)" }
      .joined(separator: " ")
  }

  /// Returns `👏 @editor, @owner` for each sign.
  static func rows(
    _ signs: [(sign: String, users: [UserID])], in stream: StreamID, _ situation: Situation
  ) -> [Line] {
    signs.map { sign, users in
      let names = users.map { situation.name(of: $0, in: stream) }
      return Line("        ", hang: 8).and("\(sign) ", .accent)
        .and("\(names.joined(separator: ", "))")
    }
  }
}
