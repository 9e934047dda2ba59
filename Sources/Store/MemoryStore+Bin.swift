package import Domain
package import Sync

// The bin's posts are found by a look at every post.
extension MemoryStore {
  package func binnedPosts(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [BinnedPost] {
    var found: [(number: Int, binned: BinnedPost)] = []
    for (stream, content) in content.streams {
      guard case .category(let category) = stream else { continue }
      for row in content.rows(where: { $0.shelf == .removed && $0.number != nil }) {
        guard case .post(let post) = try decoded(row.body), let since = post.binned, since <= time
        else { continue }
        let binned = BinnedPost(category: category, post: post.id, since: since)
        found.append((post.number, binned))
      }
    }
    found.sort { left, right in
      let (a, b) = (left.binned, right.binned)
      guard a.since == b.since else { return a.since < b.since }
      return a.category == b.category ? left.number < right.number : a.category < b.category
    }
    return found.prefix(limit).map(\.binned)
  }

  package func countBin(from time: Timestamp) { database.countBin(from: time) }

  package func binCountsFrom() -> Timestamp? { content.binCountsFrom }
}
