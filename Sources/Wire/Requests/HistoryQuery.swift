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

  func add(to fields: inout SortedFields) {
    switch self {
    case .events(let it): it.add(to: &fields)
    case .state(let it): it.add(to: &fields)
    case .difference(let it): it.add(to: &fields)
    case .undo(let it): it.add(to: &fields)
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
      stream: try params.read(.followed), person: try params.optional(.person),
      post: try params.optional(.touched), kinds: try params.optional(.kinds),
      from: try params.optional(.from), until: try params.optional(.until),
      before: try params.optional(.beforeEvent),
      limit: try params.limit(Limits.listPageMax))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.followed, stream)
    fields.add(.person, person)
    fields.add(.touched, post)
    fields.add(.kinds, kinds)
    fields.add(.from, from)
    fields.add(.until, until)
    fields.add(.beforeEvent, before)
    fields.add(.limit(Limits.listPageMax), limit)
  }
}

extension HistoryStateQuery {
  init(_ params: Params) throws(Refusal) {
    let category = try params.read(.askedCategory)
    try params.needsOne(of: ["seq"], ["at"], or: "at")
    let moment: Moment
    if let seq = try params.optional(.afterEvent) {
      moment = .seq(seq)
    } else {
      moment = .time(try params.read(.atMoment))
    }
    self.init(category: category, moment: moment, page: try params.read(.page, or: 1))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.askedCategory, category)
    switch moment {
    case .seq(let seq): fields.add(.afterEvent, seq)
    case .time(let time): fields.add(.atMoment, time)
    }
    fields.add(.page, page)
  }
}

extension HistoryDifferenceQuery {
  init(_ params: Params) throws(Refusal) {
    let category = try params.read(.askedCategory)
    let from = try params.read(.fromEvent)
    let to = try params.read(.toEvent)
    guard from <= to else { throw params.invalid("to", "must not be before from") }
    self.init(category: category, from: from, to: to, page: try params.read(.page, or: 1))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.askedCategory, category)
    fields.add(.fromEvent, from)
    fields.add(.toEvent, to)
    fields.add(.page, page)
  }
}

extension Parameter where S == StreamShape {
  fileprivate static var followed: Self {
    Self("stream", S(letters: "cgu"), "the stream whose events are asked for")
  }
}

extension Parameter where S == IDShape<UserID> {
  fileprivate static var person: Self { Self("person", S(), "only what this person did") }
}

extension Parameter where S == IDShape<PostID> {
  fileprivate static var touched: Self { Self("post", S(), "only events about this post") }
}

extension Parameter where S == TimeShape {
  fileprivate static var from: Self { Self("from", S(), "the first moment") }
  fileprivate static var until: Self { Self("until", S(), "the last moment") }
  fileprivate static var atMoment: Self {
    Self("at", S(), "instead of `seq`: after the last event that is not later than this")
  }
}

extension Parameter where S == IntegerShape<Int64> {
  private static func event(_ name: String, _ meaning: String) -> Self {
    Self(name, S(range: 1...JSONNumber.integerMax), meaning)
  }

  fileprivate static var beforeEvent: Self { event("before", "only events with a lower number") }

  fileprivate static var afterEvent: Self {
    event("seq", "the number of the last event of the state; it counts when `at` is there too")
  }

  fileprivate static var fromEvent: Self {
    event("from", "the number of the last event of the earlier state")
  }

  fileprivate static var toEvent: Self {
    event("to", "the number of the last event of the later state; not less than `from`")
  }
}

extension Parameter where S == IntegerShape<Int> {
  fileprivate static var page: Self {
    Self("page", S(range: 1...Int64(Int32.max)), "the number of the page")
  }
}

extension Parameter where S == OpKindsShape {
  fileprivate static var kinds: Self { Self("kinds", S(), "only events with one of these ops") }
}

/// Known kinds of ops, each once, in the order of the specification.
struct OpKindsShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> [OpKind] {
    var found: Set<OpKind> = []
    for element in try params.elements(name) {
      guard let kind = element.string.flatMap(OpKind.init(rawValue:)) else {
        throw params.invalid(name, "must be kinds of ops")
      }
      found.insert(kind)
    }
    guard !found.isEmpty else { throw params.invalid(name, "is empty") }
    return OpKind.allCases.filter(found.contains)
  }

  func write(_ value: [OpKind], to writer: inout JSONWriter) {
    writer.array(value) { $1.string($0.rawValue) }
  }

  var schema: String {
    #"{"type":"array","minItems":1,"items":\#(Schema.words(OpKind.allCases.map(\.rawValue))),"#
      + #""description":"kinds of ops (§7)"}"#
  }

  var example: String { #"["post.added"]"# }
}
