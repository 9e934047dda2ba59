import Domain

@testable import Sync

extension LedgerBench.Content {
  func post(from source: SourceKey, in category: CategoryID) -> PostID? {
    let posts = objects(.post, in: .category(category)).compactMap { object -> Post? in
      guard case .post(let post) = object, post.source?.key == source else { return nil }
      return post
    }
    return posts.min {
      ($0.removed == nil ? 0 : 1, $0.number) < ($1.removed == nil ? 0 : 1, $1.number)
    }?.id
  }

  /// Returns the open posts in their order.
  func queue(of category: CategoryID) -> [QueuedPost] {
    let open = objects(.post, in: .category(category)).compactMap { object -> Post? in
      guard case .post(let post) = object, post.completed == nil, post.removed == nil else {
        return nil
      }
      return post
    }
    return open.map { QueuedPost($0) }.sorted()
  }
}

extension LedgerBench {
  /// Ends claims whose time is over, as the ledger does by itself.
  mutating func endClaims() {
    let ended = lists.flatMap { category, posts in
      posts.compactMap { post -> EndedClaim? in
        guard let claim = post.claim, claim.until <= now else { return nil }
        return EndedClaim(category: category.id, post: post.id, until: claim.until)
      }
    }
    for work in ClaimEnds.works(for: ended) { _ = settle(work) }
    commit()
  }
}
