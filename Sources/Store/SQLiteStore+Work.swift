// Claims, and the posts that come next in a list (Schema+Work.swift).

package import Domain
package import Sync
import Wire

extension SQLiteStore {
  package func endedClaims(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [EndedClaim] {
    try query { (reads) throws(DatabaseError) in
      try reads.endedClaims.postMoments(through: time, limit: limit)
        .map { EndedClaim(category: $0.category, post: $0.post, until: $0.moment) }
    }
  }

  package func openWork(
    of user: UserID, in category: CategoryID, after number: Int, limit: Int
  ) throws(StoreError) -> [[UInt8]] {
    try query { (reads) throws(DatabaseError) in
      try reads.openWork.bind(1, StreamID.category(category))
      try reads.openWork.bind(2, copyingOrNull: Array("{\"user\":\"\(user)\"".utf8))
      try reads.openWork.bind(3, number)
      try reads.openWork.bind(4, limit)
      return try reads.openWork.rows { (row) throws(DatabaseError) in try row.body(0) }
    }
  }

  /// Returns the queue. It is read in two parts: posts that somebody has put somewhere, and all others.
  func queue(of category: CategoryID, for user: UserID) throws(StoreError) -> [QueuedPost] {
    try query { (reads) throws(DatabaseError) in
      let stream = StreamID.category(category)
      let placed = try rows(of: reads.placedPosts, stream, user) { (row) throws(DatabaseError) in
        guard let position = Position(row.text(2)) else { throw row.damaged(2, "is no place") }
        return position
      }
      let others = try rows(of: reads.unplacedPosts, stream, user) { _ in nil }
      return Array((placed + others).sorted().prefix(Limits.queueMax))
    }
  }

  private func rows(
    of statement: Statement, _ stream: StreamID, _ user: UserID,
    _ position: (Statement) throws(DatabaseError) -> Position?
  ) throws(DatabaseError) -> [QueuedPost] {
    try statement.bind(1, stream)
    try statement.bind(2, "{\"user\":\"\(user)\"")
    try statement.bind(3, Limits.queueLookedAtMax)
    try statement.bind(4, Limits.queueMax)
    return try statement.rows { (row) throws(DatabaseError) in
      QueuedPost(PostID(try row.uuid(0)), number: Int(row.int64(1)), try position(row))
    }
  }
}

extension SQLiteStore {
  func imported(_ source: SourceKey, in category: CategoryID) throws(StoreError) -> PostID? {
    try query { (reads) throws(DatabaseError) in
      try reads.importedPost.bind(1, StreamID.category(category))
      try reads.importedPost.bind(2, source.beginning)
      return try reads.importedPost.first { (row) throws(DatabaseError) in PostID(try row.uuid(0)) }
    }
  }
}

extension SourceKey {
  /// The first characters of a source's JSON. The quotation mark behind the id is included, so that no longer id is
  /// meant.
  fileprivate var beginning: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("name")
    writer.string(name)
    writer.key("id")
    writer.string(id)
    return String(decoding: writer.bytes.dropFirst(), as: UTF8.self)
  }
}
