import Client
import Domain
import Screen

// What is said of posts that come again.

extension EventLines {
  /// `✔ Water the plants (again Fri, in #home)`
  func occurred(
    _ id: PostID, _ news: NextOccurrence, _ happening: Happening, _ who: Who, _ place: String
  ) -> Line {
    let title = title(of: id, happening)
    let next: Phrase = "again \(situation.clock.words(news.next.due)), in \(place)"
    switch news.reason {
    case .completed: return who.line("✔", .good, "\(title) (" + next + ")")
    case .skipped: return who.line("↷", .accent, "\(title): not this time (" + next + ")")
    }
  }
}

extension EventLines {
  /// A post is back in its list, or a time of one that stands there.
  func restored(_ post: Post, _ happening: Happening, _ who: Who, _ place: String) -> Line {
    happening.stood(post.id)
      ? who.line("↺", .accent, "\(post.shownTitle): this time after all (in \(place))")
      : who.line("+", .accent, "\(post.shownTitle) (#\(post.number) is back in \(place))")
  }
}

extension Happening {
  /// Whether the post stood in the list before: then it is a time of it that came back.
  fileprivate func stood(_ id: PostID) -> Bool {
    changes.contains { change in
      if case .post(let post) = change.before {
        post.id == id && post.removed == nil
      } else {
        false
      }
    }
  }
}

extension [Op] {
  /// A post that one event adds and edits, such as one time that became a post of its own, is there as it is in the
  /// end: one line tells it.
  var withNewPostsWhole: [Op] {
    var ops: [Op] = []
    var places: [PostID: Int] = [:]
    for op in self {
      if case .postEdited(let id, _, let edit) = op, let place = places[id],
        case .postAdded(let post, let counters) = ops[place]
      {
        ops[place] = .postAdded(post.edited(by: edit), counters)
        continue
      }
      if case .postAdded(let post, _) = op { places[post.id] = ops.count }
      ops.append(op)
    }
    return ops
  }
}
