// Search (protocol §8 `search`) over `post_words` (Schema+Words.swift). The rows of a list lie side by side, and SQLite
// itself compares them, so only the rows with the rarest words come out. Each of their posts is looked at again as it
// is now, so the answer is what a look at every post would answer.

package import Domain
package import Sync
import Text
import Wire

extension SQLiteStore {
  package func searchedLists(of user: UserID) throws(StoreError) -> [SearchedList] {
    try query { (reads) throws(DatabaseError) in
      try reads.searchedLists.bind(1, user.uuid)
      return try reads.searchedLists.rows { (row) throws(DatabaseError) in
        guard case .category(let category) = try row.stream(0),
          let role = Role(rawValue: Int(row.int64(1)))
        else { throw row.damaged(0, "is no list of anybody") }
        return SearchedList(
          category: category, role: role, changedAt: Timestamp(milliseconds: row.int64(2)),
          posts: Int(row.int64(3)), zone: row.isNull(4) ? Category.zoneOfOld : row.text(4),
          joinedSeq: row.int64(5), open: Int(row.int64(6)), isArchived: row.int64(7) != 0)
      }
    }
  }

  package func found(_ search: PostSearch) throws(StoreError) -> [FoundPost] {
    try queries { () throws(StoreError) in
      try query { (reads) throws(DatabaseError) in
        var scan = WordScan(
          search, try reads.places(of: search.categories),
          present: try reads.placeOfPresentWords() ?? .max)
        var found: [FoundPost] = []
        while found.count < search.limit, let next = try scan.next(reads) {
          if let post = try reads.post(at: next, of: search) {
            found.append(FoundPost(post, in: next.place.category))
          }
        }
        return found
      }
    }
  }
}

/// A row of `post_words` that may match.
private struct WordHit: PlacedHit {
  let place: FoundPlace
  let stream: Int64
}

/// A scan that hands out hits, the newest first.
private struct WordScan {
  private let search: PostSearch
  private let lists: [(category: CategoryID, stream: Int64)]
  /// The place behind which rows may have words of the first form.
  private let present: Int64
  private var hits: FirstHits<WordHit>

  init(
    _ search: PostSearch, _ lists: [(category: CategoryID, stream: Int64)], present: Int64
  ) {
    self.search = search
    self.lists = lists
    self.present = present
    hits = FirstHits(after: search.after)
  }

  mutating func next(_ reads: ReadStatements) throws(DatabaseError) -> WordHit? {
    if hits.next == nil, !hits.isComplete { try look(reads) }
    defer { hits.pass() }
    return hits.next
  }

  private mutating func look(_ reads: ReadStatements) throws(DatabaseError) {
    hits.beginLook()
    try bind(reads.postsWithWords)
    try bind(old: reads.postsWithOldWords)
    for list in lists {
      let (first, last) = (list.stream << 32, (list.stream + 1) << 32)
      let middle = min(max(first, present), last)
      if first < middle {
        try look(in: list, from: first, to: middle < last ? middle + 1 : last, reads.postsWithWords)
      }
      if middle < last { try look(inOld: list, from: middle, to: last, reads.postsWithOldWords) }
    }
    hits.endLook()
  }

  private func bind(_ statement: Statement) throws(DatabaseError) {
    let asked = search.words.words.filter { $0.count <= WordScan.spellings }.prefix(WordScan.words)
    try statement.bind(3, search.place == .bin ? 1 : Int64(0))
    for word in 0..<WordScan.words {
      let spellings = asked.count > word ? asked[word].map(WantedWords.mark) : []
      for spelling in 0..<WordScan.spellings {
        try statement.bind(
          Int32(4 + word * WordScan.spellings + spelling),
          copyingOrNull: spellings.count > spelling ? spellings[spelling] : nil)
      }
    }
    try statement.bind(10, needsALook ? 1 : Int64(0))
  }

  private func bind(old statement: Statement) throws(DatabaseError) {
    let asked = search.words.words.first { $0.count <= WordScan.spellings } ?? []
    try statement.bind(3, search.place == .bin ? 1 : Int64(0))
    try statement.bind(4, copyingOrNull: asked.first.map(WantedWords.mark))
    try statement.bind(5, copyingOrNull: asked.dropFirst().first.map(WantedWords.mark))
    try statement.bind(6, copyingOrNull: search.words.wordsOfFirstForm.first)
  }

