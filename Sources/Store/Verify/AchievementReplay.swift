// Computes the rows of achievement that a list must have, from its events alone.

import Domain
import Sync
import Wire

struct AchievementReplay {
  private var posts: [PostID: [AchievementRow]] = [:]
  /// The posts that were there before the first event that is kept. Not all of their rows can be known.
  private let unknown: Set<PostID>

  init(at horizon: [StreamReplay.Row] = []) {
    unknown = Set(
      horizon.compactMap { row in
        guard case .post(let post) = row.object else { return nil }
        return post.id
      })
    for case .post(let post) in horizon.map(\.object) {
      posts[post.id, default: []].apply(post.broughtAlong(0))
    }
  }

  /// Notes what one op changes. `old` and `new` are the post before and after it.
  mutating func note(_ op: PostOp, of event: Event, old: Post?, new: Post?) {
    for change in event.achievements(of: op, old: old, new: new) {
      posts[change.post, default: []].apply(change)
    }
  }

  /// All rows. Those of posts from before the horizon may lack what was forgotten.
  var rows: [AchievementRow] { posts.values.flatMap { $0 } }

  func knows(_ post: PostID) -> Bool { !unknown.contains(post) }

  /// Reads a list's log and returns the rows that it makes.
  static func rows(
    of stream: StreamID, number: Int64, horizon: Int64, in database: Database
  ) throws(DatabaseError) -> [AchievementRow] {
    let known = horizon == 0 ? [] : try StreamReplay.rowsAtHorizon(number, of: database)
    var replay = StreamReplay(stream: stream, rows: known)
    let select = try database.prepare(
      """
      SELECT place & 0xFFFFFFFF, body FROM event
      WHERE place > \(number << 32) AND place < \((number + 1) << 32) ORDER BY place
      """)
    try select.each { (row) throws(DatabaseError) in
      let event = try undamaged("an event of \(stream)") { () throws(WireError) in
        try EventCodec.decode(row.bytes(1), seq: row.int64(0))
      }
      _ = replay.apply(event)
      return true
    }
    return replay.achievements.rows
  }
}
