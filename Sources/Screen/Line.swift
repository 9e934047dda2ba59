// A line of output. Text gets into it only through `Text.terminalSafe`, so that no title or name can reach the terminal
// as a control sequence. Only `Painter` adds escape sequences, and it makes them from styles.
//
// A terminal that orders letters from right to left (UAX 9) also moves the text beside them: behind a Hebrew title our
// `(1/6` would be shown in front of it. So the text of others is kept apart from our own words (`Phrase`). Where it
// holds such letters it is shown between FSI and PDI (UAX 9 §3.1.2), on every row anew.

import Text

/// How a piece of a line stands out. `Abilities` decides how each style looks.
package enum Style: Sendable {
  case plain
  case strong
  case dim
  case good
  case bad
  /// Between good and bad.
  case warn
  case accent
  case blue
  case magenta
}

/// One line of safe text, with a style for each piece.
package struct Line: Equatable, Sendable {
  package struct Run: Equatable, Sendable {
    package let text: String
    package let style: Style
    /// Whether this is somebody's text with letters that run from right to left.
    package let isIsolated: Bool
  }

  package private(set) var runs: [Run] = []
  /// The number of columns by which the further rows of a wrapped line are indented.
  package var hang = 0

  package init(_ phrase: Phrase = "", _ style: Style = .plain, hang: Int = 0) {
    self.hang = hang
    add(phrase, style)
  }

  /// Appends a phrase in one style. Line breaks become visible marks like any other control character.
  package mutating func add(_ phrase: Phrase, _ style: Style = .plain) {
    for piece in phrase.pieces {
      runs.append(Run(text: piece.text, style: style, isIsolated: piece.isIsolated))
    }
  }

  /// Returns this line with `phrase` behind it.
  package func and(_ phrase: Phrase, _ style: Style = .plain) -> Line {
    var line = self
    line.add(phrase, style)
    return line
  }

  /// Returns this line with `line` behind it.
  package func and(_ line: Line) -> Line {
    var both = self
    both.runs += line.runs
    return both
  }

  /// The text without its styles, as a script reads it.
  package var plain: String { runs.map(\.text).joined() }

  /// The text without its styles, as a terminal shows it.
  package var shown: String { runs.map(\.shown).joined() }

  /// The number of columns that the line takes on a terminal.
  package var width: Int { runs.reduce(0) { $0 + Text.columns(of: $1.text) } }

  /// Cuts the line into rows of at most `columns`, at blanks where possible.
  package func wrapped(columns: Int) -> [Line] {
    let columns = max(columns, 8)
    var wrapping = Wrapping(columns: columns, hang: min(hang, columns / 2))
    for (index, run) in runs.enumerated() {
      for character in run.text { wrapping.add(character, run: index) }
    }
    return wrapping.finish().enumerated().map { row, cells in
      Line(cells, of: runs, indent: row == 0 ? 0 : wrapping.hang)
    }
  }

  private init(_ cells: [Wrapping.Cell], of whole: [Run], indent: Int) {
    if indent > 0 { add("\(String(repeating: " ", count: indent))") }
    var rest = cells[...]
    while let first = rest.first {
      let own = rest.prefix { $0.run == first.run }
      let run = whole[first.run]
      let text = own.reduce(into: "") { $0.append($1.character) }
      runs.append(Run(text: text, style: run.style, isIsolated: run.isIsolated))
      rest = rest.dropFirst(own.count)
    }
  }
}

extension Line.Run {
  /// The text as a terminal shows it; isolated text stands between FSI and PDI. The LRM behind it has the same effect
  /// on a terminal that does not know isolates or lost the FSI: tmux keeps a character without width in the cell before
  /// it, and there is no cell before the first column.
  var shown: String { isIsolated ? "\u{2068}" + text + "\u{2069}\u{200E}" : text }
}
