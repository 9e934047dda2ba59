package import Domain

/// A question about what was (protocol §8).
package enum HistoryQuery: Equatable, Sendable {
  case undo(UndoQuery)

  package var method: Method {
    switch self {
    case .undo: .undoPreview
    }
  }

  /// What it is about.
  package var stream: StreamID {
    switch self {
    case .undo(let it): it.stream
    }
  }

  func writeFields(to writer: inout JSONWriter) {
    switch self {
    case .undo(let it): it.writeFields(to: &writer)
    }
  }
}
