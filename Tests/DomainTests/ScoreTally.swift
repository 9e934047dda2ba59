// Counts what people have completed in a list from its log alone, the slow way: it reads the whole log and keeps
// everything. The rows of achievement must say the same.

@testable import Domain

/// Gathers one list's events of a span of time, the newest first.
struct ScoreTally: Sendable {
  /// The number of posts that each person added. Posts that the system added are left out.
  private(set) var added: [UserID: Int] = [:]
  /// The number of posts that anybody added, the system included.
  private(set) var addedInAll = 0
  private let start: Timestamp
  private let deadline: @Sendable (Due) -> Timestamp?
  /// The events that matter, the newest first.
  private var doings: [Doing] = []

  /// Begins a tally. Nothing before `start` counts. Deadlines are those of the list's present zone.
  init(start: Timestamp, categoryZone: String, almanac: Almanac) {
    self.start = start
    deadline = { $0.deadline(categoryZone: categoryZone, almanac: almanac) }
  }

  /// Adds an event. `before` holds, for each op, the object that it is about, as it was before; it is empty unless the
  /// event `asksWhatWas`.
  mutating func add(_ event: Event, before: [Object?]) {
    for (index, op) in event.ops.enumerated().reversed() {
      let was = before.indices.contains(index) ? before[index]?.post : nil
      switch op {
      case .post(.added):
        addedInAll += 1
        if let by = event.by { added[by, default: 0] += 1 }
      case .post(.completed(let id, _, let stamp, _)):
        close(
          Turn(post: id, occurrence: was?.occurrence?.number), stamp, event, was, isForGood: true)
      case .post(.occurred(let id, _, let news, _)):
        guard case .completed(let stamp) = news.reason else { break }
        close(Turn(post: id, occurrence: news.over), stamp, event, was)
      case .post(.marked(let id, _, .partCompleted(let user))):
        let turn = Turn(post: id, occurrence: was?.occurrence?.number)
        doings.append(.part(turn, achievement(of: user, at: event.at, doneAt: event.at, was)))
      case .post(.marked(let id, _, .partReopened(let user))):
        doings.append(.partOpened(Turn(post: id, occurrence: was?.occurrence?.number), user))
      case .post(.reopened(let post, _)), .post(.restored(let post, _)): stand(post)
      case .post(.edited(let id, _, let edit)):
        // An undo may set an earlier occurrence back.
        guard case .set(let repeats) = edit.repeats, let now = repeats.occurrence else { break }
        doings.append(.goesBack(Turn(post: id, occurrence: now.number)))
      default: break
      }
    }
  }

  /// The completions that count, in no order.
  var held: [Achievement] {
    var score = Score(start: start)
    for doing in doings.reversed() { score.apply(doing) }
    return score.all
  }

  /// Notes a completion. When a person completes a post that is for each by their own part, only that part counts for
  /// them. A completion that an undo repeats counts at the time at which it was done.
  private mutating func close(
    _ turn: Turn, _ stamp: Stamp, _ event: Event, _ was: Post?, isForGood: Bool = false
  ) {
    let at = event.undoes.isEmpty ? event.at : stamp.at
    guard was?.parts.contains(stamp.by) != true, at >= start else { return }
    let it = achievement(of: stamp.by, at: at, doneAt: stamp.at, was)
    doings.append(.closed(turn, it, isForGood: isForGood))
  }

  /// Notes a post that came back whole. It says itself which completions it has.
  private mutating func stand(_ post: Post) {
    var closed: Achievement?
    if let completed = post.completed, !post.parts.contains(completed.by) {
      closed = achievement(of: completed.by, at: completed.at, doneAt: completed.at, post)
    }
    doings.append(
      .stands(
        Turn(post: post.id, occurrence: post.occurrence?.number), closed,
        post.parts.map { achievement(of: $0.user, at: $0.at, doneAt: $0.at, post) }))
  }

  private func achievement(
    of user: UserID, at: Timestamp, doneAt: Timestamp, _ post: Post?
  ) -> Achievement {
    let due = post?.due.flatMap { deadline($0) }
    return Achievement(
      user: user, at: at, lateness: due.map { doneAt.milliseconds - $0.milliseconds })
  }
}

