// Lines about posts with the same words (protocol §8, post.twins). Below a line that was added stands what the copies
// know; on request, what the server knows.

import Domain
import Screen
import Sync
import Wire

enum TwinLines {
  /// Returns the line below a post that was just added: the open twins, else one that was done and may be reopened.
  static func lines(
    _ title: String, in list: CategoryID, besides post: PostID, _ situation: Situation
  ) -> [Line] {
    guard let wanted = TwinTitle(title), let state = situation.streams[.category(list)] else {
      return []
    }
    let twins = wanted.twins(among: state.openPosts + state.donePosts, besides: post)
    let open = twins.filter { $0.completed == nil }
    guard open.isEmpty else {
      return [Line("also open: \(numbers(open))", .dim)]
    }
    guard let done = twins.first else { return [] }
    let place: Phrase = situation.open == list ? "" : "\(state.category?.tag ?? "") "
    let undo: Phrase = situation.open == list ? "/undo" : "/undo \(state.category?.tag ?? "")"
    return [
      Line(
        "done before: #\(done.number) (" + undo + ", then /reopen " + place
          + "\(done.number) goes on with that one)", .dim)
    ]
  }

  private static func numbers(_ posts: [Post]) -> Phrase {
    posts.dropFirst().reduce("#\(posts[0].number) \(posts[0].title)") { $0 + ", #\($1.number)" }
  }

  static func found(_ twins: [TwinLine], in list: Category) -> [Line] {
    guard !twins.isEmpty else { return [Line("nothing in \(list.tag) is called that", .dim)] }
    return twins.map { twin in
      var line = Line("#\(twin.number)  ", .dim, hang: 4)
      if twin.completed != nil { line.add("✔ ", .good) }
      return line.and("\(twin.title)")
    }
  }
}
