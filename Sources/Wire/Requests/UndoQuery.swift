package import Domain

/// The request `undo.preview` (protocol §8): what an undo would do now.
package struct UndoQuery: Equatable, Sendable {
  package enum Selection: Equatable, Sendable {
    /// The numbers of events, ascending, each once, 1 … `Limits.undoEventsMax` of them.
    case events([Int64])
    /// Everything that one person did from `since` on, up to `until` if that is not nil.
    case doings(of: UserID, since: Timestamp, until: Timestamp?)
  }

  /// The category or group: `c:` or `g:`.
  package let stream: StreamID
  package let selection: Selection

  package init(stream: StreamID, selection: Selection) {
    self.stream = stream
    self.selection = selection
  }
}

extension UndoQuery {
  init(_ params: Params) throws(Refusal) {
    let stream = try params.read(.list)
    try params.needsOne(of: ["events"], ["by", "since"], or: "by and since")
    if let events = try params.optional(.events) {
      self.init(stream: stream, selection: .events(events))
    } else {
      self.init(
        stream: stream,
        selection: .doings(
          of: try params.read(.doer), since: try params.read(.since),
          until: try params.optional(.until)))
    }
  }

  func add(to fields: inout SortedFields) {
    fields.add(.list, stream)
    switch selection {
    case .events(let events): fields.add(.events, events)
    case .doings(let user, let since, let until):
      fields.add(.doer, user)
      fields.add(.since, since)
      fields.add(.until, until)
    }
  }
}

extension UndoTarget {
  init(_ params: Params) throws(Refusal) {
    self.init(
      stream: try params.read(.list), events: try params.read(.events),
      seen: try params.optional(.seen))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.list, stream)
    fields.add(.events, events)
    fields.add(.seen, seen)
  }
}

// MARK: - Parameters

extension Parameter where S == EventNumbersShape {
  fileprivate static var events: Self { Self("events", S(), "the numbers of the events") }
}

extension Parameter where S == IDShape<UserID> {
  fileprivate static var doer: Self {
    Self("by", S(), "instead of `events`: the person who did it")
  }
}

extension Parameter where S == TimeShape {
  fileprivate static var since: Self {
    Self("since", S(), "the first moment of what `by` did; `by` needs it")
  }

  fileprivate static var until: Self { Self("until", S(), "the last moment of what `by` did") }
}

extension Parameter where S == SecretShape {
  fileprivate static var seen: Self {
    Self("seen", S(bytes: 1...UndoTarget.seenBytesMax), "the `seen` of `undo.preview`")
  }
}

extension UndoTarget {
  static let seenBytesMax = 64
}

/// Numbers of events, ascending and each once, however they were sent.
struct EventNumbersShape: Shape {
  func read(_ params: Params, _ name: String) throws(Refusal) -> [Int64] {
    var numbers: Set<Int64> = []
    for element in try params.elements(name) {
      guard let number = element.int64 else { throw params.invalid(name, "must be integers") }
      guard (1...JSONNumber.integerMax).contains(number) else {
        throw params.invalid(name, "must be 1 to \(JSONNumber.integerMax)")
      }
      numbers.insert(number)
      guard numbers.count <= Limits.undoEventsMax else {
        throw params.tooLarge(name, max: Limits.undoEventsMax)
      }
    }
    guard !numbers.isEmpty else { throw params.invalid(name, "is empty") }
    return numbers.sorted()
  }

  func write(_ value: [Int64], to writer: inout JSONWriter) {
    writer.array(value) { $1.int($0) }
  }

  var schema: String { Schema.common("eventNumbers") }
  var example: String { "[7]" }
}
