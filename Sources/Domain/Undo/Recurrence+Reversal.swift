// Takes back what an event did to the occurrences of a post. Its due, its repetition and the finishes of its steps go
// back together or not at all. An occurrence comes back only when the one after it is still the present one, due when
// it was, and nobody has begun it. So no later completion is undone with it, and nothing that was done counts for
// another time than it was done for. An occurrence that comes back has its own number, so it can be completed again,
// once.

/// The way in which an undo treats due, repetition and finishes.
enum MomentReversal {
  case goesBack
  /// They are as they were before.
  case isBack
  case stays
}

extension Post {
  /// Answers how an undo treats the event's changes of due, repetition and finishes. `self` is the post as it is now.
  func momentReversal(from after: Post, to before: Post) -> MomentReversal {
    let (then, now) = (before.repeats?.number, after.repeats?.number)
    if then != now {
      if hasMoment(of: before) { return .isBack }
      // A repetition that is set or cleared takes no completed work along.
      let isBegun =
        then != nil && now != nil && (!hasProgress(of: after) || completed != after.completed)
      let isWorkedOn = contest != nil && hasWork(since: after)
      return hasMoment(of: after) && !isBegun && !isWorkedOn ? .goesBack : .stays
    }
    if now == repeats?.number { return .goesBack }
    // The event is about another occurrence than the present one.
    let isNone = after.due == before.due && after.finishes(otherThanIn: before).isEmpty
    return isNone ? .goesBack : .stays
  }

  /// Answers whether the completion that the event made or took away may go back. It may not when the post comes again
  /// in another way now, or when more has been done of this occurrence.
  func completionGoesBack(from after: Post, to before: Post) -> Bool {
    if after.completed == before.completed || completed == before.completed { return true }
    guard repeats?.number == after.repeats?.number else { return false }
    return repeats == nil || hasProgress(of: after)
  }

  private func hasProgress(of other: Post) -> Bool {
    finishes(otherThanIn: other).isEmpty && submitted == other.submitted && parts == other.parts
      && amounts == other.amounts
  }

  /// Returns the post with the due, repetition and finishes that an event gave it. The other fields may go back.
  func keepingMoment(of after: Post) -> Post {
    var kept = self
    kept.due = after.due
    kept.repeats = after.repeats
    kept.submitted = after.submitted
    kept.parts = after.parts
    kept.keepAmounts(of: after)
    for index in kept.steps.indices {
      // A step that was removed comes back open: it was finished for another occurrence.
      kept.steps[index].finished = after.step(kept.steps[index].id)?.finished
    }
    return kept
  }

  /// Sets submission and parts when the repetition or the mode is another one than now. Only what was done of the
  /// occurrence that comes back is there again.
  mutating func leaveProgress(of now: Post, for before: Post) {
    let isTurned = occurrence?.number != now.occurrence?.number
    let isBack = occurrence?.number == before.occurrence?.number
    if isTurned { submitted = isBack ? before.submitted : nil }
    if isTurned || mode != now.mode {
      parts = isBack && mode == before.mode ? before.parts : []
    }
    if isTurned || mode != now.mode || !hasContest(of: now) {
      let isSame = isBack && mode == before.mode && hasContest(of: before)
      entries = isSame ? before.entries : []
      shares = isSame ? before.shares : []
    }
  }

  func hasMoment(of other: Post) -> Bool {
    due == other.due && repeats == other.repeats
  }

  /// Answers in which direction an undo turns the post: +1 to a later occurrence of the same repetition, −1 to an
  /// earlier one, 0 for neither.
  func turns(to wanted: Post) -> Int {
    guard let repeats, let then = wanted.repeats, repeats.asks(then), let occurrence,
      let other = wanted.occurrence
    else { return 0 }
    return other.follows(occurrence) ? 1 : occurrence.follows(other) ? -1 : 0
  }

  /// Answers whether people have set everything alike in both, apart from occurrences.
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
