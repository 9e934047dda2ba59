// The standing of a race follows from the post alone (protocol §5.21), so everybody sees the same one.

/// The standing of one person in a race.
package struct RaceStanding: Equatable, Sendable {
  package let user: UserID
  /// 1, 2, 3 …; two people who are equally far share a place. Nil for a person who is still at it in a race without a
  /// goal.
  package let place: Int?
  package let amount: Int64
  /// How far behind the next better person this one is. Nil for who has finished, who is first, and without a goal.
  package let behind: Int64?
  package let isFinished: Bool

  package init(user: UserID, place: Int?, amount: Int64, behind: Int64?, isFinished: Bool) {
    self.user = user
    self.place = place
    self.amount = amount
    self.behind = behind
    self.isFinished = isFinished
  }
}

extension Post {
  /// Returns the standing of these people, who are in the race, the best first. `counting` answers whether a completed
  /// part counts (`Member.holds`).
  package func standing(of people: [UserID], counting: (PostPart) -> Bool) -> [RaceStanding] {
    let finished = parts.filter { people.contains($0.user) && counting($0) }
      .sorted { ($0.seq, $0.at, $0.user) < ($1.seq, $1.at, $1.user) }
    var standing = finished.map { part in
      RaceStanding(
        user: part.user, place: 1 + finished.count { $0.isBefore(part) },
        amount: max(amount(of: part.user), goal?.amount ?? 0), behind: nil, isFinished: true)
    }
    let (amounts, done) = (amounts, Set(finished.map(\.user)))
    let others = people.filter { !done.contains($0) }.map { (user: $0, amount: amounts[$0] ?? 0) }
      .sorted { (-$0.amount, $0.user) < (-$1.amount, $1.user) }
    for (user, amount) in others {
      let better = standing.count { $0.amount > amount || $0.isFinished }
      let next = standing.last { $0.amount > amount || $0.isFinished }
      let hasRank = goal != nil
      standing.append(
        RaceStanding(
          user: user, place: hasRank ? better + 1 : nil, amount: amount,
          behind: hasRank ? next.map { max(0, $0.amount - amount) } : nil, isFinished: false))
    }
    return standing
  }
}

extension PostPart {
  /// Answers whether this part was completed before the other. Parts that came from another list with their post have
  /// the number of one event; the time that the log gave them decides between them.
  func isBefore(_ other: PostPart) -> Bool { (seq, at) < (other.seq, other.at) }
}
