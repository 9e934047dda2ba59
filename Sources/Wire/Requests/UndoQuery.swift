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
    let stream = try params.stream("stream", "cg")
    guard !params.has("events") else {
      self.init(stream: stream, selection: .events(try params.eventNumbers("events")))
      return
    }
    guard params.has("by") else { throw params.invalid("events", "or by and since must be there") }
    self.init(
      stream: stream,
      selection: .doings(
        of: UserID(try params.uuid("by")), since: try params.time("since"),
        until: try params.optional("until") { params throws(Refusal) in try params.time("until") }))
  }

  func writeFields(to writer: inout JSONWriter) {
    switch selection {
    case .events(let events):
      writer.member("events", events)
      writer.member("stream", stream)
    case .doings(let user, let since, let until):
      writer.member("by", user.uuid)
      writer.member("since", since)
      writer.member("stream", stream)
      if let until { writer.member("until", until) }
    }
  }
}

extension UndoTarget {
  static let seenBytesMax = 64

  init(_ params: Params) throws(Refusal) {
    self.init(
      stream: try params.stream("stream", "cg"), events: try params.eventNumbers("events"),
      seen: try params.has("seen")
        ? params.secret("seen", bytes: 1...UndoTarget.seenBytesMax) : nil)
  }
}

extension Params {
  /// Reads numbers of events, at least one. Returns them ascending and each once, however they were sent.
  fileprivate func eventNumbers(_ name: String) throws(Refusal) -> [Int64] {
    var numbers: Set<Int64> = []
    for element in try elements(name) {
      guard let number = element.int64 else { throw invalid(name, "must be integers") }
      guard (1...JSONNumber.integerMax).contains(number) else {
        throw invalid(name, "must be 1 to \(JSONNumber.integerMax)")
      }
      numbers.insert(number)
      guard numbers.count <= Limits.undoEventsMax else {
        throw tooLarge(name, max: Limits.undoEventsMax)
      }
    }
    guard !numbers.isEmpty else { throw invalid(name, "is empty") }
    return numbers.sorted()
  }

  func time(_ name: String) throws(Refusal) -> Timestamp {
    Timestamp(milliseconds: try int(name, 0...JSONNumber.integerMax))
  }
}
