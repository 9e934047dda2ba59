// The screen of a chat. Finished lines scroll up as in any terminal; the last row holds a prompt and the line being
// typed. To print an incoming line, the painter wipes that row, writes the line in its place, and paints the row again
// below it. So the line being typed is never disturbed (antirez/smallchat does the same).
//
// The painter only makes bytes. To place the cursor it writes a carriage return and the part before the cursor once
// more, so a terminal needs no cursor movement at all. Without "clear to end of line" it overwrites old text with
// blanks. One column stays free, so that the row never wraps by itself.

import Text

/// Turns lines and an editor into bytes for a terminal, and remembers what its last row shows.
package struct Painter: Sendable {
  private let abilities: Abilities
  private(set) var columns: Int
  private var prompt = Line()
  private var view = EditorView(LineEditor(), columns: 80)
  /// The number of columns that the bottom row uses; 0 when it shows nothing.
  private var shownColumns = 0

  package init(abilities: Abilities, columns: Int) {
    self.abilities = abilities
    self.columns = Painter.usable(columns)
  }

  /// Paints the bottom row anew if it would look different; else returns no bytes.
  package mutating func show(prompt: Line, editor: LineEditor) -> [UInt8] {
    let fitted = fit(prompt)
    let next = EditorView(editor, columns: columns - 1 - fitted.width)
    if fitted == self.prompt, next == view, shownColumns > 0 { return [] }
    self.prompt = fitted
    view = next
    return Array(row().utf8)
  }

  /// Prints lines above the bottom row.
  package mutating func print(_ lines: [Line]) -> [UInt8] {
    guard !lines.isEmpty else { return [] }
    var out = wipe()
    for line in lines {
      for part in line.wrapped(columns: columns - 1) { out += styled(part) + "\r\n" }
    }
    return Array((out + row()).utf8)
  }

  /// Takes away the old bottom row after the terminal's width has changed; a narrower terminal has folded it into
  /// several rows. `show` paints the new one.
  package mutating func resize(columns: Int) -> [UInt8] {
    self.columns = Painter.usable(columns)
    let rowsAbove = max(0, (shownColumns - 1) / self.columns)
    shownColumns = 0
    guard rowsAbove == 0 || abilities.cursorUp != nil else { return Array("\r\n".utf8) }
    let up = String(repeating: abilities.cursorUp ?? "", count: rowsAbove)
    return Array((up + "\r" + (abilities.clearToEndOfScreen ?? "")).utf8)
  }

  /// Clears the screen and paints the bottom row on top.
  package mutating func clear() -> [UInt8] {
    Array(((abilities.clearScreen ?? "\r\n") + row()).utf8)
  }

  /// Wipes the bottom row and leaves the cursor there.
  package mutating func finish() -> [UInt8] { Array(wipe().utf8) }

  private static func usable(_ columns: Int) -> Int { min(max(columns, 20), 1_000) }

  /// Cuts the prompt to half of the row.
  private func fit(_ prompt: Line) -> Line {
    prompt.width <= columns / 2 ? prompt : prompt.wrapped(columns: columns / 2)[0].and(" ")
  }

  private mutating func wipe() -> String {
    guard shownColumns > 0 else { return "" }
    let blanks = String(repeating: " ", count: abilities.clearToEndOfLine == nil ? shownColumns : 0)
    shownColumns = 0
    return "\r" + (abilities.clearToEndOfLine ?? blanks + "\r")
  }

  private mutating func row() -> String {
    let old = shownColumns
    let typed = abilities.charset.encoded(view.text)
    shownColumns = max(1, prompt.width + Text.columns(of: view.text))
    let painted = styled(prompt)
    let blanks = String(repeating: " ", count: max(0, old - shownColumns))
    var out = "\r" + painted + typed + (abilities.clearToEndOfLine ?? blanks)
    let cursorIsAtEnd = view.text == view.beforeCursor
    if !cursorIsAtEnd || (abilities.clearToEndOfLine == nil && !blanks.isEmpty) {
      out += "\r" + painted + abilities.charset.encoded(view.beforeCursor)
    }
    return out
  }

  private func styled(_ line: Line) -> String {
    line.runs.map { run in
      let start = abilities.start(run.style)
      let text = abilities.charset.encoded(run.shown)
      return start.isEmpty ? text : start + text + abilities.normal
    }.joined()
  }
}
