import Text

/// The part of the typed line that fits on one row: `text` is all of it, `beforeCursor` the part up to the cursor.
package struct EditorView: Equatable, Sendable {
  package let text: String
  package let beforeCursor: String

  /// Shows the part of the line around the cursor in `columns` columns; the cursor itself needs one.
  ///
  /// A longer line is moved left in steps of half a row, so that it does not shift with every key.
  package init(_ editor: LineEditor, columns: Int) {
    let columns = max(columns, 4)
    let head = Text.terminalSafe(editor.head)
    let skipped = EditorView.scroll(headWidth: Text.columns(of: head), columns: columns)
    beforeCursor = EditorView.drop(skipped, from: head)
    let room = columns - Text.columns(of: beforeCursor)
    text = beforeCursor + EditorView.prefix(room, of: Text.terminalSafe(editor.tail))
  }

  private static func scroll(headWidth: Int, columns: Int) -> Int {
    guard headWidth >= columns else { return 0 }
    let step = columns / 2
    return ((headWidth - columns) / step + 1) * step
  }

  private static func drop(_ columns: Int, from text: String) -> String {
    var dropped = 0
    var isJoined = false
    return String(
      text.drop { character in
        guard dropped < columns else { return false }
        dropped += Text.columns(of: character, isJoined: &isJoined)
        return true
      })
  }

  private static func prefix(_ columns: Int, of text: String) -> String {
    var used = 0
    var isJoined = false
    return String(
      text.prefix { character in
        used += Text.columns(of: character, isJoined: &isJoined)
        return used <= columns
      })
  }
}
