import Text

// Fills rows with words. A word that does not fit goes to the next row. If it would not fit there either, it is cut
// where the row ends. Blanks at a cut are dropped; those at the beginning of the line are kept.

/// The rows of one line, as they grow.
struct Wrapping {
  struct Cell {
    let character: Character
    /// The index of the run that the character belongs to.
    let run: Int
    let width: Int

    var isBlank: Bool { character == " " }
  }

  let columns: Int
  /// The number of columns by which the rows behind the first are indented.
  let hang: Int
  private var rows: [[Cell]] = []
  private var row: [Cell] = []
  private var rowWidth = 0
  /// The word that is not finished yet.
  private var word: [Cell] = []
  private var wordWidth = 0
  /// Whether the last character joins the next one.
  private var isJoined = false

  init(columns: Int, hang: Int) {
    self.columns = columns
    self.hang = hang
  }

  mutating func add(_ character: Character, run: Int) {
    let width = Text.columns(of: character, isJoined: &isJoined)
    let cell = Cell(character: character, run: run, width: width)
    if cell.isBlank {
      endWord()
      if rowWidth < room || row.isEmpty { put(cell) } else { breakRow() }
    } else {
      word.append(cell)
      wordWidth += cell.width
    }
  }

  mutating func finish() -> [[Cell]] {
    endWord()
    if !row.isEmpty || rows.isEmpty { breakRow() }
    return rows
  }

  /// The number of columns of the row that is being filled.
  private var room: Int { rows.isEmpty ? columns : columns - hang }

  private mutating func endWord() {
    let fitsHere = rowWidth + wordWidth <= room
    if !fitsHere, wordWidth <= columns - hang, !row.isEmpty { breakRow() }
    for cell in word {
      if rowWidth + cell.width > room { breakRow() }
      put(cell)
    }
    word = []
    wordWidth = 0
  }

  private mutating func put(_ cell: Cell) {
    // This blank is the one at which a row was broken.
    if cell.isBlank, row.isEmpty, !rows.isEmpty { return }
    row.append(cell)
    rowWidth += cell.width
  }

  private mutating func breakRow() {
    while let last = row.last, last.isBlank, !rows.isEmpty || row.contains(where: { !$0.isBlank }) {
      row.removeLast()
    }
    rows.append(row)
    row = []
    rowWidth = 0
  }
}
