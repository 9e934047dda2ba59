// One time of a post that comes again, made a post of its own: the time is left out of the series, and the same event
// adds the post. That goes back as a whole or not at all, else the time would be there twice, or nowhere. Nothing in
// the log says that a post was copied from another, so what an event adds in front of a time that it leaves out is
// taken to belong to it; and of an undo, which may be undone in turn, whatever came or went with such times.

/// Posts that go back together.
struct TimesApart {
  /// Of which a time was left out, or is there again.
  var series: Set<ObjectKey> = []
  /// Which came by that, or went.
  var others: [ObjectKey] = []

  var keys: [ObjectKey] { series + others }

  fileprivate func shares(_ other: TimesApart) -> Bool { keys.contains(where: other.keys.contains) }

  /// A post that is a series in one of them is one in both.
  fileprivate mutating func take(_ other: TimesApart) {
    series.formUnion(other.series)
    others = (others + other.others).filter { !series.contains($0) }
  }
}

extension PastEvent {
  /// `changes`: what the event did.
  func timesApart(
    _ changes: [PastChange], in stream: StreamID, _ course: Course
  ) -> [TimesApart] {
    let found =
      event.undoes.isEmpty ? event.ops.timesApart(in: stream) : [TimesApart(of: changes, course)]
    return found.filter { !$0.series.isEmpty && !$0.others.isEmpty }
  }
}

extension [Op] {
  /// Each post once: what shares one goes back together.
  fileprivate func timesApart(in stream: StreamID) -> [TimesApart] {
    var found: [TimesApart] = []
    var added: [ObjectKey] = []
    for op in self {
      guard let key = op.touches(in: stream).first else { continue }
      switch op {
      case .postAdded: added.append(key)
      case .postOccurred(_, _, let news, _):
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
  /// What an undo did, all together.
  fileprivate init(of changes: [PastChange], _ course: Course) {
    for change in changes {
      guard case .post(let before) = change.before, case .post(let after) = change.after else {
        continue
      }
      if (before.removed == nil) != (after.removed == nil) {
        others.append(change.key)
      } else if before.isLeftOut(in: after, course) || after.isLeftOut(in: before, course) {
        series.insert(change.key)
      }
    }
  }
}

extension Post {
  /// Whether its time there is a later one, and nobody has completed one of those before that.
  fileprivate func isLeftOut(in later: Post, _ course: Course) -> Bool {
    guard let occurrence, let next = later.occurrence, next.follows(occurrence) else {
      return false
    }
    guard let endings = course.endings(of: id, from: occurrence, to: next) else {
      return next.last == nil
    }
    return endings.contains { $0.completed == nil }
  }
}

extension TimesApart {
  /// Whether it may go back as the posts are now (`present`), as far as that is a matter of all of them together.
  func mayGoBack(_ changes: [PastChange], _ present: [PostID: Post]) -> Bool {
    var isBack = false
    var comesOrGoes = false
    for change in changes where keys.contains(change.key) {
      guard let post = present[PostID(change.key.id)], !post.isGone,
        case .post(let after) = change.after
      else { return false }
      let before: Post? = if case .post(let post)? = change.before { post } else { nil }
      if let before, series.contains(change.key) {
        // In the bin it has no times.
        if post.removed != nil { return false }
        isBack = isBack || post.hasMoment(of: before)
      } else {
        let wasHere = before.map { $0.removed == nil } ?? false
        guard (post.removed == nil) != wasHere else { continue }
        comesOrGoes = true
        // What somebody has changed since it came is theirs.
        if !wasHere, !post.hasContent(of: after) { return false }
      }
    }
    // Left out, or there again, for another reason: it is not this time that would go or come.
    return !(isBack && comesOrGoes)
  }
}
