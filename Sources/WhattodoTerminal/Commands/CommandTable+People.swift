import Domain

// Commands about who shares a list or a group, and who is invited.
extension CommandTable {
  static let people: [CommandEntry] = [
    CommandEntry(
      "invite", usage: "PERSON [ROLE] [to PLACE]", brief: "share a list or a group",
      help: "share the open list, or a list or group"
    ) { words in
      if words.skip("code") {
        let (role, uses) = (words.role() ?? .editor, words.number() ?? 1)
        return words.place("to").map { .people(.code(.make(role, uses: uses, to: $0))) }
      }
      guard let person = words.person() else { return nil }
      let role = words.role() ?? .editor
      return words.place("to").map { .people(.invite(person, role, to: $0)) }
    },
    CommandEntry(
      "role", usage: "PERSON [ROLE] [in PLACE]", brief: "what somebody may do",
      help: Role.allCases.map(\.word).joined(separator: " "), rare: true, value: .shown
    ) { words in
      guard let person = words.person() else { return nil }
      guard let role = words.role() else {
        return words.place("in").map { .show(.role(person, in: $0)) }
      }
      return words.place("in").map { .people(.setRole(person, role, in: $0)) }
    },
    CommandEntry(
      "join", usage: "CODE | [#LIST] NUMBER…", brief: "come in by a code",
      help: "come in by a code, or into a race", rare: true
    ) { words in
      // A code has more letters than a number may have digits.
      var numbers = words
      if let race = numbers.numbered(PostAction.join) {
        words = numbers
        return race
      }
      return words.rest().map { .people(.code(.join($0))) }
    },
    CommandEntry(
      "codes", usage: "[PLACE]", brief: "codes that let people in",
      help: "/invite code [ROLE] [USES] makes one", rare: true
    ) {
      .people(.code(.list($0.rest().map { Reference($0) })))
    },
    CommandEntry(
      "link", usage: "[#LIST] [DAYS]", brief: "let others look",
      help: "a link to look, also for calendars", rare: true
    ) { words in
      let list = words.reference()
      let days = words.isAtEnd ? Limits.linkDays : words.number()
      guard let days, days <= Limits.linkDaysMax else { return nil }
      return words.done(.people(.link(.make(list, days: days))))
    },
    CommandEntry(
      "links", usage: "[#LIST]", brief: "links to a list", help: "links by which others look",
      rare: true
    ) { words in
      let list = words.reference()
      return words.done(.people(.link(.list(list))))
    },
    CommandEntry(
      "unlink", usage: "[#LIST] NUMBER", brief: "take a link back",
      help: "take back a link by its number in /links", rare: true
    ) { words in
      let list = words.reference()
      guard let number = words.number() else { return nil }
      return words.done(.people(.link(.revoke(number, from: list))))
    },
    CommandEntry(
      "revoke", usage: "PERSON [from PLACE]", brief: "take an invitation back",
      help: "take an invitation back, or code NUMBER", rare: true
    ) {
      words in
      if words.skip("code") {
        guard let number = words.number() else { return nil }
        return words.place("from").map { .people(.code(.revoke(number, from: $0))) }
      }
      guard let person = words.person() else { return nil }
      return words.place("from").map { .people(.revoke(person, from: $0)) }
    },
    CommandEntry(
      "accept", "yes", usage: "[NUMBER]", brief: "accept an invitation",
      help: "accept an invitation", rare: true
    ) { words in
      words.isAtEnd
        ? .people(.accept(nil)) : words.number().flatMap { words.done(.people(.accept($0))) }
    },
    CommandEntry(
      "decline", "no", usage: "[NUMBER]", brief: "decline an invitation",
      help: "decline an invitation", rare: true
    ) { words in
      words.isAtEnd
        ? .people(.decline(nil)) : words.number().flatMap { words.done(.people(.decline($0))) }
    },
    CommandEntry(
      "block", usage: "[PERSON]", brief: "who cannot invite you",
      help: "hear of no invitation of somebody", rare: true
    ) { words in
      guard !words.isAtEnd else { return .people(.reach(.blocks)) }
      return words.person().flatMap { words.done(.people(.reach(.block($0)))) }
    },
    CommandEntry(
      "unblock", usage: "PERSON", brief: "let somebody invite you",
      help: "let somebody invite you again", rare: true
    ) { words in
      words.person().flatMap { words.done(.people(.reach(.unblock($0)))) }
    },
    CommandEntry(
      "leave", usage: "[PLACE] [to PERSON]", brief: "leave a list or a group",
      help: "leave a list or a group, to a new owner", rare: true
    ) { words in
      words.place(before: "to").map { .people(.leave($0, successor: $1)) }
    },
    CommandEntry(
      "kick", usage: "PERSON [from PLACE]", brief: "take somebody out",
      help: "take somebody out of a list or group", rare: true
    ) { words in
      guard let person = words.person() else { return nil }
      return words.place("from").map { .people(.remove(person, from: $0)) }
    },
  ]
}
