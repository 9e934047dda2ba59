// Views (protocol §8, post.query and agenda.get). Every list is asked for the numbers of the posts that may match: by
// the rows of their deadlines (Schema+Dues.swift) when the view is about deadlines, otherwise by the index of the
// shelf. The first of those posts are looked at as they are now, so the answer is what a look at every post would
// answer.
//
// SQLite does not read JSON for it: to look for some bytes in a body, such as `"addedBy":"…"`, costs a tenth. Quotes
// inside texts are written `\"`, so none of them looks like a member.

import Domain
package import Sync
import Wire

extension SQLiteStore {
  package func viewed(_ view: PostView) throws(StoreError) -> ViewedPage {
    try queries { () throws(StoreError) in
      try query { (reads) throws(DatabaseError) in
        var scan = ViewScan(view, try reads.streams(of: view.lists))
        var found: [ViewedPost] = []
        var left = view.looks
        while found.count < view.limit, let next = try scan.next(reads) {
          guard !left.isSpent else { return ViewedPage(found, stoppedAt: scan.last) }
          if let post = try reads.post(at: next, of: view, &left) {
            found.append(ViewedPost(post, at: next.place))
          }
          scan.pass()
        }
        return ViewedPage(found)
      }
    }
  }

  package func dues(_ range: DueRange) throws(StoreError) -> DueMarks {
    try queries { () throws(StoreError) in
      try query { (reads) throws(DatabaseError) in
        var marks: [DueMark] = []
        var overdue = 0
        for list in try reads.streams(of: range.lists) {
          overdue += try reads.overdue(in: list.stream, range.now)
          try reads.addMarks(of: list, range, to: &marks)
        }
        return DueMarks(marks, overdue: overdue)
      }
    }
  }
}

private typealias StreamOfList = (list: ViewedList, stream: Int64)

/// A post that may match.
private struct ViewHit: PlacedHit {
  let place: ViewPlace
  let list: ViewedList
  let stream: Int64
}

/// A place where posts are looked for. Some are looked through only when the posts before them are spent.
private enum ViewSource {
  /// Open posts with a deadline.
  case due
  /// Open posts. With `onlyUndated` those with a deadline are left out, because they came before.
  case open(onlyUndated: Bool)
  case done
  case bin

  /// Returns the sources of each stage. All places of an earlier stage come before those of a later one.
  static func stages(of view: PostView) -> [[ViewSource]] {
    switch view.criteria.state {
    case .open where view.sort == .position: [[.open(onlyUndated: false)]]
    case .open where view.criteria.due != nil: [[.due]]
    case .open:
      switch view.sort {
      case .created: [[.open(onlyUndated: false)]]
      case .due: [[.due], [.open(onlyUndated: true)]]
      case .priority: [[.due, .open(onlyUndated: true)]]
      case .position: [[.open(onlyUndated: false)]]
      }
    case .done: [[.done]]
    case .any: [[.open(onlyUndated: false), .done]]
    case .bin: [[.bin]]
    }
  }
}

/// A scan that hands out hits in their order, stage by stage.
private struct ViewScan {
  private let view: PostView
  private let lists: [StreamOfList]
  private var stages: ArraySlice<[ViewSource]>
  private var hits: FirstHits<ViewHit>

  init(_ view: PostView, _ lists: [StreamOfList]) {
    self.view = view
    self.lists = lists
    stages = ViewSource.stages(of: view)[...]
    hits = FirstHits(after: view.after)
  }

  /// The place behind which `next` is.
  var last: ViewPlace? { hits.last }

  /// Returns the next hit, the same one until it is passed. Nil after the last one.
  mutating func next(_ reads: ReadStatements) throws(DatabaseError) -> ViewHit? {
    while hits.next == nil, let stage = stages.first {
      if hits.isComplete {
        stages.removeFirst()
        hits.beginElsewhere()
      } else {
        try look(at: stage, reads)
      }
    }
    return hits.next
  }

  mutating func pass() { hits.pass() }

  private mutating func look(
    at stage: [ViewSource], _ reads: ReadStatements
  ) throws(DatabaseError) {
    hits.beginLook()
    for source in stage {
      let statement = try reads.statement(for: source, of: view)
      for list in lists { try look(in: list, statement) }
    }
    hits.endLook()
  }

