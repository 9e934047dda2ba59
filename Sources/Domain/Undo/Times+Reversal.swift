// Finds single occurrences that were made posts of their own: the occurrence is left out of the series, and the same
// event adds the post. That goes back as a whole or not at all; otherwise the occurrence would be there twice, or
// nowhere. Nothing in the log says that a post was copied from another. So a post that an event adds in front of an
// occurrence that it leaves out is taken to belong to it. In an undo, which may be undone in turn, it is every post
// that came or went along with such occurrences.

/// Posts that go back together.
struct TimesApart {
  /// The posts that come again, and of which an occurrence was left out or is there again.
  var series: Set<ObjectKey> = []
  /// The posts that came or went by that.
  var others: [ObjectKey] = []

  var keys: [ObjectKey] { series + others }

  fileprivate func shares(_ other: TimesApart) -> Bool { keys.contains(where: other.keys.contains) }

  /// Takes over the other's posts. A post that is a series in one of the two is one in both.
  fileprivate mutating func take(_ other: TimesApart) {
    series.formUnion(other.series)
    others = (others + other.others).filter { !series.contains($0) }
  }
}

extension PastEvent {
  /// Returns the sets of posts that go back together. `changes` are the event's own.
  func timesApart(
    _ changes: [PastChange], in stream: StreamID, _ occurrences: OccurrenceHistory
  ) -> [TimesApart] {
    let found =
      event.undoes.isEmpty
      ? event.ops.timesApart(in: stream) : [TimesApart(of: changes, occurrences)]
    return found.filter { !$0.series.isEmpty && !$0.others.isEmpty }
  }
}

extension [Op] {
  /// Returns each post once: sets that share a post go back together.
  fileprivate func timesApart(in stream: StreamID) -> [TimesApart] {
    var found: [TimesApart] = []
    var added: [ObjectKey] = []
    for op in self {
      guard let key = op.touches(in: stream).first else { continue }
      switch op {
      case .post(.added): added.append(key)
      case .post(.occurred(_, _, let news, _)):
        if case .skipped = news.reason {
          var one = TimesApart(series: [key], others: added)
          for other in found where other.shares(one) { one.take(other) }
          found.removeAll { $0.shares(one) }
          found.append(one)
        }
        added = []
      default: continue
      }
    }
    return found
  }
}

extension TimesApart {
  /// Makes one set of everything that an undo did.
  fileprivate init(of changes: [PastChange], _ occurrences: OccurrenceHistory) {
    for change in changes {
      guard case .post(let before) = change.before, case .post(let after) = change.after else {
        continue
      }
      if (before.removed == nil) != (after.removed == nil) {
        others.append(change.key)
      } else if before.isLeftOut(in: after, occurrences) || after.isLeftOut(in: before, occurrences)
      {
        series.insert(change.key)
      }
    }
  }
}

extension Post {
  /// Answers whether the post is at a later occurrence there, and some occurrence between was not completed.
  fileprivate func isLeftOut(in later: Post, _ occurrences: OccurrenceHistory) -> Bool {
    guard let occurrence, let next = later.occurrence, next.follows(occurrence) else {
      return false
    }
    guard let endings = occurrences.endings(of: id, from: occurrence, to: next) else {
      return next.last == nil
    }
    return endings.contains { $0.completed == nil }
  }
}

extension TimesApart {
  /// Answers whether the set may go back when the posts are as they are now (`present`), judged for all of them
  /// together.
  func mayGoBack(_ changes: [PastChange], _ present: [PostID: Post]) -> Bool {
    var isBack = false
    var comesOrGoes = false
    for change in changes where keys.contains(change.key) {
      guard let post = present[PostID(change.key.id)], !post.isGone,
        case .post(let after) = change.after
      else { return false }
      let before: Post? = if case .post(let post)? = change.before { post } else { nil }
      if let before, series.contains(change.key) {
        // A post in the bin has no occurrences.
        if post.removed != nil { return false }
        isBack = isBack || post.hasMoment(of: before)
      } else {
        let wasHere = before.map { $0.removed == nil } ?? false
        guard (post.removed == nil) != wasHere else { continue }
        comesOrGoes = true
        // A post that somebody has changed since it came is theirs.
        if !wasHere, !post.hasContent(of: after) { return false }
      }
    }
    // The occurrence is left out, or there again, for another reason: the post that would go or come is not this one.
    return !(isBack && comesOrGoes)
  }
}
