package import Domain

/// The request `post.query` (protocol §8): posts of the asker's lists as they are now, without words.
package struct ViewQuery: Equatable, Sendable {
  package let criteria: PostWhere
  /// The lists, ascending, each once. Nil: all lists of the person who asks.
  package let categories: [CategoryID]?
  /// The order. Another one than `created` is only for open posts, and `position` only for one list.
  package let sort: ViewSort
  /// The zone of the days in `criteria`. Nil: that of the asker's profile.
  package let zone: String?
  /// The place behind which posts are wanted. Nil starts at the first.
  package let after: ViewPlace?
  /// The number of posts on a page: 1 … `Limits.viewPageMax`.
  package let limit: Int

  package init(
    _ criteria: PostWhere = PostWhere(), in categories: [CategoryID]? = nil,
    sort: ViewSort = .created, zone: String? = nil, after: ViewPlace? = nil,
    limit: Int = Limits.viewPageMax
  ) {
    self.criteria = criteria
    self.categories = categories.map { Set($0).sorted() }
    self.sort = sort
    self.zone = zone
    self.after = after
    self.limit = limit
  }
}

/// The place of a post in a view, which is the same on every page as long as the post stays as it is: by priority where
/// that is asked for, then by deadline or by the time of adding, then by the list and the number.
package struct ViewPlace: Hashable, Comparable, Sendable {
  /// The rank by priority: 0 for the highest, and 0 for all where priorities do not matter.
  package let rank: Int
  /// A deadline in milliseconds, or the value of `added`.
  package let when: Int64
  /// The position where that is asked for. Then only number and list matter besides.
  package let position: Position?
  package let category: CategoryID
  package let number: Int

  package init(position: Position, category: CategoryID, number: Int) {
    rank = 0
    when = 0
    self.position = position
    self.category = category
    self.number = number
  }

  package init(rank: Int = 0, when: Int64, category: CategoryID, number: Int) {
    self.rank = rank
    self.when = when
    position = nil
    self.category = category
    self.number = number
  }

  package init(
    _ post: Post, in category: CategoryID, by sort: ViewSort, deadline: Timestamp?
  ) {
    guard sort != .position else {
      self.init(position: post.place, category: category, number: post.number)
      return
    }
    let added = ViewPlace.added(post.createdAt.milliseconds)
    let level = post.priority?.level ?? 0
    self.init(
      rank: sort == .priority ? Priority.levelMax - level : 0,
      when: sort == .created ? added : deadline?.milliseconds ?? added, category: category,
      number: post.number)
  }

  /// Returns a value that puts the newest first, and all behind every deadline: these end before the year 9999, which
  /// is 2⁴⁸ ms after 1970.
  package static func added(_ milliseconds: Int64) -> Int64 { (1 << 52) - milliseconds }

  /// Answers whether the left one comes first.
  package static func < (left: ViewPlace, right: ViewPlace) -> Bool {
    if let upper = left.position, let lower = right.position {
      return (upper, left.number, left.category) < (lower, right.number, right.category)
    }
    if left.rank != right.rank { return left.rank < right.rank }
    if left.when != right.when { return left.when < right.when }
    if left.category != right.category { return left.category < right.category }
    return left.number > right.number
  }
}

extension ViewPlace {
  /// The text that a client gets and gives back. It has no meaning for a client.
  package var text: String {
    let place = position.map { "p.\($0.text)" } ?? "\(rank).\(when)"
    return "\(place).\(number).\(category)"
  }

  /// Reads a place. Nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, let number = Int(parts[2]), let category = UUID(parts[3]) else {
      return nil
    }
    if parts[0] == "p" {
      guard let position = Position(String(parts[1])) else { return nil }
      self.init(position: position, category: CategoryID(category), number: number)
    } else {
      guard let rank = Int(parts[0]), let when = Int64(parts[1]) else { return nil }
      self.init(rank: rank, when: when, category: CategoryID(category), number: number)
    }
    guard self.text == text else { return nil }
  }
}

// MARK: - Parameters

extension ViewQuery {
  init(_ params: Params) throws(Refusal) {
    var criteria = PostWhere()
    if params.has("where") {
      try PostWhere.refuseUnknown(params.object("where"))
      criteria = try PostWhere(params.object("where"))
    }
    let categories = try params.has("streams") ? params.categories("streams") : nil
    let sort = try ViewSort(params, of: criteria, in: categories)
    self.init(
      criteria, in: categories, sort: sort, zone: try params.has("zone") ? params.zone() : nil,
      after: try params.has("after") ? params.viewPlace("after") : nil,
      limit: try params.limit(Limits.viewPageMax))
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("after", ifPresent: after?.text)
    writer.member("limit", limit)
    if sort != .created { writer.member("sort", sort.rawValue) }
    writer.member("streams", ifPresent: categories)
    if criteria != PostWhere() {
      writer.key("where")
      criteria.write(to: &writer)
    }
    writer.member("zone", ifPresent: zone)
  }

