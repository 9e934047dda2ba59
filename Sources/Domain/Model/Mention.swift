// A line of talk names members by `@username` (protocol §5.20). The line keeps who is meant, so that it is still right
// when somebody has another name.

/// The place in a text that names a member.
package struct Mention: Equatable, Sendable {
  package let user: UserID
  /// The place of the `@`, in Unicode scalars from 0.
  package let at: Int
  /// The number of scalars, with the `@`.
  package let length: Int

  package init(_ user: UserID, at: Int, length: Int) {
    self.user = user
    self.at = at
    self.length = length
  }
}

/// A word of a text that may name a member: `@` and a name.
package struct MentionWord: Equatable, Sendable {
  /// The place of the `@`, in Unicode scalars from 0.
  package let at: Int
  /// The names that the word may mean, in lower case, the longest first. The second one is without the full stops and
  /// dashes that end the word.
  package let names: [String]

  /// Returns the words of a text that may name members, in their order. An `@` inside a word, as in an address of
  /// e-mail, names nobody.
  package static func all(in text: String) -> [MentionWord] {
    let scalars = Array(text.unicodeScalars)
    var words: [MentionWord] = []
    var place = 0
    while place < scalars.count {
      defer { place += 1 }
      guard scalars[place] == "@", place == 0 || !scalars[place - 1].mayJoin else { continue }
      let name = scalars[(place + 1)...].prefix { $0.mayNameMember }
      let end = place + 1 + name.count
      guard end == scalars.count || !(scalars[end].mayJoin || scalars[end].isMark),
        let word = MentionWord(name, at: place)
      else { continue }
      words.append(word)
      place = end - 1
    }
    return words
  }

  /// Nil for a word that is too short or too long for a name.
  private init?(_ name: ArraySlice<Unicode.Scalar>, at place: Int) {
    let whole = name.map(\.lowercased).joined()
    let bare = String(whole.reversed().drop { ".-_".contains($0) }.reversed())
    at = place
    names = (whole == bare ? [whole] : [whole, bare]).filter {
      Limits.usernameCharacters.contains($0.unicodeScalars.count)
    }
    if names.isEmpty { return nil }
  }
}

extension Unicode.Scalar {
  /// Whether a username may have it, in either case.
  fileprivate var mayNameMember: Bool {
    isASCII
      && (properties.isAlphabetic || ("0"..."9").contains(self)
        || "._-".unicodeScalars.contains(self))
  }

  /// Whether a name that stands beside it would be a part of a longer word.
  fileprivate var mayJoin: Bool {
    self == "@" || self == "_" || properties.isAlphabetic || properties.numericType != nil
  }

  /// Whether it changes the letter before it, as an accent does that is no letter together with it.
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  fileprivate var lowercased: String { properties.lowercaseMapping }
}
