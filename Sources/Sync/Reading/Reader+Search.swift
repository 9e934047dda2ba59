// search (protocol §8.56): over the lists that the asker may read at this moment.

import Domain
import Wire

extension Reader {
  /// Begins and ends its own read transaction.
  func search(
    _ id: RequestID, _ identity: Identity, _ query: SearchQuery
  ) throws(StoreError) -> Outcome {
    try store.read { () throws(StoreError) in try searchAtOnce(id, identity, query) }
  }

  private func searchAtOnce(
    _ id: RequestID, _ identity: Identity, _ query: SearchQuery
  ) throws(StoreError) -> Outcome {
    let lists: [CategoryID]
    var omitted = 0
    if let named = query.categories {
      for category in named {
        if let failure = try refusal(identity, .category(category), .search) {
          return .failed(failure)
        }
      }
      (lists, omitted) =
        try named.count == 1 ? (named, 0) : searchedLists(of: identity.user, named)
    } else {
      (lists, omitted) = try searchedLists(of: identity.user)
    }
    // One more than asked for tells whether there is a next page.
    let found = try store.found(
      PostSearch(
        query.words, in: lists, query.place, after: query.after, limit: query.limit + 1))
    let page = page(of: found, query)
    let after = found.count > page.count ? page.last?.place.text : nil
    var lines: [FoundLine] = []
    for found in page where try mayBeFound(found, by: identity.user, query.place) {
      lines.append(FoundLine(found.post, in: found.place.category, query.words))
    }
    return .answer(Answer.search(id, SearchResult(found: lines, after: after, omitted: omitted)))
  }

  /// In the bin, what `post.list` has of it (§8.25): a page may have fewer, and an `after` all the same.
  private func mayBeFound(
    _ found: FoundPost, by user: UserID, _ place: SearchPlace
  ) throws(StoreError) -> Bool {
    guard place == .bin, let removed = found.post.removed,
      let beginning = try beginningOfBin(for: user, in: .category(found.place.category))
    else { return true }
    return removed.at > beginning
  }

  /// Those that were changed last come first, when all together are too much. Of those that are named, which one may
  /// read, removed ones are always among them.
  private func searchedLists(
    of user: UserID, _ named: [CategoryID]? = nil
  ) throws(StoreError) -> (lists: [CategoryID], omitted: Int) {
    var all = try store.searchedLists(of: user).filter { Permission.allows($0.role, .search) }
    var removed: [CategoryID] = []
    if let named {
      all = all.filter { named.contains($0.category) }
      let present = Set(all.map(\.category))
      removed = named.filter { !present.contains($0) }
    }
    guard all.reduce(0, { $0 + $1.posts }) > ReadingLimits.searchPosts else {
      return ((all.map(\.category) + removed).sorted(), 0)
    }
    var (kept, posts): ([CategoryID], Int) = ([], 0)
    for list in all.sorted(by: { ($1.changedAt, $0.category) < ($0.changedAt, $1.category) }) {
      posts += list.posts
      guard kept.isEmpty || posts <= ReadingLimits.searchPosts else { break }
      kept.append(list.category)
    }
    return ((kept + removed).sorted(), all.count - kept.count)
  }

  /// As many as were asked for and go into a page, at least one.
  private func page(of found: [FoundPost], _ query: SearchQuery) -> ArraySlice<FoundPost> {
    var bytes = 0
    return found.prefix(query.limit).prefix { line in
      let size = ObjectCodec.encode(.post(line.post)).count
      defer { bytes += size }
      return bytes == 0 || bytes + size <= Limits.pageBytesMax
    }
  }
}
