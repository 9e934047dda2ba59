import Domain

// The note that there is something to tell of a day (protocol §5.10). It is written once for each person and day, under
// a key of nobody (P12).

extension Ledger {
  /// Returns the row that follows one whose moment has come, and the day to tell of, nil for none. After a downtime, or
  /// while the clock was not trusted, the day is the last one whose moment has come. Those before it are left out: a
  /// person who wants to know of them asks.
  mutating func digest(
    of person: UserID, from first: Timestamp, at now: Timestamp
  ) throws(Halt) -> (row: ReminderWrite, day: Day?) {
    guard let times = try world.digestTimes(of: person, almanac) else {
      return (ReminderWrite(digestOf: person, nil, after: now), nil)
    }
    let row = ReminderWrite(digestOf: person, times, after: now)
    let latest = times.latest(through: now)
    // A row may be early. Days before it were told then, or not wanted.
    guard latest.at >= first,
      try world.hasNews(for: person, since: times.start(of: latest.day))
    else { return (row, nil) }
    return (row, latest.day)
  }
}

extension ReminderWrite {
  /// Makes the row of a person's digest. Without times no digest is wanted.
  init(digestOf person: UserID, _ times: DigestTimes?, after time: Timestamp) {
    self.init(
      key: .digest(of: person), at: times?.next(after: time), isKept: times != nil)
  }
}

extension Deadlines {
  static let digestKeyBeginning = "digest:"
}

extension KeyAddress {
  /// Makes the address of a told day. It is like that of a command's key, but of nobody. It ends with a moment, as
  /// those of reminders do (`Deadlines.keeps`).
  init(digestOf day: Day, _ person: UserID) {
    guard let key = CommandKey("\(Deadlines.digestKeyBeginning)\(day.startUTC.milliseconds)") else {
      preconditionFailure("a word and a number make a key")
    }
    self.init(stream: .user(person), actor: .system, key: key)
  }
}
