import Domain

@testable import Sync

extension LedgerBench {
  /// Removes for good, as the ledger does by itself, everything that was removed so long ago.
  mutating func emptyBin(keeping milliseconds: Int64) {
    let through = now.milliseconds - milliseconds
    let binned = lists.flatMap { category, posts in
      posts.compactMap { post -> BinnedPost? in
        guard let since = post.binned, since.milliseconds <= through else { return nil }
        return BinnedPost(category: category.id, post: post.id, since: since)
      }
    }
    for work in BinnedPost.works(for: binned) { _ = settle(work) }
    commit()
  }
}