  /// The number of words, the longest ones, that SQLite compares, each in `spellings` spellings. Further words and
  /// spellings, and the places of words within others, are compared in the words that SQLite returns: to read a post
  /// and fold it again costs a thousand times as much. A first word never has more spellings: only those behind a tie
  /// have.
  private static let words = 3
  private static let spellings = 2

  private var needsALook: Bool {
    search.words.needsALook || search.words.words.count > WordScan.words
      || search.words.words.contains { $0.count > WordScan.spellings }
  }

  private mutating func look(
    in list: (category: CategoryID, stream: Int64), from first: Int64, to last: Int64,
    _ statement: Statement
  ) throws(DatabaseError) {
    let (looks, wanted) = (needsALook, search.words)
    try each(of: list, from: first, to: last, statement) { words in
      !looks || wanted.areIn(words())
    }
  }

  private mutating func look(
    inOld list: (category: CategoryID, stream: Int64), from first: Int64, to last: Int64,
    _ statement: Statement
  ) throws(DatabaseError) {
    let wanted = search.words
    try each(of: list, from: first, to: last, statement) { words in
      let words = words()
      return wanted.areIn(words) || wanted.areInFirstForm(words)
    }
  }

  /// Looks at the rows behind the first place and before the last.
  private mutating func each(
    of list: (category: CategoryID, stream: Int64), from first: Int64, to last: Int64,
    _ statement: Statement, where isWanted: (() -> [UInt8]) -> Bool
  ) throws(DatabaseError) {
    try statement.bind(1, first)
    try statement.bind(2, last)
    try statement.each { (row) throws(DatabaseError) in
      let place = FoundPlace(
        createdAt: Timestamp(milliseconds: row.int64(1)), category: list.category,
        number: Int(row.int64(0)))
      guard hits.isAhead(place), isWanted({ row.bytes(2) }) else { return true }
      hits.add(WordHit(place: place, stream: list.stream))
      return true
    }
  }
}

enum WordSQL {
  static let wordsCheck = "SELECT after FROM words_check"
  /// Finds rows with up to three words in two spellings each. The words are read only with ?10.
  static let postsWithWords =
    """
    SELECT place & 0xFFFFFFFF, at, CASE ?10 WHEN 1 THEN words END FROM post_words
    WHERE place > ?1 AND place < ?2 AND removed = ?3
      AND (instr(words, ?4) > 0 OR (?5 IS NOT NULL AND instr(words, ?5) > 0))
      AND (?6 IS NULL OR instr(words, ?6) > 0 OR (?7 IS NOT NULL AND instr(words, ?7) > 0))
      AND (?8 IS NULL OR instr(words, ?8) > 0 OR (?9 IS NOT NULL AND instr(words, ?9) > 0))
    """
  /// Finds rows with one word in two spellings, or with one word of the first form.
  static let postsWithOldWords =
    """
    SELECT place & 0xFFFFFFFF, at, words FROM post_words
    WHERE place > ?1 AND place < ?2 AND removed = ?3
      AND (instr(words, ?4) > 0 OR (?5 IS NOT NULL AND instr(words, ?5) > 0)
        OR (?6 IS NOT NULL AND instr(words, ?6) > 0))
    """
}

extension ReadStatements {
  /// Returns the numbers of the streams, in the order of the categories. Those that do not exist are left out.
  fileprivate func places(
    of categories: [CategoryID]
  ) throws(DatabaseError) -> [(category: CategoryID, stream: Int64)] {
    var places: [(category: CategoryID, stream: Int64)] = []
    for category in categories {
      if let number = try streamNumber(of: category) { places.append((category, number)) }
    }
    return places
  }

  /// Returns the post of a hit. Nil when the post does not match.
  fileprivate func post(
    at hit: WordHit, of search: PostSearch
  ) throws(DatabaseError) -> Post? {
    guard let body = try postBody(hit.place.number, in: hit.stream),
      let found = try post(body, of: hit.place.category),
      search.finds(found, in: hit.place.category)
    else { return nil }
    return found
  }
}
