import Domain

// That there is something to tell of a day (protocol §5.10): once for each person and day, by a key of nobody's (P12).

extension Ledger {
  /// What becomes of a row whose moment has come, and the day to be told of. After a downtime, or a clock that was
  /// not trusted, that is the last one whose moment has come, and those before are left out: whoever wants to know of
  /// them asks.
  mutating func digest(
    of person: UserID, from first: Timestamp, at now: Timestamp
  ) throws(Halt) -> (row: ReminderWrite, day: Day?) {
    guard let times = try world.digestTimes(of: person, almanac) else {
      return (ReminderWrite(digestOf: person, nil, after: now), nil)
    }
    let row = ReminderWrite(digestOf: person, times, after: now)
    let latest = times.latest(through: now)
    // A row may be early, and what is before it was told or not wanted then.
    guard latest.at >= first,
      try world.hasNews(for: person, since: times.start(of: latest.day))
    else { return (row, nil) }
    return (row, latest.day)
  }
}

extension ReminderWrite {
  /// Nil: nothing is wanted.
  init(digestOf person: UserID, _ times: DigestTimes?, after time: Timestamp) {
    self.init(
      key: .digest(of: person), at: times?.next(after: time), isKept: times != nil)
  }
}

extension Deadlines {
  static let digestKeyBeginning = "digest:"
}

extension KeyAddress {
  /// As a command's key, but of nobody. It ends with a moment, as those of reminders do (`Deadlines.keeps`).
  init(digestOf day: Day, _ person: UserID) {
    guard let key = CommandKey("\(Deadlines.digestKeyBeginning)\(day.startUTC.milliseconds)") else {
      preconditionFailure("a word and a number make a key")
    }
    self.init(stream: .user(person), actor: .system, key: key)
  }
}
