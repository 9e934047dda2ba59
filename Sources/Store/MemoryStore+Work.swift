package import Domain
package import Sync

// Claims, runs and the next post of a list are found by a look at every post.
extension MemoryStore {
  package func endedClaims(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [EndedClaim] {
    var found: [(number: Int, claim: EndedClaim)] = []
    for (stream, content) in content.streams {
      guard case .category(let category) = stream else { continue }
      for row in content.rows(where: { $0.shelf == .open }) {
        guard case .post(let post) = try decoded(row.body), let claim = post.claim,
          claim.until <= time
        else { continue }
        let ended = EndedClaim(category: category, post: post.id, until: claim.until)
        found.append((post.number, ended))
      }
    }
    found.sort { left, right in
      let (a, b) = (left.claim, right.claim)
      guard a.until == b.until else { return a.until < b.until }
      return a.category == b.category ? left.number < right.number : a.category < b.category
    }
    return found.prefix(limit).map(\.claim)
  }

  package func liveRuns() throws(StoreError) -> [LiveRun] {
    var found: [LiveRun] = []
    for (stream, content) in content.streams.sorted(by: { $0.key < $1.key }) {
      guard case .category(let category) = stream else { continue }
      for row in content.rows(where: { $0.shelf == .open }) {
        guard case .post(let post) = try decoded(row.body), let run = post.run else { continue }
        found.append(LiveRun(run, at: PostAddress(category: category, post: post.id)))
      }
    }
    return found
  }

  package func openWork(
    of user: UserID, in category: CategoryID, after number: Int, limit: Int
  ) throws(StoreError) -> [[UInt8]] {
    let rows = content.streams[.category(category)]?.rows { row in
      row.shelf == .open && (row.number ?? 0) > number
    }
    var found: [(number: Int, body: [UInt8])] = []
    for row in rows ?? [] {
      guard case .post(let post) = try decoded(row.body),
        post.mode == .each || post.assignees.contains(user)
      else { continue }
      found.append((post.number, row.body))
    }
    return found.sorted { $0.number < $1.number }.prefix(limit).map(\.body)
  }

  func imported(_ source: SourceKey, in category: CategoryID) throws(StoreError) -> PostID? {
    var found: [(order: (Int, Int, Int, Int), post: PostID)] = []
    for row in content.streams[.category(category)]?.rows(where: { $0.key.kind == .post }) ?? [] {
      guard case .post(let post) = try decoded(row.body), post.source?.key == source else {
        continue
      }
      let order = (
        row.inState ? 0 : 1, row.inState == (row.rank != nil) ? 1 : 0, row.number == nil ? 1 : 0,
        row.number ?? 0
      )
      found.append((order, post.id))
    }
    return found.min { $0.order < $1.order }?.post
  }

  func queue(of category: CategoryID, for user: UserID) throws(StoreError) -> [QueuedPost] {
    let rows = content.streams[.category(category)]?.rows { $0.shelf == .open } ?? []
    var open: [Post] = []
    for row in rows {
      if case .post(let post) = try decoded(row.body) { open.append(post) }
    }
    let placed = open.filter { $0.position != nil }.sorted { $0.stands(before: $1) }
    let looked = Limits.queueLookedAtMax
    let others = open.prefix(looked).filter { $0.position == nil }
    let free = (placed.prefix(looked) + others).filter { post in
      post.claim == nil && post.submitted == nil && post.mode == nil
        && (post.assignees.isEmpty || post.assignees.contains(user))
    }
    return Array(free.map { QueuedPost($0) }.sorted().prefix(Limits.queueMax))
  }
}
