import Client
import Domain
import Screen

// Lines about posts that come again.

extension EventLines {
  /// Returns `✔ Water the plants (again Fri, in #home)`.
  func occurred(
    _ id: PostID, _ news: NextOccurrence, _ applied: AppliedEvent, _ who: Who, _ place: String
  ) -> Line {
    let title = title(of: id, applied)
    let next: Phrase = "again \(situation.clock.words(news.next.due)), in \(place)"
    switch news.reason {
    case .completed: return who.line("✔", .good, "\(title) (" + next + ")")
    case .skipped: return who.line("↷", .accent, "\(title): not this time (" + next + ")")
    }
  }
}

extension [Op] {
  /// The ops, where a post that the same event adds and edits is added in its final form, so that one line shows it. An
  /// example is one time of a post that became a post of its own.
  var withNewPostsWhole: [Op] {
    var ops: [Op] = []
    var places: [PostID: Int] = [:]
    for op in self {
      if case .post(.edited(let id, _, let edit)) = op, let place = places[id],
        case .post(.added(let post, let counters)) = ops[place]
      {
        ops[place] = .post(.added(post.edited(by: edit), counters))
        continue
      }
      if case .post(.added(let post, _)) = op { places[post.id] = ops.count }
      ops.append(op)
    }
    return ops
  }
}
