// Says which rows of achievement an event changes. It looks only at the post before and after each op. Something that
// is merely added is one new row. Everything else (a completion that is taken back, a correction, an undo) settles the
// post: its rows are then those that the post itself tells.

extension Event {
  /// Returns the changes of rows that one op of this event makes to the post that it is about. `old` is that post
  /// before it; nil when there was none.
  package func achievements(of op: PostOp, old: Post?, new: Post?) -> [AchievementChange] {
    switch op {
    // A post that goes to another list leaves its rows there. There it brings along rows that no question counts, so
    // that its sums are whole when they change.
    case .movedIn(let post, _): [post.broughtAlong(seq)]
    case .added, .movedOut, .removed, .erased, .purged, .overdue, .moved, .imported,
      .claim, .run:
      []
    case .occurred(_, _, let news, _): [old.flatMap { over(news, $0) }].compactMap { $0 }
    case .edited, .completed, .reopened, .restored, .marked, .step, .contest:
      new.map { changes(from: old, to: $0) } ?? []
    }
  }

  /// Returns the row of an occurrence that was completed.
  private func over(_ news: NextOccurrence, _ old: Post) -> AchievementChange? {
    guard case .completed(let stamp) = news.reason, !old.parts.contains(stamp.by) else {
      return nil
    }
    return .add(
      AchievementRow(
        post: old.id, occurrence: news.over, kind: .completion, user: stamp.by, seq: seq,
        at: moment(of: stamp.at), doneAt: stamp.at, due: old.due))
  }

  /// Returns the moment for which a completion counts. A completion that an undo does again counts for the time at
  /// which it was done, and one that somebody confirmed for the time of this event.
  private func moment(of done: Timestamp) -> Timestamp { undoes.isEmpty ? at : done }

  private func changes(from old: Post?, to new: Post) -> [AchievementChange] {
    let isSameOccurrence = old.map { $0.occurrence?.number == new.occurrence?.number } ?? false
    if isSameOccurrence, !new.tellsAchievement, old?.tellsAchievement == false { return [] }
    let rows = new.achievements(by: self)
    let occurrence = new.occurrence?.number ?? 0
    let settling = AchievementChange.settle(
      AchievementSettling(
        post: new.id, occurrence: occurrence, leaving: old?.occurrence?.number ?? occurrence,
        rows: rows))
    guard let old, isSameOccurrence, let added = rows.added(to: old.achievements(by: self)) else {
      return [settling]
    }
    return added.map { row in
      row.kind == .completion ? .add(row.with(at: moment(of: row.doneAt), due: old.due)) : .add(row)
    }
  }
}

extension [AchievementRow] {
  /// Returns the rows that are more here than there. Nil when something is less, or otherwise.
  fileprivate func added(to before: [AchievementRow]) -> [AchievementRow]? {
    let rows = Dictionary(before.map { ($0.subject, $0) }) { first, _ in first }
    var added: [AchievementRow] = []
    var known = 0
    for row in self {
      guard let old = rows[row.subject] else {
        added.append(row)
        continue
      }
      known += 1
      if row.kind.isSum {
        guard row.value >= old.value else { return nil }
        if row.value > old.value { added.append(row.with(value: row.value - old.value)) }
      } else if row.value != old.value || row.doneAt != old.doneAt {
        return nil
      }
    }
    return known == before.count ? added : nil
  }
}

extension Post {
  /// Returns the change by which a post's rows are in a list where what they tell did not happen. A row that stands
  /// there already keeps its moment; all others are of 1970, about which nobody can ask.
  package func broughtAlong(_ seq: Int64) -> AchievementChange {
    let number = occurrence?.number ?? 0
    let never = Timestamp(milliseconds: 0)
    let rows = achievements(seq, at: never).map {
      $0.with(at: never, due: $0.due)
    }
    return .settle(AchievementSettling(post: id, occurrence: number, leaving: number, rows: rows))
  }

  /// Whether there can be rows of the post's present occurrence.
  fileprivate var tellsAchievement: Bool {
    completed != nil || !parts.isEmpty || contest != nil
  }

  /// Returns the rows that the post tells of its present occurrence, as of this event.
  fileprivate func achievements(by event: Event) -> [AchievementRow] {
    achievements(event.seq, at: event.at)
  }

  private func achievements(_ seq: Int64, at time: Timestamp) -> [AchievementRow] {
    let number = occurrence?.number ?? 0
    func row(
      _ kind: AchievementRow.Kind, _ user: UserID, _ at: Timestamp, value: Int64 = 0
    ) -> AchievementRow {
      AchievementRow(
        post: id, occurrence: number, kind: kind, user: user,
        slot: kind.isSum ? AchievementRow.slot(of: at) : 0, seq: seq, at: at, doneAt: at,
        due: due, value: value)
    }
    var rows = finishes.map { row(.part, $0.part.user, $0.part.at, value: $0.place) }
    // When a person completes a post that is for each by their own part, only that part counts for them.
    if let completed, !parts.contains(completed.by) {
      rows.append(row(.completion, completed.by, completed.at))
    }
    guard let contest else { return rows }
    rows += entries.filter { $0.amount > 0 }.map {
      row(.amount, $0.user, time, value: $0.amount)
    }
    guard contest == .coop else { return rows }
    return rows + stepsByPerson.map { row(.steps, $0.user, time, value: $0.count) }
  }

  /// The completed parts, each with its place in the race: 1, 2, 3 …, as in the standing. The place is 0 without a
  /// race, and where nobody else is in it.
  private var finishes: [(part: PostPart, place: Int64)] {
    guard contest == .race, isAgainstOthers else { return parts.map { ($0, 0) } }
    let finished = parts.sorted { ($0.seq, $0.at) < ($1.seq, $1.at) }
    var places: [(part: PostPart, place: Int64)] = []
    for (index, part) in finished.enumerated() {
      let isEqual = index > 0 && !finished[index - 1].isBefore(part)
      places.append((part, isEqual ? places[index - 1].place : Int64(index + 1)))
    }
    return places
  }

  /// Whether at least two people are assigned, have joined, have said an amount or have finished, and did not withdraw.
  private var isAgainstOthers: Bool {
    var people = Set(assignees.map(\.user) + entries.map(\.user))
    people.subtract(entries.filter { $0.isIn == false }.map(\.user))
    return people.union(parts.map(\.user)).count > 1
  }

  /// The number of steps that each person finished themselves, by user.
  private var stepsByPerson: [(user: UserID, count: Int64)] {
    var counts: [UserID: Int64] = [:]
    for case let finish? in steps.map(\.finished) where !finish.withPost {
      counts[finish.by, default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
