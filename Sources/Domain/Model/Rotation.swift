// Says whose turn an occurrence is, when the assignees of a post do it one after the other (DESIGN §3). All of them
// stay its assignees. The occurrence holds whose turn it is, and how often each has done it. So the next turn is worked
// out from the post alone, once, and stands in the event.

/// The way in which a turn is passed on when an occurrence is completed.
package enum Rotation: String, CaseIterable, Sendable {
  /// The next person has the turn, in the order in which they were given the post.
  case turn
  /// The person who has done it least has the turn; of several the next of them.
  case least
}

/// The number of occurrences that somebody has completed since the post comes again like this.
package struct TurnCount: Equatable, Sendable {
  package let user: UserID
  package let times: Int

  package init(user: UserID, times: Int) {
    self.user = user
    self.times = times
  }
}

extension Occurrence {
  /// Returns this occurrence, the next one, with the turn that follows when somebody has completed the one before.
  /// `pool` holds the people who take turns, in their order. A person who is new among them begins with the lowest
  /// count of the others.
  func turned(by rotation: Rotation, among pool: [UserID], done user: UserID) -> Occurrence {
    guard !pool.isEmpty else { return with(turn: nil, turns: []) }
    let current = whoseTurn(among: pool).flatMap { pool.firstIndex(of: $0) } ?? 0
    let order = (1...pool.count).map { pool[(current + $0) % pool.count] }
    switch rotation {
    case .turn: return with(turn: order[0], turns: [])
    case .least:
      let known = Dictionary(turns.map { ($0.user, $0.times) }) { first, _ in first }
      let fewest = pool.compactMap { known[$0] }.min() ?? 0
      func times(_ one: UserID) -> Int { (known[one] ?? fewest) + (one == user ? 1 : 0) }
      let next = order.min { times($0) < times($1) }
      return with(
        turn: next, turns: pool.sorted().map { TurnCount(user: $0, times: times($0)) })
    }
  }

  /// Returns the person whose turn it is. When nobody is noted, or a person who takes no turns any more, it is the
  /// first.
  func whoseTurn(among pool: [UserID]) -> UserID? {
    turn.flatMap { pool.contains($0) ? $0 : nil } ?? pool.first
  }

  /// Returns the occurrence for a list that only these people are in.
  func kept(for pool: [UserID]) -> Occurrence {
    with(
      turn: turn.flatMap { pool.contains($0) ? $0 : nil },
      turns: turns.filter { pool.contains($0.user) })
  }

  /// Returns the occurrence with the turn and the counts of the other.
  func goingOn(with other: Occurrence) -> Occurrence { with(turn: other.turn, turns: other.turns) }

  private func with(turn: UserID?, turns: [TurnCount]) -> Occurrence {
    Occurrence(
      number: number, due: due, start: start, taken: taken, last: last, turn: turn, turns: turns)
  }
}

extension Post {
  /// Returns the person whose turn it is. Nil when nobody takes turns. `counts` answers whether an assignment counts
  /// (`Member.holds`).
  package func whoseTurn(_ counts: (Assignment) -> Bool) -> UserID? {
    guard repeats?.rotation != nil, completed == nil else { return nil }
    return occurrence?.whoseTurn(among: assignees.pool(counts))
  }
}

extension [Assignment] {
  /// Returns the people whose assignments count, in the order in which they were given the post.
  func pool(_ counts: (Assignment) -> Bool) -> [UserID] {
    filter(counts).sorted { ($0.seq, $0.user) < ($1.seq, $1.user) }.map(\.user)
  }
}
