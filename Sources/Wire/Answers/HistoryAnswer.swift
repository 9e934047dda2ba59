/// What a `HistoryQuery` is answered with, by its kind.
package enum HistoryAnswer: Equatable, Sendable {
  case undo(UndoPreview)

  package init(decoding node: JSONNode, to query: HistoryQuery) throws(WireError) {
    switch query {
    case .undo: self = .undo(try UndoPreview(decoding: node))
    }
  }

  func writeFields(to writer: inout JSONWriter) {
    switch self {
    case .undo(let it): it.writeFields(to: &writer)
    }
  }
}
