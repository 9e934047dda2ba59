// Rewrites words of posts that were written when words were compared in another form (Schema+Words.swift).
//
// It works in steps between the ledger's commits, each as short as a batch. `words_check` has the place up to which all
// rows are of the present form; behind it some are and some are not. A step writes the next rows and moves the place in
// one transaction, so a crash loses nothing. Most rows are the same in both forms and are not written. Until it is
// done, searches compare the rest with the words of both forms (SQLiteStore+Search.swift), and `verify` accepts either.
// The words come from the post as it is now, so an erased text gives none.

import Domain
import Sync
import Wire

/// The statements that rewrite words.
struct RewordStatements {
  let next, write, moveOn, finish: Statement

  init(_ database: Database) throws(DatabaseError) {
    next = try database.prepare(
      "SELECT place, words FROM post_words WHERE place > ?1 ORDER BY place LIMIT ?2")
    write = try database.prepare("UPDATE post_words SET words = ?2 WHERE place = ?1")
    moveOn = try database.prepare("UPDATE words_check SET after = ?1")
    finish = try database.prepare("DELETE FROM words_check")
  }
}

/// The most that one step may take: some milliseconds.
private enum RewordLimits {
  static let rowsPerStep: Int64 = 128
}

extension Connection {
  /// Takes one step in a transaction of its own. False when nothing is left.
  func rewordMore(_ writes: WriteStatements) throws(DatabaseError) -> Bool {
    guard mayReword else { return false }
    guard let after = try reads.placeOfPresentWords() else {
      mayReword = false
      return false
    }
    let rows = try rows(after: after, writes.rewords)
    try inTransaction(writes) { () throws(DatabaseError) in
      for row in rows { try reword(row, writes.rewords) }
      guard let last = rows.last, rows.count == RewordLimits.rowsPerStep else {
        return try writes.rewords.finish.run()
      }
      try writes.rewords.moveOn.bind(1, last.place)
      try writes.rewords.moveOn.run()
    }
    return true
  }

  private func rows(
    after place: Int64, _ rewords: RewordStatements
  ) throws(DatabaseError) -> [WordsRow] {
    try rewords.next.bind(1, place)
    try rewords.next.bind(2, RewordLimits.rowsPerStep)
    return try rewords.next.rows { (row) throws(DatabaseError) in
      WordsRow(place: row.int64(0), words: row.bytes(1))
    }
  }

  private func reword(_ row: WordsRow, _ rewords: RewordStatements) throws(DatabaseError) {
    // A post without a text has no words in any form, and a post that went away has no body under its number.
    guard !row.words.isEmpty,
      let body = try reads.postBody(Int(row.place & 0xFFFF_FFFF), in: row.place >> 32)
    else { return }
    let object = try undamaged("a post of \(row.place >> 32)") { () throws(WireError) in
      try ObjectCodec.decode(body)
    }
    guard case .post(let post) = object else { return }
    let words = post.foldedWords
    guard words != row.words else { return }
    try rewords.write.bind(1, row.place)
    try rewords.write.bind(2, copying: words)
    try rewords.write.run()
  }
}

/// A row of `post_words`.
private struct WordsRow {
  let place: Int64
  let words: [UInt8]
}

extension ReadStatements {
  /// Returns the place up to which the rows of `post_words` are of the present form. Nil when all are.
  func placeOfPresentWords() throws(DatabaseError) -> Int64? {
    try wordsCheck.first { (row) throws(DatabaseError) in row.int64(0) }
  }
}
