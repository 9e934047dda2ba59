package import Domain

/// A question about the past (protocol §8).
package enum HistoryQuery: Equatable, Sendable {
  case events(HistoryEventsQuery)
  case state(HistoryStateQuery)
  case difference(HistoryDifferenceQuery)
  case undo(UndoQuery)

  package var method: Method {
    switch self {
    case .events: .query(.historyEvents)
    case .state: .query(.historyState)
    case .difference: .query(.historyDifference)
    case .undo: .query(.undoPreview)
    }
  }

  /// The stream that the question is about.
  package var stream: StreamID {
    switch self {
    case .events(let it): it.stream
    case .state(let it): .category(it.category)
    case .difference(let it): .category(it.category)
    case .undo(let it): it.stream
    }
  }

  func writeFields(to writer: inout JSONWriter) {
    switch self {
    case .events(let it): it.writeFields(to: &writer)
    case .state(let it): it.writeFields(to: &writer)
    case .difference(let it): it.writeFields(to: &writer)
    case .undo(let it): it.writeFields(to: &writer)
    }
  }
}

/// The request `history.get`: who did what, newest first. A field that is nil does not matter.
package struct HistoryEventsQuery: Equatable, Sendable {
  package let stream: StreamID
  package var person: UserID?
  package var post: PostID?
  /// The kinds of ops, in the order of the specification. An event with an op of one of them is shown.
  package var kinds: [OpKind]?
  package var from: Timestamp?
  package var until: Timestamp?
  /// The number below which events are wanted. Nil starts at the newest.
  package var before: Int64?
  /// The number of events on a page: 1 … `Limits.listPageMax`.
  package let limit: Int

  package init(
    stream: StreamID, person: UserID? = nil, post: PostID? = nil, kinds: [OpKind]? = nil,
    from: Timestamp? = nil, until: Timestamp? = nil, before: Int64? = nil, limit: Int
  ) {
    self.stream = stream
    self.person = person
    self.post = post
    self.kinds = kinds
    self.from = from
    self.until = until
    self.before = before
    self.limit = limit
  }
}

/// The request `history.state`: a list as it was.
package struct HistoryStateQuery: Equatable, Sendable {
  package enum Moment: Equatable, Sendable {
    /// The moment after this event.
    case seq(Int64)
    /// The moment after the last event that is not later than this time.
    case time(Timestamp)
  }

  package let category: CategoryID
  package let moment: Moment
  /// The number of the page, from 1.
  package let page: Int

  package init(category: CategoryID, moment: Moment, page: Int) {
    self.category = category
    self.moment = moment
    self.page = page
  }
}

/// The request `history.diff`: the differences between a list after event `from` and after event `to`.
package struct HistoryDifferenceQuery: Equatable, Sendable {
  package let category: CategoryID
  package let from: Int64
  package let to: Int64
  /// The number of the page, from 1.
  package let page: Int

  package init(category: CategoryID, from: Int64, to: Int64, page: Int) {
    self.category = category
    self.from = from
    self.to = to
    self.page = page
  }
}

// MARK: - Parameters

extension HistoryEventsQuery {
  init(_ params: Params) throws(Refusal) {
    self.init(
      stream: try params.stream("stream"),
      person: try params.has("person") ? UserID(params.uuid("person")) : nil,
      post: try params.has("post") ? PostID(params.uuid("post")) : nil,
      kinds: try params.has("kinds") ? params.kinds() : nil,
      from: try params.has("from") ? params.time("from") : nil,
      until: try params.has("until") ? params.time("until") : nil,
      before: try params.has("before") ? params.int("before", 1...JSONNumber.integerMax) : nil,
      limit: try params.limit(Limits.listPageMax))
  }

  func writeFields(to writer: inout JSONWriter) {
    if let before { writer.member("before", before) }
    if let from { writer.member("from", from) }
    if let kinds {
      writer.key("kinds")
      writer.beginArray()
      for kind in kinds { writer.string(kind.rawValue) }
      writer.endArray()
    }
    writer.member("limit", limit)
    writer.member("person", ifPresent: person?.uuid)
    writer.member("post", ifPresent: post?.uuid)
    writer.member("stream", stream)
    if let until { writer.member("until", until) }
  }
}

extension HistoryStateQuery {
  init(_ params: Params) throws(Refusal) {
    let category = CategoryID(try params.uuid("category"))
    guard params.has("seq") || params.has("at") else {
      throw params.invalid("seq", "or at must be there")
    }
    let moment: Moment =
      try params.has("seq")
      ? .seq(params.int("seq", 1...JSONNumber.integerMax)) : .time(params.time("at"))
    self.init(category: category, moment: moment, page: try params.page())
  }

  func writeFields(to writer: inout JSONWriter) {
    if case .time(let time) = moment { writer.member("at", time) }
    writer.member("category", category.uuid)
    writer.member("page", page)
    if case .seq(let seq) = moment { writer.member("seq", seq) }
  }
}

extension HistoryDifferenceQuery {
  init(_ params: Params) throws(Refusal) {
    let category = CategoryID(try params.uuid("category"))
    let from = try params.int("from", 1...JSONNumber.integerMax)
    let to = try params.int("to", 1...JSONNumber.integerMax)
    guard from <= to else { throw params.invalid("to", "must not be before from") }
    self.init(category: category, from: from, to: to, page: try params.page())
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("category", category.uuid)
    writer.member("from", from)
    writer.member("page", page)
    writer.member("to", to)
  }
}

extension Params {
  fileprivate func page() throws(Refusal) -> Int {
    has("page") ? Int(try int("page", 1...Int64(Int32.max))) : 1
  }

  /// Reads known kinds of ops. Returns each once, in the order of the specification.
  fileprivate func kinds() throws(Refusal) -> [OpKind] {
    var found: Set<OpKind> = []
    for element in try elements("kinds") {
      guard let kind = element.string.flatMap(OpKind.init(rawValue:)) else {
        throw invalid("kinds", "must be kinds of ops")
      }
      found.insert(kind)
    }
    guard !found.isEmpty else { throw invalid("kinds", "is empty") }
    return OpKind.allCases.filter(found.contains)
  }
}
