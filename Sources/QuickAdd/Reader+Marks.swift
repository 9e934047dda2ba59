import Domain

extension Reader {
  /// Takes "!high" or "!high priority".
  mutating func priority() -> Priority? {
    let priority = word {
      $1.first == "!" ? $0.tables.language.priorities[String($1.dropFirst())] : nil
    }
    if priority != nil { skip(tables.language.behindPriority) }
    return priority
  }

  /// Takes a tag. It begins with a letter, so that "+1" is a word.
  mutating func tag() -> String? {
    skip(tables.language.beforeTag)
    return name(after: "+").flatMap { $0.first?.isLetter == true ? $0 : nil }
  }

  /// Takes the name of a list, and an "in" before it. A number is no name, as "#12" is a post.
  mutating func category() -> String? {
    skip(tables.language.beforeList)
    return name(after: "#").flatMap { $0.allSatisfy(\.isNumber) ? nil : $0 }
  }

  /// Takes a person, and a "for" before them. Behind another person an "and" is taken, too.
  mutating func assignee(isBehindOther: Bool) -> String? {
    if isBehindOther { skip(tables.language.and) }
    skip(tables.language.beforePerson)
    guard let current, !current.isPlain else { return nil }
    // A point behind a name ends a sentence.
    let name = Words.forms(of: current.said).reversed().first {
      $0.first == "@" && isUsername($0.lowercased().dropFirst())
    }
    guard let name else { return nil }
    position += 1
    return String(name.dropFirst())
  }

  private func isUsername(_ name: Substring) -> Bool {
    Limits.usernameCharacters.contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Takes a name behind this mark: letters, digits, `_`, `-` and `/`. Returns it in the spelling of the line.
  private mutating func name(after mark: Character) -> String? {
    guard let said = current?.said, current?.isPlain == false else { return nil }
    for form in Words.forms(of: said) where form.first == mark && form.count > 1 {
      let name = form.dropFirst()
      guard name.unicodeScalars.count <= Limits.nameScalarsMax,
        name.allSatisfy({ $0.isLetter || $0.isNumber || "_-/".contains($0) })
      else { continue }
      position += 1
      return String(name)
    }
    return nil
  }
}
