// The rates of what one user may do, over all their connections. Those are on any loop, so each rate is counted in one
// place for each user. The reader of the user counts hellos, because each costs reads of all streams (protocol §13,
// hellosPerMinute). It also counts questions about the past (historyPerMinute) and pages of exports
// (exportPagesPerMinute). The ledger counts commands (userCommandsPerSecond), and lines of talk among them
// (linesPerMinute).

package import Domain

/// The limits of one action for people and for bots. Each user has a bucket.
package struct KindLimits: Sendable {
  private var people: UserLimits
  private var bots: UserLimits

  package init(people: TokenRate, bots: TokenRate, restMilliseconds: Int64 = 0) {
    self.people = UserLimits(people, restMilliseconds: restMilliseconds)
    self.bots = UserLimits(bots, restMilliseconds: restMilliseconds)
  }

  /// Makes limits of the same rates as one connection has.
  package init(_ rules: SessionRules) {
    self.init(people: rules.rate, bots: rules.botRate)
  }

  /// Makes the limits of lines of talk.
  package static func lines(restMilliseconds: Int64 = 0) -> KindLimits {
    KindLimits(people: .lines, bots: .botLines, restMilliseconds: restMilliseconds)
  }

  package func rate(of kind: UserKind) -> TokenRate {
    switch kind {
    case .person: people.rate
    case .bot: bots.rate
    }
  }

  /// Takes tokens for an action, as `UserLimits.tryNow` does.
  package mutating func tryNow(
    _ user: UserID, _ kind: UserKind, cost: Int = 1, at now: Int64
  ) -> Int64? {
    switch kind {
    case .person: people.tryNow(user, cost: cost, at: now)
    case .bot: bots.tryNow(user, cost: cost, at: now)
    }
  }
}

extension KindLimits {
  /// Returns the rest of a user, as `UserLimits.rest` does.
  package func rest(of user: UserID, _ kind: UserKind, at now: Int64) -> Int64? {
    switch kind {
    case .person: people.rest(of: user, at: now)
    case .bot: bots.rest(of: user, at: now)
    }
  }

  /// Lets a user rest, as `UserLimits.rest(_:for:at:)` does.
  package mutating func rest(
    _ user: UserID, _ kind: UserKind, for milliseconds: Int64, at now: Int64
  ) {
    switch kind {
    case .person: people.rest(user, for: milliseconds, at: now)
    case .bot: bots.rest(user, for: milliseconds, at: now)
    }
  }

  /// Takes more tokens for an action that is done, as `UserLimits.charge` does.
  package mutating func charge(_ user: UserID, _ kind: UserKind, _ count: Int, at now: Int64) {
    switch kind {
    case .person: people.charge(user, count, at: now)
    case .bot: bots.charge(user, count, at: now)
    }
  }
}

/// The limits of one action: a bucket for each user who has taken something lately.
package struct UserLimits: Sendable {
  package let rate: TokenRate
  /// The time of `SessionRules.restMilliseconds`; 0 where the order of refused requests does not matter.
  private let restMilliseconds: Int64
  private var buckets: [UserID: TokenBucket] = [:]
  private var restsUntil: [UserID: Int64] = [:]
  private var sweepAt = UserLimits.bucketsBeforeSweep

  private static let bucketsBeforeSweep = 4_096

  package init(_ rate: TokenRate, restMilliseconds: Int64 = 0) {
    self.rate = rate
    self.restMilliseconds = restMilliseconds
  }

  /// Takes the cost and returns nil, or returns the milliseconds after which to come back. A cost of more than a full
  /// bucket counts as a full one.
  package mutating func tryNow(_ user: UserID, cost: Int = 1, at now: Int64) -> Int64? {
    sweep(at: now)
    if let until = restsUntil[user] {
      guard now >= until else { return until - now }
      restsUntil[user] = nil
    }
    let count = min(Int64(cost), rate.burst)
    guard
      let after = buckets[user, default: TokenBucket(rate, at: now)]
        .take(rate, count: count, at: now)
    else { return nil }
    guard restMilliseconds > 0 else { return after }
    let rest = max(after, restMilliseconds)
    restsUntil[user] = now + rest
    return rest
  }

  /// Returns the milliseconds for which everything of this user is refused, because something was; nil for none.
  package func rest(of user: UserID, at now: Int64) -> Int64? {
    guard let until = restsUntil[user], now < until else { return nil }
    return until - now
  }

  /// Lets a user rest for so many milliseconds from now on, and no shorter than until now.
  package mutating func rest(_ user: UserID, for milliseconds: Int64, at now: Int64) {
    guard restMilliseconds > 0 else { return }
    restsUntil[user] = max(restsUntil[user] ?? 0, now + milliseconds)
  }

  /// Takes tokens for an action that turned out to cost more than was taken for it.
  package mutating func charge(_ user: UserID, _ count: Int, at now: Int64) {
    guard count > 0 else { return }
    buckets[user, default: TokenBucket(rate, at: now)].charge(rate, count: Int64(count), at: now)
  }

  /// Drops full buckets, which are as good as none.
  private mutating func sweep(at now: Int64) {
    guard buckets.count >= sweepAt else { return }
    for (user, bucket) in buckets {
      var bucket = bucket
      if bucket.isFull(rate, at: now) { buckets[user] = nil }
    }
    restsUntil = restsUntil.filter { $0.value > now }
    sweepAt = max(UserLimits.bucketsBeforeSweep, buckets.count * 2)
  }
}

extension TokenRate {
  /// The rate of one person for lines of talk.
  package static let lines = TokenRate.perMinute(Limits.linesPerMinute)
  /// The rate of one bot.
  package static let botLines = TokenRate.perMinute(Limits.botLinesPerMinute)

  /// Returns the rate of so many in a minute, and as many at once.
  private static func perMinute(_ count: Int) -> TokenRate {
    TokenRate(count: Int64(count), everyMilliseconds: 60_000, burst: Int64(count))
  }
}
