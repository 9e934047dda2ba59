// How posts get to a place in a list, by whoever sees all of the list: each is moved between two others (`post.move`).
// Where there is no room between these, or where they have one and the same place (two people moved something there at
// once), the nearest posts around the gap are moved with them, as many as it takes: evenly, one behind the other, and
// as one batch, so that nobody ever sees the list half in another order. Only a client does that: the ledger looks at
// two posts for each move, however long the list is.

/// One move of a post between two others.
package struct Placing: Equatable, Sendable {
  package let post: Post
  package let upper: PostID?
  package let lower: PostID?

  /// `row`: the other posts of the list in their order; `index`: in front of which of them the moved ones go, in their
  /// order. `lastPost`: the newest number of the list. Without a room for them these are the plain moves, which the
  /// ledger refuses.
  package static func moves(
    of moved: [Post], to index: Int, in row: [Post], lastPost: Int
  ) -> [Placing] {
    var reach = 0
    while reach <= Limits.postsSpreadMax / 2 {
      let window = max(0, index - reach)..<min(row.count, index + reach)
      let posts = Array(row[window.lowerBound..<index] + moved + row[index..<window.upperBound])
      let (upper, lower) = (
        window.lowerBound > 0 ? row[window.lowerBound - 1] : nil,
        window.upperBound < row.count ? row[window.upperBound] : nil
      )
      if let made = places(of: posts, behind: upper, before: lower, lastPost),
        reach == 0 || made.allSatisfy({ $0.text.utf8.count <= Limits.positionCharactersMax / 2 })
      {
        return chain(posts, behind: upper?.id, before: lower?.id)
      }
      reach = max(1, reach * 2)
    }
    return chain(
      moved, behind: index > 0 ? row[index - 1].id : nil,
      before: index < row.count ? row[index].id : nil)
  }

  /// The places that the ledger gives to those that it moves; nil when it would refuse one, or put one elsewhere.
  private static func places(
    of posts: [Post], behind upper: Post?, before lower: Post?, _ lastPost: Int
  ) -> [Position]? {
    if let upper, let lower, upper.place >= lower.place { return nil }
    var (made, last): ([Position], Post?) = ([], upper)
    for var post in posts {
      let isBelow = last.map { $0.stands(before: post) } ?? true
      if !isBelow || lower.map({ post.stands(before: $0) }) == false {
        let place = Position.placed(
          behind: last?.place, before: lower?.place, coming: .of(number: lastPost + 1))
        guard let place else { return nil }
        post.position = place
        made.append(place)
      }
      last = post
    }
    return made
  }

  /// Each behind the one before it. Without a post behind or before all of them the first stays where it is.
  private static func chain(
    _ posts: [Post], behind upper: PostID?, before lower: PostID?
  ) -> [Placing] {
    var upper = upper
    var moves: [Placing] = []
    for post in posts {
      if upper != nil || lower != nil {
        moves.append(Placing(post: post, upper: upper, lower: lower))
      }
      upper = post.id
    }
    return moves
  }
}
