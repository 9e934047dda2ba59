// Says when a person gets their digest (protocol §5.10): each day at a time of their settings, by the clock of their
// zone. A digest is about one day, and every day has one at most: that day is its name, whatever the settings and the
// zone were when another was told.

/// One person's days and the times at which each is told.
package struct DigestTimes: Sendable {
  package let time: ClockTime
  package let zone: String
  private let almanac: Almanac

  /// Makes the times. In a zone that the system does not know any more, days are those of UTC.
  package init(time: ClockTime, zone: String, almanac: Almanac) {
    self.time = time
    self.zone = zone
    self.almanac = almanac
  }

  /// Returns the first moment after this one at which there is a digest to tell.
  package func next(after time: Timestamp) -> Timestamp {
    let today = day(at: time)
    // Where the clocks leap a whole day, the moment of one day may be in the next one.
    for days in -2...3 {
      let moment = moment(of: today.adding(days: days))
      if moment > time { return moment }
    }
    preconditionFailure("three days are more than any clock leaps")
  }

  /// Returns the last digest whose moment has come.
  package func latest(through now: Timestamp) -> DigestMoment {
    let today = day(at: now)
    for days in [2, 1, 0, -1, -2, -3] {
      let day = today.adding(days: days)
      let moment = moment(of: day)
      if moment <= now { return DigestMoment(day: about(day), at: moment) }
    }
    preconditionFailure("three days are more than any clock leaps")
  }

  /// Returns the moment at which the digest about this day is told.
  package func moment(about day: Day) -> Timestamp {
    moment(of: time.minute >= DigestTimes.noon ? day : day.adding(days: 1))
  }

  /// Returns the day that a digest told on this day is about: from noon on the day itself, before noon the day that is
  /// over.
  private func about(_ day: Day) -> Day {
    time.minute >= DigestTimes.noon ? day : day.adding(days: -1)
  }

  /// Returns the moment at which a day begins that a digest is about.
  package func start(of day: Day) -> Timestamp {
    almanac.startOfDay(day, zone) ?? day.startUTC
  }

  private static let noon = 12 * 60

  private func moment(of day: Day) -> Timestamp {
    almanac.moment(day, time.minute, zone)
      ?? Timestamp(milliseconds: day.startUTC.milliseconds + Int64(time.minute) * 60_000)
  }

  private func day(at moment: Timestamp) -> Day {
    almanac.day(moment, zone) ?? moment.dayUTC
  }
}

/// A digest that is to be told.
package struct DigestMoment: Equatable, Sendable {
  /// The day that it is about.
  package let day: Day
  package let at: Timestamp
}

extension Day {
  /// The moment at which the day begins in UTC.
  package var startUTC: Timestamp { Timestamp(milliseconds: Int64(number) * 86_400_000) }
}

extension Timestamp {
  /// The day that a calendar shows in UTC.
  package var dayUTC: Day {
    Day(number: Int(milliseconds).floorDivided(by: 86_400_000))
  }
}

extension Need {
  package static func toDigest(_ user: UserID) -> [Need] {
    let own = StreamID.user(user)
    return [
      .head(own), .object(own, ObjectKey(kind: .profile, id: user.uuid)),
      .object(own, ObjectKey(kind: .settings, id: user.uuid)),
    ]
  }
}

extension World {
  /// Returns the times of a person's digest. Nil when they want none.
  package mutating func digestTimes(
    of user: UserID, _ almanac: Almanac
  ) throws(Halt) -> DigestTimes? {
    try require(Need.toDigest(user))
    guard let time = try settings(of: user).digest, let profile = try profile(of: user) else {
      return nil
    }
    return DigestTimes(time: time, zone: profile.zone, almanac: almanac)
  }

  /// Answers whether something was written since then in any list of the user. It looks at the heads alone, so events
  /// of the user's own count too, and those that a digest does not tell.
  package mutating func hasNews(for user: UserID, since time: Timestamp) throws(Halt) -> Bool {
    let lists = try memberships(of: user).map(\.stream).filter {
      if case .category = $0 { true } else { false }
    }.sorted()
    try require(lists.map { .head($0) })
    for list in lists {
      if let head = try head(of: list), head.at >= time { return true }
    }
    return false
  }
}
