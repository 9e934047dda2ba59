// The rows by which achievement is counted (protocol §8, stats.get): one for each completion, each person's own part,
// each amount and the steps of each coop. The ledger writes them in the transaction of the event that says so, and
// takes them back when the post says otherwise. So a table of a year costs a look at these rows and no walk through
// logs.
//
// A row holds no text of people, and not the day on which it counts: the zone of who asks says that.

/// One row of achievement in a list.
package struct AchievementRow: Hashable, Sendable {
  package enum Kind: Int64, CaseIterable, Sendable {
    /// A completion of the post, or of one of its occurrences.
    case completion = 1
    /// A person's own part of a post that is for each. In a race it is a finish.
    case part = 2
    /// The amount that a person has added to theirs in a contest.
    case amount = 3
    /// The steps of a coop that a person finished.
    case steps = 4

    /// Whether rows of this kind are added up. Of the others a person has one for each occurrence.
    package var isSum: Bool { self == .amount || self == .steps }
  }

  package let post: PostID
  /// The number of the occurrence, from 1. It is 0 for a post that does not come again.
  package let occurrence: Int
  package let kind: Kind
  package let user: UserID
  /// The quarter of an hour since 1970 to which a sum belongs; otherwise 0. All midnights of the world lie between two
  /// quarters, and a person has at most 96 rows of a post a day.
  package let slot: Int64
  /// The event that said it last.
  package let seq: Int64
  /// The moment for which it counts.
  package let at: Timestamp
  /// The moment at which it was done. It is earlier than `at` when somebody confirmed it.
  package let doneAt: Timestamp
  /// The due that the post had then.
  package let due: Due?
  /// The place in a race of a part, from 1; the amount; the number of steps; otherwise 0.
  package let value: Int64

  package init(
    post: PostID, occurrence: Int = 0, kind: Kind, user: UserID, slot: Int64 = 0, seq: Int64,
    at: Timestamp, doneAt: Timestamp, due: Due? = nil, value: Int64 = 0
  ) {
    self.post = post
    self.occurrence = occurrence
    self.kind = kind
    self.user = user
    self.slot = slot
    self.seq = seq
    self.at = at
    self.doneAt = doneAt
    self.due = due
    self.value = value
  }

  /// Returns the quarter of an hour with this time.
  static func slot(of time: Timestamp) -> Int64 { time.milliseconds / 900_000 }

  /// The thing that a row of an occurrence is about.
  struct Subject: Hashable {
    let kind: Kind
    let user: UserID
  }

  var subject: Subject { Subject(kind: kind, user: user) }

  func with(at: Timestamp, due: Due?) -> AchievementRow {
    AchievementRow(
      post: post, occurrence: occurrence, kind: kind, user: user, slot: slot, seq: seq, at: at,
      doneAt: doneAt, due: due, value: value)
  }

  package func with(value: Int64, occurrence: Int? = nil) -> AchievementRow {
    AchievementRow(
      post: post, occurrence: occurrence ?? self.occurrence, kind: kind, user: user, slot: slot,
      seq: seq, at: at, doneAt: doneAt, due: due, value: value)
  }
}

/// One change of the rows of a post.
package enum AchievementChange: Equatable, Sendable {
  /// The row is new. A sum is added to the row of the same quarter of an hour, and any other row replaces the one of
  /// the same occurrence, kind and user.
  case add(AchievementRow)
  case settle(AchievementSettling)

  package var post: PostID {
    switch self {
    case .add(let row): row.post
    case .settle(let it): it.post
    }
  }
}

/// A post that says itself what there is of its present occurrence. Later occurrences have not happened.
package struct AchievementSettling: Equatable, Sendable {
  package let post: PostID
  /// The present occurrence; 0 when the post does not come again.
  package let occurrence: Int
  /// The occurrence at which the post stood before.
  package let leaving: Int
  package let rows: [AchievementRow]

  package init(post: PostID, occurrence: Int, leaving: Int, rows: [AchievementRow]) {
    (self.post, self.occurrence, self.leaving, self.rows) = (post, occurrence, leaving, rows)
  }

  /// The occurrences at whose rows the change looks: the present one, the one before it, and all later ones. The rows
  /// of a post that did not come again when it was completed are always among them.
  package var occurrences: [ClosedRange<Int>] {
    let first = [occurrence, leaving].filter { $0 > 0 }.min()
    return [0...0] + (first.map { [$0...Int.max] } ?? [])
  }

  /// Returns the rows of the present occurrence, where `touched` are all rows of `occurrences`. A row that stays keeps
  /// its moment. A sum that has become smaller loses what was added last.
  package func settled(_ touched: [AchievementRow]) -> [AchievementRow] {
    let known = Dictionary(grouping: touched, by: \.subject)
    return rows.flatMap { row -> [AchievementRow] in
      let known = known[row.subject] ?? []
      let present = known.filter { $0.occurrence == occurrence }
      if row.kind.isSum { return present.summing(to: row) }
      guard let kept = present.first ?? known.max(by: { $0.occurrence < $1.occurrence }) else {
        return [row]
      }
      return [kept.with(value: row.value, occurrence: occurrence)]
    }
  }
}

extension [AchievementRow] {
  /// Applies a change to the rows of one post.
  package mutating func apply(_ change: AchievementChange) {
    switch change {
    case .add(let row):
      let index = firstIndex { $0.hasKey(of: row) }
      guard let index else { return append(row) }
      self[index] = row.over(self[index])
    case .settle(let it):
      let isTouched = { (row: AchievementRow) in
        it.occurrences.contains { $0.contains(row.occurrence) }
      }
      self = filter { !isTouched($0) } + it.settled(filter(isTouched))
    }
  }

  /// Returns rows whose values add up to the value of `total`.
  fileprivate func summing(to total: AchievementRow) -> [AchievementRow] {
    var rows = sorted { $0.slot < $1.slot }
    // A post tells no more than the greatest amount; a sum beyond it would be damage, and ends nothing.
    var excess = rows.reduce(0) { Swift.min($0 + $1.value, Limits.amountMax) } - total.value
    while excess > 0, let newest = rows.popLast() {
      if newest.value > excess { rows.append(newest.with(value: newest.value - excess)) }
      excess -= Swift.min(excess, newest.value)
    }
    if excess < 0 { rows.apply(.add(total.with(value: -excess))) }
    return rows
  }
}

extension AchievementRow {
  /// Answers whether the two stand in one place.
  fileprivate func hasKey(of other: AchievementRow) -> Bool {
    post == other.post && occurrence == other.occurrence && subject == other.subject
      && slot == other.slot
  }

  /// Returns what stands there when this row comes where the other one is.
  fileprivate func over(_ old: AchievementRow) -> AchievementRow {
    guard kind.isSum else { return self }
    return AchievementRow(
      post: post, occurrence: occurrence, kind: kind, user: user, slot: slot, seq: seq, at: old.at,
      doneAt: old.doneAt, due: old.due, value: min(old.value + value, Limits.amountMax))
  }
}
