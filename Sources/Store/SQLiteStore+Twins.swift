// Posts whose words begin with a title's (protocol §8, post.twins), found by the same rows as a search.

package import Domain
package import Sync

extension SQLiteStore {
  package func posts(
    beginning title: TwinTitle, in category: CategoryID
  ) throws(StoreError) -> [Post] {
    try queries { () throws(StoreError) in
      try query { (reads) throws(DatabaseError) in
        guard let stream = try reads.streamNumber(of: category) else { return [] }
        var posts: [Post] = []
        for number in try reads.numbers(beginning: title, in: stream) {
          guard let body = try reads.postBody(number, in: stream),
            let post = try reads.post(body, of: category)
          else { continue }
          posts.append(post)
        }
        return posts
      }
    }
  }
}

extension ReadStatements {
  fileprivate func numbers(
    beginning title: TwinTitle, in stream: Int64
  ) throws(DatabaseError) -> [Int] {
    try postsBeginning.bind(1, stream << 32)
    try postsBeginning.bind(2, (stream + 1) << 32)
    try postsBeginning.bind(3, copyingOrNull: title.folded)
    try postsBeginning.bind(4, TwinTitle.lookedAtMax)
    try postsBeginning.bind(5, copyingOrNull: title.foldedInFirstForm)
    try postsBeginning.bind(6, try placeOfPresentWords() ?? .max)
    return try postsBeginning.rows { (row) throws(DatabaseError) in Int(row.int64(0)) }
  }
}

enum TwinSQL {
  /// Finds posts whose words begin with a title's. The columns are blobs, so SQLite counts bytes.
  static let postsBeginning =
    """
    SELECT place & 0xFFFFFFFF FROM post_words
    WHERE place > ?1 AND place < ?2 AND removed = 0 AND (substr(words, 1, length(?3)) = ?3
      OR place > ?6 AND substr(words, 1, length(?5)) = ?5)
    ORDER BY place DESC LIMIT ?4
    """
}
