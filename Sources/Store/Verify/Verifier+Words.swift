import Domain
import Sync

// Checks of the words by which posts are found.
extension Verifier {
  mutating func checkWords(
    of stream: StoredStream, _ replay: StreamReplay
  ) throws(DatabaseError) {
    var missing: [Int64: Post] = [:]
    for row in replay.rows.values {
      if case .post(let post) = row.object { missing[Int64(post.number)] = post }
    }
    let present = try database.prepare(WordSQL.wordsCheck).first { (row) throws(DatabaseError) in
      row.int64(0)
    }
    let select = try database.prepare(
      """
      SELECT place & 0xFFFFFFFF, at, removed, words, place > \(present ?? .max) FROM post_words
      WHERE place >= \(stream.number << 32) AND place < \((stream.number + 1) << 32)
      """)
    try select.each { (row) throws(DatabaseError) in
      report.words += 1
      guard let post = missing.removeValue(forKey: row.int64(0)) else {
        report.add("\(stream.id): words of #\(row.int64(0)), which is not there.")
        return true
      }
      if row.int64(1) != post.createdAt.milliseconds || (row.int64(2) == 1) != (post.removed != nil)
        || !isFolded(row.bytes(3), post, mayBeOld: row.int64(4) == 1)
      {
        report.add("\(stream.id): the words of #\(post.number) are not those of the post.")
      }
      return true
    }
    for number in missing.keys.sorted() {
      report.add("\(stream.id): the words of #\(number) are missing.")
    }
  }

  /// Answers whether the words are those of the post. Rows that are not written anew yet may have the words of either
  /// form (Connection+Words.swift).
  private func isFolded(_ words: [UInt8], _ post: Post, mayBeOld: Bool) -> Bool {
    words == post.foldedWords || mayBeOld && words == post.foldedWordsOfFirstForm
  }
}
