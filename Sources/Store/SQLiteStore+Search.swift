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
          joinedSeq: row.int64(5), open: Int(row.int64(6)))
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
private struct WordHit {
  let place: FoundPlace
  let stream: Int64
}

/// Hands out hits, the newest first. Of very many it keeps the first ones and looks again when those are spent.
private struct WordScan {
  private let search: PostSearch
  private let lists: [(category: CategoryID, stream: Int64)]
  /// The last first.
  private var hits: [WordHit] = []
  private var last: FoundPlace?
  private var isComplete = false

  /// Enough for a page even where many are not what they seemed.
  private static let hitsKept = 1_024

  init(_ search: PostSearch, _ lists: [(category: CategoryID, stream: Int64)]) {
    self.search = search
    self.lists = lists
    last = search.after
  }

  mutating func next(_ reads: ReadStatements) throws(DatabaseError) -> WordHit? {
    if hits.isEmpty, !isComplete { try look(reads) }
    let hit = hits.popLast()
    last = hit?.place ?? last
    return hit
  }

  private mutating func look(_ reads: ReadStatements) throws(DatabaseError) {
    isComplete = true
    let statement = reads.postsWithWords
    try statement.bind(3, search.place == .bin ? 1 : Int64(0))
    for parameter in 0..<WordScan.needles {
      let needle = search.words.needles.dropFirst(parameter).first
      try statement.bind(Int32(4 + parameter), copyingOrNull: needle)
    }
    try statement.bind(7, search.words.needles.count > WordScan.needles ? 1 : Int64(0))
    for list in lists { try look(in: list, statement) }
    keepFirst()
    hits.reverse()
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
      guard last.map({ $0 < place }) ?? true else { return true }
      if search.words.needles.count > WordScan.needles, !search.words.areIn(row.bytes(2)) {
        return true
      }
      hits.append(WordHit(place: place, stream: list.stream))
      if hits.count >= 4 * WordScan.hitsKept { keepFirst() }
      return true
    }
  }

  private mutating func keepFirst() {
    hits.sort { $0.place < $1.place }
    guard hits.count > WordScan.hitsKept else { return }
    hits.removeLast(hits.count - WordScan.hitsKept)
    isComplete = false
  }
}

extension ReadStatements {
  /// The numbers of the streams, in the order of the categories; what does not exist is left out.
  fileprivate func places(
    of categories: [CategoryID]
  ) throws(DatabaseError) -> [(category: CategoryID, stream: Int64)] {
    var places: [(category: CategoryID, stream: Int64)] = []
    for category in categories {
      try streamRow.bind(1, .category(category))
      let number = try streamRow.first { (row) throws(DatabaseError) in row.int64(0) }
      if let number { places.append((category, number)) }
    }
    return places
  }

  /// The post of a hit, if it is what is wanted.
  fileprivate func post(
    at hit: WordHit, of search: PostSearch
  ) throws(DatabaseError) -> Post? {
    try postByNumber.bind(1, hit.stream)
    try postByNumber.bind(2, hit.place.number)
    let body = try postByNumber.first { (row) throws(DatabaseError) in row.bytes(0) }
    guard let body else { return nil }
    let object = try undamaged("a post of \(hit.place.category)") { () throws(WireError) in
      try ObjectCodec.decode(body)
    }
    guard case .post(let post) = object, search.finds(post, in: hit.place.category) else {
      return nil
    }
    return post
  }
}
