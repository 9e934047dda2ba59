import Domain

extension CommandTable {
  /// The commands for what one says of a post to oneself, and for one's settings.
  static let personal: [CommandEntry] = [
    CommandEntry(
      "plan", usage: "[#LIST] NUMBER [WHEN|for 50m|off]", brief: "when you will do a post",
      help: "tomorrow 14:00 for 50m; fri: on that day", rare: true, value: .cleared,
      hint: "tomorrow 14:00 for 50m, fri, for 50m, off"
    ) {
      $0.field(.plan) { list, number, text in
        guard let text else { return .personal(list, number, .plan(nil, minutes: nil)) }
        return PersonalWish(plan: text).map { .personal(list, number, $0) }
      }
    },
    CommandEntry(
      "remind", usage: "[#LIST] NUMBER [[off] 1d|WHEN]", brief: "tell you before or then",
      help: "1d, 2h before it is due; fri 18:00; off 1d", rare: true, value: .cleared,
      hint: "1d, 2h, fri 18:00, off 1d; off alone takes all away"
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      guard !words.isAtEnd else {
        return .show(.value(post.list, PostNumber(post.number), .reminders))
      }
      let isOff = words.peek().map(SaidValue.isOff) ?? false
      if isOff { _ = words.next() }
      guard let text = words.rest() else {
        return .field(.personal(post.list, post.number, .forgetAll))
      }
      return ReminderWish(text).map {
        .field(.personal(post.list, post.number, isOff ? .forget($0) : .remind($0)))
      }
    },
    CommandEntry(
      "snooze", usage: "[#LIST] NUMBER [2h|WHEN|off]", brief: "be quiet until then",
      help: "say nothing of a post for 2h, until fri", rare: true, value: .cleared
    ) {
      $0.field(.snooze) { list, number, text in
        guard let text else { return .personal(list, number, .snooze(nil)) }
        return ReminderWish(text).map { .personal(list, number, .snooze($0)) }
      }
    },
    CommandEntry(
      "watch", usage: "[#LIST] NUMBER [off]", brief: "be told of a post",
      help: "be reminded of a post as if it were yours", rare: true
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      let isOff = words.skip("off")
      return words.done(.field(.personal(post.list, post.number, .watch(!isOff))))
    },
    CommandEntry(
      "private", usage: "[#LIST] NUMBER [TEXT|off]", brief: "a note that only you see",
      help: "a note on a post that only you see", rare: true, value: .cleared
    ) {
      $0.field(.privateNote) { .personal($0, $1, .note($2 ?? "")) }
    },
    CommandEntry(
      "settings", usage: "[WORD VALUE…]", brief: "what you are told, and when",
      help: "remind 1d, due today, digest 18:00 …", rare: true, value: .cleared,
      hint:
        "remind 1d 1h, soon 24h (whole hours, up to 30d), due today, mute overdue, digest 18:00"
    ) { words in
      words.levelSetting() ?? words.settings().map { .account(.settings($0)) }
    },
    CommandEntry(
      "mute", usage: "[PLACE|@PERSON [WORD] [WHEN]]", brief: "what you are not told",
      help: "be told nothing of lists and people", rare: true,
      hint: "#builds, @bot 2h, Household directed, #builds all, @bot off, 1 off; directed leaves "
        + "your work, lines that name or answer you, and comments on what is yours"
    ) { words in
      words.level()
    },
  ]
}
