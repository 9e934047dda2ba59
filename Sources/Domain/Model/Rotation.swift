// Whose turn an occurrence is, of a post that its assignees do one after the other (DESIGN §3). They stay its
// assignees all of them; in the occurrence stands whose turn it is, and how often each has done it. So what comes
// next is worked out of the post alone, once, and stands in the event.

/// How it goes on when an occurrence is completed.
package enum Rotation: String, CaseIterable, Sendable {
  /// Whoever comes next, in the order in which they were given the post.
  case turn
  /// Who has done it least; of several the next of them.
  case least
}

/// How often somebody completed an occurrence, since the post comes again like this.
package struct TurnCount: Equatable, Sendable {
  package let user: UserID
  package let times: Int

  package init(user: UserID, times: Int) {
    self.user = user
    self.times = times
  }
}

extension Occurrence {
  /// The occurrence after this one's completion by somebody. `pool`: who takes turns, in their order. Who is new among
  /// them begins with as many times as whoever has fewest.
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

  /// Whose turn it is: as long as nobody's is noted, or theirs who takes none any more, the first one's.
  func whoseTurn(among pool: [UserID]) -> UserID? {
    turn.flatMap { pool.contains($0) ? $0 : nil } ?? pool.first
  }

  /// In a list where only these are.
  func kept(for pool: [UserID]) -> Occurrence {
    with(
      turn: turn.flatMap { pool.contains($0) ? $0 : nil },
      turns: turns.filter { pool.contains($0.user) })
  }

  /// Whoever's turn it was before, and how often each did it.
  func goingOn(with other: Occurrence) -> Occurrence { with(turn: other.turn, turns: other.turns) }

  private func with(turn: UserID?, turns: [TurnCount]) -> Occurrence {
    Occurrence(
      number: number, due: due, start: start, taken: taken, last: last, turn: turn, turns: turns)
  }
}

extension Post {
  /// Whose turn it is; nil when nobody takes turns. `counts`: whether an assignment does (`Member.holds`).
  package func whoseTurn(_ counts: (Assignment) -> Bool) -> UserID? {
    guard repeats?.rotation != nil, completed == nil else { return nil }
    return occurrence?.whoseTurn(among: assignees.pool(counts))
  }
}

extension [Assignment] {
  /// Those that count, in the order in which they were given it.
  func pool(_ counts: (Assignment) -> Bool) -> [UserID] {
    filter(counts).sorted { ($0.seq, $0.user) < ($1.seq, $1.user) }.map(\.user)
  }
}