extension Event {
  /// Whether it has completions for which the post before it is needed: it tells which deadline and which occurrence
  /// counted.
  var asksWhatWas: Bool {
    ops.contains { op in
      switch op {
      case .post(.completed), .post(.marked(_, _, .partCompleted)),
        .post(.marked(_, _, .partReopened)):
        true
      case .post(.occurred(_, _, let news, _)):
        if case .completed = news.reason { true } else { false }
      default: false
      }
    }
  }
}

extension Object {
  fileprivate var post: Post? {
    guard case .post(let it) = self else { return nil }
    return it
  }
}

/// A post, or an occurrence of it, that can be completed once.
private struct Turn: Hashable {
  let post: PostID
  /// The number of the occurrence. Nil for a post that does not come again.
  let occurrence: Int?

  /// Answers whether this one cannot have been completed for good when the post stands at `present`. It is so for a
  /// later occurrence, which an undo of several took away too, and for the whole post, when it came again only
  /// afterwards.
  func isAhead(of present: Turn) -> Bool {
    guard post == present.post, self != present else { return false }
    return occurrence == nil || present.occurrence.map { $0 < occurrence ?? 0 } ?? false
  }
}

extension Turn {
  fileprivate func isLater(than other: Turn) -> Bool { occurrence ?? 0 > other.occurrence ?? 0 }
}

private enum Doing {
  /// `isForGood` is true when the whole post was completed.
  case closed(Turn, Achievement, isForGood: Bool)
  case part(Turn, Achievement)
  case partOpened(Turn, UserID)
  /// Later occurrences have not happened.
  case goesBack(Turn)
  /// The post has these completions from then on. All others are taken back.
  case stands(Turn, Achievement?, [Achievement])
}

/// The completions that count after some events.
private struct Score {
  let start: Timestamp
  private var closed: [PostID: [Turn: Achievement]] = [:]
  /// The occurrence with which the post was completed for good. When the post is opened it may stand at another one, if
  /// its recurrence was set meanwhile.
  private var last: [PostID: Turn] = [:]
  private var parts: [PostID: [Turn: [UserID: Achievement]]] = [:]

  init(start: Timestamp) { self.start = start }

  var all: [Achievement] {
    closed.values.flatMap(\.values) + parts.values.flatMap(\.values).flatMap(\.values)
  }

  mutating func apply(_ doing: Doing) {
    switch doing {
    case .closed(let turn, let it, let isForGood):
      closed[turn.post, default: [:]][turn] = it
      if isForGood { last[turn.post] = turn }
    case .part(let turn, let it):
      parts[turn.post, default: [:]][turn, default: [:]][it.user] = it
    case .partOpened(let turn, let user): parts[turn.post]?[turn]?[user] = nil
    case .goesBack(let turn):
      closed[turn.post] = closed[turn.post]?.filter { !$0.key.isLater(than: turn) }
      parts[turn.post] = parts[turn.post]?.filter { !$0.key.isLater(than: turn) }
    case .stands(let turn, let whole, let theirs):
      var turns = (closed[turn.post] ?? [:]).filter { !$0.key.isAhead(of: turn) }
      let before = last.removeValue(forKey: turn.post).flatMap { turns.removeValue(forKey: $0) }
      turns[turn] = whole.flatMap { kept(before ?? turns[turn], or: $0) }
      closed[turn.post] = turns
      if whole != nil { last[turn.post] = turn }
      var others = (parts[turn.post] ?? [:]).filter { !$0.key.isAhead(of: turn) }
      var present: [UserID: Achievement] = [:]
      for it in theirs { present[it.user] = kept(others[turn]?[it.user], or: it) }
      others[turn] = present
      parts[turn.post] = others
    }
  }

  /// Chooses between two completions by the same person. The one that was counted already has the right time. One from
  /// before the span does not count.
  private func kept(_ known: Achievement?, or told: Achievement) -> Achievement? {
    if let known, known.user == told.user { return known }
    return told.at >= start ? told : nil
  }
}
