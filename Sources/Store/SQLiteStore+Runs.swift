package import Domain
package import Sync
import Wire

extension SQLiteStore {
  /// Returns all runs that go on. One whose post is damaged is left out, so that it keeps no other from being watched:
  /// `verify` names the post, and every command about it fails.
  package func liveRuns() throws(StoreError) -> [LiveRun] {
    try query { (reads) throws(DatabaseError) in
      try reads.liveRuns.rows { (row) throws(DatabaseError) in
        guard case .category(let category) = try row.stream(0) else {
          throw row.damaged(0, "is no list")
        }
        return row.post(1).flatMap { post in
          post.run.map { LiveRun($0, at: PostAddress(category: category, post: post.id)) }
        }
      }
    }.compactMap(\.self)
  }
}

extension Statement {
  /// Returns the post of a body. Nil when it is damaged.
  fileprivate func post(_ column: Int32) -> Post? {
    do throws(DatabaseError) {
      let body = try body(column)
      guard
        case .post(let post) = try undamaged(
          "a run",
          { () throws(WireError) in
            try ObjectCodec.decode(body)
          })
      else { return nil }
      return post
    } catch {
      return nil
    }
  }
}
