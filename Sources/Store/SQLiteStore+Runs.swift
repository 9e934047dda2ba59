package import Domain
package import Sync
import Wire

extension SQLiteStore {
  package func liveRuns() throws(StoreError) -> [LiveRun] {
    let rows = try query { (reads) throws(DatabaseError) in
      try reads.liveRuns.rows { (row) throws(DatabaseError) in
        guard case .category(let category) = try row.stream(0) else {
          throw row.damaged(0, "is no list")
        }
        return (category: category, body: try row.body(1))
      }
    }
    var runs: [LiveRun] = []
    for row in rows {
      guard case .post(let post) = try decoded(row.body), let run = post.run else { continue }
      runs.append(LiveRun(run, at: PostAddress(category: row.category, post: post.id)))
    }
    return runs
  }
}
