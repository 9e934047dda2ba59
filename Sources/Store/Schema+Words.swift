// The steps that let posts be found by their words.
//
// post_words   one row for each post, by its place (stream number × 2³² + the post's number): when it was added,
//              whether it is in the bin, and its words as search compares them (Text/Words.swift). The rows of a list
//              lie side by side; a search reads the rows of the asker's lists and no others.
//
// Reasons against FTS5. Debian 12's SQLite (3.40.1) cannot take a text out of an FTS5 index. A deleted text stays in
// its segments, as a word and as the mark that it is deleted, until all segments are merged, which reads and writes the
// words of all lists of the server. FTS5's own `secure-delete` came with 3.42. `post.erase` promises that the text is
// in no file soon. FTS5 has one index for all, so a search costs more the more others have written. It also writes
// more: measured with creates in 100 lists, of 2 to 28 words (Python on 3.40.1, tables as here, CPU and pages of the
// log for each create):
//                          16 in a transaction        1 in a transaction
//   no index               20 µs   1.7 pages          33 µs   3.4 pages
//   post_words             35 µs   2.9 pages          59 µs   5.0 pages
//   FTS5, contentless      45 µs   2.5 pages         108 µs   8.0 pages
//   a row for each word    62 µs   4.2 pages          75 µs   5.9 pages
// The cost: a search looks at all words of the asker's lists, some 0.4 µs for each post (100 bytes of words). Five
// letters inside of a word are looked for without its beginning. That is no dearer (0.24 µs for each post, where a
// beginning takes 0.33, because it compares less at each zero byte) and needs no bytes. A create's statements cost
// SQLite 7 µs more (sqlite_twin): 23 → 31 with 16 in a transaction in as many lists, 63 → 70 alone.

import Domain
import Sync
import Wire

extension Schema {
  static let words =
    """
    CREATE TABLE post_words(
      place INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      words BLOB NOT NULL
    ) STRICT;
    """

  /// The step since which words are compared in another form (Text/Words.swift). Older rows are written anew
  /// afterwards, while the server serves (Connection+Words.swift). `after` is the place up to which that is done;
  /// without a row all of it is done.
  static let wordsOfPresentForm =
    """
    CREATE TABLE words_check(after INTEGER NOT NULL) STRICT;
    INSERT INTO words_check SELECT 0 WHERE EXISTS (SELECT 1 FROM post_words);
    """

  /// The part of the step that SQL cannot do. It is one transaction: some 15 s for a million posts.
  static func writeWords(of database: Database) throws(DatabaseError) {
    let posts = try database.prepare(
      "SELECT body FROM object WHERE stream = ?1 AND kind = 6")
    let write = try WordStatements(database)
    let streams = try database.prepare("SELECT number, name FROM stream ORDER BY number").rows {
      (row) throws(DatabaseError) in (number: row.int64(0), id: try row.stream(1))
    }
    for stream in streams {
      guard case .category(let category) = stream.id else { continue }
      try posts.bind(1, stream.number)
      try posts.each { (row) throws(DatabaseError) in
        let object = try undamaged("a post of \(stream.id)") { () throws(WireError) in
          try ObjectCodec.decode(row.bytes(0))
        }
        guard case .post(let post) = object else { return true }
        try write.put(PostWords(post, in: category), stream: stream.number)
        return true
      }
    }
  }
}

/// Writes rows of `post_words`.
struct WordStatements {
  private let write: Statement

  init(_ database: Database) throws(DatabaseError) {
    write = try database.prepare(
      """
      INSERT INTO post_words(place, at, removed, words) VALUES(?1, ?2, ?3, ?4)
      ON CONFLICT(place) DO UPDATE SET
        at = excluded.at, removed = excluded.removed, words = excluded.words
      """)
  }

  func put(_ words: PostWords, stream: Int64) throws(DatabaseError) {
    try write.bind(1, stream << 32 + Int64(words.number))
    try write.bind(2, words.createdAt.milliseconds)
    try write.bind(3, words.isRemoved ? 1 : Int64(0))
    try words.folded.span.bytes.withUnsafeBytes { (folded) throws(DatabaseError) in
      try write.bind(4, lending: folded)
      try write.run()
    }
  }
}
