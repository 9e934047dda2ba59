// Keeps the first hits of a look through lists, in their order. When a look brings very many, only the first ones are
// kept: enough for a page, even if many turn out not to match. When these are spent, another look brings those behind
// them.

import Domain
import Wire

/// A hit of a look, with its place among all that may be wanted.
protocol PlacedHit {
  associatedtype Place: Comparable
  var place: Place { get }
}

/// The hits from the first one on, handed out one by one.
struct FirstHits<Hit: PlacedHit> {
  /// The place of the hit that was passed last, or the place where it began.
  private(set) var last: Hit.Place?
  /// Whether another look would bring no more.
  private(set) var isComplete = false
  /// The hits in any order while somebody looks, and the last one first afterwards.
  private var hits: [Hit] = []

  private static var keptMax: Int { 1_024 }

  /// Begins after this place.
  init(after place: Hit.Place?) { last = place }

  /// The first hit that is not passed. Nil when all that were kept are passed.
  var next: Hit? { hits.last }

  mutating func pass() { last = hits.popLast()?.place ?? last }

  mutating func beginLook() {
    hits = []
    isComplete = true
  }

  func isAhead(_ place: Hit.Place) -> Bool { last.map { $0 < place } ?? true }

  /// Adds a hit. They may come in any order; a hit that was passed before is left out.
  mutating func add(_ hit: Hit) {
    guard isAhead(hit.place) else { return }
    hits.append(hit)
    if hits.count >= 4 * FirstHits.keptMax { keepFirst() }
  }

  mutating func endLook() {
    keepFirst()
    hits.reverse()
  }

  /// Prepares for a look elsewhere, which may bring more.
  mutating func beginElsewhere() { isComplete = false }

  private mutating func keepFirst() {
    hits.sort { $0.place < $1.place }
    guard hits.count > FirstHits.keptMax else { return }
    hits.removeLast(hits.count - FirstHits.keptMax)
    isComplete = false
  }
}

// MARK: - Where to look, and at what

extension ReadStatements {
  /// Returns the number of a list's stream. Nil for a list that does not exist.
  func streamNumber(of category: CategoryID) throws(DatabaseError) -> Int64? {
    try streamRow.bind(1, .category(category))
    return try streamRow.first { (row) throws(DatabaseError) in row.int64(0) }
  }

  /// Returns the present body of a post. Nil when the list has no post with this number.
  func postBody(_ number: Int, in stream: Int64) throws(DatabaseError) -> [UInt8]? {
    try postByNumber.bind(1, stream)
    try postByNumber.bind(2, number)
    return try postByNumber.first { (row) throws(DatabaseError) in try row.body(0) }
  }

  func post(_ body: [UInt8], of category: CategoryID) throws(DatabaseError) -> Post? {
    let object = try undamaged("a post of \(category)") { () throws(WireError) in
      try ObjectCodec.decode(body)
    }
    return if case .post(let post) = object { post } else { nil }
  }
}
