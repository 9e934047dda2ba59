@testable import Screen

/// A terminal of so many columns that knows what the painter needs: CR, LF, clear to end of line and of
/// screen, cursor up. Lines scroll into `rows` and stay. Anything else is shown as a letter.
struct FakeTerminal {
  let columns: Int
  private(set) var rows: [[Character]] = [[]]
  private(set) var row = 0
  private(set) var column = 0

  init(columns: Int) { self.columns = columns }

  static let abilities: Abilities = {
    var abilities = Abilities()
    abilities.clearToEndOfLine = "⌫"
    abilities.clearToEndOfScreen = "⌦"
    abilities.cursorUp = "↑"
    return abilities
  }()

  mutating func receive(_ bytes: [UInt8]) {
    for character in String(decoding: bytes, as: UTF8.self) {
      switch character {
      case "\r\n":
        column = 0
        down()
      case "\r": column = 0
      case "⌫": rows[row] = Array(rows[row].prefix(column))
      case "⌦":
        rows[row] = Array(rows[row].prefix(column))
        rows.removeLast(rows.count - 1 - row)
      case "↑": row = max(0, row - 1)
      default: put(character)
      }
    }
  }

  /// The rows without blanks at their ends.
  var text: [String] {
    rows.map { row in
      var text = String(row)
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  private mutating func down() {
    row += 1
    if row == rows.count { rows.append([]) }
  }

  private mutating func put(_ character: Character) {
    if column == columns {
      column = 0
      down()
    }
    while rows[row].count <= column { rows[row].append(" ") }
    rows[row][column] = character
    column += 1
  }
}
