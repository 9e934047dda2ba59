// Taking back what an event did to the occurrences of a post. Its due, its repetition and the finishes of its steps
// go back together or not at all: an occurrence comes back only when the one after it is still the one that is there,
// due when it was, and nobody has begun it, so that no later completion is undone with it and nothing that was done
// is of another time than it was done for. Coming back it has its own number, so it can be completed again, once.

/// What becomes of due, repetition and finishes in an undo.
enum MomentReversal {
  case goesBack
  /// They are as they were before.
  case isBack
  case stays
}

extension Post {
  /// Of what the event did to due, repetition and finishes. `self`: as it is now.
  func momentReversal(from after: Post, to before: Post) -> MomentReversal {
    let (then, now) = (before.repeats?.number, after.repeats?.number)
    if then != now {
      if hasMoment(of: before) { return .isBack }
      // A repetition that is set or cleared takes nothing along that was done.
      let isBegun =
        then != nil && now != nil && (!hasProgress(of: after) || completed != after.completed)
      return hasMoment(of: after) && !isBegun ? .goesBack : .stays
    }
    if now == repeats?.number { return .goesBack }
    // Of another occurrence than the one of now.
    let isNone = after.due == before.due && after.finishes(otherThanIn: before).isEmpty
    return isNone ? .goesBack : .stays
  }

  /// Whether the completion that the event made or took away may go back: not of a post that comes again in another way
  /// now, nor where more has been done of this time.
  func completionGoesBack(from after: Post, to before: Post) -> Bool {
    if after.completed == before.completed || completed == before.completed { return true }
    guard repeats?.number == after.repeats?.number else { return false }
    return repeats == nil || hasProgress(of: after)
  }

  private func hasProgress(of other: Post) -> Bool {
    finishes(otherThanIn: other).isEmpty && submitted == other.submitted && parts == other.parts
  }

  /// What an event made of due, repetition and finishes stays; the rest of it may go back.
  func keepingMoment(of after: Post) -> Post {
    var kept = self
    kept.due = after.due
    kept.repeats = after.repeats
    kept.submitted = after.submitted
    kept.parts = after.parts
    for index in kept.steps.indices {
      // One that was removed comes back open: it was finished in another time.
      kept.steps[index].finished = after.step(kept.steps[index].id)?.finished
    }
    return kept
  }

  /// With another repetition or mode than now, what was done goes, too: only what was done of the one that comes back
  /// is there again.
  mutating func leaveProgress(of now: Post, for before: Post) {
    let isTurned = occurrence?.number != now.occurrence?.number
    let isBack = occurrence?.number == before.occurrence?.number
    if isTurned { submitted = isBack ? before.submitted : nil }
    if isTurned || mode != now.mode {
      parts = isBack && mode == before.mode ? before.parts : []
    }
  }

  func hasMoment(of other: Post) -> Bool {
    due == other.due && repeats == other.repeats
  }

  /// Of an undo: +1 to a later occurrence of the same repetition, −1 to an earlier one, 0 for neither.
  func turns(to wanted: Post) -> Int {
    guard let repeats, let then = wanted.repeats, repeats.asks(then), let occurrence,
      let other = wanted.occurrence
    else { return 0 }
    return other.follows(occurrence) ? 1 : occurrence.follows(other) ? -1 : 0
  }

  /// Whether people have set alike in both what is not a matter of occurrences.
  func hasFieldsBesideOccurrence(of other: Post) -> Bool {
    var post = self
    post.due = other.due
    post.repeats = other.repeats
    return post.hasFields(of: other) && hasSteps(of: other) && hasSets(of: other)
  }
}

extension Repetition {
  fileprivate var number: Int? { occurrence?.number }
}
