// A contest lets people do a post against each other (a race) or together (a coop). It lies in the post, on what is
// there already (protocol §5.21): a race is a post that is for each, and whoever completes their part has finished, in
// the order of the log. A coop is a post that all do together: by amounts towards its goal, or by its steps.
//
// Nothing of this makes a version of the post. It is in nobody's way: each person says how far they are themselves.

/// The way in which people measure themselves at a post.
package enum Contest: String, CaseIterable, Sendable {
  /// Everybody does it, and the first who has done it is first.
  case race
  /// All do it together.
  case coop
}

/// How much there is to do: 300 pages.
package struct Goal: Equatable, Sendable {
  /// 1 to `Limits.amountMax`.
  package let amount: Int64
  /// The unit, in words of people. Empty where the text of the post was erased; nobody can write an empty one.
  package let unit: String

  package init(amount: Int64, unit: String) {
    self.amount = amount
    self.unit = unit
  }

  var withoutText: Goal { Goal(amount: amount, unit: "") }
}

/// The things that one person has said about their own part in a contest.
package struct ContestEntry: Hashable, Sendable {
  package let user: UserID
  /// The event that said last whether this person is in, or else how far they are.
  package let seq: Int64
  /// How far this person is, 0 to `Limits.amountMax`.
  package let amount: Int64
  /// True for who joined the race, false for who withdrew from it. Nil: they are in it if the post is theirs to do.
  package let isIn: Bool?

  package init(user: UserID, seq: Int64, amount: Int64 = 0, isIn: Bool? = nil) {
    self.user = user
    self.seq = seq
    self.amount = amount
    self.isIn = isIn
  }
}

/// The person who has taken a step of a coop, and the event that says so. It keeps others from taking the step, not
/// from finishing it.
package struct StepShare: Hashable, Sendable {
  package let step: StepID
  package let user: UserID
  package let seq: Int64

  package init(step: StepID, user: UserID, seq: Int64) {
    self.step = step
    self.user = user
    self.seq = seq
  }
}

extension Member {
  /// Answers whether the member's word about being in the race counts, as a `PostPart` does. Their amount counts also
  /// when they have come in anew: it is what they have done.
  package func holds(_ entry: ContestEntry) -> Bool { role != nil && joinedSeq <= entry.seq }

  /// Answers whether this share of the member counts: they are still a member who may have one.
  package func holds(_ share: StepShare) -> Bool {
    guard let role, Permission.allows(role, .contest(.claim)) else { return false }
    return joinedSeq <= share.seq
  }
}

/// The contest of a post that has one.
indirect enum PostContest: Equatable, Sendable {
  case of(Contest, goal: Goal?, entries: [ContestEntry], shares: [StepShare])
}

extension Post {
  package var contest: Contest? {
    get {
      guard case .of(let contest, _, _, _)? = contesting else { return nil }
      return contest
    }
    set { contesting = newValue.map { .of($0, goal: goal, entries: entries, shares: shares) } }
  }

  /// The goal. Only a post with a contest has one; in any other it stays nil.
  package var goal: Goal? {
    get {
      guard case .of(_, let goal, _, _)? = contesting else { return nil }
      return goal
    }
    set {
      guard let contest else { return }
      contesting = .of(contest, goal: newValue, entries: entries, shares: shares)
    }
  }

  /// The entries by user, each user once. None is without both amount and word about being in. Only a post with a
  /// contest has them.
  package var entries: [ContestEntry] {
    get {
      guard case .of(_, _, let entries, _)? = contesting else { return [] }
      return entries
    }
    set {
      guard let contest else { return }
      contesting = .of(contest, goal: goal, entries: newValue, shares: shares)
    }
  }

  /// The shares by step, each step once. Only a post with a contest has them.
  package var shares: [StepShare] {
    get {
      guard case .of(_, _, _, let shares)? = contesting else { return [] }
      return shares
    }
    set {
      guard let contest else { return }
      contesting = .of(contest, goal: goal, entries: entries, shares: newValue)
    }
  }

  /// Whether the member has joined the race, or withdrawn from it. Nil when they have said neither.
  func isInRace(_ member: Member) -> Bool? {
    guard contest == .race else { return nil }
    return entries.first { $0.user == member.id && member.holds($0) }?.isIn
  }

  /// How far a person is. 0 where nothing was said.
  package func amount(of user: UserID) -> Int64 {
    entries.first { $0.user == user }?.amount ?? 0
  }

  /// Whether there is room for what this person says.
  func hasRoom(for user: UserID) -> Bool {
    entries.count < Limits.entriesPerPostMax || entries.contains { $0.user == user }
  }

  /// All amounts together, also those of people who left. It is at most `Limits.entriesPerPostMax` ×
  /// `Limits.amountMax`.
  package var contestTotal: Int64 { entries.reduce(0) { $0 + $1.amount } }

  /// Whether people have done something of the contest, or their part of the post.
  var hasContestWork: Bool {
    !parts.isEmpty || !shares.isEmpty || entries.contains { $0.amount > 0 }
  }

  /// Takes everything back that people have said in the contest.
  mutating func clearContest() {
    entries = []
    shares = []
  }

  /// Takes the amounts back. The words of people who joined or withdrew stay.
  mutating func clearAmounts() {
    entries = entries.compactMap { entry in
      entry.isIn.map { ContestEntry(user: entry.user, seq: entry.seq, isIn: $0) }
    }
  }
}

extension [ContestEntry] {
  /// Returns the entries with this one, by user, each user once. An entry that says nothing is left out.
  func with(_ entry: ContestEntry) -> [ContestEntry] {
    let isSaid = entry.amount > 0 || entry.isIn != nil
    return (filter { $0.user != entry.user } + (isSaid ? [entry] : [])).sorted { $0.user < $1.user }
  }
}

extension [StepShare] {
  /// Returns the shares with this one, by step, each step once.
  func with(_ share: StepShare) -> [StepShare] {
    (filter { $0.step != share.step } + [share]).sorted { $0.step < $1.step }
  }
}
