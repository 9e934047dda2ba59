package import Domain

/// The place that an export has reached (protocol §8 `account.export`). An export goes through streams in their order,
/// and in each through its parts.
package struct ExportPlace: Equatable, Sendable {
  /// The parts of a stream in their order. `number` is the place within one: posts count down by number, events up by
  /// `seq`.
  package enum Part: String, CaseIterable, Sendable {
    /// Everything but posts.
    case objects = "o"
    case open = "p"
    case done = "d"
    case removed = "r"
    case events = "e"
    /// Nothing more of this stream.
    case end = "z"

    package var next: Part {
      switch self {
      case .objects: .open
      case .open: .done
      case .done: .removed
      case .removed: .events
      case .events, .end: .end
      }
    }
  }

  package let stream: StreamID
  package let part: Part
  package let number: Int64
  /// The object up to which the export has come. Only places among objects have it.
  package let key: ObjectKey?

  package init(stream: StreamID, part: Part, number: Int64 = 0, after key: ObjectKey? = nil) {
    self.stream = stream
    self.part = part
    self.number = number
    self.key = key
  }

  /// The text that a client gives back. It has no meaning for a client.
  package var text: String {
    let head = "\(stream).\(part.rawValue).\(number)"
    return key.map { "\(head).\($0.kind.rawValue).\($0.id)" } ?? head
  }

  /// Reads a place. Nil for any other text.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 || parts.count == 5, let stream = StreamID(parts[0]),
      let part = Part(rawValue: parts[1]), let number = Int64(parts[2]), number >= 0
    else { return nil }
    var key: ObjectKey?
    if parts.count == 5 {
      guard part == .objects, let kind = ObjectKind(rawValue: parts[3]), let id = UUID(parts[4])
      else { return nil }
      key = ObjectKey(kind: kind, id: id)
    }
    self.init(stream: stream, part: part, number: number, after: key)
    guard self.text == text else { return nil }
  }
}

extension ExportPlace: PagePlace {
  static let bytesMax = 128
  static let mustBe = "must be what an earlier page answered"
  static let example = "c:\(Schema.exampleID).e.7"
}

extension Parameter where S == PlaceShape<ExportPlace> {
  static var exportPlace: Self { Self("after", S(), "the `after` of an earlier page") }
}
