// The posts whose deadlines come next, and the deadlines that are to be looked at again (Schema+Dues.swift).

package import Domain
package import Sync

extension SQLiteStore {
  package func untoldDues(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [DuePost] {
    try query { (reads) throws(DatabaseError) in
      try reads.untoldDues.postMoments(through: time, limit: limit)
        .map { DuePost(category: $0.category, post: $0.post, deadline: $0.moment) }
    }
  }

  package func newestEventTime() throws(StoreError) -> Timestamp? {
    try query { (reads) throws(DatabaseError) in
      try reads.newestEvent.first { (row) throws(DatabaseError) in
        Timestamp(milliseconds: row.int64(0))
      }
    }
  }

  package func dueCheck(limit: Int) throws(StoreError) -> DueCheckPart? {
    try queries { () throws(StoreError) in
      try query { (reads) throws(DatabaseError) in try reads.dueCheckPart(limit: limit) }
    }
  }
}

extension Statement {
  /// Runs a statement with a time and a limit, whose rows are a list's name, a post and a moment.
  func postMoments(
    through time: Timestamp, limit: Int
  ) throws(DatabaseError) -> [(category: CategoryID, post: PostID, moment: Timestamp)] {
    try bind(1, time.milliseconds)
    try bind(2, limit)
    return try rows { (row) throws(DatabaseError) in
      guard case .category(let category) = try row.stream(0) else {
        throw row.damaged(0, "is no list")
      }
      return (category, PostID(try row.uuid(1)), Timestamp(milliseconds: row.int64(2)))
    }
  }
}

extension ReadStatements {
  fileprivate func dueCheckPart(limit: Int) throws(DatabaseError) -> DueCheckPart? {
    let check = try dueCheck.first { (row) throws(DatabaseError) in
      guard case .category(let category) = try row.stream(1) else {
        throw row.damaged(1, "is no list")
      }
      return (stream: row.int64(0), category: category, after: row.int64(2))
    }
    guard let check else { return nil }
    let (posts, through) = try openDues(of: check.stream, after: check.after, limit: limit)
    return DueCheckPart(category: check.category, posts: posts, through: through)
  }

  /// Returns the open posts of a list that have a due, by number. `through` is the last post looked at if there may be
  /// more.
  func openDues(
    of stream: Int64, after: Int64, limit: Int
  ) throws(DatabaseError) -> (posts: [PostID], through: Int?) {
    try openPosts.bind(1, stream)
    try openPosts.bind(2, after)
    try openPosts.bind(3, DueCheckPart.looksMax)
    var (looks, posts) = (0, [] as [PostID])
    var last: Int?
    try openPosts.each { (row) throws(DatabaseError) in
      looks += 1
      last = Int(row.int64(1))
      if row.int64(2) != 0 { posts.append(PostID(try row.uuid(0))) }
      return posts.count < limit
    }
    let isLast = posts.count < limit && looks < DueCheckPart.looksMax
    return (posts, isLast ? nil : last)
  }
}