  private mutating func look(
    in list: StreamOfList, _ statement: Statement
  ) throws(DatabaseError) {
    let least = view.criteria.priority?.level ?? 0
    try statement.bind(1, list.stream)
    try statement.each { (row) throws(DatabaseError) in
      let level = Int(row.int64(3))
      guard level >= least || view.criteria.state != .open else { return true }
      let number = Int(row.int64(0))
      let place =
        view.sort == .position
        ? ViewPlace(
          position: row.position(4) ?? .of(number: number), category: list.list.category,
          number: number)
        : view.place(
          number: number, added: row.int64(1), deadline: row.int64OrNil(2), level: level,
          in: list.list.category)
      hits.add(ViewHit(place: place, list: list.list, stream: list.stream))
      return true
    }
  }
}

extension PostView {
  fileprivate var needsLevels: Bool { sort == .priority || criteria.priority != nil }

  fileprivate func place(
    number: Int, added: Int64, deadline: Int64?, level: Int, in category: CategoryID
  ) -> ViewPlace {
    let added = ViewPlace.added(added)
    return ViewPlace(
      rank: sort == .priority ? Priority.levelMax - level : 0,
      when: sort == .created ? added : deadline ?? added, category: category, number: number)
  }

  /// The bytes that stand in the body of every post that matches. Nil for a condition that the view does not have.
  fileprivate var needles: [[UInt8]?] {
    [
      by.map { Array("\"addedBy\":\"\($0)\"".utf8) },
      assignee.map { Array("{\"user\":\"\($0)\"".utf8) },
      criteria.tag.map { Array("\"\($0)\"".utf8) },
    ]
  }
}

extension Statement {
  /// Reads a position that begins these bytes of a body. Nil when the column is null.
  fileprivate func position(_ column: Int32) -> Position? {
    guard !isNull(column) else { return nil }
    return Position(
      String(decoding: bytes(column).prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
  }
}

extension ReadStatements {
  /// Returns the lists with the numbers of their streams. Lists that do not exist are left out.
  fileprivate func streams(of lists: [ViewedList]) throws(DatabaseError) -> [StreamOfList] {
    var streams: [StreamOfList] = []
    for list in lists {
      if let number = try streamNumber(of: list.category) { streams.append((list, number)) }
    }
    return streams
  }

  /// Binds everything that the statement of a source needs but the list.
  fileprivate func statement(
    for source: ViewSource, of view: PostView
  ) throws(DatabaseError) -> Statement {
    let statement: Statement
    switch source {
    case .due:
      statement = dueViewed
      let range = view.criteria.due?.deadlines
      try statement.bind(7, view.needsLevels ? 1 : Int64(0))
      try statement.bind(5, range?.lowerBound.milliseconds ?? Int64.min)
      try statement.bind(6, range?.upperBound.milliseconds ?? Int64.max)
    case .open(let onlyUndated):
      statement = openViewed
      try statement.bind(8, view.sort == .position ? 1 : Int64(0))
      try statement.bind(5, onlyUndated ? 1 : Int64(0))
      try statement.bind(7, view.needsLevels ? 1 : Int64(0))
    case .done: statement = doneViewed
    case .bin: statement = removedViewed
    }
    for (index, needle) in view.needles.enumerated() {
      try statement.bind(Int32(2 + index), copyingOrNull: needle)
    }
    return statement
  }

  /// Returns the post of a hit. Nil when the post does not match.
  fileprivate func post(
    at hit: ViewHit, of view: PostView, _ left: inout ViewLooks
  ) throws(DatabaseError) -> Post? {
    let body = try postBody(hit.place.number, in: hit.stream)
    left.spend(bytes: body?.count ?? 0)
    guard let body, let found = try post(body, of: hit.place.category),
      view.shows(found, in: hit.list)
    else { return nil }
    return found
  }

  fileprivate func overdue(in stream: Int64, _ now: Timestamp) throws(DatabaseError) -> Int {
    try overdueCount.bind(1, stream)
    try overdueCount.bind(2, now.milliseconds)
    return try overdueCount.first { (row) throws(DatabaseError) in Int(row.int64(0)) } ?? 0
  }

  fileprivate func addMarks(
    of list: StreamOfList, _ range: DueRange, to marks: inout [DueMark]
  ) throws(DatabaseError) {
    try dueMarks.bind(1, list.stream)
    try dueMarks.bind(2, range.deadlines.lowerBound.milliseconds)
    try dueMarks.bind(3, range.deadlines.upperBound.milliseconds)
    try dueMarks.each { (row) throws(DatabaseError) in
      let deadline = Timestamp(milliseconds: row.int64(0))
      // The deadline of a day is the end of that day in the list's zone.
      let last = Timestamp(milliseconds: deadline.milliseconds - 1)
      let day = row.int64(1) == 0 ? nil : range.almanac.day(last, list.list.zone)
      marks.append(DueMark(deadline: deadline, day: day))
      return true
    }
  }
}
