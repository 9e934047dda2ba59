import Domain

extension CommandTable {
  /// What one says of a post to oneself; and one's settings.
  static let personal: [CommandEntry] = [
    CommandEntry(
      "plan", usage: "[#LIST] NUMBER [WHEN] [for 50m]", brief: "when you will do a post",
      help: "tomorrow 14:00 for 50m; fri: on that day", rare: true
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      guard var text = words.rest() else {
        return .personal(post.list, post.number, .plan(nil, minutes: nil))
      }
      var minutes: Int?
      let parts = text.split(separator: " ").map(String.init)
      if parts.count >= 2, parts[parts.count - 2] == "for" {
        guard let length = Minutes.read(parts[parts.count - 1]),
          (1...Limits.planMinutesMax).contains(length)
        else { return nil }
        minutes = length
        text = parts.dropLast(2).joined(separator: " ")
      }
      guard !text.isEmpty else {
        return .personal(post.list, post.number, .plan(nil, minutes: minutes))
      }
      return DueWish(text).map { .personal(post.list, post.number, .plan($0, minutes: minutes)) }
    },
    CommandEntry(
      "remind", usage: "[#LIST] NUMBER [off] 1d | WHEN", brief: "tell you before or then",
      help: "1d, 2h before it is due; fri 18:00; off 1d", rare: true
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      let isOff = words.skip("off")
      guard let wish = words.rest().flatMap({ ReminderWish($0) }) else { return nil }
      return .personal(post.list, post.number, isOff ? .forget(wish) : .remind(wish))
    },
    CommandEntry(
      "snooze", usage: "[#LIST] NUMBER [2h | WHEN]", brief: "be quiet until then",
      help: "say nothing of a post for 2h, until fri", rare: true
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      guard let text = words.rest() else { return .personal(post.list, post.number, .snooze(nil)) }
      return ReminderWish(text).map { .personal(post.list, post.number, .snooze($0)) }
    },
    CommandEntry(
      "watch", usage: "[#LIST] NUMBER [off]", brief: "be told of a post",
      help: "be reminded of a post as if it were yours", rare: true
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      let isOff = words.skip("off")
      return words.done(.personal(post.list, post.number, .watch(!isOff)))
    },
    CommandEntry(
      "private", usage: "[#LIST] NUMBER [TEXT]", brief: "a note that only you see",
      help: "a note on a post that only you see", rare: true
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      return .personal(post.list, post.number, .note(words.rest() ?? ""))
    },
    CommandEntry(
      "settings", usage: "[WORD VALUE…]", brief: "what you are told, and when",
      help: "remind 1d, due today, digest 18:00 …", rare: true,
      hint:
        "remind 1d 1h, soon 24h (whole hours, up to 30d), due today, mute overdue, digest 18:00"
    ) { words in
      words.settings().map { .settings($0) }
    },
  ]
}