  static let placeBytesMax = 128
}

extension ViewSort {
  /// Reads the member `sort`.
  init(
    _ params: Params, of criteria: PostWhere, in categories: [CategoryID]?
  ) throws(Refusal) {
    guard params.has("sort") else {
      self = .created
      return
    }
    self = try params.word(
      "sort", of: ViewSort.allCases.map(\.rawValue), ViewSort.init(rawValue:))
    guard self == .created || criteria.state == .open else {
      throw params.invalid("sort", "must be created where posts are not open")
    }
    guard self != .position || categories?.count == 1 else {
      throw params.invalid("sort", "by position needs one list in streams")
    }
  }
}

extension PostWhere {
  init(_ params: Params) throws(Refusal) {
    self.init()
    if params.has("state") {
      state = try params.word(
        "state", of: PostState.allCases.map(\.rawValue), PostState.init(rawValue:))
    }
    by = try params.has("by") ? params.person("by") : nil
    assignee = try params.has("assignee") ? params.person("assignee") : nil
    tag = try params.has("tag") ? TagID(params.uuid("tag")) : nil
    if params.has("priority") {
      priority = try params.word(
        "priority", of: Priority.allCases.map(\.rawValue), Priority.init(rawValue:))
    }
    due = try params.has("due") ? DueWindow(params.object("due")) : nil
  }

  /// Refuses unknown members of a request: criteria must not be misread as fewer ones, or as none. Stored criteria may
  /// have members of a later version.
  static func refuseUnknown(_ params: Params) throws(Refusal) {
    try params.refuseOthers(than: ["state", "by", "assignee", "tag", "priority", "due"])
    guard params.has("due"), try params.value("due").kind == .object else { return }
    try params.object("due").refuseOthers(than: ["from", "until"])
  }

  /// Writes the members, sorted. Those with their default value are left out.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("assignee", ifPresent: assignee)
    writer.member("by", ifPresent: by)
    if let due {
      writer.key("due")
      writer.beginObject()
      writer.member("from", ifPresent: due.from)
      writer.member("until", ifPresent: due.until)
      writer.endObject()
    }
    writer.member("priority", ifPresent: priority?.rawValue)
    if state != .open { writer.member("state", state.rawValue) }
    writer.member("tag", ifPresent: tag?.uuid)
    writer.endObject()
  }
}

extension DueWindow {
  fileprivate init(_ params: Params) throws(Refusal) {
    guard params.has("from") || params.has("until") else {
      throw params.invalid("from", "or until must be there")
    }
    self.init(
      from: try params.has("from") ? params.bound("from") : nil,
      until: try params.has("until") ? params.bound("until") : nil)
    let isBackwards =
      switch (from, until) {
      case (.day(let from)?, .day(let until)?): until < from
      case (.moment(let from)?, .moment(let until)?): until < from
      default: false
      }
    if isBackwards { throw params.invalid("until", "must not be before from") }
  }
}

extension Params {
  /// Reads `me`, or the id of a user.
  fileprivate func person(_ name: String) throws(Refusal) -> WantedPerson {
    if try value(name).string == "me" { return .me }
    return .user(UserID(try uuid(name)))
  }

  /// Reads a day, or a moment.
  fileprivate func bound(_ name: String) throws(Refusal) -> DueBound {
    try value(name).kind == .string ? .day(try day(name)) : .moment(try time(name))
  }

  func day(_ name: String) throws(Refusal) -> Day {
    guard let day = Day(try string(name)), Due.days.contains(day) else {
      throw invalid(name, "must be a day such as 2026-11-24, of the years 1971 to 9997")
    }
    return day
  }

  fileprivate func viewPlace(_ name: String) throws(Refusal) -> ViewPlace {
    guard let place = ViewPlace(try secret(name, bytes: 1...ViewQuery.placeBytesMax)) else {
      throw invalid(name, "must be what an answer gave")
    }
    return place
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, ifPresent person: WantedPerson?) {
    switch person {
    case nil: break
    case .me?: member(name, "me")
    case .user(let user)?: member(name, user.uuid)
    }
  }

  fileprivate mutating func member(_ name: String, ifPresent bound: DueBound?) {
    switch bound {
    case nil: break
    case .day(let day)?: member(name, day.description)
    case .moment(let moment)?: member(name, moment)
    }
  }

  /// Writes categories as streams.
  mutating func member(_ name: String, ifPresent categories: [CategoryID]?) {
    guard let categories else { return }
    key(name)
    beginArray()
    for category in categories { stream(.category(category)) }
    endArray()
  }
}
