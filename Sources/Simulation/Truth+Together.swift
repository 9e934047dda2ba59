// Posts that an undo brings back together or not at all. An occurrence that was left out and the post that was made of
// it are such a pair: with one of them alone the occurrence would be there twice, or nowhere. So a post that nobody has
// changed stays when somebody has changed its companion.

import Domain

extension StreamTruth {
  /// Returns `changed` and all posts that stay with them when these events are undone.
  func staying(with changed: Set<PostID>, undoing events: [Int64]) -> Set<PostID> {
    let sets = events.flatMap { together(in: $0) }
    var staying = changed
    while let more = sets.first(where: {
      !$0.isDisjoint(with: staying) && !$0.isSubset(of: staying)
    }) {
      staying.formUnion(more)
    }
    return staying
  }

  /// Returns the sets of posts that this event brought together. An undo does not say which post was made of which
  /// occurrence, so all of its posts that came or went are one set with all of its posts that went past an occurrence
  /// that was left out.
  private func together(in seq: Int64) -> [Set<PostID>] {
    let event = events[Int(seq) - 1]
    guard !event.undoes.isEmpty else { return event.postsOfOccurrences }
    var cameOrWent: Set<PostID> = []
    var turned: Set<PostID> = []
    for post in posts(of: seq) {
      switch (before(seq, post), before(seq + 1, post)) {
      case (let was?, let now?):
        if hasLeftOut(post, was.occurrence, now.occurrence, at: seq) { turned.insert(post) }
      case (nil, nil): continue
      case (nil, _?), (_?, nil): cameOrWent.insert(post)
      }
    }
    return turned.isEmpty ? [] : [cameOrWent.union(turned)]
  }

  /// Answers whether an occurrence was left out between these two, in any event before this one or by it.
  private func hasLeftOut(
    _ post: PostID, _ was: Occurrence?, _ now: Occurrence?, at seq: Int64
  ) -> Bool {
    guard let was, let now else { return false }
    let between = min(was.number, now.number)..<max(was.number, now.number)
    return events[..<Int(seq)].contains { event in
      event.leftOut.contains { $0.post == post && between ~= $0.occurrence }
    }
  }
}

extension Event {
  /// The occurrences that this event leaves out, by their numbers.
  fileprivate var leftOut: [(post: PostID, occurrence: Int)] {
    ops.compactMap { op in
      guard case .post(.occurred(let post, _, let news, _)) = op, case .skipped = news.reason
      else { return nil }
      return (post, news.over)
    }
  }

  /// The posts of which this event leaves an occurrence out, each with the posts that it adds just before.
  fileprivate var postsOfOccurrences: [Set<PostID>] {
    var sets: [Set<PostID>] = []
    var added: Set<PostID> = []
    for case .post(let op) in ops {
      switch op {
      case .added(let post, _): added.insert(post.id)
      case .occurred(let post, _, let news, _):
        if case .skipped = news.reason { sets.append(added.union([post])) }
        added = []
      default: continue
      }
    }
    return sets
  }
}
