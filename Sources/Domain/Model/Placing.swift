// Posts get to a place in a list by moves between two others (`post.move`), made by a client that sees all of the list.
// Where there is no room between the two, or where they have the same place (two people moved something there at once),
// the nearest posts around the gap are moved too, as many as it takes. They are spread evenly, one behind the other, in
// one batch, so that nobody ever sees the list half in another order. Only a client does that: the ledger looks at two
// posts for each move, however long the list is.

/// One move of a post between two others.
package struct Placing: Equatable, Sendable {
  package let post: Post
  package let upper: PostID?
  package let lower: PostID?

  /// Returns the moves for some posts. `row` holds the other posts of the list in their order, `index` tells in front
  /// of which of them the moved ones go, in their order, and `lastPost` is the newest number of the list. Where there
  /// is no room for them, these are the plain moves, which the ledger refuses.
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

  /// Returns the places that the ledger gives to the posts that it moves. Nil when it would refuse one, or put one
  /// elsewhere.
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

  /// Returns the moves of posts, each behind the one before it. Without a post behind or before all of them the first
  /// stays where it is.
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
