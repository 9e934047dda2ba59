package import Domain
package import Sync

// Deadlines are found by a look at every row.
extension MemoryStore {
  package func untoldDues(through time: Timestamp, limit: Int) throws(StoreError) -> [DuePost] {
    let content = content
    var found: [(number: Int, due: DuePost)] = []
    for (category, dues) in content.dues {
      for due in dues.values where !due.isTold {
        guard let deadline = due.deadline, deadline <= time,
          let post = content.streams[.category(category)]?.openPost(due.number)
        else { continue }
        found.append((due.number, DuePost(category: category, post: post, deadline: deadline)))
      }
    }
    found.sort { left, right in
      let (a, b) = (left.due, right.due)
      guard a.deadline == b.deadline else { return a.deadline < b.deadline }
      return a.category == b.category ? left.number < right.number : a.category < b.category
    }
    return found.prefix(limit).map(\.due)
  }

  package func newestEventTime() throws(StoreError) -> Timestamp? {
    content.streams.values.map(\.head.at).max()
  }

  package func dueCheck(limit: Int) throws(StoreError) -> DueCheckPart? {
    let content = content
    guard let category = content.dueChecks.keys.min(), let after = content.dueChecks[category]
    else { return nil }
    let (posts, through) = try openDues(of: category, after: after, limit: limit, in: content)
    return DueCheckPart(category: category, posts: posts, through: through)
  }

  /// Returns the open posts of a list that have a due, by number. `through` is the last number if there may be more.
  func openDues(
    of category: CategoryID, after: Int, limit: Int, in content: MemoryContent
  ) throws(StoreError) -> (posts: [PostID], through: Int?) {
    let rows = content.streams[.category(category)]?.rows { row in
      row.shelf == .open && (row.number ?? 0) > after
    }
    var posts: [(id: PostID, number: Int?)] = []
    for row in rows ?? [] where posts.count < limit {
      guard case .post(let post) = try decoded(row.body), post.due != nil else { continue }
      posts.append((post.id, row.number))
    }
    return (posts.map(\.id), posts.count < limit ? nil : posts.last?.number)
  }
}

extension MemoryStream {
  fileprivate func openPost(_ number: Int) -> PostID? {
    objects.values.first { $0.shelf == .open && $0.number == number }.map { PostID($0.key.id) }
  }
}
