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
