// Search (protocol §8.56) over `post_words` (Schema+Words.swift): the rows of a list lie side by side, and SQLite
// itself compares them, so that only those come out that have the rarest words. Each is looked at again as it
// is now; what is answered is therefore what a look at every post would answer.

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
        var scan = WordScan(search, try reads.places(of: search.categories))
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

/// A row of `post_words` that may be what is wanted.
private struct WordHit: PlacedHit {
  let place: FoundPlace
  let stream: Int64
}

/// Hands out hits, the newest first.
private struct WordScan {
  private let search: PostSearch
  private let lists: [(category: CategoryID, stream: Int64)]
  private var hits: FirstHits<WordHit>

  init(_ search: PostSearch, _ lists: [(category: CategoryID, stream: Int64)]) {
    self.search = search
    self.lists = lists
    hits = FirstHits(after: search.after)
  }

  mutating func next(_ reads: ReadStatements) throws(DatabaseError) -> WordHit? {
    if hits.next == nil, !hits.isComplete { try look(reads) }
    defer { hits.pass() }
    return hits.next
  }

  private mutating func look(_ reads: ReadStatements) throws(DatabaseError) {
    hits.beginLook()
    let statement = reads.postsWithWords
    try statement.bind(3, search.place == .bin ? 1 : Int64(0))
    for parameter in 0..<WordScan.needles {
      let needle = search.words.needles.dropFirst(parameter).first
      try statement.bind(Int32(4 + parameter), copyingOrNull: needle)
    }
    try statement.bind(7, search.words.needles.count > WordScan.needles ? 1 : Int64(0))
    for list in lists { try look(in: list, statement) }
    hits.endLook()
  }

  /// So many words SQLite compares, the longest. The others are looked for in the words that it brings: to read a
  /// post and fold it again costs a thousand times as much.
  private static let needles = 3

  private mutating func look(
    in list: (category: CategoryID, stream: Int64), _ statement: Statement
  ) throws(DatabaseError) {
    try statement.bind(1, list.stream << 32)
    try statement.bind(2, (list.stream + 1) << 32)
    try statement.each { (row) throws(DatabaseError) in
      let place = FoundPlace(
        createdAt: Timestamp(milliseconds: row.int64(1)), category: list.category,
        number: Int(row.int64(0)))
      guard hits.isAhead(place) else { return true }
      if search.words.needles.count > WordScan.needles, !search.words.areIn(row.bytes(2)) {
        return true
      }
      hits.add(WordHit(place: place, stream: list.stream))
      return true
    }
  }
}

extension ReadStatements {
  /// The numbers of the streams, in the order of the categories; what does not exist is left out.
  fileprivate func places(
    of categories: [CategoryID]
  ) throws(DatabaseError) -> [(category: CategoryID, stream: Int64)] {
    var places: [(category: CategoryID, stream: Int64)] = []
    for category in categories {
      if let number = try streamNumber(of: category) { places.append((category, number)) }
    }
    return places
  }

  /// The post of a hit, if it is what is wanted.
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
