import Domain

extension Reader {
  /// "!high", also "!high priority".
  mutating func priority() -> Priority? {
    let priority = word {
      $1.first == "!" ? $0.tables.language.priorities[String($1.dropFirst())] : nil
    }
    if priority != nil { skip(tables.language.behindPriority) }
    return priority
  }

  /// A letter first, so that "+1" is a word.
  mutating func tag() -> String? {
    skip(tables.language.beforeTag)
    return name(after: "+").flatMap { $0.first?.isLetter == true ? $0 : nil }
  }

  /// Not a number, which is a post's: "#12". "In" before it belongs to it.
  mutating func category() -> String? {
    skip(tables.language.beforeList)
    return name(after: "#").flatMap { $0.allSatisfy(\.isNumber) ? nil : $0 }
  }

  /// "for" before it belongs to it, and behind somebody else also "and".
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

  /// Letters, digits, `_`, `-` and `/` in the spelling of the line.
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
