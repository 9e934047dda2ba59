// search (protocol §8 `search`): over the lists that the asker may read at this moment.

import Domain
import Wire

extension Reader {
  /// Answers a search. Begins and ends its own read transaction.
  func search(
    _ id: RequestID, _ identity: Identity, _ query: SearchQuery
  ) throws(StoreError) -> RequestOutcome {
    try store.read { () throws(StoreError) in try searchAtOnce(id, identity, query) }
  }

  private func searchAtOnce(
    _ id: RequestID, _ identity: Identity, _ query: SearchQuery
  ) throws(StoreError) -> RequestOutcome {
    let looked: LookedLists
    switch try lists(of: identity, query.categories, .query(.search), .words) {
    case .failure(let failure): return .failed(failure)
    case .success(let lists): looked = lists
    }
    // One post more than asked for tells whether there is a next page.
    let found = try store.found(
      PostSearch(
        query.words, in: looked.lists.map(\.category), query.place, after: query.after,
        limit: query.limit + 1))
    let page = page(of: found, query.limit, \.post)
    let after = found.count > page.count ? page.last?.place.text : nil
    var lines: [FoundLine] = []
    for found in page {
      guard try isShown(found.post, in: found.place.category, to: identity.user) else { continue }
      lines.append(FoundLine(found.post, in: found.place.category, query.words))
    }
    return .answer(
      Answer.search(id, SearchResult(found: lines, after: after, omitted: looked.omitted)))
  }
}

// MARK: - What a search and a view do with what they found

extension Reader {
  /// Answers whether a post is shown: from the bin only what `post.list` shows of it (§8 `post.list`). So a page may
  /// have fewer posts and still have an `after`.
  func isShown(
    _ post: Post, in category: CategoryID, to user: UserID
  ) throws(StoreError) -> Bool {
    guard let removed = post.removed,
      let beginning = try beginningOfBin(for: user, in: .category(category))
    else { return true }
    return removed.at > beginning
  }

  /// Returns as many as were asked for and fit into a page, at least one.
  func page<Found>(
    of found: [Found], _ limit: Int, _ post: (Found) -> Post
  ) -> ArraySlice<Found> {
    var bytes = 0
    return found.prefix(limit).prefix { line in
      let size = ObjectCodec.encode(.post(post(line))).count
      defer { bytes += size }
      return bytes == 0 || bytes + size <= Limits.pageBytesMax
    }
  }
}
